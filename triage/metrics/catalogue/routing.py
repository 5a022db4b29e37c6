"""Routing and planning (metrics.md section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.metrics.metric import MISSING, Metric, share, value, worse_above_zero
from triage.models.measure import Measure

if TYPE_CHECKING:
    from triage.metrics.facts import Facts

PLACE = 70
NEEDS = ("expected_route", "route", "expected_plan", "plan")
METRICS: tuple[Metric, ...] = (
    share(
        "routing_accuracy", "Routing accuracy", "routing", "generation", "5",
        "share of cases sent down an accepted route; a+b is b+a, and none is a route",
        "which routes are confused (the routing table tells), nor whether the answer is right",
    ),
    Metric(
        "plan_efficiency", "Plan efficiency", "plan", "generation", "5",
        "mean of expected steps over steps taken, at most 1", "whether they were the right steps",
        scale="share",
    ),
    Metric(
        "wasted_retrievals", "Wasted retrievals", "wasted", "generation", "5",
        "mean share of a case's retrieval steps that brought nothing of the evidence or the citations",
        "whether a step ruled something out",
        scale="share", higher_is_better=False, worse=worse_above_zero,
    ),
)  # fmt: skip
_NONE: dict[str, Measure] = {}


def measure(facts: Facts) -> dict[str, Measure]:
    """The routing and planning measures of a case; missing where one side alone is recorded."""
    record = facts.record
    if record.expected_route is None and record.route is None and record.plan is None:
        return _NONE if record.expected_plan is None else {"plan_efficiency": MISSING}
    from triage.metrics.plans import flat_steps, step_efficiency, wasted_steps
    from triage.metrics.routes import route_match

    out: dict[str, Measure] = {}
    if record.expected_route is not None or record.route is not None:
        match = route_match(record.expected_route, record.route)
        out["routing_accuracy"] = MISSING if match is None else value(float(match))
    expected, plan = record.expected_plan, record.plan
    if expected is None or plan is None:
        if expected is not plan:
            out["plan_efficiency"] = MISSING
    else:
        out["plan_efficiency"] = value(step_efficiency(len(flat_steps(expected)), len(flat_steps(plan))))
    used = _used(facts)
    wasted = [one for one in wasted_steps(plan or (), used or ()) if one is not None]
    if wasted:
        out["wasted_retrievals"] = MISSING if used is None else value(sum(wasted) / len(wasted))
    return out


def _used(facts: Facts) -> set[str] | None:
    """Ids of this turn's evidence and of what is cited; None where neither is recorded."""
    record = facts.record
    evidence = record.evidence if record.evidence is not None else record.retrieved
    if evidence is None and facts.citations is None:
        return None
    used = {document.id for document in evidence or ()} | set(facts.citations or ())
    return used | {found[0] for found in (facts.cited or {}).values() if found is not None}
