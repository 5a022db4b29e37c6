"""Review events: appended, never changed; and what they add up to, kept beside them in the same transaction.

Every review write syncs to the disk before it returns: what the screen has acknowledged survives `kill -9`
and a power cut alike.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import force_setattr

from triage.errors import TriageError
from triage.models.verdict import NOTE_LIMIT, VERDICTS, Event, EventKind, Hashes, Review, Verdict
from triage.store.cases import make_review
from triage.store.connection import Connection
from triage.store.text import safe, text_safe

if TYPE_CHECKING:
    from triage.models.run import RunSummary

_EVENT = """SELECT id, batch, sitting, dataset, case_id, run_id, revision, hash_case, hash_answer,
    hash_retrieved, reviewer, at, kind, verdict, labels, note, target FROM events"""
_INSERT = """INSERT INTO events (batch, sitting, dataset, case_id, run_id, revision, hash_case, hash_answer,
    hash_retrieved, reviewer, at, kind, verdict, labels, note, target)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""


class Act(Struct, frozen=True):
    """What a reviewer does to one case. A "verdict" may bring labels and a note with it; None leaves them
    as they are.

    An empty note or an empty tuple of labels takes the old ones away.
    """

    case_id: str
    kind: EventKind
    verdict: Verdict | None = None
    labels: tuple[str, ...] | None = None
    note: str | None = None


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


def add_events(connection: Connection, run: RunSummary, acts: Sequence[Act], who: Who) -> Applied:
    """Append what one keypress did, in one transaction, and what it makes of the cases' reviews.

    A "clear" where this reviewer has no verdict does nothing. The hashes are those of the record at
    `run`'s revision.

    Raises:
        TriageError: a case is not in the run, a note is too long, a verdict is none.
        Busy: another process held the database for too long; nothing was written.
    """
    for act in acts:
        _check(act)
    batch = os.urandom(8).hex()
    kind: EventKind = acts[0].kind if acts else "verdict"
    with connection.write(durable=True) as sql:
        standing = _standing(sql, run.id, who.reviewer, [act.case_id for act in acts if act.kind == "clear"])
        wanted = [act for act in acts if act.kind != "clear" or act.case_id in standing]
        if not wanted:
            return Applied("", kind, {})
        rows = []
        for act in wanted:
            hashes = sql.execute(
                "SELECT hash_case, hash_answer, hash_retrieved FROM cases WHERE rev = ? AND case_id = ?",
                (run.pk, act.case_id),
            ).fetchone()
            if hashes is None:
                raise TriageError("no such case", f"{act.case_id} in {run.id}", "triage cases lists them")
            rows.append(
                text_safe(
                    (
                        batch, who.sitting, run.dataset, act.case_id, run.id, run.revision, *hashes,
                        who.reviewer, who.at,
                        act.kind, act.verdict,
                        None if act.labels is None else json.dumps(act.labels, ensure_ascii=False),
                        act.note, None,
                    )
                )
            )  # fmt: skip
        put_batch(sql, batch, run.id, kind, None, who)
        sql.executemany(_INSERT, rows)
        reviews = recompute(sql, run.id, [act.case_id for act in wanted], run.pk)
    return Applied(batch, kind, reviews)


def _check(act: Act) -> None:
    if act.kind not in ("verdict", "clear", "note", "labels"):
        raise ValueError(f"no review act: {act.kind}")
    if act.kind == "verdict" and act.verdict not in VERDICTS:
        raise TriageError("no such verdict", str(act.verdict), f"one of {' '.join(VERDICTS)}")
    if act.note is not None:
        size = len(act.note.encode("utf-8", "surrogatepass"))
        if size > NOTE_LIMIT:
            raise TriageError(
                "the note is too long", f"{act.case_id}: {size} bytes, at most {NOTE_LIMIT}", "shorten it"
            )


def _standing(sql: sqlite3.Connection, run_id: str, reviewer: str, case_ids: list[str]) -> set[str]:
    """The cases on which a reviewer's verdict stands."""
    return {
        case_id
        for case_id in dict.fromkeys(case_ids)
        if reviewer in _verdicts(event for event in load(sql, run_id, case_id) if not event.undone)
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
) -> list[str]:
    """Append an "undo" or "redo" event for every case of a batch. Returns the cases."""
    cases = [
        row[0] for row in sql.execute("SELECT case_id FROM events WHERE batch = ? ORDER BY id", (source,))
    ]
    sql.execute(
        """INSERT INTO events (batch, sitting, dataset, case_id, run_id, revision, hash_case, hash_answer,
            hash_retrieved, reviewer, at, kind, target)
            SELECT ?, ?, dataset, case_id, run_id, revision, hash_case, hash_answer, hash_retrieved,
                ?, ?, ?, ? FROM events WHERE batch = ? ORDER BY id""",
        (batch, who.sitting, who.reviewer, who.at, kind, target, source),
    )
    return cases


