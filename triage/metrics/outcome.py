"""Whether a case is right as a whole, and whether two judges agree enough (metrics.md section 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

DIMENSIONS = ("factual_correctness", "completeness", "groundedness", "clarity")
"""What a judge scores of an answer, 1-5 each."""
ARBITRATED = (*DIMENSIONS, "faithfulness", "answer_relevancy", "answer_correctness")
"""The scores, 1-5 each, over which two judges can be at odds."""
GOOD_SCORE = 4.0
"""A dimension with this score or more (of 1-5) is good enough."""


def final_pass(
    route: bool | None,
    tools: tuple[int, int] | None,
    violations: int | None,
    scores: Mapping[str, float],
    *,
    unknown: bool = False,
) -> bool | None:
    """Is a case right in everything that is recorded of it?

    Args:
        route: it went down an accepted route; None = not recorded.
        tools: (expected calls that were made and worked, expected calls); None = none is expected.
        violations: facts that must not appear and do; None = there are no such facts.
        scores: `DIMENSIONS` that are recorded, on the 1-5 scale.
        unknown: something that would decide is expected and not recorded.

    Returns:
        None where nothing of all this is recorded, or where it hangs on what is unknown.
    """
    judged = [scores[name] for name in DIMENSIONS if name in scores]
    if route is None and tools is None and violations is None and not judged:
        return None
    wrong = (
        route is False
        or (tools is not None and tools[0] < tools[1])
        or bool(violations)
        or any(score < GOOD_SCORE for score in judged)
    )
    if wrong:
        return False
    return None if unknown else True


def largest_gap(
    one: Mapping[str, float], other: Mapping[str, float], over: Iterable[str] = ARBITRATED
) -> float:
    """The largest difference of two judges over the scores that both gave; 0 where there is none."""
    return max((abs(one[name] - other[name]) for name in over if name in one and name in other), default=0)


def needs_arbitration(
    one: Mapping[str, float], other: Mapping[str, float], over: Sequence[str] = ARBITRATED
) -> bool:
    """Do two judges, on 1-5, differ by 2 or more on a score, or over whether it is good enough?

    `over` are the scores that count.
    """
    return largest_gap(one, other, over) >= 2 or any(
        (one[name] >= GOOD_SCORE) != (other[name] >= GOOD_SCORE)
        for name in over
        if name in one and name in other
    )
