"""Repeated samples of a case (metrics.md section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.metrics.metric import MISSING, Metric, value
from triage.models.measure import Measure

if TYPE_CHECKING:
    from triage.metrics.facts import Facts

PLACE = 80
NEEDS = ("attempts",)
METRICS: tuple[Metric, ...] = (
    Metric(
        "pass_at_k", "pass@k", "pass@k", "generation", "5",
        "mean chance that at least one of k attempts at a case passes",
        "whether it passes every time: pass^k; the k is the run's pass_k, else the fewest attempts of a case",
        scale="share",
    ),
    Metric(
        "pass_hat_k", "pass^k", "pass^k", "generation", "5",
        "mean chance that all of k attempts at a case pass: how far one can rely on it",
        "whether it can pass at all: pass@k",
        scale="share",
    ),
    Metric(
        "attempt_pass_rate", "Attempts that pass", "attempts", "generation", "5",
        "share of attempts, over all cases, that pass",
        "whether the same cases fail each time: pass@k and pass^k tell",
        scale="share", micro=True,
    ),
)  # fmt: skip
_NONE: dict[str, Measure] = {}
_ALL_MISSING = {metric.key: MISSING for metric in METRICS}


def measure(facts: Facts) -> dict[str, Measure]:
    """The measures of a case's attempts; missing where one is not judged, or there are fewer than k."""
    attempts = facts.record.attempts
    if not attempts:
        return _NONE
    from triage.metrics.attempts import pass_at_k, pass_hat_k

    passed = [attempt.passed for attempt in attempts]
    if None in passed:
        return _ALL_MISSING
    n, c = len(passed), passed.count(True)
    k = facts.scoring.pass_k or n
    at, hat = pass_at_k(n, c, k), pass_hat_k(n, c, k)
    return {
        "pass_at_k": MISSING if at is None else value(at),
        "pass_hat_k": MISSING if hat is None else value(hat),
        "attempt_pass_rate": Measure(c / n, numerator=float(c), denominator=float(n)),
    }
