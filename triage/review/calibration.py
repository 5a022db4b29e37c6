"""The rules' confidence weighed anew by people's verdicts (metrics.md section 7, last sentence)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import ROUND_HALF_UP, Decimal

from triage.models.agreement import RuleAgreement
from triage.models.reweigh import LEAST_VERDICTS, PRIOR, Weight


def proposed(agree: int, n: int, fixed: float) -> float | None:
    """(agree + 10 fixed) / (n + 10), two decimals, halves upward; None below 10 verdicts."""
    if n < LEAST_VERDICTS:
        return None
    value = (Decimal(agree) + PRIOR * Decimal(str(fixed))) / (n + PRIOR)
    return float(value.quantize(Decimal("0.01"), ROUND_HALF_UP))


def weigh(
    found: Iterable[RuleAgreement], fixed: Mapping[str, float], holds: Mapping[str, float]
) -> tuple[Weight, ...]:
    """Each rule that people have spoken of, against what they say, in the rules' order.

    Args:
        found: how often verdicts agree with each rule's suggestions.
        fixed: reason -> its confidence by metrics.md, in the rules' order.
        holds: reason -> the confidence that the settings give it instead.
    """
    counts = {one.reason: one for one in found}
    return tuple(
        Weight(
            reason=reason,
            n=counts[reason].n,
            agree=counts[reason].agree,
            interval=counts[reason].interval,
            fixed=own,
            holds=holds.get(reason, own),
            proposed=proposed(counts[reason].agree, counts[reason].n, own),
        )
        for reason, own in fixed.items()
        if reason in counts
    )
