"""An expected document was retrieved, but others stand above it: below the cut, or within it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.diagnosis.evidence import document, first_expected
from triage.diagnosis.rule import Evidence, Rule
from triage.diagnosis.words import fitting, listed, rank_word, verb
from triage.metrics.facts import Facts

if TYPE_CHECKING:
    from triage.models.record import Record


def _below_cutoff(facts: Facts) -> bool:
    return facts.in_scope and facts.first_rank is not None and not facts.hit


def _below_first(facts: Facts) -> bool:
    return facts.hit and facts.first_rank != 1


def _shows(facts: Facts) -> Evidence:
    target = first_expected(facts)
    above = (facts.retrieved or [])[: target["rank"] - 1]
    return {
        "rank": target["rank"],
        "k": facts.k,
        "expected": target,
        "above": list(dict.fromkeys(above)),
        "rank1": document(facts, above[0], 1),
    }


def _says(shown: Evidence, record: Record) -> str:
    above = shown["above"]
    cut = f", below the cut at {shown['k']}" if shown["rank"] > shown["k"] else ""
    return (
        f"{shown['expected']['id']} is expected and stands at rank {shown['rank']}{cut}; "
        f"{listed(above)} {verb(above, 'stands', 'stand')} above it."
    )


def _cut_word(facts: Facts, shown: Evidence) -> str:
    return fitting(f"rank {facts.first_rank}, cut {facts.k}", rank_word(facts))


_NEEDS = ("rank", "k", "expected", "above")

RULES = (
    Rule(
        reason="expected_below_cutoff",
        number="8",
        failure_class="ranking",
        confidence=0.9,
        meaning="an expected document was retrieved, but only below the cut",
        fires=_below_cutoff,
        asks="labels",
        alone=True,
        evidence=_shows,
        says=_says,
        needs=_NEEDS,
        word=_cut_word,
    ),
    Rule(
        reason="expected_below_rank1",
        number="20",
        failure_class="ranking",
        confidence=0.6,
        meaning="an expected document is within the cut, but not first",
        fires=_below_first,
        asks="labels",
        evidence=_shows,
        says=_says,
        needs=_NEEDS,
        word=rank_word,
    ),
)
