"""An answer's sentences, each with the ids of its markers (metrics.md section 6, "Split")."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from triage.citations.asides import Asides
from triage.citations.factual import is_factual
from triage.citations.folding import Folded
from triage.citations.markers import Marker, find_markers

# A quotation or a bracket that closes right behind the stop belongs to the sentence.
_STOP = re.compile(r"(?:[。！？!?;]|\.{3,}|\.(?=[\s”’\"')\]]|\Z)|\n)[。！？!?;.]*[”’\"'」』)\]]*")
_POINT = re.compile(r"\.")
_ADDRESS = re.compile(r"(?:https?://|www\.)[\x21-\x7e]+")
_BULLET = re.compile(
    r"(?:[-*+•·▪●○–—>|]+[ \t]+(?:\[[ xX]\][ \t]+)?|[•·▪●]|#{1,6}[ \t]*"
    r"|\*{0,2}(?:\(?[0-9]{1,2}[.)、](?![0-9])|[(][0-9一二三四五六七八九十]{1,3}[)]"
    r"|第?[一二三四五六七八九十]{1,3}[、.]"
    r"|[①-⑳][.、]?|[a-zA-Z][.)](?=[ \t]))[ \t]*)+"
)
_SEMICOLON = re.compile(r";[”’\"'」』)\]]*\Z")
_SPACE = re.compile(r"\s*")
_ABBREVIATION = re.compile(
    r"(?:^|[^\w.])(?:(?:mr|mrs|ms|dr|prof|st|no|nos|vs|fig|figs|eq|sec|approx|al|cf|vol|pp|e\.g|i\.e|eg|ie)"
    r"|(?P<end>etc|inc|ltd|co|corp|jr|sr|dept|est|ext|min|max|hr|hrs|a\.m|p\.m"
    r"|u\.s|u\.k|ph\.d)|[A-Z](?:\.[A-Z])*)\Z",
    re.IGNORECASE,
)
_REACH = 12


@dataclass(frozen=True, slots=True)
class Part:
    """A sentence as it was split, before anything is compared.

    Args:
        text: after NFKC, without markers, bullet and number in a list.
        span: where it stands in the answer, without the markers behind its end.
        citations: ids of its markers as written, each once, in order.
        covered_by: ids of the markers that close its full sentence, where it ends with a semicolon and has
            none of its own.
        factual: it states something.
        clear: the answer without markers, that `start` and `end` point into.
    """

    text: str
    span: tuple[int, int]
    citations: tuple[str, ...]
    covered_by: tuple[str, ...]
    factual: bool
    clear: Clear
    start: int
    end: int

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where `text[start:end]` stands in the answer."""
        return self.clear.span(self.start + start, self.start + end)


