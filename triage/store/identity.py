"""What a run is: known by its header's id, else by its path (run-format: "What a run is")."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from msgspec import Struct

from triage.errors import TriageError
from triage.models.run import LoadOptions

_ENDINGS = (".gz", ".jsonl", ".json")


class Claim(Struct, frozen=True):
    """The run that a new revision belongs to, the revision's number (1-based) in it, and whether the run has
    another one now: it has none where it is new, or was removed and only its reviews were kept. `grown`: it
    takes the place, and the number, of the newest one.
    """

    pk: int
    run_id: str
    number: int
    again: bool = False
    grown: bool = False


class LoadedMeanwhile(TriageError):
    """Another process has loaded the same bytes in the same way while this one was at it."""

    def __init__(self, path: Path) -> None:
        super().__init__("loaded by another process just now", str(path))


class StoredFile(Struct, frozen=True):
    """A file as it was last loaded: into which run, at which revision, how it was read."""

    run_id: str
    rev: int
    number: int
    path: str
    sha256: str
    size: int
    mtime_ns: int
    named: bool
    options: LoadOptions


def file_run_id(path: Path, parents: int = 0) -> str:
    """A run's id after its file: the name without `.jsonl`, `.json`, `.gz`, with `parents` folders before
    it.
    """
    name = path.name
    for ending in _ENDINGS:
        if name.lower().endswith(ending) and len(name) > len(ending):
            name = name[: -len(ending)]
    return "/".join((*path.parent.parts[len(path.parent.parts) - parents :], name)) if parents else name


def claim_run(
    sql: sqlite3.Connection, run_id: str | None, path: Path, format: str, grows: int | None = None
) -> Claim:
    """Find or make the run of a file just read, and count up its revisions: not where the new revision is
    the newest one, `grows`, with more records at its end. Call inside a write transaction.
    """
    named = run_id is not None
    found = _by_id(sql, run_id) if run_id is not None else _by_path(sql, path)
    if found is None:
        run_id = run_id if run_id is not None else _free_id(sql, path)
        cursor = sql.execute(
            "INSERT INTO runs (run_id, path, format, named, numbered) VALUES (?, ?, ?, ?, 1)",
            (run_id, str(path), format, named),
        )
        return Claim(int(cursor.lastrowid or 0), run_id, 1)
    pk, known_id, numbered, newest = found
    grown = grows is not None and newest == grows
    number = numbered if grown else numbered + 1
    sql.execute(
        "UPDATE runs SET path = ?, format = ?, named = ?, numbered = ? WHERE pk = ?",
        (str(path), format, named, number, pk),
    )
    return Claim(pk, known_id, number, newest is not None, grown)


def _by_id(sql: sqlite3.Connection, run_id: str) -> tuple[int, str, int, int | None] | None:
    found: tuple[int, str, int, int | None] | None = sql.execute(
        "SELECT pk, run_id, numbered, newest FROM runs WHERE run_id = ?", (run_id,)
    ).fetchone()
    return found


def _by_path(sql: sqlite3.Connection, path: Path) -> tuple[int, str, int, int | None] | None:
    found: tuple[int, str, int, int | None] | None = sql.execute(
        "SELECT pk, run_id, numbered, newest FROM runs WHERE path = ? AND named = 0", (str(path),)
    ).fetchone()
    return found


def _free_id(sql: sqlite3.Connection, path: Path) -> str:
    for parents in range(len(path.parent.parts)):
        run_id = file_run_id(path, parents)
        if _by_id(sql, run_id) is None:
            return run_id
    # Every longer name is taken too, which takes a header that was named after the path.
    number = 2
    while _by_id(sql, f"{file_run_id(path)}-{number}") is not None:
        number += 1
    return f"{file_run_id(path)}-{number}"


_STORED = """SELECT r.run_id, v.pk, v.number, v.path, v.sha256, v.size, v.mtime_ns, r.named, v.options
    FROM runs r JOIN revisions v ON v.pk = r.newest"""


def same_loads(sql: sqlite3.Connection, path: Path, sha256: str, options: str) -> frozenset[int]:
    """The newest revisions that hold these very bytes, read in this very way, as `find_file` would find them.

    `options` are the load options as they are stored.
    """
    return frozenset(
        rev
        for (rev,) in sql.execute(
            """SELECT v.pk FROM runs r JOIN revisions v ON v.pk = r.newest
                WHERE v.sha256 = ? AND v.options = ? AND (v.path = ? OR r.named = 1)""",
            (sha256, options, str(path)),
        )
    )


def find_file(sql: sqlite3.Connection, path: Path, sha256: str | None) -> StoredFile | None:
    """What is known of a file: the newest revision loaded from `path`, else, by `sha256`, of a run named
    by its header.

    A copy of a file without a header id is another run by rule, so there only the path counts. `path` is
    absolute and resolved. Without `sha256` only the path is looked at.
    """
    rows = sql.execute(f"{_STORED} WHERE v.path = ? ORDER BY v.pk DESC", (str(path),)).fetchall()
    if sha256 is not None:
        same = [row for row in rows if row[4] == sha256]
        rows = (
            same
            or sql.execute(
                f"{_STORED} WHERE v.sha256 = ? AND r.named = 1 ORDER BY v.pk DESC", (sha256,)
            ).fetchall()
            or rows
        )
    if not rows:
        return None
    run_id, rev, number, known_path, known_sha, size, mtime_ns, named, options = rows[0]
    return StoredFile(
        run_id,
        rev,
        number,
        known_path,
        known_sha,
        size,
        mtime_ns,
        bool(named),
        LoadOptions(**json.loads(options)),
    )
