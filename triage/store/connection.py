"""One connection to one database file: opened with care, written only inside `write()`.

A connection belongs to the thread that made it. Every transaction that writes begins with BEGIN IMMEDIATE:
a deferred one fails between two writers whatever its time-out.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from triage.errors import Busy, DatabaseProblem, Stopped, TriageError
from triage.store.mounts import network_type
from triage.store.schema import APPLICATION_ID, SCHEMA_VERSION, migrate

Plan = TypeVar("Plan")
LOWEST_SQLITE = (3, 37, 0)
BUSY_SECONDS = 10.0
"""How long a write waits for another process by default."""
_POLL_MS = 8
_STEPS = 20_000
"""Steps of SQLite's machine, about a millisecond, between two looks whether a question is called off."""
_WAITING = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_MENDABLE = {
    sqlite3.SQLITE_READONLY: "make the file and its folder writable",
    sqlite3.SQLITE_FULL: "free some space on the disk",
    sqlite3.SQLITE_IOERR: "check the disk it lies on",
    sqlite3.SQLITE_CANTOPEN: "make the file and its folder writable",
    sqlite3.SQLITE_CORRUPT: "restore it from a backup",
    sqlite3.SQLITE_NOTADB: "choose another file with --db",
    sqlite3.SQLITE_PERM: "make the file and its folder writable",
}


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 where the error is Python's own."""
    return (getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another connection is in the way, so that waiting helps."""
    return _code(error) in _WAITING


def in_words(error: BaseException, path: Path, busy_seconds: float = BUSY_SECONDS) -> TriageError | None:
    """SQLite's error in the user's words where the user can mend it; None: another error, or a bug."""
    code = _code(error) if isinstance(error, sqlite3.Error) else 0
    if code in _WAITING:
        return Busy(
            "the database is busy",
            f"{path}: another program has held it for {busy_seconds:g} s",
            "close it there and try again",
        )
    if code == sqlite3.SQLITE_NOTADB:
        return DatabaseProblem("not a database", str(path), _MENDABLE[code])
    if code in _MENDABLE:
        title = "the disk is full" if code == sqlite3.SQLITE_FULL else "the database cannot be used"
        return DatabaseProblem(title, f"{path}: {error}", _MENDABLE[code])
    return None


class Connection:
    """A database file, open.

    Args:
        path: the database file.
        create: make the file (0600) where there is none.
        read_only: never write, and leave an older schema as it is.
        busy_seconds: how long `write()` waits for another process.

    Attributes:
        sql: the raw connection, for reading; writes go through `write()`.
        stopped: asked every now and then in the midst of a `question`; True gives it up.
        notices: sentences to tell the user once (a network file system, a migration).

    Raises:
        TriageError: SQLite is too old, there is no such file, it is no database of ours, or a newer
        program's. Busy: another process held the file for too long.
    """

    def __init__(
        self, path: Path, *, create: bool = False, read_only: bool = False, busy_seconds: float = BUSY_SECONDS
    ) -> None:
        self.path = path
        self.read_only = read_only
        self.busy_seconds = busy_seconds
        self.notices: list[str] = []
        self.stopped: Callable[[], bool] | None = None
        self._durable = False
        if sqlite3.sqlite_version_info < LOWEST_SQLITE:
            raise TriageError(
                "SQLite is too old",
                f"this Python carries {sqlite3.sqlite_version}, 3.37 is needed",
                "use a newer Python",
            )
        if not path.is_file():
            self._make(path, create and not read_only)
        self.sql = self._connect()
        try:
            self._prepare()
        except sqlite3.Error as error:
            self.sql.close()
            raise self._told(error) from error
        except BaseException:
            self.sql.close()
            raise

    @staticmethod
    def _make(path: Path, create: bool) -> None:
        # Another process may have made it since it was looked for.
        if not create or (path.exists() and not path.is_file()):
            raise TriageError("no database", str(path), "load a run first: triage ingest FILE")
        try:
            with contextlib.suppress(FileExistsError):
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except OSError as error:
            raise TriageError(
                "cannot make the database", f"{path}: {error.strerror}", "choose another place with --db"
            ) from error

    def _connect(self) -> sqlite3.Connection:
        mode = "ro" if self.read_only else "rw"
        uri = f"{self.path.absolute().as_uri()}?mode={mode}"
        try:
            return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=self.busy_seconds)
        except sqlite3.Error as error:
            raise self._told(error) from error

    def _prepare(self) -> None:
        version = self._number("user_version")
        if version > SCHEMA_VERSION:
            raise DatabaseProblem(
                "the database is newer than this program",
                f"{self.path} has schema {version}, this program knows {SCHEMA_VERSION}",
                "upgrade triage; the file was left alone",
            )
        ours = self._number("application_id") == APPLICATION_ID
        if not ours and self.sql.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
            raise DatabaseProblem("not a triage database", str(self.path), "choose another file with --db")
        if version == 0 and not ours and not self.read_only:
            # Two or three records fit a page of this size; with the default most would waste half of theirs.
            self.sql.execute("PRAGMA page_size = 8192")
        if version < SCHEMA_VERSION:
            if self.read_only:
                raise DatabaseProblem(
                    "the database is older than this program",
                    f"{self.path} has schema {version}, this program needs {SCHEMA_VERSION}",
                    "open it once for writing, which migrates it",
                )
            self._migrate(version)
        network = network_type(self.path)
        if network:
            self.notices.append(
                f"the database lies on a network file system ({network}): slower, one writer at a time"
            )
        if not self.read_only:
            self._choose_journal(bool(network))
        self.sql.execute("PRAGMA synchronous = NORMAL")
        self._durable = False
        self.sql.execute("PRAGMA cache_size = -16000")

    def _number(self, pragma: str) -> int:
        return int(self.sql.execute(f"PRAGMA {pragma}").fetchone()[0])

    def _choose_journal(self, network: bool) -> None:
        # Shared memory does not work across machines, so there the rollback journal is the safe one.
        wanted = "delete" if network else "wal"
        if self.sql.execute("PRAGMA journal_mode").fetchone()[0] == wanted:
            return
        try:
            self.sql.execute(f"PRAGMA journal_mode = {wanted}")
        except sqlite3.OperationalError as error:
            if not is_busy(error) and _code(error) not in _MENDABLE:
                raise
            self.notices.append(f"the journal mode could not be changed to {wanted}: {error}")

    def _migrate(self, version: int) -> None:
        backup = None
        try:
            with self.write(durable=True):
                # Another process may have done it while this one waited.
                if self._number("user_version") == version:
                    # Within the transaction, so that nothing is written between the copy and the migration.
                    backup = self._backup(version) if version else None
                    migrate(self.sql)
        except BaseException:
            # The file is as it was: every further attempt would leave one more copy of it.
            if backup is not None:
                backup.unlink(missing_ok=True)
            raise
        if backup is not None:
            self.notices.append(
                f"the database was migrated to schema {SCHEMA_VERSION}; the old one is {backup.name}"
            )

    def _backup(self, version: int) -> Path:
        target = self.path.with_name(f"{self.path.name}.schema{version}.backup")
        number = 1
        while target.exists():
            number += 1
            target = self.path.with_name(f"{self.path.name}.schema{version}.backup{number}")
        # One name for all: what was left by a process that was killed goes, and nobody else writes it now.
        half = self.path.with_name(f".{self.path.name}.schema.half")
        parts = [half.with_name(half.name + ending) for ending in ("", "-journal", "-wal", "-shm")]
        try:
            for part in parts:
                part.unlink(missing_ok=True)
            os.close(os.open(half, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            # SQLite copies nothing through a connection that is in a write transaction.
            with (
                contextlib.closing(self._connect()) as source,
                contextlib.closing(sqlite3.connect(half, isolation_level=None)) as copy,
            ):
                source.backup(copy)
            half.replace(target)
        except OSError as error:
            raise DatabaseProblem(
                "cannot back up the database before it is migrated",
                f"{target}: {error.strerror}",
                "make its folder writable; the file was left alone",
            ) from error
        finally:
            for part in parts:
                with contextlib.suppress(OSError):
                    part.unlink()
        return target

    def _told(self, error: sqlite3.Error) -> TriageError | sqlite3.Error:
        """The error in the user's words where the user can mend it, else the error itself: a bug shows as
        one.
        """
        return in_words(error, self.path, self.busy_seconds) or error

    @contextlib.contextmanager
    def write(self, *, durable: bool = False, wait: float | None = None) -> Iterator[sqlite3.Connection]:
        """One write transaction: BEGIN IMMEDIATE, then COMMIT, or ROLLBACK where the block raises.

        Args:
            durable: sync to the disk before returning, so that even a power cut loses nothing.
            wait: seconds to wait for another process; default: the connection's.

        Raises:
            Busy: another process held the database for longer than that; nothing was written.
            TriageError: the disk or the file does not allow it.
        """
        if durable != self._durable:
            self.sql.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            self._durable = durable
        try:
            self._begin(self.busy_seconds if wait is None else wait)
            try:
                yield self.sql
                self.sql.execute("COMMIT")
            except BaseException:
                if self.sql.in_transaction:
                    self.sql.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            told = self._told(error)
            if told is error:
                raise
            raise told from error

    @contextlib.contextmanager
    def planned(
        self,
        plan: Callable[[sqlite3.Connection], Plan],
        mend: Callable[[sqlite3.Connection, Plan], Plan],
    ) -> Iterator[tuple[sqlite3.Connection, Plan]]:
        """A durable write transaction with what `plan` read for it before: others wait for the writing alone.

        Args:
            plan: reads; it may take long.
            mend: brings what was read up to what others have written since, inside the transaction.

        Raises:
            Busy, TriageError: as `write`; and what `plan` and `mend` raise.
        """
        try:
            made = plan(self.sql)
        except sqlite3.Error as error:
            told = self._told(error)
            if told is error:
                raise
            raise told from error
        with self.write(durable=True) as sql:
            yield sql, mend(sql, made)

    def _begin(self, wait: float) -> None:
        # SQLite's own handler soon polls only ten times a second, and starves beside a busy loader.
        limit = time.monotonic() + wait
        self.sql.execute(f"PRAGMA busy_timeout = {_POLL_MS}")
        try:
            while True:
                try:
                    self.sql.execute("BEGIN IMMEDIATE")
                    return
                except sqlite3.OperationalError as error:
                    if not is_busy(error) or time.monotonic() >= limit:
                        raise
        finally:
            self.sql.execute(f"PRAGMA busy_timeout = {int(self.busy_seconds * 1000)}")

    def vacuum(self) -> None:
        """Write the file anew without its free pages.

        Raises:
            Busy: another process held the database for too long.
            TriageError: the disk or the file does not allow it.
        """
        try:
            self.sql.execute("VACUUM")
            self.sql.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error as error:
            raise self._told(error) from error

    @contextlib.contextmanager
    def question(self) -> Iterator[sqlite3.Connection]:
        """Reading that may take long: it is given up as soon as `stopped` says so.

        Raises:
            Stopped: it did.
        """
        if self.stopped is None:
            yield self.sql
            return
        self.sql.set_progress_handler(self.stopped, _STEPS)
        try:
            yield self.sql
        except sqlite3.OperationalError as error:
            if _code(error) == sqlite3.SQLITE_INTERRUPT:
                raise Stopped from None
            raise
        finally:
            self.sql.set_progress_handler(None, 0)

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        self.sql.close()
