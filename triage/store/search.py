"""The search index of a revision: a contentless FTS5 table `search_<rev>`, and its words in `search_words`.

It is built after the run can be used, in short transactions. `searches.upto` is the key of the last case in
it, so that whoever comes next goes on where a build was stopped or killed, and cases that were added since
are seen to be missing. An index that is not complete is not asked: texts are looked through instead.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator

from triage.store.connection import Connection
from triage.store.locks import lock_path, try_lock
from triage.store.schema import key_bounds
from triage.store.search_tokens import VERSION, Search, stored

LEAST = 5000
"""Cases of a run from which on an index is worth its place: fewer are looked through in no time."""
BATCH = 250
"""Cases a transaction."""
GAP = 0.002
"""Seconds between two transactions, for a reviewer's verdict to get in."""
_PAGES = 64
"""Pages that one tidying step merges."""
_DRAINED = 500
"""Rows of the index that leave in one transaction."""


def available(sql: sqlite3.Connection) -> bool:
    """Does this SQLite have FTS5?"""
    return sql.execute("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").fetchone() is not None


def complete(sql: sqlite3.Connection, rev: int) -> bool:
    """Are all cases of the revision in its index, as this program holds texts?"""
    found = sql.execute("SELECT version, upto FROM searches WHERE rev = ?", (rev,)).fetchone()
    return found is not None and found == (VERSION, _last(sql, rev)) and available(sql)


def _last(sql: sqlite3.Connection, rev: int) -> int:
    low, high = key_bounds(rev)
    found = sql.execute("SELECT max(pk) FROM cases WHERE pk BETWEEN ? AND ?", (low, high)).fetchone()[0]
    return low - 1 if found is None else int(found)


def waiting(sql: sqlite3.Connection, least: int = LEAST) -> list[tuple[int, str]]:
    """(revision, run id) of the runs that have `least` cases or more and no complete index, newest first."""
    if not available(sql):
        return []
    rows = sql.execute(
        """SELECT v.pk, r.run_id FROM runs r JOIN revisions v ON v.pk = r.newest
            WHERE v.done = 1 AND v.records >= ? ORDER BY v.created_at DESC, v.loaded_at DESC""",
        (least,),
    ).fetchall()
    return [(rev, run_id) for rev, run_id in rows if not complete(sql, rev)]


def build(connection: Connection, rev: int, tell: Callable[[int], None], stopped: Callable[[], bool]) -> bool:
    """Bring a revision's index up to its last case; True when it is complete.

    Args:
        connection: this thread's own.
        rev: the revision.
        tell: called after each transaction with the cases that were added in it.
        stopped: asked between transactions; what is in the index by then stays.

    Raises:
        Busy: another process held the database for too long; what is in the index by then stays.
    """
    lock = try_lock(lock_path(connection.path, "search", rev))
    if lock is None:
        return False
    try:
        words = _begin(connection, rev)
        for rows in _batches(connection.sql, rev):
            if stopped() or not _add(connection, rev, rows, words):
                return False
            tell(len(rows))
            time.sleep(GAP)
        _tidy(connection, rev, stopped)
        return complete(connection.sql, rev)
    finally:
        lock.release()


def _begin(connection: Connection, rev: int) -> set[str]:
    """Make the index where there is none; returns the words that are in it."""
    found = connection.sql.execute("SELECT version FROM searches WHERE rev = ?", (rev,)).fetchone()
    if found is not None and found[0] != VERSION:
        drop(connection, rev)
    with connection.write() as sql:
        live = sql.execute("SELECT 1 FROM revisions WHERE pk = ? AND done = 1", (rev,)).fetchone()
        known = sql.execute("SELECT 1 FROM searches WHERE rev = ?", (rev,)).fetchone()
        if live is not None and known is None:
            # The tokens are ours: this tokenizer cuts at spaces and leaves all that is not ASCII as it is.
            sql.execute(
                f"""CREATE VIRTUAL TABLE {Search(rev, "").table}
                    USING fts5(query, answer, content = '', columnsize = 0, tokenize = 'ascii')"""
            )
            values = (rev, VERSION, key_bounds(rev)[0] - 1)
            sql.execute("INSERT INTO searches (rev, version, upto) VALUES (?, ?, ?)", values)
    return {row[0] for row in connection.sql.execute("SELECT word FROM search_words WHERE rev = ?", (rev,))}


def _batches(sql: sqlite3.Connection, rev: int) -> Iterator[list[tuple[int, str | None, str | None]]]:
    """(key, query, answer) of the cases that are not in the index yet."""
    after, high = key_bounds(rev)
    found = sql.execute("SELECT upto FROM searches WHERE rev = ?", (rev,)).fetchone()
    after = after - 1 if found is None else found[0]
    while True:
        rows = sql.execute(
            """SELECT c.pk, COALESCE(t.query, c.query), t.answer
                FROM cases c CROSS JOIN texts t ON t.case_pk = c.pk
                WHERE c.pk > ? AND c.pk <= ? ORDER BY c.pk LIMIT ?""",
            (after, high, BATCH),
        ).fetchall()
        if not rows:
            return
        after = rows[-1][0]
        yield rows


