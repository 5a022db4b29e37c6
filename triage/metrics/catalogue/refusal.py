"""Answering or refusing (metrics.md sections 2 and 3). Labels are taken as recorded, never inferred."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.metrics.metric import MISSING, Metric, share, value, worse_at_zero
from triage.models.measure import Measure

if TYPE_CHECKING:
    from triage.metrics.facts import Facts

PLACE = 20
ASKS = "labels"
METRICS: tuple[Metric, ...] = (
    share(
        "refusal_accuracy", "Refusal accuracy", "accuracy", "refusal", "3",
        "share of cases where the system answered what it should and refused what it should",
        "which of the two went wrong (over and under tell), nor whether an answer is grounded",
    ),
    share(
        "over_refusal", "Over-refusal", "over", "refusal", "3",
        "share of answerable questions that were refused",
        "why: the threshold, the prompt, or nothing retrieved",
        higher_is_better=False,
    ),
    share(
        "under_refusal", "Under-refusal", "under", "refusal", "3",
        "share of unanswerable questions that were answered",
        "how harmful the made-up answers are",
        higher_is_better=False,
    ),
    Metric(
        "balanced_refusal_accuracy", "Balanced refusal accuracy", "balanced", "refusal", "3",
        "mean of the share right on answerable and the share right on unanswerable questions",
        "anything about the mix of questions: never refusing scores .5",
        scale="mean", derived=True, worse=worse_at_zero, behind="refusal_accuracy",
    ),
    share(
        "fallback_rate", "Fallback rate", "fallback", "refusal", "3",
        "share of all cases that were refused; the ideal is the share of unanswerable ones, not 0",
        "whether a refusal was right",
        higher_is_better=False,
    ),
)  # fmt: skip


def measure(facts: Facts) -> dict[str, Measure]:
    """The refusal measures of a case."""
    out: dict[str, Measure] = {}
    answerable, predicted = facts.answerable, facts.predicted
    inferred = "predicted_answerable" in facts.record.inferred
    if predicted is None:
        out["refusal_accuracy"] = out["fallback_rate"] = MISSING
        if answerable is not False:
            out["over_refusal"] = MISSING
        if answerable is not True:
            out["under_refusal"] = MISSING
        return out
    out["fallback_rate"] = value(0.0 if predicted else 1.0, inferred)
    if answerable is None:
        out["refusal_accuracy"] = out["over_refusal"] = out["under_refusal"] = MISSING
    else:
        out["refusal_accuracy"] = value(1.0 if predicted == answerable else 0.0, inferred)
        if answerable:
            out["over_refusal"] = value(0.0 if predicted else 1.0, inferred)
        else:
            out["under_refusal"] = value(1.0 if predicted else 0.0, inferred)
    return out
