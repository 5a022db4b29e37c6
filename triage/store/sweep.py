"""Records that nobody needs any more leave in short transactions: half-written ones, old revisions,
removed runs.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from triage.store.connection import Connection
from triage.store.locks import lock_path, try_lock
from triage.store.schema import key_bounds
from triage.store.state import sureness_key

KEPT_REVISIONS = 2
"""The newest and the previous revision keep their records."""
_STEP = 2000


def key_ranges(connection: Connection, rev: int) -> Iterator[tuple[int, int]]:
    """The revision's keys in ranges of a few thousand, (low, high) both included."""
    low, high = key_bounds(rev)
    top = connection.sql.execute(
        "SELECT max(pk) FROM cases WHERE pk BETWEEN ? AND ?", (low, high)
    ).fetchone()[0]
    if top is None:
        return
    for start in range(low, top + 1, _STEP):
        yield start, min(start + _STEP - 1, top)


def raw_records(connection: Connection, rev: int, batch: int) -> Iterator[list[tuple[int, str]]]:
    """(primary key, JSON text as it came) of a revision's records in file order, `batch` at a time."""
    after, high = key_bounds(rev)
    after -= 1
    while True:
        rows: list[tuple[int, str]] = connection.sql.execute(
            "SELECT case_pk, raw FROM records WHERE case_pk > ? AND case_pk <= ? ORDER BY case_pk LIMIT ?",
            (after, high, batch),
        ).fetchall()
        if not rows:
            return
        after = rows[-1][0]
        yield rows


def retire_old(sql: sqlite3.Connection, run_pk: int) -> None:
    """Mark a run's revisions before the previous one as going. Call inside a write transaction."""
    sql.execute(
        """UPDATE revisions SET done = 2 WHERE run_pk = :run AND done = 1 AND pk NOT IN
            (SELECT pk FROM revisions WHERE run_pk = :run AND done = 1 ORDER BY number DESC LIMIT :kept)""",
        {"run": run_pk, "kept": KEPT_REVISIONS},
    )


def outgrow(sql: sqlite3.Connection, rev: int) -> None:
    """Mark a revision as going whose place another one with more records takes. Call inside a write
    transaction.
    """
    sql.execute("UPDATE revisions SET done = 2, run_pk = NULL, number = NULL WHERE pk = ?", (rev,))


def remove_retired(connection: Connection, but: int | None = None) -> None:
    """Delete what is marked as going, save the revision `but`; whoever comes next goes on where this one is
    killed.
    """
    for (view,) in connection.sql.execute("SELECT pk FROM views WHERE done = 2").fetchall():
        remove_view(connection, view)
    going = connection.sql.execute("SELECT pk FROM revisions WHERE done = 2 AND pk IS NOT ?", (but,))
    for (rev,) in going.fetchall():
        _remove_records(connection, rev)
        with connection.write() as sql:
            sql.execute("DELETE FROM revisions WHERE pk = ? AND run_pk IS NULL", (rev,))
            sql.execute("UPDATE revisions SET done = 3, kb_ids = NULL WHERE pk = ?", (rev,))


def remove_view(connection: Connection, view: int) -> None:
    """Delete a view and its measures."""
    for table in ("measures", "findings"):
        _drain(connection, table, "view", view)
    with connection.write() as sql:
        for table in ("view_patterns", "view_sums"):
            sql.execute(f"DELETE FROM {table} WHERE view = ?", (view,))
        sql.execute("DELETE FROM state WHERE key = ?", (sureness_key(view),))
        sql.execute("DELETE FROM views WHERE pk = ?", (view,))


def _drain(connection: Connection, table: str, column: str, value: int) -> None:
    key = f"{column}, case_pk" if table in ("measures", "findings") else "rowid"
    while True:
        with connection.write() as sql:
            gone = sql.execute(
                f"""DELETE FROM {table} WHERE ({key}) IN
                    (SELECT {key} FROM {table} WHERE {column} = ? LIMIT {_STEP})""",
                (value,),
            ).rowcount
        if gone < _STEP:
            return


def _remove_records(connection: Connection, rev: int) -> None:
    # Imported here because a start removes nothing.
    from triage.store import search

    search.drop(connection, rev)
    for (view,) in connection.sql.execute("SELECT pk FROM views WHERE rev = ?", (rev,)).fetchall():
        remove_view(connection, view)
    for low, high in list(key_ranges(connection, rev)):
        with connection.write() as sql:
            for table, key in (
                ("records", "case_pk"), ("texts", "case_pk"), ("checks", "case_pk"), ("cases", "pk"),
            ):  # fmt: skip
                sql.execute(f"DELETE FROM {table} WHERE {key} BETWEEN ? AND ?", (low, high))
    _drain(connection, "problems", "rev", rev)
    with connection.write() as sql:
        sql.execute("DELETE FROM extra_keys WHERE rev = ?", (rev,))
        sql.execute("DELETE FROM checkings WHERE rev = ?", (rev,))
        sql.execute("DELETE FROM overlaps WHERE rev = ? OR other = ?", (rev, rev))


def remove_revision(connection: Connection, rev: int) -> None:
    """Delete a revision that was never finished, wholly."""
    _remove_records(connection, rev)
    with connection.write() as sql:
        sql.execute("DELETE FROM revisions WHERE pk = ?", (rev,))


def cleanup(connection: Connection) -> int:
    """Delete what killed writers left: unfinished revisions and views whose lock is free. Returns how many.

    A revision at work is known by its lock, however long it takes.
    """
    removed = 0
    for kind, table, remove in (("rev", "revisions", remove_revision), ("view", "views", remove_view)):
        for (pk,) in connection.sql.execute(f"SELECT pk FROM {table} WHERE done = 0").fetchall():
            if kind == "view" and not _stands_alone(connection, pk):
                continue
            lock = try_lock(lock_path(connection.path, kind, pk))
            if lock is None:
                continue
            try:
                # It may have been finished between the look and the lock.
                if connection.sql.execute(f"SELECT done FROM {table} WHERE pk = ?", (pk,)).fetchone() == (0,):
                    remove(connection, pk)
                    removed += 1
            finally:
                lock.release()
    remove_retired(connection)
    # Imported here because a start removes nothing.
    from triage.store import search

    search.drop_unused(connection)
    return removed


def _stands_alone(connection: Connection, view: int) -> bool:
    """Whether a view belongs to a finished revision; one of an unfinished revision goes with it."""
    found = connection.sql.execute(
        "SELECT v.done FROM views w JOIN revisions v ON v.pk = w.rev WHERE w.pk = ?", (view,)
    ).fetchone()
    return found is not None and found[0] != 0
