"""Conversations judged turn by turn (metrics.md section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.metrics.metric import MISSING, Metric, share, value
from triage.models.measure import Measure

if TYPE_CHECKING:
    from triage.metrics.facts import Facts

PLACE = 78
NEEDS = ("turns",)
METRICS: tuple[Metric, ...] = (
    Metric(
        "slot_accuracy", "Slot accuracy", "slots", "generation", "5",
        "mean over conversations of the share of turns whose slots are all as expected, with no others",
        "which slot is wrong, or stale: the case shows them turn by turn",
        scale="share",
    ),
    share(
        "conversation_pass", "Conversation pass", "convers.", "generation", "5",
        "share of conversations with every turn right, by its slots and by the runner's word on it",
        "which turn broke; one that is not recorded leaves the conversation missing",
    ),
)  # fmt: skip
_NONE: dict[str, Measure] = {}


def measure(facts: Facts) -> dict[str, Measure]:
    """The conversation measures of a case; turns of which nothing is judged are out of scope."""
    turns = facts.record.turns
    if not turns:
        return _NONE
    from triage.metrics.slots import conversation_pass, conversation_slots, joint_accuracy

    read = conversation_slots(turns)
    out: dict[str, Measure] = {}
    if any(turn.labelled for turn in read):
        joint = joint_accuracy(read)
        out["slot_accuracy"] = MISSING if joint is None else value(joint)
    if any(turn.labelled or turn.passed is not None for turn in read):
        passed = conversation_pass(read)
        out["conversation_pass"] = MISSING if passed is None else value(float(passed))
    return out
