"""Review events: appended, never changed; and what they add up to, kept beside them in the same transaction.

Every review write syncs to the disk before it returns: what the screen has acknowledged survives `kill -9`
and a power cut alike.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from triage.errors import TriageError
from triage.models.verdict import NOTE_LIMIT, VERDICTS, Event, EventKind, Hashes, Review, Verdict
from triage.store.cases import chunks, make_review, marks
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

    An empty note or an empty tuple of labels takes the old ones away. "labels" may `add` to those that stand
    and `take` from them instead of setting them.
    """

    case_id: str
    kind: EventKind
    verdict: Verdict | None = None
    labels: tuple[str, ...] | None = None
    note: str | None = None
    add: tuple[str, ...] = ()
    take: tuple[str, ...] = ()


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

    An act that would change nothing is left out: a "clear" where this reviewer has no verdict, a "defer" of a
    case that is judged or put off already, an "undefer" of one that is not, labels that stand as wanted. The
    hashes are those of the record at `run`'s revision.

    Raises:
        TriageError: a case is not in the run, a note is too long, a verdict is none.
        Busy: another process held the database for too long; nothing was written.
    """
    for act in acts:
        _check(act)
    batch = os.urandom(8).hex()
    kind: EventKind = acts[0].kind if acts else "verdict"
    with connection.write(durable=True) as sql:
        wanted = _wanted(sql, run.id, who.reviewer, acts)
        if not wanted:
            return Applied("", kind, {})
        hashes = hashes_of(sql, run.pk, [act.case_id for act in wanted])
        rows = []
        for act in wanted:
            found = hashes.get(safe(act.case_id))
            if found is None:
                raise TriageError("no such case", f"{act.case_id} in {run.id}", "triage cases lists them")
            rows.append(
                text_safe(
                    (
                        batch, who.sitting, run.dataset, act.case_id, run.id, run.revision, *found,
                        who.reviewer, who.at,
                        act.kind, act.verdict,
                        None if act.labels is None else json.dumps(act.labels, ensure_ascii=False),
                        act.note, None,
                    )
                )
            )  # fmt: skip
        put_batch(sql, batch, run.id, kind, None, who)
        sql.executemany(_INSERT, rows)
        reviews = recompute(sql, run.id, [act.case_id for act in wanted], run.pk, hashes)
    return Applied(batch, kind, reviews)


def _check(act: Act) -> None:
    if act.kind not in ("verdict", "clear", "note", "labels", "defer", "undefer"):
        raise ValueError(f"no review act: {act.kind}")
    if act.kind == "verdict" and act.verdict not in VERDICTS:
        raise TriageError("no such verdict", str(act.verdict), f"one of {' '.join(VERDICTS)}")
    if act.note is not None:
        size = len(act.note.encode("utf-8", "surrogatepass"))
        if size > NOTE_LIMIT:
            raise TriageError(
                "the note is too long", f"{act.case_id}: {size} bytes, at most {NOTE_LIMIT}", "shorten it"
            )


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
            "defer": verdict is not None or deferred,
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
        if reviewer in _verdicts(event for event in events if not event.undone)
    }


def hashes_of(
    sql: sqlite3.Connection, rev: int | None, case_ids: Sequence[str]
) -> dict[str, tuple[str, str, str]]:
    """Of each case that the revision has: the hashes of the case, its answer and what was retrieved."""
    return {
        row[0]: row[1:]
        for part in chunks(list(dict.fromkeys(case_ids)))
        for row in sql.execute(
            f"""SELECT case_id, hash_case, hash_answer, hash_retrieved FROM cases
                WHERE rev = ? AND case_id IN ({marks(part)})""",
            text_safe((rev, *part)),
        )
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
    last: dict[str, str] = {}
    for part in chunks(list(set(batches))):
        last.update(
            sql.execute(f"SELECT target, kind FROM batches WHERE target IN ({marks(part)}) ORDER BY id", part)
        )
    return {batch for batch, kind in last.items() if kind == "undo"}


def load(sql: sqlite3.Connection, run_id: str, case_id: str) -> list[Event]:
    """The events on a case in a run, newest last; those taken back are marked `undone`."""
    return load_many(sql, run_id, [case_id]).get(safe(case_id), [])


def load_many(sql: sqlite3.Connection, run_id: str, case_ids: Sequence[str]) -> dict[str, list[Event]]:
    """The events on cases as `load` gives them, by case; a case without any is left out."""
    rows = [
        row
        for part in chunks(list(dict.fromkeys(case_ids)))
        for row in sql.execute(
            f"{_EVENT} WHERE run_id = ? AND case_id IN ({marks(part)}) ORDER BY id",
            text_safe((run_id, *part)),
        )
    ]
    undone = undone_batches(sql, (row[1] for row in rows))
    out: dict[str, list[Event]] = {}
    for row in rows:
        out.setdefault(row[4], []).append(_event(row, row[1] in undone))
    return out


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


class Settled(NamedTuple):
    """What events on a case add up to; `event` is the one that decides."""

    event: Event
    verdict: Verdict | None
    labels: tuple[str, ...]
    note: str
    disputed: bool
    deferred: bool


def settle(events: Sequence[Event]) -> Settled | None:
    """What events on a case add up to (cli.md, "The case's verdict"); None where nothing is left of them.

    The verdict is the reviewers' common one, else the newest, and then disputed. A verdict ends a deferral,
    and none begins while one stands.
    """
    acts = [event for event in events if not event.undone and event.kind not in ("undo", "redo")]
    standing = list(_verdicts(acts).values())
    labels = next((event.labels for event in reversed(acts) if event.labels is not None), ())
    note = next((event.note for event in reversed(acts) if event.note is not None), "")
    if standing:
        newest = max(standing, key=lambda event: event.id)
        disputed = len({event.verdict for event in standing}) > 1
        return Settled(newest, newest.verdict, labels, note, disputed, False)
    last = next((event for event in reversed(acts) if event.kind in ("verdict", "defer", "undefer")), None)
    deferred = last is not None and last.kind == "defer"
    if not labels and not note and not deferred:
        return None
    said = next(event for event in reversed(acts) if event.labels or event.note or event.kind == "defer")
    return Settled(said, None, labels, note, False, deferred)


def recompute(
    sql: sqlite3.Connection,
    run_id: str,
    case_ids: Iterable[str],
    rev: int | None,
    hashes: Mapping[str, tuple[str, str, str]] | None = None,
) -> dict[str, Review | None]:
    """Write what the events of these cases add up to, and return it. Call inside a write transaction.

    `rev` is the revision against which `stale` is told; `hashes` are those of its cases, where known.
    """
    cases = [safe(case_id) for case_id in dict.fromkeys(case_ids)]
    recorded = hashes_of(sql, rev, cases) if hashes is None else hashes
    out: dict[str, Review | None] = {}
    gone, rows = [], []
    for part in chunks(cases):
        events = load_many(sql, run_id, part)
        for case_id in part:
            settled = settle(events.get(case_id, ()))
            if settled is None:
                gone.append((run_id, case_id))
                out[case_id] = None
                continue
            event, verdict, labels, note, disputed, deferred = settled
            seen = (event.hashes.case, event.hashes.answer, event.hashes.retrieved)
            listed = json.dumps(labels, ensure_ascii=False)
            said = (verdict, listed, note, event.reviewer, event.at, disputed, deferred)
            rows.append((run_id, case_id, *said, *seen))
            out[case_id] = make_review(said, case_id in recorded and recorded[case_id] != seen)
    sql.executemany("DELETE FROM reviews_now WHERE run_id = ? AND case_id = ?", gone)
    sql.executemany(
        """INSERT OR REPLACE INTO reviews_now (run_id, case_id, verdict, labels, note, reviewer, at, disputed,
            deferred, hash_case, hash_answer, hash_retrieved) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        rows,
    )
    return out


