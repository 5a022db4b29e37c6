"""What the readings of a case say in the end, as far as rates go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from triage.models.reading import Reading
from triage.models.verdict import CLEAN, MISTAKE, Review

End = Literal["failing", "clean", "test-set", "unsettled", "unread"]
"""A failure, or none; a mistake of the test set, which is in no rate; readers who differ, or a
word on a record that has changed since; nobody's word."""


def end_of_verdict(verdict: str) -> End:
    """What a single verdict says."""
    return "clean" if verdict == CLEAN else "test-set" if verdict == MISTAKE else "failing"


def end_of(review: Review | None, readings: Sequence[Reading]) -> End:
    """What a case is in the end. Readers who differ only in the class agree that it fails.

    A verdict on an earlier record says nothing of the one that is there now.

    Args:
        review: what its events add up to.
        readings: its reviewers' standing verdicts; needed where it is disputed.
    """
    if review is None or review.verdict is None:
        return "unread"
    if review.stale:
        return "unsettled"
    if not review.disputed:
        return end_of_verdict(review.verdict)
    ends = {end_of_verdict(one.verdict) for one in readings}
    return ends.pop() if len(ends) == 1 else "unsettled"
