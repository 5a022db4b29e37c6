"""Record text made safe to print: no terminal control reaches the screen, and text is cut by cells.

What is stored and exported is never changed; this is for eyes only.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from rich.cells import cell_len, split_graphemes

_NAMES = {
    0: "NUL",
    7: "BEL",
    8: "BS",
    9: "TAB",
    10: "LF",
    13: "CR",
    27: "ESC",
    0x7F: "DEL",
    0x9B: "CSI",
    0x9D: "OSC",
}
# C0, C1, DEL, line ends, bidirectional overrides, zero-width marks, lone surrogates, the tag block,
# noncharacters.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\ufffe\uffff\U000e0000-\U000e007f]"
)
_PREVIEW = str.maketrans(
    {
        "\u201c": '"', "\u201d": '"', "\u2018": "'", "\u2019": "'", "\u2026": "...", "\u2014": "-",
        "\u2013": "-", "\u00b7": ".", "\u2022": ".", "\u00d7": "x", "\u2192": ">", "\u2190": "<",
    }
)  # fmt: skip
_JOINER = "\u200d"
CUT = "\u00bb"
"""Marks text that was cut."""
# Closing marks that must not start a line (look.md section 4).
NO_LINE_START = frozenset("\uff0c\u3002\u3001\uff1b\uff1a\uff1f\uff01\uff09\u300b\u300d\u300f\u201d\u2019")


def _mark(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"<{_NAMES[code]}>" if code in _NAMES else f"<U+{code:04X}>"


def plain(text: str) -> str:
    """Control characters as visible marks (`<ESC>`); line breaks become LF, a tab becomes a space."""
    text = text.replace("\r\n", "\n").replace("\t", " ")
    return _UNSAFE.sub(_mark, text)


def one_line(text: str) -> str:
    """`plain`, on one line: runs of white space become one space."""
    return " ".join(plain(text).split())


def preview(text: str) -> str:
    """`one_line` with ambiguous-width marks as ASCII, for text that stands left of something else."""
    return one_line(text).translate(_PREVIEW)


def width(text: str) -> int:
    """Cells that `text` takes in a terminal."""
    return len(text) if text.isascii() else cell_len(text)


def cut(text: str, cells: int) -> str:
    """`text` cut to at most `cells` cells, before a wide character that does not fit; a cut text ends in
    `»`.
    """
    if cells <= 0:
        return ""
    if width(text) <= cells:
        return text
    room, used, end = cells - 1, 0, 0
    for _, stop, step in _signs(text):
        if used + step > room:
            break
        used, end = used + step, stop
    return text[:end].rstrip(_JOINER) + CUT


def cut_left(text: str, cells: int) -> str:
    """`text` cut to at most `cells` cells keeping its tail; a cut text begins with `»`."""
    if width(text) <= cells:
        return text
    room, used, begin = cells - 1, 0, len(text)
    for start, _, step in reversed(list(_signs(text))):
        if used + step > room:
            break
        used, begin = used + step, start
    return CUT + text[begin:] if cells > 0 else ""


def _signs(text: str) -> Iterable[tuple[int, int, int]]:
    """(start, end, cells) of each sign; what is joined, or made wide by what follows it, is one."""
    if _JOINER in text or "\ufe0f" in text:
        return split_graphemes(text)[0]
    return ((at, at + 1, 1 if sign.isascii() else cell_len(sign)) for at, sign in enumerate(text))


def fit(text: str, cells: int, *, right: bool = False) -> str:
    """`text` cut or padded to exactly `cells` cells; `right` pads on the left."""
    # A joiner at its end would take the blank that follows.
    text = cut(text, cells).rstrip(_JOINER)
    gap = " " * (cells - width(text))
    return gap + text if right else text + gap


def number_of(count: int, noun: str) -> str:
    """`1 case`, `2 cases`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def markdown_table(
    heads: Sequence[str], rows: Iterable[Sequence[str]], right: Collection[int] = ()
) -> list[str]:
    """Lines of a Markdown table; its texts are escaped already.

    Args:
        heads: the columns' titles.
        rows: texts by column.
        right: columns whose texts stand at the right.
    """
    marks = ("---:" if column in right else "---" for column in range(len(heads)))
    return [f"| {' | '.join(cells)} |" for cells in (heads, tuple(marks), *rows)]
