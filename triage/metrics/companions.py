"""What a metric is never shown without (metrics.md section 3): a response rate, the unanswerable share."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from triage.models.measure import MetricValue

BAND = (0.05, 0.15)
"""Where the fallback rate of production traffic is usual; a labelled set has its own ideal."""


class Companion(Struct, frozen=True):
    """What stands beside a metric: a few words, and the same as values for JSON."""

    text: str
    values: dict[str, float | None]


def companions(values: Mapping[str, MetricValue]) -> dict[str, Companion]:
    """Metric key -> what belongs beside its value, for metrics over any cases."""
    if not {"satisfaction", "fallback_rate", "over_refusal", "under_refusal"} <= values.keys():
        return {}
    found = {"satisfaction": _response(values), "fallback_rate": _fallback(values)}
    return {key: companion for key, companion in found.items() if companion is not None}


def _response(values: Mapping[str, MetricValue]) -> Companion | None:
    """How many of the sessions voted: a session without a vote is missing from the metric."""
    votes = int(values["satisfaction"].denominator or 0)
    sessions = votes + values["satisfaction"].missing
    if not sessions:
        return None
    rate = votes / sessions
    return Companion(
        f"response rate {rate:.4f} ({votes}/{sessions} sessions)",
        {"response_rate": rate, "votes": votes, "sessions": sessions},
    )


def _fallback(values: Mapping[str, MetricValue]) -> Companion | None:
    """The share of unanswerable cases, which is the ideal; without labels the usual band."""
    rate = values["fallback_rate"].value
    if rate is None:
        return None
    unanswerable = int(values["under_refusal"].denominator or 0)
    labelled = unanswerable + int(values["over_refusal"].denominator or 0)
    if not labelled:
        low, high = BAND
        word = "below" if rate < low else "above" if rate > high else "within"
        return Companion(
            f"no labels; {word} {low:.2f}-{high:.2f}, the usual band of production traffic",
            {"unanswerable_share": None, "beyond_unanswerable": None},
        )
    share = unanswerable / labelled
    return Companion(
        f"unanswerable {share:.4f} ({unanswerable}/{labelled}), fallback beyond it {rate - share:+.4f}",
        {"unanswerable_share": share, "beyond_unanswerable": rate - share},
    )
