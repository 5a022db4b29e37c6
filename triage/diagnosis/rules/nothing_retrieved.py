"""Nothing was retrieved: refused, or answered all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.diagnosis.rule import Evidence, Rule
from triage.diagnosis.words import always, are, listed
from triage.metrics.facts import Facts

if TYPE_CHECKING:
    from triage.models.record import Record


def _nothing(facts: Facts) -> bool:
    return facts.due is not False and facts.retrieved is not None and not facts.retrieved


def _shows_query(facts: Facts) -> Evidence:
    return {"query": facts.record.query, "expected_ids": facts.expected}


def _shows_answer(facts: Facts) -> Evidence:
    return {"answer": facts.record.answer, "expected_ids": facts.expected}


def _expecting(shown: Evidence) -> str:
    expected = shown["expected_ids"]
    return f"; {listed(expected)} {are(expected)} expected" if expected else ""


def _says_refused(shown: Evidence, record: Record) -> str:
    return f"Nothing was retrieved, so the system refused{_expecting(shown)}."


def _says_answered(shown: Evidence, record: Record) -> str:
    return f"Nothing was retrieved, yet the system answered{_expecting(shown)}."


RULES = (
    Rule(
        reason="fallback_nothing_retrieved",
        number="6",
        failure_class="retrieval",
        confidence=0.9,
        meaning="nothing was retrieved, and it refused",
        fires=lambda facts: facts.refused and _nothing(facts),
        asks="labels",
        evidence=_shows_query,
        says=_says_refused,
        needs=("expected_ids",),
        word=always("no documents"),
    ),
    Rule(
        reason="answered_without_evidence",
        number="7",
        failure_class="retrieval",
        confidence=0.95,
        meaning="nothing was retrieved, and it answered",
        fires=lambda facts: facts.answered and _nothing(facts),
        asks="labels",
        evidence=_shows_answer,
        says=_says_answered,
        needs=("expected_ids",),
        word=always("no documents"),
    ),
)
