"""Citation markers in an answer's text (metrics.md section 6): `[S1] [1] [1,2] [1-3] 【1】 [KB-X] ［Ｓ１］`.

A bracket is a marker only if every part of it is a position (`1`, `S1`), a range of positions, or shaped like
a document id; ids of another shape count where the caller names them as known.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

RANGE_LIMIT = 20
"""Most positions that a range may stand for; a longer one is an interval of numbers, not a citation."""

# One character for one, so that offsets stay those of the original text.
_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {
    0x3010: "[", 0x3011: "]", 0x3000: " ", 0x3001: ",", 0x2010: "-", 0x2011: "-", 0x2012: "-", 0x2013: "-",
    0x2014: "-", 0x2212: "-", 0x007E: "-", 0xFF5E: "-", 0x301C: "-",
}  # fmt: skip
_BRACKET = re.compile(r"\[([^\[\]\n]{1,200})\]")
_SEPARATOR = re.compile(r"[,;]")
_POSITION = re.compile(r"S?[0-9]{1,3}")
_RANGE = re.compile(r"(S?)([0-9]{1,3}) ?- ?(S?)([0-9]{1,3})")
# Two characters at least before the first joint: `[i-1]` and `[A-Z]` are no documents.
_DOCUMENT = re.compile(r"[A-Za-z][A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)+")
_JOINT = re.compile(r"[-_]")
_SHORT_ID = re.compile(r"[A-Z]{1,6}[0-9]{1,6}")
_DIGIT = re.compile(r"[0-9]")
_NAME = re.compile(r"[^\W\d][\w.]*\Z")
_LINK = re.compile(
    r"\(\s*<?(?:[A-Za-z][A-Za-z0-9+.-]*:[^\s)]|\.{0,2}/|#|[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,})", re.ASCII
)
_TICKS = frozenset({"x", "X"})
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_NAME_REACH = 80


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker as it stands in the text, and the ids it names.

    `start` and `end` are character offsets in the original text; `ids` are distinct and in order.
    """

    text: str
    ids: tuple[str, ...]
    start: int
    end: int


def find_markers(text: str, known: Collection[str] = ()) -> list[Marker]:
    """All citation markers of `text`, in order.

    Args:
        text: an answer, raw.
        known: ids of this turn's documents; these count whatever their shape.
    """
    narrow = text.translate(_NARROW)
    if "[" not in narrow:
        return []
    code = [match.span() for match in _CODE.finditer(narrow)] if "`" in narrow else []
    markers: list[Marker] = []
    index_end = -1
    for match in _BRACKET.finditer(narrow):
        start, end = match.span()
        raw = text[start + 1 : end - 1]
        ids = (raw,) if raw in known else _ids(match.group(1), known)
        if not ids or raw.strip() in _TICKS or _LINK.match(text, end):
            continue
        if _is_literal(start, match.group(1), code):
            continue
        if start == index_end or _is_index(narrow, start, match.group(1), code):
            index_end = end
            continue
        markers.append(Marker(text[start:end], ids, start, end))
    return markers


def cited_ids(text: str, known: Collection[str] = ()) -> list[str]:
    """The ids that the markers of `text` name, each once, in order."""
    return list(dict.fromkeys(name for marker in find_markers(text, known) for name in marker.ids))


def _ids(inner: str, known: Collection[str]) -> tuple[str, ...]:
    """The ids a bracket's content names; () if any part of it is no citation."""
    found: dict[str, None] = {}
    for piece in _SEPARATOR.split(inner):
        part = piece.strip()
        if part in known or _POSITION.fullmatch(part) or _looks_like_document(part):
            found[part] = None
            continue
        positions = _range(part)
        if not positions:
            return ()
        found.update(dict.fromkeys(positions))
    return tuple(found)


def _range(part: str) -> list[str]:
    """`S1-S3` as its positions; [] if it is none, runs backwards, or is longer than `RANGE_LIMIT`."""
    match = _RANGE.fullmatch(part)
    if not match:
        return []
    prefix, first, again, last = match.groups()
    low, high = int(first), int(last)
    if (again and not prefix) or not low <= high < low + RANGE_LIMIT:
        return []
    return [f"{prefix}{number}" for number in range(low, high + 1)]


def _looks_like_document(part: str) -> bool:
    """`KB-REFUND`, `chunk_12`, `FAQ7`, but neither `well-known` nor `Jean-Pierre`, nor the range `S1-S3`."""
    if _SHORT_ID.fullmatch(part):
        return True
    if not _DOCUMENT.fullmatch(part) or _RANGE.fullmatch(part):
        return False
    return bool(_DIGIT.search(part)) or _JOINT.split(part, maxsplit=1)[0].isupper()


def _is_literal(start: int, inner: str, code: list[tuple[int, int]]) -> bool:
    """Whether the bracket at `start` stands in code and holds bare numbers: a value, no citation."""
    return any(low <= start < high for low, high in code) and not any(map(str.isalpha, inner))


def _is_index(text: str, start: int, inner: str, code: list[tuple[int, int]]) -> bool:
    """Whether the bracket at `start` indexes the name before it (`a[1]`) rather than cites (`neonate[3]`)."""
    before = text[start - 1 : start]
    if not (before.isascii() and (before.isalnum() or before == "_")):
        return False
    name = _NAME.search(text[max(0, start - _NAME_REACH) : start])
    if not name:
        return False
    if any(low <= start < high for low, high in code):
        return True
    word = name.group()
    return inner.strip().isdecimal() and (len(word) == 1 or not word.isalpha())
