"""Citation markers in an answer's text (metrics.md section 6): what a reader takes for a source's number.

The forms themselves are a file a family, in `triage.citations.forms`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from triage.citations.forms import Found, forms, openers
from triage.citations.naming import RANGE_LIMIT, ids_in
from triage.citations.page import Page

_JOIN = re.compile(r"\s?(?:-|至|到)\s?")

__all__ = ["RANGE_LIMIT", "Marker", "cited_ids", "find_markers", "may_cite"]


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker as it stands in the text, and the ids it names.

    `start` and `end` are character offsets in the original text; `ids` are distinct and in order.
    """

    text: str
    ids: tuple[str, ...]
    start: int
    end: int


def may_cite(text: str) -> bool:
    """Whether `text` has anything that a marker begins with; False = it has no marker. A single search."""
    return openers().search(text) is not None


def find_markers(text: str, known: Collection[str] = ()) -> list[Marker]:
    """All citation markers of `text`, in order.

    Args:
        text: an answer, raw.
        known: ids of this turn's documents; these count whatever their shape.
    """
    if not may_cite(text):
        return []
    page = Page(text, known)
    found: list[Found] = []
    for form in forms():
        if form.hint.search(text):
            found = _with(found, form.find(page))
    return [Marker(text[start:end], ids, start, end) for start, end, ids in _ranged(page.narrow, found)]


def _ranged(narrow: str, found: list[Found]) -> list[Found]:
    """`[1]-[3]` as one marker that names what is between as well."""
    joined: list[Found] = []
    for each in found:
        start, end, ids = each
        if joined and len(ids) == 1:
            first, last, before = joined[-1]
            if _JOIN.fullmatch(narrow, last, start):
                whole = ids_in(f"{before[-1]}-{ids[0]}", ())
                if len(whole) > 1:
                    joined[-1] = (first, end, tuple(dict.fromkeys((*before, *whole))))
                    continue
        joined.append(each)
    return joined


def _with(found: list[Found], more: Iterable[Found]) -> list[Found]:
    """What earlier families found, in order, and what a later one finds elsewhere."""
    if not found:
        return list(more)
    starts = [start for start, _, _ in found]
    free = []
    for each in more:
        after = bisect_left(starts, each[1])
        if not after or found[after - 1][1] <= each[0]:
            free.append(each)
    return sorted(found + free) if free else found


def cited_ids(text: str, known: Collection[str] = ()) -> list[str]:
    """The ids that the markers of `text` name, each once, in order."""
    return list(dict.fromkeys(name for marker in find_markers(text, known) for name in marker.ids))
