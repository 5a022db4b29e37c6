"""What the rules show alike: documents with their ranks and texts, ids within the cut."""

from __future__ import annotations

from triage.diagnosis.rule import Evidence
from triage.metrics.facts import Facts


def document(facts: Facts, name: str, rank: int | None) -> Evidence:
    """A document of this turn with its 1-based rank and its text, None where neither list carries one."""
    for items in (facts.record.retrieved, facts.record.evidence):
        for item in items or ():
            if item.id == name and item.text is not None:
                return {"id": name, "rank": rank, "text": item.text}
    return {"id": name, "rank": rank, "text": None}


def top(facts: Facts) -> list[str]:
    """Ids within the cut, best first."""
    return list((facts.retrieved or [])[: facts.k])


def first_expected(facts: Facts) -> Evidence:
    """The best ranked expected document; only for a case where one was found."""
    rank = facts.first_rank or 1
    return document(facts, (facts.retrieved or [""])[rank - 1], rank)
