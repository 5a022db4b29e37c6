"""How alike two queries are: the share of their character n-grams that they have in common. Pure.

A run of Chinese, Japanese or Korean characters counts by its pairs of characters, a word of letters and
digits by its triples with a space at either end: unrelated English sentences share many pairs of letters, few
such triples. The similarity is Dice's coefficient, 2 * common / (of one + of the other), 0..1.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import insort
from collections.abc import Sequence

from msgspec import Struct

LEAST = 0.45
"""Similarity from which on a query counts as similar."""
FEW, FLOOR = 5, 0.25
"""Where fewer than `FEW` are similar, the nearest so many are taken, down to this similarity."""
MOST = 200
"""Most queries that are told."""

_WIDE = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
_IS_WIDE = re.compile(f"[{_WIDE}]").match
_PIECES = re.compile(f"[{_WIDE}]+|[^\\W{_WIDE}]+|\0")


class Alike(Struct, frozen=True):
    """A text's place in what was looked through, and its similarity to the text asked about, 0..1."""

    place: int
    score: float


def normal(texts: Sequence[str]) -> list[str]:
    """Texts as they are compared: folded, without marks, a space around every run of like characters.

    They are folded as one long text: a hundred thousand calls for short ones would take as long again.
    """
    joined = "\0".join(text.replace("\0", " ") for text in texts)
    folded = unicodedata.normalize("NFKC", joined).casefold()
    return f" {' '.join(_PIECES.findall(folded))} ".split("\0")


def grams(text: str) -> frozenset[str]:
    """The n-grams of a text that `normal` gave."""
    found: set[str] = set()
    for piece in text.split():
        if _IS_WIDE(piece) is None:
            padded = f" {piece} "
            found.update([padded[at : at + 3] for at in range(len(padded) - 2)])
        elif len(piece) == 1:
            found.add(piece)
        else:
            found.update(map(str.__add__, piece, piece[1:]))
    return frozenset(found)


def similarity(one: str, other: str) -> float:
    """How alike two texts are, 0..1; 0 where one of them has no letter and no digit."""
    first, second = (grams(text) for text in normal([one, other]))
    return 2 * len(first & second) / (len(first) + len(second)) if first and second else 0.0


class Search:
    """The queries most like one text, among queries that are told in portions.

    A text that lacks most of the n-grams can't be similar, whatever else it holds: that is counted first,
    without cutting it up.
    """

    def __init__(self, text: str) -> None:
        self._grams = grams(normal([text])[0])
        self._list = sorted(self._grams)
        # With `s` in common the other has at least `s`: so `s` is at least this for `FLOOR` to be reached.
        self._needs = len(self._grams) * FLOOR / (2 - FLOOR)
        self._candidates: list[tuple[int, int, str]] = []
        self._seen = 0

    def look(self, texts: Sequence[str]) -> None:
        """Look through the next texts, as `normal` gave them; the first ever told has the place 0."""
        wanted, needs = self._list, self._needs
        if wanted:
            for place, text in enumerate(texts, self._seen):
                common = sum([gram in text for gram in wanted])
                if common >= needs:
                    self._candidates.append((-common, place, text))
        self._seen += len(texts)

    def found(self) -> list[Alike]:
        """The most similar texts, best first, equal ones in their order; the text itself is among them."""
        best: list[tuple[float, int]] = []
        mine = self._grams
        for common, place, text in sorted(self._candidates):
            if 2 * -common / (len(mine) - common) < _bar(best):
                break
            theirs = grams(text)
            score = 2 * len(mine & theirs) / (len(mine) + len(theirs))
            if score >= _bar(best):
                insort(best, (-score, place))
                del best[MOST:]
        similar = [Alike(place, -score) for score, place in best if -score >= LEAST]
        return similar if len(similar) > FEW else [Alike(place, -score) for score, place in best[: FEW + 1]]


def _bar(best: Sequence[tuple[float, int]]) -> float:
    """The similarity that one more text needs to be told."""
    if len(best) <= FEW:
        return FLOOR
    return -best[-1][0] if len(best) >= MOST else min(LEAST, -best[FEW][0])
