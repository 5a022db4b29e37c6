"""Plans (metrics.md section 4): steps taken against steps expected, and retrievals that brought nothing."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from triage.models.record import PlanStep


def flat_steps(plan: Sequence[PlanStep | list[PlanStep]]) -> list[PlanStep]:
    """The steps one by one; each step of a parallel group counts, as it costs like any other."""
    return [one for step in plan for one in (step if isinstance(step, list) else (step,))]


def step_efficiency(expected: int, actual: int) -> float:
    """min(1, expected / actual), 0..1: none where none is expected is 1, none where some are is 0."""
    if not actual:
        return 0.0 if expected else 1.0
    return min(1.0, expected / actual)


def wasted_steps(plan: Sequence[PlanStep | list[PlanStep]], used: Collection[str]) -> list[bool | None]:
    """Of each step: did it bring none of the documents that were used? None = not recorded.

    Args:
        plan: the steps taken.
        used: ids of this turn's evidence, and of what the answer cites.
    """
    return [
        None if step.ids is None else not any(name in used for name in step.ids) for step in flat_steps(plan)
    ]