def review(sql: sqlite3.Connection, run_id: str, case_id: str, rev: int | None) -> Review | None:
    """What the events on a case add up to, as kept; `stale` against the record at revision `rev`."""
    row = sql.execute(
        """SELECT r.verdict, r.labels, r.note, r.reviewer, r.at, r.disputed, r.deferred,
            c.pk IS NOT NULL AND (r.hash_case IS NOT c.hash_case OR r.hash_answer IS NOT c.hash_answer
                OR r.hash_retrieved IS NOT c.hash_retrieved)
            FROM reviews_now r LEFT JOIN cases c ON c.rev = ? AND c.case_id = r.case_id
            WHERE r.run_id = ? AND r.case_id = ?""",
        (rev, run_id, case_id),
    ).fetchone()
    return None if row is None else make_review(row[:7], bool(row[7]))


def label_uses(sql: sqlite3.Connection, run_id: str | None = None) -> dict[str, list[str]]:
    """The cases on which each label stands, in a run or (None) in all of them; the most used label first."""
    used: dict[str, list[str]] = {}
    text, params = ("AND run_id = ?", (run_id,)) if run_id is not None else ("", ())
    for case_id, labels in sql.execute(
        f"SELECT case_id, labels FROM reviews_now WHERE labels <> '[]' {text}", params
    ):
        for label in json.loads(labels):
            used.setdefault(label, []).append(case_id)
    return dict(sorted(used.items(), key=lambda item: (-len(item[1]), item[0])))
