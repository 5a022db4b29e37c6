"""What people's verdicts say of the rules' confidence."""

from __future__ import annotations

from msgspec import Struct, field

LEAST_VERDICTS = 10
"""Verdicts on a rule's suggestions below which nothing is proposed for it."""
PRIOR = 10
"""How many verdicts the fixed confidence weighs as: a few verdicts move it little."""


class Weight(Struct, frozen=True):
    """A rule's confidence against what people say of its suggestions.

    Args:
        reason: the rule's.
        n, agree: suggestions of it with a verdict, and those that the verdict confirms.
        interval: Wilson 95 % of `agree` / `n`; None without verdicts.
        fixed: the confidence it has from metrics.md section 5, 0..1.
        holds: the one that holds now, by the settings.
        proposed: (agree + 10 fixed) / (n + 10), two decimals; None where n < 10.
    """

    reason: str
    n: int
    agree: int
    interval: tuple[float, float] | None
    fixed: float
    holds: float
    proposed: float | None = None

    @property
    def changes(self) -> bool:
        """Would the proposal change what holds?"""
        return self.proposed is not None and self.proposed != self.holds


class Turned(Struct, frozen=True):
    """What proposals would do to a run: cases that would fail no longer, and that would fail newly."""

    run: str
    no_longer: int
    newly: int


class Reweigh(Struct, frozen=True):
    """The rules weighed anew by people's verdicts.

    Args:
        runs: ids of the runs whose verdicts count, newest first.
        weights: rules with verdicts, in their order.
        left_out: why cases with a verdict do not count, and how many: "disputed", "stale", "silent" (nothing
            is suggested).
        turned: what the proposals would change, of each run that they would.
        least: the least confidence at which a suggestion makes a case failing.
    """

    runs: tuple[str, ...]
    weights: tuple[Weight, ...]
    left_out: dict[str, int] = field(default_factory=dict)
    turned: tuple[Turned, ...] = ()
    least: float = 0.4

    @property
    def proposed(self) -> dict[str, float]:
        """Reason -> confidence, of the rules whose confidence would change."""
        found = ((each.reason, each.proposed) for each in self.weights if each.changes)
        return {reason: value for reason, value in found if value is not None}
