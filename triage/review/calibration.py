"""The rules' confidence weighed anew by people's verdicts (metrics.md section 7, last sentence)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import ROUND_HALF_UP, Decimal

from triage.metrics.interval import wilson
from triage.models.reweigh import LEAST_VERDICTS, PRIOR, Weight

FINE = frozenset({"ok", "ok_refusal"})
"""Reasons that a verdict confirms by calling the case no failure."""
DATA = frozenset({"label_conflict"})
"""Reasons that a verdict confirms by calling the test set wrong."""
SILENT = frozenset({"insufficient_record", "system_error", "runner_failed"})
"""Reasons that suggest no verdict."""


def confirms(reason: str, failure_class: str | None, verdict: str) -> bool | None:
    """Does a verdict confirm a suggestion? None where the suggestion says nothing that it could confirm."""
    if reason in SILENT:
        return None
    if reason in FINE:
        return verdict == "not-a-failure"
    if reason in DATA:
        return verdict == "test-set"
    return None if failure_class is None else verdict == failure_class


def proposed(agree: int, n: int, fixed: float) -> float | None:
    """(agree + 10 fixed) / (n + 10), two decimals, halves upward; None below 10 verdicts."""
    if n < LEAST_VERDICTS:
        return None
    value = (Decimal(agree) + PRIOR * Decimal(str(fixed))) / (n + PRIOR)
    return float(value.quantize(Decimal("0.01"), ROUND_HALF_UP))


def weigh(
    said: Iterable[tuple[str, bool]], fixed: Mapping[str, float], holds: Mapping[str, float]
) -> tuple[Weight, ...]:
    """Each rule that people have spoken of, against what they say.

    Args:
        said: (reason, does the verdict confirm it?) of each case.
        fixed: reason -> its confidence by metrics.md, in the rules' order.
        holds: reason -> the confidence that the settings give it instead.
    """
    counts: dict[str, list[int]] = {}
    for reason, confirmed in said:
        found = counts.setdefault(reason, [0, 0])
        found[0] += 1
        found[1] += confirmed
    return tuple(
        Weight(
            reason=reason,
            n=n,
            agree=agree,
            interval=wilson(agree, n),
            fixed=own,
            holds=holds.get(reason, own),
            proposed=proposed(agree, n, own),
        )
        for reason, own in fixed.items()
        if reason in counts
        for n, agree in (counts[reason],)
    )
