"""Cites an id that is no document of this turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.diagnosis.rule import Evidence, Rule
from triage.diagnosis.words import are, listed
from triage.metrics.facts import Facts

if TYPE_CHECKING:
    from triage.models.record import Record


def _fires(facts: Facts) -> bool:
    return facts.has_answer and bool(facts.cited) and None in (facts.cited or {}).values()


def _shows(facts: Facts) -> Evidence:
    cited = facts.cited or {}
    return {
        "unresolved": [citation for citation, target in cited.items() if target is None],
        "citations": list(cited),
        "evidence_ids": facts.sources.ids,
    }


def _says(shown: Evidence, record: Record) -> str:
    unknown, there = shown["unresolved"], len(shown["evidence_ids"])
    if not there:
        return f"The answer cites {listed(unknown)}, but this turn had no documents."
    documents = "the one document" if there == 1 else f"any of the {there} documents"
    return f"The answer cites {listed(unknown)}, which {are(unknown)} not {documents} of this turn."


def _word(facts: Facts, shown: Evidence) -> str:
    count = sum(target is None for target in (facts.cited or {}).values())
    return "1 id unknown" if count == 1 else f"{count} ids unknown"


RULES = (
    Rule(
        reason="citation_id_not_in_evidence",
        number="12",
        failure_class="citation-semantic",
        confidence=0.95,
        meaning="cites an id that is no document of this turn",
        fires=_fires,
        asks="labels",
        alone=True,
        evidence=_shows,
        says=_says,
        needs=("unresolved", "evidence_ids"),
        word=_word,
    ),
)
