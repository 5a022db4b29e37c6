"""Answered what the knowledge base can't answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.diagnosis.evidence import top
from triage.diagnosis.rule import Evidence, Rule
from triage.diagnosis.words import always, listed
from triage.metrics.facts import Facts

if TYPE_CHECKING:
    from triage.models.record import Record


def _fires(facts: Facts) -> bool:
    return facts.answerable is False and facts.answered


def _shows(facts: Facts) -> Evidence:
    return {"answer": facts.record.answer, "top_k": top(facts), "citations": facts.citations}


def _says(shown: Evidence, record: Record) -> str:
    cited = shown["citations"]
    how = "" if cited is None else f", citing {listed(list(dict.fromkeys(cited))) or 'nothing'}"
    return f"The knowledge base can't answer this question, yet the system answered{how}."


RULES = (
    Rule(
        reason="answered_though_unanswerable",
        number="3",
        failure_class="refusal",
        confidence=0.95,
        meaning="answered what the knowledge base cannot answer",
        fires=_fires,
        asks="labels",
        evidence=_shows,
        says=_says,
        needs=("citations",),
        word=always("should refuse"),
    ),
)
