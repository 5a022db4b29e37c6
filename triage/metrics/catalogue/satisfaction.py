"""User satisfaction (metrics.md section 3): what users say and do. A session is a case with feedback."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.metrics.metric import MISSING, Metric, share, value
from triage.models.measure import Measure

if TYPE_CHECKING:
    from triage.metrics.facts import Facts

PLACE = 60
NEEDS = ("feedback",)
METRICS: tuple[Metric, ...] = (
    share(
        "satisfaction", "User satisfaction", "satisf.", "generation", "5",
        "thumbs up among those who voted; a session without a vote is missing",
        "what those think who did not vote: read it with the response rate, as voters are no fair sample",
    ),
    share(
        "repeat_question_rate", "Repeated questions", "repeats", "generation", "5",
        "share of sessions whose user asked the same again",
        "why: a wrong answer, an unclear one, or a slow one",
        higher_is_better=False,
    ),
    share(
        "no_follow_up_rate", "No follow-up", "no f-up", "generation", "5",
        "share of sessions whose user asked nothing more, as one does who has the answer",
        "whether the user was content or gave up",
    ),
    share(
        "transfer_rate", "Handed to a person", "to human", "generation", "5",
        "share of sessions that went on to a person",
        "whether that was wrong: some questions belong there",
        higher_is_better=False,
    ),
)  # fmt: skip
_NONE: dict[str, Measure] = {}
_VALUES = {None: MISSING, True: value(1.0), False: value(0.0)}


def measure(facts: Facts) -> dict[str, Measure]:
    """What the user of a session said and did; what is not recorded of a session is missing."""
    feedback = facts.record.feedback
    if feedback is None:
        return _NONE
    return {
        "satisfaction": _VALUES[None if feedback.thumb is None else feedback.thumb == "up"],
        "repeat_question_rate": _VALUES[feedback.repeated],
        "no_follow_up_rate": _VALUES[feedback.no_follow_up],
        "transfer_rate": _VALUES[feedback.handed_off],
    }
