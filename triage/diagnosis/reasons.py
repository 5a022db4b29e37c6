"""Every reason a suggestion can give: those that name no class stand here, the others are the rules'."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.diagnosis.rule import Evidence, Reason
from triage.diagnosis.rules import RULES
from triage.diagnosis.words import FIELDS, are, listed
from triage.metrics.facts import Facts

if TYPE_CHECKING:
    from triage.models.record import Record


def not_recorded(facts: Facts) -> list[str]:
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


def _says_conflict(shown: Evidence, record: Record) -> str:
    if shown["answerable"]:
        return "The test set calls this question answerable, but names no expected document."
    return f"The test set calls this question unanswerable, but expects {listed(shown['expected_ids'])}."


def _says_insufficient(shown: Evidence, record: Record) -> str:
    names = [FIELDS.get(name, name) for name in shown["not_recorded"]]
    return f"The case can't be judged: {listed(names)} {are(names)} not recorded."


def _says_rightly_refused(shown: Evidence, record: Record) -> str:
    return "The knowledge base can't answer this question, and the system refused it."


def _says_error(shown: Evidence, record: Record) -> str:
    return f"The system failed on this case: {shown['error']}"


def _says_failed(shown: Evidence, record: Record) -> str:
    reason = shown["failure_reason"]
    return f"The runner calls this case failed{f': {reason}' if reason else ', without a reason.'}"


def _says_ok(shown: Evidence, record: Record) -> str:
    return "No rule finds fault with this case."


LABEL_CONFLICT = Reason(
    reason="label_conflict",
    number="1",
    confidence=1.0,
    meaning="the test set's labels contradict each other",
    evidence=lambda facts: {"answerable": facts.answerable, "expected_ids": facts.expected},
    says=_says_conflict,
    needs=("answerable", "expected_ids"),
)
INSUFFICIENT_RECORD = Reason(
    reason="insufficient_record",
    number="2",
    confidence=1.0,
    meaning="a field that the rules need is not recorded",
    evidence=lambda facts: {"not_recorded": not_recorded(facts)},
    says=_says_insufficient,
    needs=("not_recorded",),
)
OK_REFUSAL = Reason(
    reason="ok_refusal",
    number="4",
    confidence=0.9,
    meaning="refused what the knowledge base cannot answer, as it should",
    says=_says_rightly_refused,
)
SYSTEM_ERROR = Reason(
    reason="system_error",
    number="",
    confidence=1.0,
    meaning="the system crashed or timed out",
    evidence=lambda facts: {"error": facts.record.error},
    says=_says_error,
    needs=("error",),
)
RUNNER_FAILED = Reason(
    reason="runner_failed",
    number="",
    confidence=1.0,
    meaning="the evaluation runner calls the case failed",
    evidence=lambda facts: {"failure_reason": facts.record.failure_reason},
    says=_says_failed,
    needs=("failure_reason",),
)
OK = Reason(reason="ok", number="23", confidence=0.8, meaning="no rule finds fault", says=_says_ok)

_ROWS = sorted((*RULES, LABEL_CONFLICT, INSUFFICIENT_RECORD, OK_REFUSAL), key=lambda each: each.place)
REASONS: dict[str, Reason] = {each.reason: each for each in (*_ROWS, SYSTEM_ERROR, RUNNER_FAILED, OK)}
"""By reason, in order of precedence within the classes."""
