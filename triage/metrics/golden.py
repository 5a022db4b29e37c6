"""Golden facts of three kinds (metrics.md section 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from triage.models.record import Golden


class GoldenResult(Struct, frozen=True):
    """What judges found of a case's golden facts.

    Args:
        hit, wanted: facts that must appear, or are a side of a comparison: those that do, and all of them.
        unjudged: those of them that nobody judged.
        violations, exclusions: facts that must not appear: those that do, and all of them.
        exclusions_unjudged: those of them that nobody judged.
    """

    hit: int
    wanted: int
    unjudged: int
    violations: int
    exclusions: int
    exclusions_unjudged: int

    @property
    def coverage(self) -> float | None:
        """hit / wanted, 0..1; None where nothing is wanted, or not all of it was judged."""
        return self.hit / self.wanted if self.wanted and not self.unjudged else None

    @property
    def passed(self) -> bool | None:
        """Every wanted fact appears and none of the others does. None where that stays open."""
        if self.violations or self.hit + self.unjudged < self.wanted:
            return False
        open_ = self.unjudged or self.exclusions_unjudged or not (self.wanted or self.exclusions)
        return None if open_ else True


def golden_result(golden: Golden) -> GoldenResult:
    """Count a case's golden facts; a text alone is a fact that nobody judged."""
    wanted = [*(golden.must or ()), *(golden.compare or ())]
    exclude = golden.exclude or ()
    return GoldenResult(
        hit=sum(fact.hit is True for fact in wanted),
        wanted=len(wanted),
        unjudged=sum(fact.hit is None for fact in wanted),
        violations=sum(fact.hit is True for fact in exclude),
        exclusions=len(exclude),
        exclusions_unjudged=sum(fact.hit is None for fact in exclude),
    )
