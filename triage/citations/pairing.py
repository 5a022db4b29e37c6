"""A sentence beside the texts it cites: what of them speaks of the same."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from triage.citations.folding import Folded
from triage.citations.wording import Clause, Wording, contained

ALIGNED = 0.45
"""From this likeness on, two clauses speak of the same thing (metrics.md section 6, "negation")."""


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


@lru_cache(maxsize=2048)
def _short(id: str, text: str) -> Cited:
    folded = Folded(text)
    return Cited(id, folded, Wording(folded.text))


def cited(id: str, text: str) -> Cited:
    """A document's text made ready; that of a short one is kept, as the same ones are cited again and again."""
    if len(text) <= 2000:
        return _short(id, text)
    folded = Folded(text)
    return Cited(id, folded, Wording(folded.text))


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

    @cached_property
    def clauses(self) -> list[tuple[int, Clause]]:
        """All clauses of the cited texts, each with the number of its text."""
        return [(number, clause) for number, each in enumerate(self.texts) for clause in each.wording.clauses]

    @cached_property
    def question(self) -> Wording:
        """What was asked, in clauses."""
        return Wording(self.asked)

    def near(self, said: int, text: int, place: int) -> float:
        """How alike the clauses around two places are, 0..1: the sentence's, or all of it, and the text's."""
        there = self.texts[text].wording.clause_at(place)
        if there is None:
            return 0.0
        here = self.sentence.clause_at(said)
        whole = contained(self.sentence.grams, there.grams) + contained(there.grams, self.sentence.grams)
        if here is None or len(here.grams) < 3:
            return whole / 2
        return max(whole, contained(here.grams, there.grams) + contained(there.grams, here.grams)) / 2

    def like(self, clause: Clause) -> float:
        """How alike a clause of the cited texts and the whole sentence are, 0..1."""
        about = self.sentence.grams
        return (contained(about, clause.grams) + contained(clause.grams, about)) / 2

    @cached_property
    def best(self) -> Aligned | None:
        """The clause of the cited texts that is most like the whole sentence."""
        found = self.aligned(self.sentence.grams)
        return found[0] if found else None

    def aligned(self, about: frozenset[str]) -> list[Aligned]:
        """The clauses of the cited texts that have something of `about`, the most alike first."""
        found = []
        for number, clause in self.clauses:
            if about.isdisjoint(clause.grams):
                continue
            there, back = contained(about, clause.grams), contained(clause.grams, about)
            found.append(Aligned((there + back) / 2, max(there, back), number, clause))
        return sorted(found, key=lambda each: -each.score)

    @cached_property
    def overlap(self) -> float:
        """The share of the sentence that the cited texts have, 0..1."""
        whole: frozenset[str] = frozenset().union(*(each.wording.grams for each in self.texts))
        return contained(self.sentence.grams, whole)
