"""A case as a reader may see it before his own verdict: what others say of it is taken out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from triage.models.measure import Diagnosis, Finding

if TYPE_CHECKING:
    from triage.models.case import CaseDetail
    from triage.models.record import Record
    from triage.ui.widgets.detail.page import Hidden

_TURN = frozenset({"user", "query", "task", "slots", "expected_slots", "answer"})
"""Keys of a turn that say what happened; others may say how somebody judged it."""


def unseen(detail: CaseDetail, reviewer: str, hidden: Hidden) -> CaseDetail:
    """The detail without what is hidden from a reader.

    Args:
        detail: the case whole.
        reviewer: the reader, whose own events stay.
        hidden: "people" takes out others' events, labels and notes, also those on earlier runs; "machine"
            takes out as well what rules, the sentence check, judges and the runner say.
    """
    if hidden == "nothing":
        return detail
    own = tuple(event for event in detail.events if event.reviewer == reviewer)
    if not any(event.kind == "verdict" and not event.undone for event in own):
        # Labels set outside of a queue stand together with those of others, also where a label is renamed.
        own = tuple(event for event in own if event.kind != "labels")
    detail = replace(
        detail,
        row=replace(detail.row, review=None, before=None),
        events=own,
        earlier=tuple(replace(one, review=None) for one in detail.earlier),
    )
    return detail if hidden == "people" else _unjudged(detail)


def _unjudged(detail: CaseDetail) -> CaseDetail:
    row = replace(
        detail.row, failing=False, failure_class=None, reason="", confidence=0.0, layers={}, first_rank=None
    )
    return replace(
        detail,
        row=row,
        record=_as_it_came(detail.record),
        diagnosis=Diagnosis(Finding(None, "", 0.0), (), False, {}, None),
        measures={},
        missing=(),
        earlier=(),
        sentences=(),
        problems=(),
    )


def _as_it_came(record: Record) -> Record:
    """What was asked, retrieved and answered; nobody's word on it."""
    out: dict[str, Any] = {
        "scores": None, "judges": None, "feedback": None, "passed": None, "failure_reason": None,
        "attempts": None, "conflict": None, "extra": {},
    }  # fmt: skip
    if "predicted_answerable" in record.inferred:
        out["predicted_answerable"] = None
    if record.turns is not None:
        out["turns"] = [{key: turn[key] for key in turn if key in _TURN} for turn in record.turns]
    return record.model_copy(update=out)
