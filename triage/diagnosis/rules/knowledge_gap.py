"""The knowledge base, where its ids are known, holds none of the expected documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.diagnosis.rule import Evidence, Rule
from triage.diagnosis.words import always, are, listed
from triage.metrics.facts import Facts

if TYPE_CHECKING:
    from triage.models.record import Record


def _fires(facts: Facts) -> bool:
    known = facts.scoring.kb_ids
    return known is not None and facts.in_scope and not facts.hit and known.isdisjoint(facts.expected or ())


def _shows(facts: Facts) -> Evidence:
    return {"missing_ids": facts.expected, "kb_version": facts.record.kb_version}


def _says(shown: Evidence, record: Record) -> str:
    missing = shown["missing_ids"]
    version = f" {shown['kb_version']}" if shown.get("kb_version") else ""
    return f"{listed(missing)} {are(missing)} expected, but not in the knowledge base{version} at all."


RULES = (
    Rule(
        reason="knowledge_gap",
        number="5",
        failure_class="retrieval",
        confidence=0.95,
        meaning="no expected document is in the knowledge base",
        fires=_fires,
        asks="record",
        alone=True,
        evidence=_shows,
        says=_says,
        needs=("missing_ids",),
        word=always("not in the KB"),
    ),
)