class _Gone(Exception):
    """The revision was removed, or another process has rebuilt its index, while this one was at it."""


def _add(
    connection: Connection, rev: int, rows: list[tuple[int, str | None, str | None]], words: set[str]
) -> bool:
    met: set[str] = set()
    held = [(pk, stored(query, met), stored(answer, met)) for pk, query, answer in rows]
    met -= words
    try:
        with connection.write() as sql:
            moved = sql.execute(
                """UPDATE searches SET upto = ? WHERE rev = ? AND upto < ?
                    AND EXISTS (SELECT 1 FROM revisions WHERE pk = ? AND done = 1)""",
                (rows[-1][0], rev, rows[0][0], rev),
            )
            if not moved.rowcount:
                raise _Gone
            table = Search(rev, "").table
            sql.executemany(f"INSERT INTO {table} (rowid, query, answer) VALUES (?, ?, ?)", held)
            sql.executemany(
                "INSERT OR IGNORE INTO search_words (rev, word) VALUES (?, ?)",
                [(rev, word) for word in sorted(met)],
            )
    except _Gone:
        return False
    words |= met
    return True


def _tidy(connection: Connection, rev: int, stopped: Callable[[], bool]) -> None:
    """Merge what the batches left into one, so that a question is answered from one place."""
    table = Search(rev, "").table
    pages = -_PAGES
    while not stopped():
        with connection.write() as sql:
            if sql.execute("SELECT 1 FROM searches WHERE rev = ?", (rev,)).fetchone() is None:
                return
            before = sql.total_changes
            sql.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('merge', ?)", (pages,))
            # SQLite's own sign that nothing was left to merge.
            if sql.total_changes - before < 2:
                return
        pages = _PAGES
        time.sleep(GAP)


def drop(connection: Connection, rev: int) -> None:
    """Remove a revision's index, in short transactions; does nothing where there is none."""
    table = Search(rev, "").table
    known = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
    there = connection.sql.execute(known, (table,)).fetchone() is not None
    if there and not available(connection.sql):
        # Only an SQLite with FTS5 can drop it: the next one that comes by does.
        return
    with connection.write() as sql:
        sql.execute("DELETE FROM searches WHERE rev = ?", (rev,))
    if there:
        # Dropping frees all its pages at once, for which a reviewer would wait: so it is emptied before.
        _drain(connection, f"{table}_data", "id", "id > 10")
        with connection.write() as sql:
            sql.execute(f"DROP TABLE IF EXISTS {table}")
    _drain(connection, "search_words", "rev, word", f"rev = {rev}")


def _drain(connection: Connection, table: str, key: str, condition: str) -> None:
    while True:
        with connection.write() as sql:
            gone = sql.execute(
                f"""DELETE FROM {table} WHERE ({key}) IN
                    (SELECT {key} FROM {table} WHERE {condition} LIMIT {_DRAINED})"""
            ).rowcount
        if gone < _DRAINED:
            return


def drop_unused(connection: Connection) -> None:
    """Remove the indexes of revisions that are no longer shown, unless they are being built."""
    rows = connection.sql.execute(
        """SELECT rev FROM searches WHERE rev NOT IN (SELECT newest FROM runs WHERE newest IS NOT NULL)"""
    ).fetchall()
    for (rev,) in rows:
        lock = try_lock(lock_path(connection.path, "search", rev))
        if lock is not None:
            try:
                drop(connection, rev)
            finally:
                lock.release()


class SearchIndex:
    """The search indexes of a database, as one thread's connection sees them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def of(self, rev: int, run_id: str) -> Search | None:
        """Where a revision's index lies, for `FilterContext`; None where it is not complete."""
        return Search(rev, run_id) if complete(self._connection.sql, rev) else None

    def waiting(self, least: int = LEAST) -> list[tuple[int, str]]:
        """As `waiting`."""
        return waiting(self._connection.sql, least)

    def missing(self, rev: int) -> int:
        """How many positions of the revision's file are not in its index."""
        upto = self._connection.sql.execute("SELECT upto FROM searches WHERE rev = ?", (rev,)).fetchone()
        return _last(self._connection.sql, rev) - (key_bounds(rev)[0] - 1 if upto is None else int(upto[0]))

    def build(self, rev: int, tell: Callable[[int], None], stopped: Callable[[], bool]) -> bool:
        """As `build`."""
        return build(self._connection, rev, tell, stopped)
