"""Some of the answer's factual sentences are cited, and some are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.diagnosis.rule import Evidence, Rule
from triage.diagnosis.words import short
from triage.metrics.facts import Facts

if TYPE_CHECKING:
    from triage.models.record import Record

QUOTED = 60
"""Most characters of a text that the sentence quotes."""


def _fires(facts: Facts) -> bool:
    found = facts.sentences
    return facts.has_answer and found is not None and 0 < found.cited < found.factual


def _shows(facts: Facts) -> Evidence:
    # Imported here because most cases have nothing to show of it.
    from triage.citations.check import check

    factual = [each for each in check(facts.record) if each.factual]
    uncited = [{"text": each.text} for each in factual if not each.sources]
    return {"sentences": uncited, "factual": len(factual)}


def _says(shown: Evidence, record: Record) -> str:
    uncited = shown["sentences"]
    verb = "names" if len(uncited) == 1 else "name"
    quoted = f": {short(uncited[0]['text'], QUOTED)}" if uncited else "."
    return f"{len(uncited)} of {shown['factual']} factual sentences {verb} no source{quoted}"


def _word(facts: Facts, shown: Evidence) -> str:
    return f"{len(shown['sentences'])} uncited" if "sentences" in shown else "uncited"


RULES = (
    Rule(
        reason="uncited_sentence",
        number="21",
        failure_class="citation-semantic",
        confidence=0.4,
        meaning="a factual sentence has no citation, though others have",
        fires=_fires,
        asks="labels",
        evidence=_shows,
        says=_says,
        needs=("sentences", "factual"),
        word=_word,
    ),
)
