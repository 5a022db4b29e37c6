"""The cases behind a number of the agreement."""

from __future__ import annotations

from collections.abc import Iterable

from triage.models.agreement import Door, ReadCase, SuggestedCase
from triage.models.verdict import suggested_verdict
from triage.review.agreement import disputed


def cases_behind(door: Door, read: Iterable[ReadCase], suggested: Iterable[SuggestedCase]) -> tuple[str, ...]:
    """The ids of exactly the cases that a number counts, in the order given.

    Args:
        read, suggested: what `agreement` and `suggestions_against` were given.
    """
    if door.kind in ("rule", "suggested"):
        return tuple(case.case_id for case in suggested if _is_suggested(door, case))
    return tuple(case.case_id for case in read if _is_read(door, case))


def _is_suggested(door: Door, case: SuggestedCase) -> bool:
    says = suggested_verdict(case.reason, case.failure_class)
    if case.verdict is None or case.disputed or case.stale or says is None:
        return False
    if door.kind == "rule" and case.reason != door.reason:
        return False
    if door.row not in (None, says) or door.column not in (None, case.verdict):
        return False
    return not door.differ or says != case.verdict


def _is_read(door: Door, case: ReadCase) -> bool:
    said = {one.reviewer: one.verdict for one in case.readings if not one.stale}
    verdicts = list(said.values())
    differ = len(set(verdicts)) > 1
    if len(verdicts) < 2 or (door.differ and not differ):
        return False
    if door.kind == "pair":
        if door.a not in said or door.b not in said:
            return False
        a, b = said[door.a], said[door.b]
        return door.row in (None, a) and door.column in (None, b) and not (door.differ and a == b)
    if door.kind == "class":
        return door.row in verdicts
    if door.kind == "met":
        return any(
            one == door.row and other == door.column
            for reviewer, one in said.items()
            if door.a in ("", reviewer)
            for name, other in said.items()
            if name != reviewer
        )
    if door.kind == "reader":
        own = said.get(door.a)
        return own is not None and (not door.differ or any(one != own for one in verdicts))
    if door.kind == "twice":
        return True
    if not differ:
        return False
    if case.arbitration is not None:
        return door.kind == "arbitrated"
    return door.kind == ("disputes" if disputed(verdicts) else "outvoted")
