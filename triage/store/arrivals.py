"""What following a folder asks of the database: which files are in it, and which cases a new run turned."""

from __future__ import annotations

from pathlib import Path

from triage.store.connection import Connection

_TURNED = """SELECT count(*) FROM measures a
    CROSS JOIN cases ca ON ca.pk = a.case_pk
    CROSS JOIN cases cb ON cb.rev = :other_rev AND cb.case_id = ca.case_id
    CROSS JOIN measures b ON b.view = :other_view AND b.case_pk = cb.pk
    WHERE a.view = :view AND a.lead < 9 AND a.failing = 1 AND b.failing = 0"""


class Arrivals:
    """Asks a database. Belongs to the thread of its connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._sql = connection.sql

    def moved(self, rev: int, path: Path) -> None:
        """The file of a run's newest revision is now found at `path`, absolute and resolved."""
        with self._connection.write() as sql:
            sql.execute("UPDATE revisions SET path = ? WHERE pk = ?", (str(path), rev))
            sql.execute("UPDATE runs SET path = ? WHERE newest = ?", (str(path), rev))

    def loaded_files(self) -> dict[str, tuple[int, int]]:
        """Path -> (size in bytes, modification time in ns) of each file as it was loaded last.

        Files of runs that were removed are among them: they are not to come back by themselves.
        """
        rows = self._sql.execute(
            """SELECT path, size, mtime_ns FROM revisions
                WHERE pk IN (SELECT max(pk) FROM revisions WHERE done > 0 GROUP BY path)"""
        )
        return {path: (size, mtime_ns) for path, size, mtime_ns in rows}

    def turned(self, view: int, other_rev: int, other_view: int) -> int:
        """How many cases fail in a view and do not in another revision's, of those that both have."""
        found: tuple[int] = self._sql.execute(
            _TURNED, {"view": view, "other_rev": other_rev, "other_view": other_view}
        ).fetchone()
        return found[0]
