"""Taking back and bringing back: a reviewer's own actions of one sitting, as events of their own."""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING

from msgspec import Struct

from triage.errors import TriageError
from triage.models.verdict import EventKind
from triage.store import events
from triage.store.connection import Connection
from triage.store.events import Applied, Who
from triage.store.recoding import BATCHES
from triage.store.standing import Standing, changed_since, keep, last_event, stand, undone_batches

if TYPE_CHECKING:
    from triage.models.run import RunSummary

_TAKES_BACK = ("undo", "redo")


class _Actions:
    """A reviewer's actions on a run in one sitting, as they stand."""

    def __init__(self, sql: sqlite3.Connection, run_id: str, who: Who) -> None:
        self.kinds: dict[str, EventKind] = {}
        self.done: list[str] = []
        self.undone: list[str] = []
        for batch, kind, target in sql.execute(
            """SELECT batch, kind, target FROM batches
                WHERE sitting = ? AND run_id = ? AND reviewer = ? ORDER BY id""",
            (who.sitting, run_id, who.reviewer),
        ):
            self.kinds[batch] = kind
            if kind == "undo":
                self.done.remove(target)
                self.undone.append(target)
            elif kind == "redo":
                self.undone.remove(target)
                self.done.append(target)
            else:
                self.done.append(batch)
                self.undone.clear()


class _Turn(Struct, frozen=True):
    target: str
    kind: EventKind
    standing: Standing
    last: int


def undo(connection: Connection, run: RunSummary, who: Who) -> Applied:
    """Take back this reviewer's last action on this run in this sitting, whole or not at all.

    Raises:
        TriageError: there is none, or somebody else has changed one of its cases since; nothing was written.
    """
    return _turn(connection, run, "undo", who)


def redo(connection: Connection, run: RunSummary, who: Who) -> Applied:
    """Bring back what this reviewer's last undo took back, as long as no new action came since.

    Raises:
        TriageError: there is none, or somebody else has changed one of its cases since; nothing was written.
    """
    return _turn(connection, run, "redo", who)


def _turn(connection: Connection, run: RunSummary, kind: EventKind, who: Who) -> Applied:
    # Imported here because a start takes nothing back.
    from triage.store.slots import follow

    def planned(sql: sqlite3.Connection) -> _Turn:
        return _plan(sql, run, kind, who)

    def mended(sql: sqlite3.Connection, plan: _Turn) -> _Turn:
        since = changed_since(sql, run.id, plan.last)
        return planned(sql) if any(case_id in plan.standing.reviews for case_id in since) else plan

    with connection.planned(planned, mended) as (sql, plan):
        batch = os.urandom(8).hex()
        events.put_batch(sql, batch, run.id, kind, plan.target, who)
        events.copy_events(sql, plan.target, batch, kind, plan.target, who)
        keep(sql, plan.standing)
        # A label or note that is taken back puts no case into anybody's hand.
        reads = plan.kind in ("verdict", "defer")
        follow(sql, run.id, plan.standing.reviews, who, turned=reads)
    return Applied(batch, plan.kind, plan.standing.reviews)


def _plan(sql: sqlite3.Connection, run: RunSummary, kind: EventKind, who: Who) -> _Turn:
    last = last_event(sql)
    actions = _Actions(sql, run.id, who)
    if kind == "undo" and not actions.done:
        raise TriageError("nothing to undo", "", "only what you did since you started can be taken back")
    if kind == "redo" and not actions.undone:
        raise TriageError("nothing to redo", "", "a new action after an undo ends what can be brought back")
    target = actions.done[-1] if kind == "undo" else actions.undone[-1]
    _refuse_if_changed(sql, run.id, target, kind, who)
    cases = [
        row[0] for row in sql.execute("SELECT case_id FROM events WHERE batch = ? ORDER BY id", (target,))
    ]
    standing = stand(sql, run.id, cases, run.pk, turned=(target, kind == "undo"))
    return _Turn(target, actions.kinds[target], standing, last)


def _refuse_if_changed(sql: sqlite3.Connection, run_id: str, target: str, kind: EventKind, who: Who) -> None:
    """Raise where another reviewer, or another sitting, has acted on a case of the batch since it last
    turned.

    Readings in a queue stand beside each other: that of another reader does not stand in the way of one. Nor
    does a change of the codebook, which renames what is there.
    """
    (since,) = sql.execute(
        "SELECT max(id) FROM events WHERE batch = ? OR target = ?", (target, target)
    ).fetchone()
    rows = sql.execute(
        f"""SELECT e.batch, e.case_id, e.reviewer FROM events t CROSS JOIN events e
            ON e.run_id = t.run_id AND e.case_id = t.case_id
            WHERE t.batch = ? AND t.run_id = ? AND e.id > ? AND (e.reviewer <> ? OR e.sitting <> ?)
                AND e.kind NOT IN {_TAKES_BACK}
                AND NOT (t.sample IS NOT NULL AND e.sample IS NOT NULL AND e.reviewer <> t.reviewer)
                AND e.batch NOT IN ({BATCHES})
            ORDER BY e.id DESC""",
        (target, run_id, since, who.reviewer, who.sitting),
    ).fetchall()
    undone = undone_batches(sql, (row[0] for row in rows))
    for batch, case_id, reviewer in rows:
        if batch not in undone:
            other = reviewer if reviewer != who.reviewer else f"{reviewer} in another window"
            raise TriageError(f"cannot {kind}", f"{case_id} was changed by {other} since")
