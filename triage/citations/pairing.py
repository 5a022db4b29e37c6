"""A sentence beside the texts it cites: what of them speaks of the same."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from triage.citations.folding import Folded
from triage.citations.wording import Clause, Grams, Wording, alike, contained, united

ALIGNED = 0.45
"""From this likeness on, two clauses speak of the same thing (metrics.md section 6, "negation")."""

MOST_VALUES = 40
"""Values of a sentence that are held against the texts; one with more lists the rows of a table."""
MOST_ALIGNED = 1000
"""Clauses of the cited texts that are looked at for one of the sentence's."""


class Cited(NamedTuple):
    """A cited text: its document's id, and the text after NFKC with its offsets."""

    id: str
    folded: Folded
    wording: Wording


class Place(NamedTuple):
    """Where something stands in the cited texts: which of them, and offsets after NFKC."""

    cited: int
    start: int
    end: int


class Found(NamedTuple):
    """A clash: offsets in the sentence, and what stands against it."""

    start: int
    end: int
    against: tuple[Place, ...] = ()


class Aligned(NamedTuple):
    """A clause of the cited texts beside the sentence, or a clause of it.

    `likeness` is the larger share of the two that the other has, `score` the mean of both; 0..1.
    """

    score: float
    likeness: float
    cited: int
    clause: Clause


def _ready(id: str, text: str) -> Cited:
    folded = Folded(text)
    return Cited(id, folded, Wording(folded.text))


# The same texts are cited again and again; what is kept of them is bounded by their lengths.
_short = lru_cache(maxsize=512)(_ready)
_long = lru_cache(maxsize=48)(_ready)
_huge = lru_cache(maxsize=4)(_ready)


def cited(id: str, text: str) -> Cited:
    """A document's text made ready: folded once for all sentences that cite it, its clauses read once."""
    if len(text) <= 1000:
        return _short(id, text)
    return _long(id, text) if len(text) <= 8000 else _huge(id, text)


class Pair:
    """A sentence and the texts it cites.

    Args:
        sentence: after NFKC, without markers.
        texts: the cited texts, at least one.
        asked: the question and what was said before it, lower case: what stands there needs no source.
    """

    def __init__(self, sentence: str, texts: Sequence[Cited], asked: str = "") -> None:
        self.sentence = Wording(sentence)
        self.texts = texts
        self.asked = asked
        self._aligned: dict[Grams, list[Aligned]] = {}
        self._near: tuple[object, float] = (None, 0.0)

    @cached_property
    def clauses(self) -> list[tuple[int, Clause]]:
        """All clauses of the cited texts, each with the number of its text."""
        return [(number, clause) for number, each in enumerate(self.texts) for clause in each.wording.clauses]

    @cached_property
    def question(self) -> Wording:
        """What was asked, in clauses."""
        return Wording(self.asked)

    @cached_property
    def best(self) -> Aligned | None:
        """The clause of the cited texts that is most like the whole sentence."""
        found = self.aligned(self.sentence.grams)
        return found[0] if found else None

    def aligned(self, about: Grams) -> list[Aligned]:
        """The clauses of the cited texts that have something of `about`, at most `MOST_ALIGNED`.

        The most alike come first.
        """
        kept = self._aligned.get(about)
        if kept is None:
            kept = []
            for number, clause in self.clauses:
                theirs = clause.grams
                if not (about.long.isdisjoint(theirs.long) and about.short.isdisjoint(theirs.short)):
                    kept.append(Aligned(*alike(about, theirs), number, clause))
            kept.sort(key=lambda each: -each.score)
            del kept[MOST_ALIGNED:]
            self._aligned[about] = kept
        return kept

    def near(self, said: int, text: int, place: int) -> float:
        """How alike the clauses around two places are, 0..1: the sentence's, or all of it, and the text's."""
        there = self.texts[text].wording.clause_at(place)
        if there is None:
            return 0.0
        here = self.sentence.clause_at(said)
        # A row of a table is one clause of many values, asked about one after the other.
        both = (here.start if here else -1, text, there.start)
        last, kept = self._near
        if last != both:
            kept = self.like(there)
            if here is not None and here.grams.size >= 3:
                kept = max(kept, alike(here.grams, there.grams)[0])
            self._near = (both, kept)
        return kept

    def like(self, clause: Clause) -> float:
        """How alike a clause of the cited texts and the whole sentence are, 0..1."""
        return alike(self.sentence.grams, clause.grams)[0]

    @cached_property
    def overlap(self) -> float:
        """The share of the sentence that the cited texts have, 0..1."""
        return contained(self.sentence.grams, united(text.wording.grams for text in self.texts))
