"""Conflicting sources (metrics.md section 3): does the answer name the difference?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.metrics.metric import MISSING, Metric, share, value
from triage.models.measure import Measure

if TYPE_CHECKING:
    from triage.metrics.facts import Facts

PLACE = 76
NEEDS = ("conflict",)
METRICS: tuple[Metric, ...] = (
    share(
        "conflict_resolution", "Conflict resolution", "conflict", "generation", "5",
        "share of cases with conflicting sources whose answer names the difference",
        "whether the answer is right (the conflict table tells)",
    ),
    share(
        "conflict_resolved_right", "Conflict resolved, and right", "conf. ok", "generation", "5",
        "share of cases with conflicting sources whose answer names the difference and is right",
        "right answers that don't name it: those are luck",
    ),
)  # fmt: skip
_NONE: dict[str, Measure] = {}


def measure(facts: Facts) -> dict[str, Measure]:
    """The conflict measures of a case whose sources are said to conflict."""
    conflict = facts.record.conflict
    if conflict is None:
        return _NONE
    resolved, correct = conflict.resolved, conflict.correct
    if resolved is False or correct is False:
        both = value(0.0)
    else:
        both = value(1.0) if resolved and correct else MISSING
    return {
        "conflict_resolution": MISSING if resolved is None else value(float(resolved)),
        "conflict_resolved_right": both,
    }
