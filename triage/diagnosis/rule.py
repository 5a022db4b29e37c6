"""What a reason is, and what a rule: all that is known of one stands in one object (metrics.md section 5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from triage.models.measure import FailureClass, Scoring

if TYPE_CHECKING:
    from triage.metrics.facts import Facts
    from triage.models.record import Record

Evidence = dict[str, Any]
"""JSON values, ids and texts as recorded."""
Says = Callable[[Evidence, "Record"], str]
"""Evidence and record -> why, in one plain sentence; ids and texts are put in as they are."""


def nothing(facts: Facts) -> Evidence:
    """What needs no evidence."""
    return {}


def fails(facts: Facts, shown: Evidence) -> str:
    """The trail's word where a rule has none of its own."""
    return "fails"


class Reason(Struct, frozen=True, kw_only=True):
    """Why a case fails, or doesn't.

    Args:
        reason: its name in JSON, filters and the database.
        number: its row in metrics.md section 5, which is its place in the order; "" = in no row.
        failure_class: the layer that it blames, None = none.
        confidence: 0..1, where `Scoring.confidence` says nothing else.
        meaning: what it means, in words that begin or end a sentence.
        evidence: what shows it on a case.
        says: why, from the evidence; without it the meaning is said.
        needs: keys of the evidence without which `says` can't speak.
        listed: it is told, and never makes a case failing, however low a confidence suffices.
    """

    reason: str
    number: str
    meaning: str
    failure_class: FailureClass | None = None
    confidence: float
    evidence: Callable[[Facts], Evidence] = nothing
    says: Says | None = None
    needs: tuple[str, ...] = ()
    listed: bool = False

    def sure(self, scoring: Scoring) -> float:
        """Its confidence as the user has it, 0..1."""
        for reason, confidence in scoring.confidence:
            if reason == self.reason:
                return confidence
        return self.confidence

    def blames(self, scoring: Scoring) -> bool:
        """Is it sure enough to fail its layer, and as a suggestion the case?"""
        sure = self.sure(scoring) >= scoring.failing_confidence
        return sure and self.failure_class is not None and not self.listed

    @property
    def place(self) -> tuple[int, str]:
        """Its place in the order: `11b` comes after `11` and before `12`."""
        digits = self.number.rstrip("abcdefghijklmnopqrstuvwxyz")
        return int(digits), self.number[len(digits) :]


class Rule(Reason, frozen=True, kw_only=True):
    """A rule that names a failure class.

    Args:
        fires: whether it holds of a case.
        word: what happened there, from facts and evidence, for the trail: at most 13 cells of
            ASCII, 15 for citation.
        asks: what `fires` looks at, so that it is not asked anew of cases that agree in it: "labels" =
            labels, decision, how many ids and which ranks, how citations resolve, sentences in numbers;
            "scores" = judge scores as well; "record" = anything, asked of each case.
        alone: it needs only what it names, so that it leads on an insufficient record too.
    """

    fires: Callable[[Facts], bool]
    word: Callable[[Facts, Evidence], str] = fails
    asks: Literal["labels", "scores", "record"] = "record"
    alone: bool = False
