"""Slots turn by turn (metrics.md section 4), and whether a whole conversation is right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from triage.metrics.values import same

Slots = Mapping[str, Any]


class TurnSlots(Struct, frozen=True):
    """One turn's slots.

    Args:
        labelled: slots are expected of this turn or recorded for it.
        joint: all slots are as expected, and there are no others. None = expected or actual ones are not
            recorded.
        precision, recall, f1: over (slot, value), 0..1; None as above.
        stale: slots, in their order, that still hold a value which this turn replaced.
        passed: the runner's own word on the turn.
    """

    labelled: bool = False
    joint: bool | None = None
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    stale: tuple[str, ...] = ()
    passed: bool | None = None

    @property
    def right(self) -> bool | None:
        """Is the turn right, by its slots and by the runner's word? None = that stays open."""
        said = ([self.joint] if self.labelled else []) + ([self.passed] if self.passed is not None else [])
        if False in said:
            return False
        return None if not said or None in said else True


def _slots(value: Any) -> Slots | None:
    return value if isinstance(value, Mapping) else None


def turn_slots(turn: Mapping[str, Any], before: Slots | None = None) -> TurnSlots:
    """What is right of one turn's slots.

    Args:
        turn: as recorded; `expected_slots`, `slots` and `passed` count.
        before: the slots that were expected of the turn before it.
    """
    expected, actual = _slots(turn.get("expected_slots")), _slots(turn.get("slots"))
    passed = turn.get("passed")
    passed = passed if isinstance(passed, bool) else None
    if expected is None or actual is None:
        return TurnSlots(labelled=expected is not actual, passed=passed)
    right = sum(name in expected and same(expected[name], value) for name, value in actual.items())
    precision = right / len(actual) if actual else float(not expected)
    recall = right / len(expected) if expected else float(not actual)
    return TurnSlots(
        labelled=True,
        joint=right == len(actual) == len(expected),
        precision=precision,
        recall=recall,
        f1=2 * precision * recall / (precision + recall) if right else precision * recall,
        stale=_stale(expected, actual, before or {}),
        passed=passed,
    )


def _stale(expected: Slots, actual: Slots, before: Slots) -> tuple[str, ...]:
    replaced = [
        value for name, value in before.items() if name in expected and not same(expected[name], value)
    ]
    # A value that moved to another slot is no leftover there.
    return tuple(
        name
        for name, value in actual.items()
        if any(same(value, old) for old in replaced)
        and not (name in expected and same(expected[name], value))
    )


def conversation_slots(turns: Iterable[Mapping[str, Any]]) -> list[TurnSlots]:
    """Each turn's slots, in order; a turn without expected slots replaces nothing."""
    read: list[TurnSlots] = []
    before: Slots | None = None
    for turn in turns:
        read.append(turn_slots(turn, before))
        expected = _slots(turn.get("expected_slots"))
        before = before if expected is None else expected
    return read


def joint_accuracy(turns: Sequence[TurnSlots]) -> float | None:
    """Mean of the turns' joint, 0..1, over those that have one; None where no turn has."""
    joints = [turn.joint for turn in turns if turn.joint is not None]
    return sum(joints) / len(joints) if joints else None


def conversation_pass(turns: Sequence[TurnSlots]) -> bool | None:
    """Are all turns right? None where a turn is not recorded and none is wrong, or there are no turns."""
    said = [turn.right for turn in turns]
    if False in said:
        return False
    return None if not said or None in said else True
