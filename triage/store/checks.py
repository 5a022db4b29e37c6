"""What the sentence check says of answers: a row a case in `checks`, and how far a revision has come.

A revision is checked after it can be used, in short transactions. `checkings.upto` is the key of the last
case that is checked, so that whoever comes next goes on where a check was stopped or killed, and cases that
were added since are seen to be missing. `views.checked` tells which measures hold the results.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from triage.models.sentences import SentenceSummary
from triage.store import versions
from triage.store.locks import WriterLock, lock_path, try_lock
from triage.store.schema import key_bounds

if TYPE_CHECKING:
    from triage.store.connection import Connection

CHECK_COLUMNS = ("case_pk", "state", "factual", "cited", "judged", "unsupported", "low", "mismatches")
INSERT_CHECK = f"""INSERT OR REPLACE INTO checks ({", ".join(CHECK_COLUMNS)})
    VALUES ({", ".join("?" * len(CHECK_COLUMNS))})"""
"""The statement that takes the rows of `check_row`."""

Row = tuple[Any, ...]
_SUMS = "k.factual, k.cited, k.judged, k.unsupported, k.low, k.mismatches"
_STEP = 2000


def check_row(pk: int, found: SentenceSummary) -> Row:
    """A case's row of `checks`."""
    kinds = json.dumps(found.mismatches) if found.mismatches else "[]"
    return pk, found.state, found.factual, found.cited, found.judged, found.unsupported, found.low, kinds


def _summary(row: Sequence[Any]) -> SentenceSummary:
    factual, cited, judged, unsupported, low, kinds = row
    mismatches = () if kinds == "[]" else tuple(json.loads(kinds))
    return SentenceSummary(factual, cited, judged, unsupported, low, mismatches)


def last_key(sql: sqlite3.Connection, rev: int) -> int:
    """The key of a revision's last case; the one before its first where it has none."""
    low, high = key_bounds(rev)
    found = sql.execute("SELECT max(pk) FROM cases WHERE pk BETWEEN ? AND ?", (low, high)).fetchone()[0]
    return low - 1 if found is None else int(found)


def complete(sql: sqlite3.Connection, rev: int) -> bool:
    """Are all answers of the revision checked by the rules of this program?"""
    found = sql.execute("SELECT version, upto FROM checkings WHERE rev = ?", (rev,)).fetchone()
    return found is not None and found == (versions.checked(), last_key(sql, rev))


def conclude(sql: sqlite3.Connection, rev: int, view: int) -> None:
    """Note that a revision is checked and its view holds it. Call inside a write transaction."""
    values = (rev, versions.checked(), last_key(sql, rev))
    sql.execute("INSERT OR REPLACE INTO checkings (rev, version, upto) VALUES (?, ?, ?)", values)
    mark(sql, view)


def mark(sql: sqlite3.Connection, view: int) -> None:
    """Note that a view's measures hold what the check says. Call inside a write transaction."""
    sql.execute("UPDATE views SET checked = ? WHERE pk = ?", (versions.checked(), view))


def summaries(sql: sqlite3.Connection, pks: Sequence[int]) -> dict[int, SentenceSummary]:
    """Of each case that is checked what the check says, by primary key."""
    out: dict[int, SentenceSummary] = {}
    for start in range(0, len(pks), _STEP):
        part = pks[start : start + _STEP]
        rows = sql.execute(
            f"""SELECT k.case_pk, {_SUMS} FROM checks k
                WHERE k.case_pk BETWEEN ? AND ? AND k.case_pk IN (SELECT value FROM json_each(?))""",
            (min(part), max(part), json.dumps(list(part))),
        )
        out.update((pk, _summary(row)) for pk, *row in rows)
    return out


class Gone(Exception):
    """The revision was removed, or another process has checked it, while this one was at it."""


