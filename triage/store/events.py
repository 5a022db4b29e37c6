"""Review events: appended, never changed; and what they add up to, kept beside them in the same transaction.

Every review write syncs to the disk before it returns: what the screen has acknowledged survives `kill -9`
and a power cut alike.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from triage.errors import TriageError
from triage.models.verdict import NOTE_LIMIT, VERDICTS, Event, EventKind, Hashes, Review, Verdict
from triage.store.cases import chunks, marks
from triage.store.connection import Connection
from triage.store.standing import (
    Standing,
    arbitration,
    changed_since,
    hashes_of,
    keep,
    last_event,
    load_many,
    stand,
    verdicts,
)
from triage.store.text import safe, text_safe

if TYPE_CHECKING:
    from triage.models.run import RunSummary

_INSERT = """INSERT INTO events (batch, sitting, dataset, case_id, run_id, revision, hash_case, hash_answer,
    hash_retrieved, reviewer, at, kind, verdict, labels, note, target, sample, reason, seconds)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""


class Act(Struct, frozen=True):
    """What a reviewer does to one case. A "verdict" may bring labels and a note with it; None leaves them
    as they are.

    An empty note or an empty tuple of labels takes the old ones away. "labels" may `add` to those that stand
    and `take` from them instead of setting them. `sample`, `reason` and `seconds`: see `Event`; a "defer" in
    a sample's queue is its reader's own, whoever has judged the case.
    """

    case_id: str
    kind: EventKind
    verdict: Verdict | None = None
    labels: tuple[str, ...] | None = None
    note: str | None = None
    add: tuple[str, ...] = ()
    take: tuple[str, ...] = ()
    sample: str | None = None
    reason: str | None = None
    seconds: float | None = None


class Applied(Struct, frozen=True):
    """What a review call wrote: its batch ("" = nothing was to be done), its kind, and the reviews as they
    now are.
    """

    batch: str
    kind: EventKind
    reviews: dict[str, Review | None]


class Who(Struct, frozen=True):
    """Who acts, in which sitting (one run of the program), and when (UTC, ISO 8601)."""

    reviewer: str
    sitting: str
    at: str

    def __post_init__(self) -> None:
        force_setattr(self, "reviewer", safe(self.reviewer))


class _Plan(Struct, frozen=True):
    """The rows to append, by case, what they add up to, and the last event that was known then."""

    rows: dict[str, list[tuple[Any, ...]]]
    standing: Standing
    last: int


def add_events(connection: Connection, run: RunSummary, acts: Sequence[Act], who: Who) -> Applied:
    """Append what one keypress did, in one transaction, and what it makes of the cases' reviews.

    An act that would change nothing is left out: a "clear" where this reviewer has no verdict, a "defer" of a
    case that is judged or put off already, an "undefer" of one that is not, labels that stand as wanted. The
    hashes are those of the record at `run`'s revision.

    Raises:
        TriageError: a case is not in the run, a note is too long, a verdict is none.
        Busy: another process held the database for too long; nothing was written.
    """
    # Imported here because a start gives no verdict.
    from triage.store.slots import follow

    for act in acts:
        _check(act)
    batch = os.urandom(8).hex()
    kind: EventKind = acts[0].kind if acts else "verdict"

    def planned(sql: sqlite3.Connection) -> _Plan:
        return _plan(sql, run, acts, who, batch)

    def mended(sql: sqlite3.Connection, plan: _Plan) -> _Plan:
        if not sql.execute("SELECT 1 FROM runs WHERE run_id = ? AND newest > 0", (run.id,)).fetchone():
            raise TriageError("no such run", run.id, "it was removed just now")
        changed = changed_since(sql, run.id, plan.last)
        mine = [act for act in acts if safe(act.case_id) in changed]
        return _merged(plan, changed, _plan(sql, run, mine, who, batch)) if mine else plan

    with connection.planned(planned, mended) as (sql, plan):
        if not plan.rows:
            return Applied("", kind, {})
        put_batch(sql, batch, run.id, kind, None, who)
        sql.executemany(_INSERT, (row for rows in plan.rows.values() for row in rows))
        keep(sql, plan.standing)
        follow(sql, run.id, plan.rows, who)
    return Applied(batch, kind, plan.standing.reviews)


def _plan(sql: sqlite3.Connection, run: RunSummary, acts: Sequence[Act], who: Who, batch: str) -> _Plan:
    last = last_event(sql)
    wanted = _wanted(sql, run.id, who.reviewer, acts)
    hashes = hashes_of(sql, run.pk, [act.case_id for act in wanted])
    rows: dict[str, list[tuple[Any, ...]]] = {}
    new: dict[str, list[Event]] = {}
    for number, act in enumerate(wanted, last + 1):
        case_id = safe(act.case_id)
        found = hashes.get(case_id)
        if found is None:
            raise TriageError("no such case", f"{act.case_id} in {run.id}", "triage cases lists them")
        note, reason = (None if text is None else safe(text) for text in (act.note, act.reason))
        labels = None if act.labels is None else tuple(safe(label) for label in act.labels)
        event = Event(
            number, batch, who.sitting, run.dataset, case_id, run.id, run.revision, Hashes(*found),
            who.reviewer, who.at,
            act.kind, act.verdict, labels, note,
            sample=act.sample, reason=reason, seconds=act.seconds,
        )  # fmt: skip
        new.setdefault(case_id, []).append(event)
        rows.setdefault(case_id, []).append(
            text_safe(
                (
                    batch, who.sitting, run.dataset, case_id, run.id, run.revision, *found, who.reviewer,
                    who.at,
                    act.kind, act.verdict,
                    None if labels is None else json.dumps(labels, ensure_ascii=False), note, None,
                    act.sample, act.reason, act.seconds,
                )
            )
        )  # fmt: skip
    return _Plan(rows, stand(sql, run.id, new, run.pk, hashes, new), last)


