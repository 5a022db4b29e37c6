"""Tool calls and their order (metrics.md section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.metrics.metric import MISSING, Metric, share, value
from triage.models.measure import Measure

if TYPE_CHECKING:
    from triage.metrics.facts import Facts

PLACE = 74
NEEDS = ("expected_tools", "tools")
METRICS: tuple[Metric, ...] = (
    Metric(
        "tool_success", "Tool success", "tools", "generation", "5",
        "mean share of a case's expected tool calls that were made, with their parameters, and worked",
        "whether further calls did harm, nor whether the order was right",
        scale="share",
    ),
    Metric(
        "trajectory", "Trajectory", "path", "generation", "5",
        "mean nearness of the order of tool calls to the expected one: 1 - edits / length of the longer",
        "whether another way is as good; a low score with a right answer is a detour, or luck",
        scale="share",
    ),
    share(
        "trajectory_exact", "Trajectory, exact", "path =", "generation", "5",
        "share of cases whose tool calls are exactly the expected ones, in order",
        "how near the others are",
    ),
)  # fmt: skip
_NONE: dict[str, Measure] = {}
_PATH_MISSING = {"trajectory": MISSING, "trajectory_exact": MISSING}
_ALL_MISSING = {"tool_success": MISSING, **_PATH_MISSING}


def measure(facts: Facts) -> dict[str, Measure]:
    """The tool measures of a case; missing where expected or actual calls alone are recorded."""
    expected, actual = facts.record.expected_tools, facts.record.tools
    if expected is None or actual is None:
        if expected is actual:
            return _NONE
        # Where no call is expected there is none to succeed; an empty parallel group expects none.
        return _PATH_MISSING if expected is not None and not any(expected) else _ALL_MISSING
    from triage.metrics.tools import tool_success
    from triage.metrics.trajectory import call_names, edit_score

    due, made = call_names(expected), call_names(actual)
    out = {
        "trajectory": value(edit_score(due, made)),
        "trajectory_exact": value(float(due == made)),
    }
    success = tool_success(expected, actual)
    if success is not None:
        out["tool_success"] = value(success[0] / success[1])
    return out
