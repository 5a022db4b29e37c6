"""The suggestion for a case: which rule speaks first, which others speak too, and whether it is failing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from triage.diagnosis import evidence
from triage.diagnosis.evidence import Evidence
from triage.diagnosis.layers import states
from triage.diagnosis.reasons import REASONS, ReasonInfo
from triage.diagnosis.rules import RULES, Rule
from triage.metrics.facts import Facts
from triage.metrics.registry import measure_facts
from triage.models.measure import Diagnosis, FailureClass, Finding, LayerState, Measure, Scoring

if TYPE_CHECKING:
    from triage.models.record import Record

Said = tuple[ReasonInfo, Callable[[Facts], Evidence]]
"""A reason, and what shows it on the record at hand."""


def diagnose(record: Record, scoring: Scoring) -> Diagnosis:
    """The suggestion for a case, by the rules of metrics.md section 5, and cli.md's `failing`."""
    return diagnose_facts(Facts(record, scoring))


def examine(record: Record, scoring: Scoring) -> tuple[dict[str, Measure], Diagnosis]:
    """`measure` and `diagnose` of a case in one reading; for many cases there is `Examiner`."""
    facts = Facts(record, scoring)
    return measure_facts(facts), diagnose_facts(facts)


def diagnose_facts(facts: Facts) -> Diagnosis:
    """`diagnose`, of a record already read for measuring."""
    said = in_order(facts, [rule for rule in RULES if rule.fires(facts)])
    reasons = [info for info, _ in said]
    return told(facts, said, is_failing(facts, reasons[0]), states(facts, reasons))


def told(
    facts: Facts, said: Sequence[Said], failing: bool, layers: dict[FailureClass, LayerState | None]
) -> Diagnosis:
    """The diagnosis that says `said`, with this record's evidence."""
    suggestion, *secondary = [
        Finding(info.failure_class, info.reason, info.confidence, show(facts)) for info, show in said
    ]
    return Diagnosis(suggestion, tuple(secondary), failing, layers, facts.first_rank)


def is_failing(facts: Facts, suggestion: ReasonInfo) -> bool:
    """cli.md's `failing`: an error, the runner's own word, or a suggestion that is sure enough."""
    if facts.has_error or facts.record.passed is False:
        return True
    return suggestion.failure_class is not None and suggestion.confidence >= facts.scoring.failing_confidence


def in_order(facts: Facts, fired: Iterable[Rule]) -> list[Said]:
    """All that is to be said, the suggestion first; `fired` are the rules that do, in their order."""
    not_recorded = _not_recorded(facts)
    speaking: list[Said] = []
    beside: list[Said] = []
    for rule in fired:
        # On an insufficient record only the rules that need no more than they name may lead.
        (speaking if rule.alone or not not_recorded else beside).append((rule.info, rule.show))

    said: list[Said] = [(REASONS["label_conflict"], evidence.label_conflict)] if facts.conflict else []
    said += speaking
    if not speaking:
        if facts.has_error:
            said.append((REASONS["system_error"], evidence.system_error))
        elif facts.record.passed is False:
            said.append((REASONS["runner_failed"], evidence.runner_failed))
        if not_recorded:
            said.append((REASONS["insufficient_record"], _insufficient))
        elif facts.answerable is False and facts.refused:
            said.append((REASONS["ok_refusal"], evidence.nothing))
    said += beside
    return said or [(REASONS["ok"], evidence.nothing)]


def _insufficient(facts: Facts) -> Evidence:
    return evidence.insufficient_record(_not_recorded(facts))


def _not_recorded(facts: Facts) -> list[str]:
    """The fields whose absence keeps the case from being judged (rule 2)."""
    fields: list[str] = []
    if facts.due is None:
        fields.append("answerable")
    if facts.predicted is None:
        fields.append("predicted_answerable")
    if facts.due:
        if facts.expected is None:
            fields.append("expected_ids")
        if facts.retrieved is None:
            fields.append("retrieved")
    return fields
