"""Looking after a database: is it whole, a copy of it, and its size.

What can be derived is held against what it is derived from: the reviews as they are now against the events,
a revision's records against their count. Only derived rows and left-overs are ever mended; events never.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from triage.errors import TriageError
from triage.models.upkeep import Check, Compacted, Copied, Fault
from triage.store import checks, review_faults, search, slots, standing, sweep
from triage.store.connection import Connection
from triage.store.locks import lock_path, try_lock
from triage.store.schema import POSITION_BITS, SCHEMA_VERSION, key_bounds

_RESTORE = "restore it from a backup; sqlite3 FILE .recover may save the rest"
_LEFT_OVERS: tuple[tuple[str, str], ...] = (
    # Table, and the condition under which a row of it belongs to nothing.
    ("cases", f"(pk >> {POSITION_BITS}) NOT IN (SELECT pk FROM revisions WHERE done < 3)"),
    ("texts", "NOT EXISTS (SELECT 1 FROM cases c WHERE c.pk = case_pk)"),
    ("records", "NOT EXISTS (SELECT 1 FROM cases c WHERE c.pk = case_pk)"),
    ("checks", "NOT EXISTS (SELECT 1 FROM cases c WHERE c.pk = case_pk)"),
    ("checkings", "rev NOT IN (SELECT pk FROM revisions WHERE done < 3)"),
    ("views", "rev NOT IN (SELECT pk FROM revisions WHERE done < 3)"),
    ("measures", "view NOT IN (SELECT pk FROM views)"),
    ("findings", "view NOT IN (SELECT pk FROM views)"),
    ("view_patterns", "view NOT IN (SELECT pk FROM views)"),
    ("view_sums", "view NOT IN (SELECT pk FROM views)"),
    ("problems", "rev NOT IN (SELECT pk FROM revisions WHERE done < 3)"),
    ("extra_keys", "rev NOT IN (SELECT pk FROM revisions WHERE done < 3)"),
    ("search_words", "rev NOT IN (SELECT rev FROM searches)"),
    ("reviews_now", "NOT EXISTS (SELECT 1 FROM events e WHERE e.run_id = reviews_now.run_id"
                    " AND e.case_id = reviews_now.case_id)"),
    ("sample_cases", "sample NOT IN (SELECT pk FROM samples)"),
    ("slots", "datetime(at) IS NULL OR NOT EXISTS (SELECT 1 FROM sample_cases c WHERE"
              " c.sample = slots.sample AND c.case_id = slots.case_id AND slot BETWEEN 1 AND c.readings)"),
)  # fmt: skip


def size_of(path: Path) -> int:
    """Bytes of a database file and its write-ahead log."""
    files = (path, path.with_name(path.name + "-wal"))
    return sum(file.stat().st_size for file in files if file.exists())


def check(connection: Connection, *, repair: bool = False) -> Check:
    """Look a database through; with `repair` mend what can be derived, and look again.

    Raises:
        Busy: another process held the database for too long while it was to be mended.
    """
    mended: list[str] = []
    faults = list(_faults(connection))
    if repair and not any(fault.kind == "damaged" for fault in faults):
        mended = [fault.says for fault in faults if fault.mendable]
        if mended:
            _mend(connection)
            faults = list(_faults(connection))
    sql = connection.sql
    runs, cases, acts = (_count(sql, rows) for rows in ("runs WHERE newest IS NOT NULL", "cases", "events"))
    remarks = () if any(fault.kind == "damaged" for fault in faults) else tuple(_remarks(connection))
    return Check(
        str(connection.path), SCHEMA_VERSION, size_of(connection.path), runs, cases, acts, tuple(faults),
        remarks, tuple(mended),
    )  # fmt: skip


def _faults(connection: Connection) -> Iterator[Fault]:
    sql = connection.sql
    damaged = _damage(sql)
    if damaged:
        # What a damaged file says of itself is not to be relied on.
        yield Fault("damaged", f"the file is damaged: {damaged}", _RESTORE, False)
        return
    repair = "triage db check --repair mends it"
    yield from review_faults.faults(sql, _RESTORE)
    differing = len(_differing(sql))
    if differing:
        says = f"{_of(differing, 'review')} not what the events add up to"
        yield Fault("reviews", says, repair, True)
    unread = len(slots.differing(sql))
    if unread:
        yield Fault("readings", f"{_of(unread, 'reading')} of samples without their verdict", repair, True)
    for table, condition in _LEFT_OVERS:
        count = sql.execute(f"SELECT count(*) FROM {table} WHERE {condition}").fetchone()[0]
        if count:
            yield Fault("orphans", f"{_of(count, 'row')} of {table} belong to nothing", repair, True)
    for run_id, path, problem in _incomplete(sql):
        hint = f"load it again: triage remove {run_id}, then triage ingest {path}"
        yield Fault("incomplete", f"run {run_id}: {problem}", hint, False)
    for run_id, _, problem in _half_checked(sql):
        yield Fault("checks", f"run {run_id}: {problem}", repair, True)
    for table in _stray_indexes(sql):
        yield Fault("index", f"the search index {table} belongs to nothing", repair, True)
    dead = sum(not alive for _, alive in _unfinished(connection))
    going = sql.execute("SELECT count(*) FROM revisions WHERE done = 2").fetchone()[0]
    if dead or going:
        says = f"{_of(dead + going, 'load')} left half done or half removed"
        yield Fault("unfinished", says, "the next load clears them away, and so does --repair", True)


def _damage(sql: sqlite3.Connection) -> str:
    """SQLite's first complaint about the file, "" = none."""
    try:
        said = sql.execute("PRAGMA integrity_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if said == "ok" else str(said)


def _count(sql: sqlite3.Connection, rows: str) -> int | None:
    try:
        return int(sql.execute(f"SELECT count(*) FROM {rows}").fetchone()[0])
    except sqlite3.DatabaseError:
        # A damaged file has no count; that it is damaged is told.
        return None


def _of(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _remarks(connection: Connection) -> Iterator[str]:
    alive = sum(alive for _, alive in _unfinished(connection))
    if alive:
        yield f"{_of(alive, 'load')} under way in another process"
    waiting = len(search.waiting(connection.sql))
    if waiting:
        yield f"{_of(waiting, 'run')} without a search index yet: the app builds it"
    unchecked = checks.waiting_runs(connection.sql)
    if unchecked:
        yield f"sentences of {_of(unchecked, 'run')} not checked yet: the app does, or a report"


def _differing(sql: sqlite3.Connection) -> list[tuple[str, str]]:
    """(run id, case id) of the reviews that are not what their events add up to."""
    if review_faults.unreadable(sql):
        # What they add up to can't be told then, and what is kept stays.
        return []
    # A temporary table of the same name stands before the real one, so that nothing real is written.
    sql.execute("CREATE TEMP TABLE reviews_now AS SELECT * FROM main.reviews_now WHERE 0")
    try:
        _settle_all(sql)
        return sql.execute(
            """SELECT run_id, case_id FROM
                (SELECT * FROM temp.reviews_now EXCEPT SELECT * FROM main.reviews_now)
                UNION SELECT m.run_id, m.case_id FROM main.reviews_now m
                    JOIN (SELECT DISTINCT run_id, case_id FROM events) e USING (run_id, case_id)
                    LEFT JOIN temp.reviews_now t USING (run_id, case_id) WHERE t.run_id IS NULL"""
        ).fetchall()
    finally:
        sql.execute("DROP TABLE temp.reviews_now")


def _settle_all(sql: sqlite3.Connection) -> None:
    cases: dict[str, list[str]] = {}
    for run_id, case_id in sql.execute("SELECT DISTINCT run_id, case_id FROM events"):
        cases.setdefault(run_id, []).append(case_id)
    for run_id, ids in cases.items():
        standing.recompute(sql, run_id, ids, None)


def _incomplete(sql: sqlite3.Connection) -> Iterator[tuple[str, str, str]]:
    """(run id, path, what is missing) of the runs that are shown and not whole."""
    rows = sql.execute(
        "SELECT r.run_id, r.path, r.newest, v.done, v.records FROM runs r"
        " LEFT JOIN revisions v ON v.pk = r.newest WHERE r.newest IS NOT NULL"
    ).fetchall()
    for run_id, path, rev, done, records in rows:
        if done != 1:
            yield run_id, path, "its newest revision is not there"
            continue
        low, high = key_bounds(rev)
        for table, key in (("cases", "pk"), ("texts", "case_pk"), ("records", "case_pk")):
            count = sql.execute(
                f"SELECT count(*) FROM {table} WHERE {key} BETWEEN ? AND ?", (low, high)
            ).fetchone()[0]
            if count != records:
                yield run_id, path, f"{count} of {records} records are in {table}"
        for view, count in sql.execute(
            "SELECT w.pk, (SELECT count(*) FROM measures m WHERE m.view = w.pk) FROM views w"
            " WHERE w.rev = ? AND w.done = 1", (rev,),
        ).fetchall():  # fmt: skip
            if count != records:
                yield run_id, path, f"{count} of {records} records are measured in view {view}"


def _half_checked(sql: sqlite3.Connection) -> Iterator[tuple[str, int, str]]:
    """(run id, revision, what is missing) of runs whose check is said to be whole and is not."""
    rows = sql.execute(
        "SELECT r.run_id, v.pk, v.records FROM runs r JOIN revisions v ON v.pk = r.newest WHERE v.done = 1"
    ).fetchall()
    for run_id, rev, records in rows:
        if checks.complete(sql, rev):
            bounds = key_bounds(rev)
            count = _count(sql, f"checks WHERE case_pk BETWEEN {bounds[0]} AND {bounds[1]}")
            if count != records:
                yield run_id, rev, f"sentences of {count} of {records} records are checked"


def _stray_indexes(sql: sqlite3.Connection) -> list[str]:
    rows = sql.execute(
        """SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%fts5%'
            AND name NOT IN (SELECT 'search_' || s.rev FROM searches s
                JOIN revisions v ON v.pk = s.rev WHERE v.done < 3)"""
    ).fetchall()
    return [row[0] for row in rows]


def _unfinished(connection: Connection) -> list[tuple[str, bool]]:
    """What is being written, and whether its writer lives."""
    found = []
    rows = connection.sql.execute(
        """SELECT 'rev', pk FROM revisions WHERE done = 0
            UNION ALL SELECT 'view', w.pk FROM views w JOIN revisions v ON v.pk = w.rev
                WHERE w.done = 0 AND v.done <> 0"""
    ).fetchall()
    for kind, pk in rows:
        lock = try_lock(lock_path(connection.path, kind, pk))
        if lock is not None:
            lock.release()
        found.append((f"{kind}{pk}", lock is None))
    return found


def _mend(connection: Connection) -> None:
    sweep.cleanup(connection)
    for (view,) in connection.sql.execute(
        "SELECT pk FROM views WHERE rev NOT IN (SELECT pk FROM revisions WHERE done < 3)"
    ).fetchall():
        sweep.remove_view(connection, view)
    differing = _differing(connection.sql)
    half = [rev for _, rev, _ in _half_checked(connection.sql)]
    with connection.write(durable=True) as sql:
        for rev in half:
            # Checked anew by whoever comes next.
            sql.execute("DELETE FROM checkings WHERE rev = ?", (rev,))
            sql.execute("UPDATE views SET checked = NULL WHERE rev = ?", (rev,))
        cases: dict[str, list[str]] = {}
        for run_id, case_id in differing:
            cases.setdefault(run_id, []).append(case_id)
        for run_id, ids in cases.items():
            standing.recompute(sql, run_id, ids, None)
        for table, condition in _LEFT_OVERS:
            sql.execute(f"DELETE FROM {table} WHERE {condition}")
        # A slot beyond a case's readings can't be written, only removed.
        slots.mend(sql)
        for table in _stray_indexes(sql):
            sql.execute(f'DROP TABLE "{table}"')


def backup(connection: Connection, target: Path, *, overwrite: bool = False) -> Copied:
    """Copy the database as it is now, while others read and write it: one file, whole or not there.

    Raises:
        TriageError: there is such a file already and `overwrite` is not said, or it can't be written.
    """
    if not overwrite and os.path.lexists(target):
        raise TriageError("the file is there already", str(target), "choose another name, or say --force")
    if target.exists() and target.samefile(connection.path):
        raise TriageError("that is the database itself", str(target), "choose another name")
    half = target.with_name(f".{target.name}.{os.getpid()}.half")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(half, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        copy = sqlite3.connect(half, isolation_level=None)
        try:
            # In one step: a reader's snapshot, which a write-ahead log lets others write beside.
            connection.sql.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
            if copy.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                raise TriageError("the copy is damaged, as the database is", str(connection.path), _RESTORE)
        finally:
            copy.close()
        if not overwrite and os.path.lexists(target):
            raise TriageError("the file is there already", str(target), "choose another name, or say --force")
        half.replace(target)
    except (OSError, sqlite3.Error) as error:
        why = getattr(error, "strerror", None) or error
        raise TriageError("can't write the backup", f"{target}: {why}", "choose another place") from error
    finally:
        with contextlib.suppress(OSError):
            half.unlink()
    return Copied(str(target), target.stat().st_size)


def compact(connection: Connection) -> Compacted:
    """Remove what nobody needs any more, and give its room back to the disk.

    Raises:
        TriageError: another process is loading a run.
        Busy: another process held the database for too long.
    """
    at_work = sum(alive for _, alive in _unfinished(connection))
    if at_work:
        raise TriageError(
            "a run is being loaded",
            f"{connection.path}: {_of(at_work, 'load')} under way in another process",
            "wait for it, then try again",
        )
    before = size_of(connection.path)
    removed = sweep.cleanup(connection)
    connection.vacuum()
    return Compacted(before, size_of(connection.path), removed)


class Upkeep:
    """What can be done for the file of an open database."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def check(self, *, repair: bool = False) -> Check:
        """See `check`."""
        return check(self._connection, repair=repair)

    def backup(self, target: Path, *, overwrite: bool = False) -> Copied:
        """See `backup`."""
        return backup(self._connection, target, overwrite=overwrite)

    def compact(self) -> Compacted:
        """See `compact`."""
        return compact(self._connection)
