"""What a metric is never shown without: a response rate, the unanswerable share, how right the rules were."""

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
    found = {
        "satisfaction": _response(values),
        "fallback_rate": _fallback(values),
        "citation_support": _rules(values),
    }
    return {key: companion for key, companion in found.items() if companion is not None}


def _rules(values: Mapping[str, MetricValue]) -> Companion | None:
    """How often the rules were right where they called a sentence unsupported."""
    found = values.get("citation_support")
    if found is None or found.value is None:
        return None
    # Imported here because only a number that is looked at needs it.
    from triage.citations.measured import LONG, SHORT, flags_were_right

    return Companion(
        flags_were_right(),
        {"flags_right_short_sources": SHORT.precision, "flags_right_long_sources": LONG.precision},
    )


def _response(values: Mapping[str, MetricValue]) -> Companion | None:
    """How many of the sessions voted: a session without a vote is missing from the metric."""
    if "satisfaction" not in values:
        return None
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
    if not {"fallback_rate", "over_refusal", "under_refusal"} <= values.keys():
        return None
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
