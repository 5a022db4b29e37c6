"""No expected document stands anywhere in the list: refused, or answered all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.diagnosis.evidence import top
from triage.diagnosis.rule import Evidence, Rule
from triage.diagnosis.words import always, are, listed, verb
from triage.metrics.facts import Facts

if TYPE_CHECKING:
    from triage.models.record import Record


def _absent(facts: Facts) -> bool:
    return facts.in_scope and facts.first_rank is None


def _shows(facts: Facts) -> Evidence:
    return {"expected_ids": facts.expected, "top_k": top(facts), "k": facts.k}


def _shows_answer(facts: Facts) -> Evidence:
    return {**_shows(facts), "answer": facts.record.answer, "answered": facts.predicted}


def _missing(shown: Evidence) -> str:
    expected = shown["expected_ids"]
    return f"{listed(expected)} {are(expected)} expected, but {verb(expected, 'was', 'were')} not retrieved"


def _says_refused(shown: Evidence, record: Record) -> str:
    return f"{_missing(shown)}, so the system refused."


def _says_answered(shown: Evidence, record: Record) -> str:
    names = list(dict.fromkeys(shown["top_k"]))
    if shown.get("answered"):
        return (
            f"{_missing(shown)}; the answer had {'only ' + listed(names) if names else 'nothing'} to rest on."
        )
    return f"{_missing(shown)}; {listed(names) or 'nothing'} {verb(names or [''], 'was', 'were')}."


RULES = (
    Rule(
        reason="expected_missing_then_refused",
        number="9",
        failure_class="retrieval",
        confidence=0.9,
        meaning="no expected document was retrieved, and it refused",
        fires=lambda facts: facts.refused and _absent(facts),
        asks="labels",
        evidence=_shows,
        says=_says_refused,
        needs=("expected_ids",),
        word=always("not retrieved"),
    ),
    Rule(
        reason="expected_missing_from_topk",
        number="10",
        failure_class="retrieval",
        confidence=0.95,
        meaning="no expected document was retrieved, yet it answered",
        fires=lambda facts: not facts.refused and _absent(facts),
        asks="labels",
        alone=True,
        evidence=_shows_answer,
        says=_says_answered,
        needs=("expected_ids", "top_k"),
        word=always("not retrieved"),
    ),
)