class Clear:
    """An answer after NFKC without its markers, which leave their places behind.

    Args:
        answer: the answer, raw.
        markers: its markers, in order.
    """

    __slots__ = ("_ends", "_folded", "_starts", "marks", "text")

    def __init__(self, answer: str, markers: list[Marker]) -> None:
        self._folded: list[tuple[int, Folded]] = []
        self._starts: list[int] = []
        self.marks: list[tuple[int, Marker]] = []
        at = length = 0
        for marker in [*markers, None]:
            piece = Folded(answer[at : marker.start if marker else len(answer)])
            self._folded.append((at, piece))
            self._starts.append(length)
            length += len(piece.text)
            if marker:
                self.marks.append((length, marker))
                at = marker.end
        self.text = "".join(piece.text for _, piece in self._folded)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where `text[start:end]` (not empty) stands in the answer: (start, end), end exclusive."""
        return self._at(start)[0], self._at(end - 1)[1]

    def _at(self, place: int) -> tuple[int, int]:
        piece = bisect_left(self._starts, place + 1) - 1
        at, folded = self._folded[piece]
        inside = place - self._starts[piece]
        low, high = folded.span(inside, inside + 1)
        return at + low, at + max(high, low + 1)


def split(answer: str, known: Collection[str] = ()) -> list[Part]:
    """The sentences of `answer`, in order; a piece without a letter or digit is none.

    A marker belongs to the sentence it stands in or behind, so one after a stop to the sentence before; one
    that leads the answer to the first sentence.

    Args:
        answer: raw.
        known: ids of this turn's documents (`find_markers`).
    """
    clear = Clear(answer, find_markers(answer, known))
    bounds = list(_bounds(clear))
    if not bounds:
        return []
    ids: list[dict[str, None]] = [{} for _ in bounds]
    starts = [start for start, _, _ in bounds]
    for place, marker in clear.marks:
        owner = max(0, bisect_left(starts, place) - 1)
        ids[owner].update(dict.fromkeys(marker.ids))
    aside = Asides(clear.text, {place for place, _ in clear.marks})
    covered = _covered(clear.text, bounds, ids)
    return [
        Part(
            text=clear.text[start:end],
            span=clear.span(start, end),
            citations=tuple(cited),
            covered_by=covering,
            factual=not aside(start, end) and is_factual(clear.text[start:end], heading=heading),
            clear=clear,
            start=start,
            end=end,
        )
        for (start, end, heading), cited, covering in zip(bounds, ids, covered, strict=True)
    ]


def _covered(
    text: str, bounds: list[tuple[int, int, bool]], ids: list[dict[str, None]]
) -> list[tuple[str, ...]]:
    """What covers each sentence: a marker at the end of a full sentence stands for the clauses before it too.

    Only in one line: the items of a list are cited each for itself.
    """
    out: list[tuple[str, ...]] = [()] * len(bounds)
    for at in range(len(bounds) - 2, -1, -1):
        start, end, _ = bounds[at]
        apart = "\n" in text[end : bounds[at + 1][0]]
        if not ids[at] and not apart and _SEMICOLON.search(text[start:end]):
            out[at] = tuple(ids[at + 1]) or out[at + 1]
    return out


def _bounds(clear: Clear) -> Iterator[tuple[int, int, bool]]:
    """(start, end, is it a heading of the text) of each sentence, without bullet and outer white space."""
    text = clear.text
    start = 0
    for stop in [*_stops(clear), len(text)]:
        piece = text[start:stop]
        lead = len(piece) - len(piece.lstrip())
        bullet = _BULLET.match(piece, lead)
        first = start + (bullet.end() if bullet else lead)
        last = start + len(piece.rstrip())
        start = stop
        if any(map(str.isalnum, text[first:last])):
            yield first, last, bool(bullet and "#" in bullet.group())


def _stops(clear: Clear) -> Iterator[int]:
    """Where sentences end, behind the stop and what closes with it."""
    text = clear.text
    marks = {place for place, _ in clear.marks}
    addresses = [match.span() for match in _ADDRESS.finditer(text)] if "www." in text or "://" in text else []
    behind = 0
    for match in _STOP.finditer(text) if not marks else _merged(text, marks):
        place = match.start()
        if place < behind:
            continue
        while addresses and addresses[0][1] <= place:
            addresses.pop(0)
        if addresses and addresses[0][0] <= place and match.end() < addresses[0][1]:
            continue
        if text[place] == "." and not text.startswith("...", place) and not _ends(text, place):
            continue
        behind = match.end()
        yield behind


def _merged(text: str, marks: set[int]) -> list[re.Match[str]]:
    """The stops, those points among them that only a marker follows."""
    found = list(_STOP.finditer(text))
    more = [match for match in _POINT.finditer(text) if match.end() in marks]
    return sorted(found + more, key=lambda match: match.span()) if more else found


def _ends(text: str, place: int) -> bool:
    """Whether the point at `place` ends a sentence rather than an abbreviation or a number in a list."""
    before = text[max(0, place - _REACH) : place]
    line = before.rpartition("\n")[2].strip()
    if line.lstrip("*(").isdigit() and len(line) <= 4 and (len(before) < _REACH or "\n" in before):
        return False
    following = _SPACE.match(text, place + 1)
    behind = text[following.end() : following.end() + 1] if following else ""
    match = _ABBREVIATION.search(before)
    if match and match.lastgroup != "end":
        return not behind
    if behind.islower() and behind.isascii():
        return False
    return not match or not behind or behind.isupper() or not behind.isascii()
