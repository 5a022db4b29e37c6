"""What the readings of a case say in the end, as far as rates go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from triage.models.reading import Reading
from triage.models.verdict import CLEAN, MISTAKE, Review, common

End = Literal["failing", "clean", "test-set", "unsettled", "unread"]
"""A failure, or none; a mistake of the test set, which is in no rate; readers who differ, or a
word on a record that has changed since; nobody's word."""


def end_of_verdict(verdict: str) -> End:
    """What a single verdict says."""
    return "clean" if verdict == CLEAN else "test-set" if verdict == MISTAKE else "failing"


def verdict_of(review: Review | None, readings: Sequence[Reading]) -> str | None:
    """The verdict that holds of a case as its record is now: the case's own, but where some of its readers
    saw an earlier record it is what the others say. None: nobody has judged it.
    """
    if review is None or review.verdict is None or review.arbitrated:
        return None if review is None else review.verdict
    fresh = [one.verdict for one in readings if not one.stale]
    if not fresh or len(fresh) == len(readings):
        return review.verdict
    return common(fresh) or fresh[-1]


def end_of(review: Review | None, readings: Sequence[Reading]) -> End:
    """What a case is in the end. Readers who differ only in the class agree that it fails.

    A verdict on an earlier record says nothing of the one that is there now.

    Args:
        review: what its events add up to.
        readings: its reviewers' standing verdicts, oldest first; needed where it is disputed or stale.
    """
    verdict = verdict_of(review, readings)
    if review is None or verdict is None:
        return "unread"
    fresh = [one.verdict for one in readings if not one.stale]
    if review.arbitrated or len(fresh) == len(readings):
        if review.stale:
            return "unsettled"
        if not review.disputed:
            return end_of_verdict(verdict)
    elif common(fresh) is not None:
        return end_of_verdict(verdict)
    ends = {end_of_verdict(one) for one in fresh}
    return ends.pop() if len(ends) == 1 else "unsettled"
