"""What of an answer states nothing whatever it says: code, a table's head, a list of sources, footnotes."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator

_FENCE = re.compile(r"[ \t]{0,3}(```|~~~)")
_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t|:-]*)?\n?\Z")
_FOOTNOTE = re.compile(r"[ \t]*\[\^[^\]\n]{1,40}\]:")
_SOURCES = re.compile(
    r"[ \t#*>-]*(?:参考(?:资料|文献|来源|链接)?|(?:资料|信息)?来源|引用(?:来源|资料|列表)?|脚注"
    r"|(?i:references?|sources?|citations?|footnotes?|works cited))[ \t*]*:?[ \t*]*\n?\Z"
)
_ITEM = re.compile(r"[ \t]*(?:[-*+•]|[0-9]{1,3}[.)、]|<|\[)")
_MAY = re.compile(r"```|~~~|--|\[\^|参考|来源|引用|脚注|(?i:reference|source|citation|footnote|cited)")


class Asides:
    """The stretches of a text that state nothing.

    Args:
        text: an answer after NFKC, without its markers.
        marks: where markers were in it.
    """

    __slots__ = ("_ends", "_starts")

    def __init__(self, text: str, marks: Collection[int] = ()) -> None:
        found = list(_lines(text, marks)) if "\n" in text and _MAY.search(text) else []
        self._starts = [start for start, _ in found]
        self._ends = [end for _, end in found]

    def __call__(self, start: int, end: int) -> bool:
        """Whether `text[start:end]` stands in one of them."""
        behind = bisect_right(self._starts, start)
        return behind > 0 and end <= self._ends[behind - 1]


def _lines(text: str, marks: Collection[int]) -> Iterator[tuple[int, int]]:
    """The lines that state nothing, in order."""
    lines = text.split("\n")
    at = 0
    fence = ""
    listing = False
    for number, line in enumerate(lines):
        start, end = at, at + len(line)
        at = end + 1
        opened = _FENCE.match(line)
        if fence or opened:
            yield start, end
            if opened:
                fence = "" if fence == opened.group(1) else fence or opened.group(1)
            continue
        if listing and line.strip() and not (_ITEM.match(line) or start in marks):
            listing = False
        if listing or _FOOTNOTE.match(line):
            yield start, end
        elif _SOURCES.match(line):
            listing = True
            yield start, end
        elif "|" in line and number + 1 < len(lines) and _RULE.match(lines[number + 1]):
            yield start, end