def _merged(plan: _Plan, changed: set[str], anew: _Plan) -> _Plan:
    """The plan, where cases have `changed` as they were planned anew; the order of the cases stays."""
    kept = {case: rows for case, rows in plan.rows.items() if case not in changed or case in anew.rows}
    return _Plan(kept | anew.rows, plan.standing.but(changed, anew.standing), anew.last)


def _check(act: Act) -> None:
    if act.kind not in ("verdict", "clear", "note", "labels", "defer", "undefer", "arbitration"):
        raise ValueError(f"no review act: {act.kind}")
    if act.kind in ("verdict", "arbitration") and act.verdict not in VERDICTS:
        raise TriageError("no such verdict", str(act.verdict), f"one of {' '.join(VERDICTS)}")
    for name, text in (("note", act.note), ("reason", act.reason)):
        size = len((text or "").encode("utf-8", "surrogatepass"))
        if size > NOTE_LIMIT:
            raise TriageError(
                f"the {name} is too long", f"{act.case_id}: {size} bytes, at most {NOTE_LIMIT}", "shorten it"
            )
    if act.kind == "arbitration" and not (act.reason or "").strip():
        raise TriageError("an arbitration wants a reason", act.case_id, "say why it is decided so")


def _wanted(sql: sqlite3.Connection, run_id: str, reviewer: str, acts: Sequence[Act]) -> list[Act]:
    """The acts that change something, those on labels with what they come to."""
    asks = [act.case_id for act in acts if act.kind in ("defer", "undefer") or act.add or act.take]
    now = {
        case_id: (verdict, tuple(json.loads(labels)), bool(deferred))
        for part in chunks(list(dict.fromkeys(asks)))
        for case_id, verdict, labels, deferred in sql.execute(
            f"""SELECT case_id, verdict, labels, deferred FROM reviews_now
                WHERE run_id = ? AND case_id IN ({marks(part)})""",
            text_safe((run_id, *part)),
        )
    }
    standing = _standing(sql, run_id, reviewer, [act.case_id for act in acts if act.kind == "clear"])
    wanted = []
    for act in acts:
        verdict, labels, deferred = now.get(safe(act.case_id), (None, (), False))
        if act.add or act.take:
            kept = [label for label in labels if label not in act.take]
            merged = tuple(dict.fromkeys([*kept, *act.add]))
            if merged != labels:
                wanted.append(replace(act, labels=merged))
            continue
        nothing = {
            "clear": act.case_id not in standing,
            "defer": act.sample is None and (verdict is not None or deferred),
            "undefer": not deferred,
        }
        if not nothing.get(act.kind, False):
            wanted.append(act)
    return wanted


def _standing(sql: sqlite3.Connection, run_id: str, reviewer: str, case_ids: Sequence[str]) -> set[str]:
    """The cases on which a reviewer's verdict stands."""
    return {
        case_id
        for case_id, events in load_many(sql, run_id, case_ids).items()
        if reviewer in verdicts(acts := [event for event in events if not event.undone])
        or ((decided := arbitration(acts)) is not None and decided.reviewer == reviewer)
    }


def put_batch(
    sql: sqlite3.Connection, batch: str, run_id: str, kind: EventKind, target: str | None, who: Who
) -> None:
    """Name a group of events that were made by one keypress. Call inside a write transaction."""
    sql.execute(
        """INSERT INTO batches (batch, sitting, run_id, reviewer, at, kind, target)
            VALUES (?, ?, ?, ?, ?, ?, ?)""",
        (batch, who.sitting, run_id, who.reviewer, who.at, kind, target),
    )


def copy_events(
    sql: sqlite3.Connection, source: str, batch: str, kind: EventKind, target: str, who: Who
) -> None:
    """Append an "undo" or "redo" event for every case of a batch."""
    sql.execute(
        """INSERT INTO events (batch, sitting, dataset, case_id, run_id, revision, hash_case, hash_answer,
            hash_retrieved, reviewer, at, kind, target)
            SELECT ?, ?, dataset, case_id, run_id, revision, hash_case, hash_answer, hash_retrieved,
                ?, ?, ?, ? FROM events WHERE batch = ? ORDER BY id""",
        (batch, who.sitting, who.reviewer, who.at, kind, target, source),
    )
