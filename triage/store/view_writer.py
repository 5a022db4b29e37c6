"""A revision's measures at another K on their way in."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING

from triage.store import checks, columns, sweep, versions
from triage.store.connection import Connection
from triage.store.locks import WriterLock, lock_path, try_lock
from triage.store.measuring import CHUNK, Measuring
from triage.store.totals import Totals

if TYPE_CHECKING:
    from triage.models.measure import Scoring
    from triage.store.rows import Measured


class ViewWriter:
    """Writes the measures of a revision's cases at one K; seen by nobody before `finish`. Use as a
    context manager.
    """

    def __init__(self, connection: Connection, rev: int, k: int, scoring: Scoring) -> None:
        self._connection = connection
        self._rev, self._k = rev, k
        self.checked = False
        """The measures hold what the sentence check says of every case."""
        with connection.write() as sql:
            columns.ensure_columns(sql)
            cursor = sql.execute(
                "INSERT INTO views (rev, k, version) VALUES (?, ?, ?)", (rev, k, versions.measured())
            )
            self.pk = int(cursor.lastrowid or 0)
            lock = try_lock(lock_path(connection.path, "view", self.pk))
            if lock is None:
                raise RuntimeError(f"view {self.pk} is locked by someone else")
            self._lock: WriterLock | None = lock
        self._measuring = Measuring(connection, self.pk, scoring)

    def add(self, rows: Sequence[tuple[int, Measured]]) -> None:
        """Store the measures of cases, by primary key."""
        for start in range(0, len(rows), CHUNK):
            self._measuring.write(self._measuring.work(list(rows[start : start + CHUNK])))

    def finish(self, *, linger: bool = False) -> int:
        """Make the view the one of its revision and K. Returns its primary key.

        With `linger` the one before stays for those who read it just now; `Checks.sweep` removes it.
        """
        whole = Totals(self._connection.sql, self.pk)
        with self._connection.write() as sql:
            sql.execute(
                "UPDATE views SET done = 2 WHERE rev = ? AND k = ? AND done = 1", (self._rev, self._k)
            )
            sql.execute("UPDATE views SET done = 1 WHERE pk = ?", (self.pk,))
            if self.checked:
                checks.mark(sql, self.pk)
            whole.keep(sql)
        self._release()
        if not linger:
            sweep.remove_retired(self._connection)
        return self.pk

    def abort(self) -> None:
        """Take everything back; does nothing after `finish`."""
        if self._lock is None:
            return
        sweep.remove_view(self._connection, self.pk)
        self._release()

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def __enter__(self) -> ViewWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.abort()
