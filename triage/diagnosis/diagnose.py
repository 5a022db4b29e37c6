"""The suggestion for a case: which rule speaks first, which others speak too, and whether it is failing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from triage.diagnosis import evidence
from triage.diagnosis.evidence import Evidence
from triage.diagnosis.layers import states
from triage.diagnosis.reasons import REASONS
from triage.diagnosis.rules import RULES
from triage.metrics.facts import Facts
from triage.metrics.registry import measure_facts
from triage.models.measure import Diagnosis, Finding, Measure, Scoring

if TYPE_CHECKING:
    from triage.models.record import Record


def diagnose(record: Record, scoring: Scoring, measures: Mapping[str, Measure] | None = None) -> Diagnosis:
    """The suggestion for a case, by the rules of metrics.md section 5, and cli.md's `failing`.

    `measures` is taken so that a later rule may rest on one; today's rules read the record alone.
    """
    return diagnose_facts(Facts(record, scoring))


def examine(record: Record, scoring: Scoring) -> tuple[dict[str, Measure], Diagnosis]:
    """`measure` and `diagnose` of a case in one reading: the way to do many cases."""
    facts = Facts(record, scoring)
    return measure_facts(facts), diagnose_facts(facts)


def diagnose_facts(facts: Facts) -> Diagnosis:
    """`diagnose`, of a record already read for measuring."""
    findings = _in_order(facts)
    suggestion = findings[0]
    record = facts.record
    return Diagnosis(
        suggestion=suggestion,
        secondary=tuple(findings[1:]),
        failing=_has_error(facts)
        or record.passed is False
        or (
            suggestion.failure_class is not None and suggestion.confidence >= facts.scoring.failing_confidence
        ),
        layers=states(facts, findings),
        first_rank=facts.first_rank,
    )


def _in_order(facts: Facts) -> list[Finding]:
    """All findings, the suggestion first."""
    not_recorded = _not_recorded(facts)
    speaking: list[Finding] = []
    beside: list[Finding] = []
    for rule in RULES:
        if rule.fires(facts):
            # On an insufficient record only the rules that need no more than they name may lead.
            leads = rule.alone or not not_recorded
            (speaking if leads else beside).append(_finding(rule.info.reason, rule.show(facts)))

    findings = [_finding("label_conflict", evidence.label_conflict(facts))] if facts.conflict else []
    findings += speaking
    if not speaking:
        if _has_error(facts):
            findings.append(_finding("system_error", evidence.system_error(facts)))
        elif facts.record.passed is False:
            findings.append(_finding("runner_failed", evidence.runner_failed(facts)))
        if not_recorded:
            findings.append(_finding("insufficient_record", evidence.insufficient_record(not_recorded)))
        elif facts.answerable is False and facts.refused:
            findings.append(_finding("ok_refusal", {}))
    findings += beside
    return findings or [_finding("ok", {})]


def _finding(reason: str, shown: Evidence) -> Finding:
    info = REASONS[reason]
    return Finding(info.failure_class, reason, info.confidence, shown)


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


def _has_error(facts: Facts) -> bool:
    # Runners write an empty error where there was none.
    error = facts.record.error
    return error is not None and bool(error.strip())
