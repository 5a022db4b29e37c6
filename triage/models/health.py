"""How fit a test set is to be measured with (metrics.md section 4, "Data-set health"). Plain values."""

from __future__ import annotations

from msgspec import Struct


class Dependence(Struct, frozen=True):
    """How strongly the questions of conversations hang on what was said before.

    Args:
        cases: weak, medium, strong -> cases.
        off: those whose share is more than ten points from its mark.
        few: too few cases to tell.
    """

    cases: dict[str, int]
    off: tuple[str, ...]
    few: bool

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self.cases.values())


class Seeds(Struct, frozen=True):
    """Cases that were rewritten from a seed question.

    Args:
        seeds: distinct seeds.
        orphans: ids of rewrites that name no seed, in file order: mistakes of the test set.
        first_failing: level -> seeds of which it is the first level with a failing case.
        holding: seeds that fail at no level.
    """

    seeds: int
    orphans: tuple[str, ...]
    first_failing: dict[str, int]
    holding: int


class Health(Struct, frozen=True):
    """The test set behind a run.

    Args:
        cases: how many there are.
        stage: what so many are enough for: "too few", "to start", "to compare", "mature".
        labelled, unanswerable: cases with the label, and those that can't be answered.
        share_fits: the unanswerable share lies in its band; None = no label.
        dependence: None = recorded of no case.
        routes: expected route (the accepted ones joined) -> cases; empty = recorded of no case.
        thin_routes: those with too few cases.
        seeds: None = no case is a rewrite or has a seed.
    """

    cases: int
    stage: str
    labelled: int
    unanswerable: int
    share_fits: bool | None
    dependence: Dependence | None
    routes: dict[str, int]
    thin_routes: tuple[str, ...]
    seeds: Seeds | None

    @property
    def unanswerable_share(self) -> float | None:
        """Unanswerable of labelled cases, 0..1; None where none is labelled."""
        return self.unanswerable / self.labelled if self.labelled else None
