"""One store a thread: an SQLite connection belongs to the thread that made it."""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

from triage import paths
from triage.errors import DatabaseProblem, TriageError
from triage.store import Store


def gone(database: Path) -> DatabaseProblem:
    """The error for a database that was there a while ago."""
    return DatabaseProblem("the database is gone", str(database), "put it back, or choose another")


class _Held:
    """A thread's store; it closes with its thread."""

    def __init__(self, store: Store, file: tuple[int, int], generation: int) -> None:
        self.store = store
        self.file = file
        self.generation = generation

    def __del__(self) -> None:
        self.store.close()


class Stores:
    """Opens a database once in every thread that asks for it.

    A store is opened anew where the file was replaced under it: nothing is written to a file that has gone.
    """

    def __init__(self, database: Path) -> None:
        self._database = database
        self._local = threading.local()
        self._generation = 0
        self._was_there = False
        self._notices: deque[str] = deque()
        self._noticed: set[str] = set()

    def notices(self) -> list[str]:
        """What opening the database told, and has not been taken yet: each sentence once."""
        taken = []
        while self._notices:
            taken.append(self._notices.popleft())
        return taken

    def _notice(self, store: Store) -> None:
        for notice in store.notices:
            if notice not in self._noticed:
                self._noticed.add(notice)
                self._notices.append(notice)

    def _file(self) -> tuple[int, int] | None:
        try:
            found = self._database.stat()
        except FileNotFoundError:
            return None
        except OSError as error:
            hint = error.strerror or str(error)
            raise DatabaseProblem("the database cannot be used", str(self._database), hint) from error
        return found.st_dev, found.st_ino

    def _held(self, create: bool) -> _Held | None:
        held: _Held | None = getattr(self._local, "held", None)
        file = self._file()
        if held is not None and held.file == file and held.generation == self._generation:
            return held
        if held is not None:
            self._local.held = None
            held.store.close()
            # An error that is raised below would keep it, and let it go in another thread.
            held = None
        if file is None:
            if self._was_there:
                raise gone(self._database)
            if not create:
                return None
            self._make()
        store = Store(self._database, create=create)
        now = self._file()
        if now is None:
            store.close()
            raise gone(self._database)
        self._was_there = True
        self._notice(store)
        self._local.held = _Held(store, now, self._generation)
        found: _Held = self._local.held
        return found

    def _make(self) -> None:
        try:
            if self._database.absolute() == paths.new_database().absolute():
                paths.new_database(create=True)
            else:
                paths.new_database(create=True, path=self._database)
        except OSError as error:
            hint = error.strerror or str(error)
            raise TriageError("cannot make the database", str(self._database), hint) from error

    def reading(self) -> Store | None:
        """This thread's store; None where there is no database yet. Nothing is made."""
        held = self._held(create=False)
        if held is None:
            return None
        held.store.stop_when(getattr(self._local, "stopped", None))
        return held.store

    @contextlib.contextmanager
    def stoppable(self, stopped: Callable[[], bool]) -> Iterator[None]:
        """Give up this thread's long questions with `Stopped` as soon as `stopped` is true."""
        before = getattr(self._local, "stopped", None)
        self._local.stopped = stopped
        try:
            yield
        finally:
            self._local.stopped = before

    def writing(self) -> Store:
        """This thread's store, made where there is none.

        Raises:
            TriageError: it can't be made.
        """
        held = self._held(create=True)
        assert held is not None
        return held.store

    def changed(self) -> bool:
        """Has another connection committed since this thread last asked? False the first time.

        A database that has come, gone or been replaced since has changed too.
        """
        held = self._held(create=False)
        now = None if held is None else (held.file, held.store.news())
        asked, before = hasattr(self._local, "seen"), getattr(self._local, "seen", None)
        self._local.seen = now
        return asked and before != now

    def close(self) -> None:
        """Close this thread's store now, and those of other threads when they next ask or end."""
        self._generation += 1
        held: _Held | None = getattr(self._local, "held", None)
        if held is not None:
            self._local.held = None
            held.store.close()
