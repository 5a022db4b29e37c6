"""The suggestion for a case: which rule speaks first, which others speak too, and whether it is failing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from triage.diagnosis import reasons
from triage.diagnosis.layers import states
from triage.diagnosis.rule import Reason, Rule
from triage.diagnosis.rules import RULES
from triage.metrics.facts import Facts
from triage.metrics.registry import measure_facts
from triage.models.measure import Diagnosis, FailureClass, Finding, LayerState, Measure, Scoring

if TYPE_CHECKING:
    from triage.models.record import Record


def diagnose(record: Record, scoring: Scoring) -> Diagnosis:
    """The suggestion for a case, by the rules of metrics.md section 5, and cli.md's `failing`."""
    return diagnose_facts(_checked(record, scoring))


def examine(record: Record, scoring: Scoring) -> tuple[dict[str, Measure], Diagnosis]:
    """`measure` and `diagnose` of a case in one reading; for many cases there is `Examiner`."""
    facts = _checked(record, scoring)
    return measure_facts(facts), diagnose_facts(facts)


def _checked(record: Record, scoring: Scoring) -> Facts:
    """The facts of a record, its sentences among them."""
    # Imported here because whoever has many cases brings what was said of their sentences along.
    from triage.citations.check import check, summarise

    return Facts(record, scoring, summarise(check(record)))


def diagnose_facts(facts: Facts) -> Diagnosis:
    """`diagnose`, of a record already read for measuring."""
    said = in_order(facts, [rule for rule in RULES if rule.fires(facts)])
    return told(facts, said, is_failing(facts, said[0]), states(facts, said))


def told(
    facts: Facts, said: Sequence[Reason], failing: bool, layers: dict[FailureClass, LayerState | None]
) -> Diagnosis:
    """The diagnosis that says `said`, with this record's evidence."""
    suggestion, *secondary = [
        Finding(each.failure_class, each.reason, each.sure(facts.scoring), each.evidence(facts))
        for each in said
    ]
    return Diagnosis(suggestion, tuple(secondary), failing, layers, facts.first_rank)


def is_failing(facts: Facts, suggestion: Reason) -> bool:
    """cli.md's `failing`: an error, the runner's own word, or a suggestion that is sure enough."""
    return facts.has_error or facts.record.passed is False or suggestion.blames(facts.scoring)


def in_order(facts: Facts, fired: Iterable[Rule]) -> list[Reason]:
    """All that is to be said, the suggestion first; `fired` are the rules that do, in their order."""
    insufficient = bool(reasons.not_recorded(facts))
    speaking: list[Reason] = []
    beside: list[Reason] = []
    for rule in fired:
        # On an insufficient record only the rules that need no more than they name may lead.
        (speaking if rule.alone or not insufficient else beside).append(rule)

    said: list[Reason] = [reasons.LABEL_CONFLICT] if facts.conflict else []
    said += speaking
    if not speaking:
        if facts.has_error:
            said.append(reasons.SYSTEM_ERROR)
        elif facts.record.passed is False:
            said.append(reasons.RUNNER_FAILED)
        if insufficient:
            said.append(reasons.INSUFFICIENT_RECORD)
        elif facts.answerable is False and facts.refused:
            said.append(reasons.OK_REFUSAL)
    said += beside
    return said or [reasons.OK]
