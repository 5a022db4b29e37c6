"""Refused an answerable question: with an expected document at hand, or with retrieval not recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.diagnosis.evidence import first_expected
from triage.diagnosis.rule import Evidence, Rule
from triage.diagnosis.words import FIELDS, always, are, listed
from triage.metrics.facts import Facts

if TYPE_CHECKING:
    from triage.models.record import Record


def _unrecorded(facts: Facts) -> bool:
    return facts.due is True and facts.refused and (facts.expected is None or facts.retrieved is None)


def _shows_document(facts: Facts) -> Evidence:
    return {"expected": first_expected(facts), "answer": facts.record.answer}


def _shows_fields(facts: Facts) -> Evidence:
    fields = (("expected_ids", facts.expected), ("retrieved", facts.retrieved))
    return {"answer": facts.record.answer, "not_recorded": [name for name, ids in fields if ids is None]}


def _says_document(shown: Evidence, record: Record) -> str:
    expected = shown["expected"]
    return f"{expected['id']} is expected and stands at rank {expected['rank']}, yet the system refused."


def _says_fields(shown: Evidence, record: Record) -> str:
    names = [FIELDS.get(name, name) for name in shown["not_recorded"]]
    return f"The question is answerable, yet the system refused; {listed(names)} {are(names)} not recorded."


RULES = (
    Rule(
        reason="refused_though_evidence_retrieved",
        number="11",
        failure_class="refusal",
        confidence=0.95,
        meaning="refused with an expected document at hand",
        fires=lambda facts: facts.hit and facts.refused,
        asks="labels",
        evidence=_shows_document,
        says=_says_document,
        needs=("expected",),
        word=always("should answer"),
    ),
    Rule(
        reason="refused_though_answerable",
        number="11b",
        failure_class="refusal",
        confidence=0.6,
        meaning="refused an answerable question (retrieval not recorded)",
        fires=_unrecorded,
        asks="labels",
        alone=True,
        evidence=_shows_fields,
        says=_says_fields,
        needs=("not_recorded",),
        word=always("should answer"),
    ),
)
