"""Another document stands first, and only such are cited: ranking that did harm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.diagnosis.evidence import document, first_expected
from triage.diagnosis.rule import Evidence, Rule
from triage.diagnosis.words import listed, rank_word
from triage.metrics.facts import Facts

if TYPE_CHECKING:
    from triage.models.record import Record


def _fires(facts: Facts) -> bool:
    if not (facts.cited and facts.hit and facts.first_rank != 1 and facts.has_answer):
        return False
    named = [target[0] for target in facts.cited.values() if target is not None]
    return bool(named) and not any(name in (facts.expected or ()) for name in named)


def _shows(facts: Facts) -> Evidence:
    ranked = [target for target in (facts.cited or {}).values() if target is not None]
    return {
        "rank": facts.first_rank,
        "rank1": document(facts, (facts.retrieved or [""])[0], 1),
        "cited": [document(facts, name, rank) for name, rank in dict.fromkeys(ranked)],
        "expected": first_expected(facts),
    }


def _says(shown: Evidence, record: Record) -> str:
    cited, expected = shown["cited"], shown["expected"]
    names = [f"{item['id']} at rank {item['rank']}" if item["rank"] else item["id"] for item in cited]
    where = f"which is expected and stands at rank {shown['rank']}"
    return f"The answer cites {listed(names)}, not {expected['id']}, {where}."


RULES = (
    Rule(
        reason="distractor_first_and_cited",
        number="13",
        failure_class="ranking",
        confidence=0.8,
        meaning="cites only documents that are not expected, and the expected one is not first",
        fires=_fires,
        asks="record",
        evidence=_shows,
        says=_says,
        needs=("rank", "cited", "expected"),
        word=rank_word,
    ),
)