class Checks:
    """The sentence checks of a database, as one thread's connection sees them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._sql = connection.sql

    def complete(self, rev: int) -> bool:
        """As `complete`."""
        return complete(self._sql, rev)

    def waiting(self) -> list[tuple[int, str]]:
        """(revision, run id) of the runs that are still to be checked, or measured with it; newest first."""
        rows = self._sql.execute(
            """SELECT v.pk, r.run_id FROM runs r JOIN revisions v ON v.pk = r.newest
                WHERE v.done = 1 ORDER BY v.created_at DESC, v.loaded_at DESC"""
        ).fetchall()
        return [(rev, run_id) for rev, run_id in rows if not self.complete(rev) or self.stale_views(rev)]

    def stale_views(self, rev: int) -> list[tuple[int, int]]:
        """(view, K) of a revision's measures that are used and do not hold what the check says."""
        return self._sql.execute(
            """SELECT pk, k FROM views WHERE rev = ? AND done = 1 AND version = ? AND checked IS NOT ?
                ORDER BY pk""",
            (rev, versions.measured(), versions.checked()),
        ).fetchall()

    def missing(self, rev: int) -> int:
        """How many positions of the revision's file are not checked."""
        found = self._sql.execute(
            "SELECT upto FROM checkings WHERE rev = ? AND version = ?", (rev, versions.checked())
        ).fetchone()
        return last_key(self._sql, rev) - (key_bounds(rev)[0] - 1 if found is None else int(found[0]))

    def lock(self, rev: int) -> WriterLock | None:
        """The right to check a revision; None where a living process has it."""
        return try_lock(lock_path(self._connection.path, "check", rev))

    def begin(self, rev: int) -> None:
        """Make ready for a revision's check: what other rules said goes, what these said stays."""
        found = self._sql.execute("SELECT version FROM checkings WHERE rev = ?", (rev,)).fetchone()
        if found is not None and found[0] == versions.checked():
            return
        low, _ = key_bounds(rev)
        for start in range(low, last_key(self._sql, rev) + 1, _STEP):
            with self._connection.write() as sql:
                sql.execute("DELETE FROM checks WHERE case_pk BETWEEN ? AND ?", (start, start + _STEP - 1))
        with self._connection.write() as sql:
            if sql.execute("SELECT 1 FROM revisions WHERE pk = ? AND done = 1", (rev,)).fetchone():
                sql.execute(
                    "INSERT OR REPLACE INTO checkings (rev, version, upto) VALUES (?, ?, ?)",
                    (rev, versions.checked(), low - 1),
                )

    def unchecked(self, rev: int, batch: int) -> Iterator[list[tuple[int, str]]]:
        """(primary key, JSON text as it came) of the records that are not checked, in file order."""
        after, high = key_bounds(rev)
        found = self._sql.execute("SELECT upto FROM checkings WHERE rev = ?", (rev,)).fetchone()
        after = after - 1 if found is None else int(found[0])
        while True:
            rows: list[tuple[int, str]] = self._sql.execute(
                """SELECT case_pk, raw FROM records WHERE case_pk > ? AND case_pk <= ?
                    ORDER BY case_pk LIMIT ?""",
                (after, high, batch),
            ).fetchall()
            if not rows:
                return
            after = rows[-1][0]
            yield rows

    def sibling(self, rev: int) -> int | None:
        """A revision of the same file, read in the same way, some of whose answers are checked already."""
        found = self._sql.execute(
            """SELECT o.pk FROM revisions v JOIN revisions o ON o.path = v.path AND o.pk < v.pk
                    AND o.options = v.options AND o.done IN (1, 2)
                JOIN checkings k ON k.rev = o.pk AND k.version = ?
                WHERE v.pk = ? ORDER BY o.pk DESC LIMIT 1""",
            (versions.checked(), rev),
        ).fetchone()
        return None if found is None else int(found[0])

    def carried(self, sibling: int, pks: Sequence[int]) -> dict[int, SentenceSummary]:
        """Of cases (ascending keys) whose record stands unchanged in another revision what is said there."""
        rows = self._sql.execute(
            f"""SELECT c.pk, {_SUMS} FROM cases c
                CROSS JOIN cases o ON o.rev = ? AND o.case_id = c.case_id
                CROSS JOIN checks k ON k.case_pk = o.pk
                CROSS JOIN records n ON n.case_pk = c.pk
                CROSS JOIN records b ON b.case_pk = o.pk AND b.raw = n.raw
                WHERE c.pk BETWEEN ? AND ?""",
            (sibling, pks[0], pks[-1]),
        )
        return {pk: _summary(row) for pk, *row in rows}

    def add(self, rev: int, found: Sequence[tuple[int, SentenceSummary]]) -> None:
        """Keep what is said of cases that follow each other, in one short transaction.

        Raises:
            Gone: the revision has gone, or another process has checked them.
            Busy: another process held the database for too long.
        """
        with self._connection.write() as sql:
            moved = sql.execute(
                """UPDATE checkings SET upto = ? WHERE rev = ? AND version = ? AND upto < ?
                    AND EXISTS (SELECT 1 FROM revisions WHERE pk = ? AND done = 1)""",
                (found[-1][0], rev, versions.checked(), found[0][0], rev),
            )
            if not moved.rowcount:
                raise Gone
            sql.executemany(INSERT_CHECK, [check_row(pk, summary) for pk, summary in found])

    def settle(self, rev: int) -> None:
        """No record is left: the check stands at the last case."""
        with self._connection.write() as sql:
            sql.execute(
                "UPDATE checkings SET upto = ? WHERE rev = ? AND version = ?",
                (last_key(sql, rev), rev, versions.checked()),
            )

    def summaries(self, pks: Sequence[int]) -> dict[int, SentenceSummary]:
        """As `summaries`."""
        return summaries(self._sql, pks)

    def sweep(self) -> None:
        """Remove measures whose place others have taken."""
        # Imported here because the first paint removes nothing.
        from triage.store import sweep

        sweep.remove_retired(self._connection)


def waiting_runs(sql: sqlite3.Connection) -> int:
    """How many runs are still to be checked."""
    rows: Iterable[tuple[int]] = sql.execute("SELECT newest FROM runs WHERE newest IS NOT NULL").fetchall()
    return sum(not complete(sql, rev) for (rev,) in rows)
