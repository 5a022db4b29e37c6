"""Is a case right in everything that is recorded of it (metrics.md section 3)?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.metrics.metric import MISSING, Metric, on_five, share, value
from triage.models.measure import Measure

if TYPE_CHECKING:
    from triage.metrics.facts import Facts

PLACE = 90
NEEDS = (
    "expected_route", "expected_tools", "golden",
    "scores.factual_correctness", "scores.completeness", "scores.groundedness", "scores.clarity",
)  # fmt: skip
METRICS: tuple[Metric, ...] = (
    share(
        "final_pass", "Final pass", "final", "generation", "5",
        "share of cases right in route, tools, excluded facts and each judged dimension (4 or more of 1-5)",
        "which of them failed; what is not recorded does not count",
    ),
)  # fmt: skip
_NONE: dict[str, Measure] = {}


def measure(facts: Facts) -> dict[str, Measure]:
    """The final pass of a case; missing where it hangs on something that is not recorded."""
    from triage.metrics.golden import golden_result
    from triage.metrics.outcome import DIMENSIONS, final_pass
    from triage.metrics.routes import route_match
    from triage.metrics.tools import tool_success

    record = facts.record
    route = route_match(record.expected_route, record.route)
    actual = record.tools
    # Empty parallel groups expect no call.
    expected = [call for call in record.expected_tools or () if call]
    tools = tool_success(expected, actual) if expected and actual is not None else None
    golden = golden_result(record.golden) if record.golden is not None else None
    judged = golden.exclusions - golden.exclusions_unjudged if golden is not None else 0
    open_ = bool(expected and actual is None) or bool(golden is not None and golden.exclusions_unjudged)
    found = final_pass(
        route,
        tools,
        golden.violations if golden is not None and judged else None,
        {
            name: on_five(score, facts.scoring)
            for name in DIMENSIONS
            if (score := facts.score(name)) is not None
        },
        unknown=open_,
    )
    if found is not None:
        return {"final_pass": value(float(found))}
    return {"final_pass": MISSING} if open_ or record.expected_route else _NONE
