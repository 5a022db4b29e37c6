"""Answers without a citation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.diagnosis.evidence import first_expected
from triage.diagnosis.rule import Evidence, Rule
from triage.diagnosis.words import always
from triage.metrics.facts import Facts

if TYPE_CHECKING:
    from triage.models.record import Record


def _fires(facts: Facts) -> bool:
    return facts.has_answer and facts.citations is not None and not facts.citations


def _shows(facts: Facts) -> Evidence:
    return {"answer": facts.record.answer, "expected": first_expected(facts) if facts.first_rank else None}


def _says(shown: Evidence, record: Record) -> str:
    expected = shown["expected"]
    at_hand = f", though {expected['id']} was at hand at rank {expected['rank']}" if expected else ""
    return f"The answer cites no document{at_hand}."


RULES = (
    Rule(
        reason="no_citation",
        number="14",
        failure_class="citation-semantic",
        confidence=0.9,
        meaning="answers without a citation",
        fires=_fires,
        asks="labels",
        evidence=_shows,
        says=_says,
        needs=("expected",),
        word=always("no citation"),
    ),
)
