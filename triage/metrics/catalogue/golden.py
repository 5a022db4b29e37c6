"""Golden facts (metrics.md section 3): those that must appear, and those that must not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.metrics.metric import MISSING, Metric, share, value
from triage.models.measure import Measure

if TYPE_CHECKING:
    from triage.metrics.facts import Facts

PLACE = 50
NEEDS = ("golden",)
METRICS: tuple[Metric, ...] = (
    Metric(
        "golden_coverage", "Golden fact coverage", "golden", "generation", "5",
        "mean share of a case's golden facts (must appear, or a side of a comparison) that the answer has",
        "anything outside the listed facts; a case with a fact that nobody judged is missing",
        scale="share",
    ),
    share(
        "golden_pass", "Golden facts all right", "facts ok", "generation", "5",
        "share of cases whose answer has every golden fact and none of those that must not appear",
        "which fact is wrong: the case shows them",
    ),
    share(
        "exclusion_violations", "Excluded facts said", "excluded", "generation", "5",
        "share of cases with facts that must not appear whose answer has one of them",
        "false statements that nobody listed",
        higher_is_better=False,
    ),
)  # fmt: skip
_NONE: dict[str, Measure] = {}


def measure(facts: Facts) -> dict[str, Measure]:
    """The golden-fact measures of a case; a kind of fact that is not listed is out of scope."""
    if facts.record.golden is None:
        return _NONE
    from triage.metrics.golden import golden_result

    found = golden_result(facts.record.golden)
    out: dict[str, Measure] = {}
    if found.wanted:
        out["golden_coverage"] = MISSING if found.coverage is None else value(found.coverage)
    if found.exclusions:
        known = found.violations or not found.exclusions_unjudged
        out["exclusion_violations"] = value(float(found.violations > 0)) if known else MISSING
    if out:
        out["golden_pass"] = MISSING if found.passed is None else value(float(found.passed))
    return out