def undone_batches(sql: sqlite3.Connection, batches: Iterable[str]) -> set[str]:
    """Those of the batches that were taken back and not brought back."""
    undone = set()
    for batch in set(batches):
        last = sql.execute(
            "SELECT kind FROM batches WHERE target = ? ORDER BY id DESC LIMIT 1", (batch,)
        ).fetchone()
        if last == ("undo",):
            undone.add(batch)
    return undone


def load(sql: sqlite3.Connection, run_id: str, case_id: str) -> list[Event]:
    """The events on a case in a run, newest last; those taken back are marked `undone`."""
    rows = sql.execute(f"{_EVENT} WHERE run_id = ? AND case_id = ? ORDER BY id", (run_id, case_id)).fetchall()
    undone = undone_batches(sql, (row[1] for row in rows))
    return [_event(row, row[1] in undone) for row in rows]


def _event(row: tuple[Any, ...], undone: bool) -> Event:
    return Event(
        id=row[0], batch=row[1], sitting=row[2], dataset=row[3], case_id=row[4], run_id=row[5],
        revision=row[6],
        hashes=Hashes(*row[7:10]), reviewer=row[10], at=row[11], kind=row[12], verdict=row[13],
        labels=None if row[14] is None else tuple(json.loads(row[14])), note=row[15], target=row[16],
        undone=undone,
    )  # fmt: skip


def _verdicts(events: Iterable[Event]) -> dict[str, Event]:
    """Every reviewer's verdict that stands, oldest first."""
    standing: dict[str, Event] = {}
    for event in events:
        if event.kind in ("verdict", "clear"):
            standing.pop(event.reviewer, None)
        if event.kind == "verdict":
            standing[event.reviewer] = event
    return standing


def settle(events: Sequence[Event]) -> tuple[Event, Verdict | None, tuple[str, ...], str, bool] | None:
    """What events on a case add up to (cli.md, "The case's verdict"): the event that decides, verdict,
    labels, note, disputed. None where nothing is left of them.

    The verdict is the reviewers' common one, else the newest, and then disputed.
    """
    acts = [event for event in events if not event.undone and event.kind not in ("undo", "redo")]
    standing = list(_verdicts(acts).values())
    labels = next((event.labels for event in reversed(acts) if event.labels is not None), ())
    note = next((event.note for event in reversed(acts) if event.note is not None), "")
    if standing:
        newest = max(standing, key=lambda event: event.id)
        return newest, newest.verdict, labels, note, len({event.verdict for event in standing}) > 1
    if not labels and not note:
        return None
    said = next(event for event in reversed(acts) if event.labels or event.note)
    return said, None, labels, note, False


def recompute(
    sql: sqlite3.Connection, run_id: str, case_ids: Iterable[str], rev: int | None
) -> dict[str, Review | None]:
    """Write what the events of these cases add up to, and return it. Call inside a write transaction.

    `rev` is the revision against which `stale` is told.
    """
    out: dict[str, Review | None] = {}
    for case_id in dict.fromkeys(case_ids):
        settled = settle(load(sql, run_id, case_id))
        if settled is None:
            sql.execute("DELETE FROM reviews_now WHERE run_id = ? AND case_id = ?", (run_id, case_id))
            out[case_id] = None
            continue
        event, verdict, labels, note, disputed = settled
        hashes = event.hashes
        sql.execute(
            """INSERT OR REPLACE INTO reviews_now (run_id, case_id, verdict, labels, note, reviewer, at,
                disputed, hash_case, hash_answer, hash_retrieved) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            (
                run_id, case_id, verdict, json.dumps(labels, ensure_ascii=False), note, event.reviewer,
                event.at,
                disputed, hashes.case, hashes.answer, hashes.retrieved,
            ),
        )  # fmt: skip
        out[case_id] = review(sql, run_id, case_id, rev)
    return out


def review(sql: sqlite3.Connection, run_id: str, case_id: str, rev: int | None) -> Review | None:
    """What the events on a case add up to, as kept; `stale` against the record at revision `rev`."""
    row = sql.execute(
        """SELECT r.verdict, r.labels, r.note, r.reviewer, r.at, r.disputed,
            c.pk IS NOT NULL AND (r.hash_case IS NOT c.hash_case OR r.hash_answer IS NOT c.hash_answer
                OR r.hash_retrieved IS NOT c.hash_retrieved)
            FROM reviews_now r LEFT JOIN cases c ON c.rev = ? AND c.case_id = r.case_id
            WHERE r.run_id = ? AND r.case_id = ?""",
        (rev, run_id, case_id),
    ).fetchone()
    return None if row is None else make_review(row[:6], bool(row[6]))


def labels_in_use(sql: sqlite3.Connection) -> list[str]:
    """Every label that stands on some case, the most used first."""
    used: Counter[str] = Counter()
    for (labels,) in sql.execute("SELECT labels FROM reviews_now WHERE labels <> '[]'"):
        used.update(json.loads(labels))
    return [label for label, _ in sorted(used.items(), key=lambda item: (-item[1], item[0]))]
