"""The search indexes, built beside the work: a run can be used long before it has one.

The app has them built in a helper process of low priority (`build_aside`), so that neither keys nor a
reviewer's verdicts wait. A script or a benchmark that wants one at once calls
`workspace.indexing.build()`, or `triage ingest --index FILE`, which returns when it is there;
`workspace.indexing.waiting()` is empty once nothing is left to be built. Without an index, and for runs of
fewer than `LEAST` cases, every filter finds the same by looking through all texts.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from triage.models.run import Progress
from triage.store.search import LEAST
from triage.workspace import aside
from triage.workspace.stores import Stores

__all__ = ["LEAST", "Indexing"]

_TELLS = 0.25
_LOOKS = 0.1
"""Seconds between two looks whether a helper is to stop."""


class Indexing:
    """What is to be built in a workspace's database, and the building of it.

    Args:
        stores: the workspace's.
        database: its file.
    """

    def __init__(self, stores: Stores, database: Path) -> None:
        self._stores = stores
        self._database = database

    def waiting(self, least: int = LEAST) -> list[str]:
        """The ids of runs of `least` cases and more that have no complete index, newest first.

        None are named where this SQLite can't build one, or nothing is loaded.
        """
        store = self._stores.reading()
        return [] if store is None else [run_id for _, run_id in store.index.waiting(least)]

    def build(
        self,
        progress: Callable[[Progress], None] | None = None,
        cancel: threading.Event | None = None,
        *,
        least: int = LEAST,
    ) -> bool:
        """Build what is waiting, here and now; what is there already when it stops is kept.

        Args:
            progress: called a few times a second, stage "indexing".
            cancel: stops the building once it is set.
            least: cases of a run from which on it is given an index.

        Returns:
            Whether nothing is left to be built.

        Raises:
            Busy: another process held the database for too long.
        """
        cancel = cancel or threading.Event()
        store = self._stores.reading()
        if store is None:
            return True
        for rev, run_id in store.index.waiting(least):
            telling = _Telling(run_id, store.index.missing(rev), progress)
            if not store.index.build(rev, telling.added, cancel.is_set):
                return False
        return True

    def build_aside(self, cancel: threading.Event) -> bool:
        """Build what is waiting in a helper process, and wait for it; returns and stops as `build` does."""
        if not self.waiting():
            return True
        helper = aside.start(__name__)
        if helper is None:
            return self.build(cancel=cancel)
        assert helper.stdin is not None
        try:
            helper.stdin.write(f"{self._database.absolute()}\n".encode("utf-8", "surrogateescape"))
            helper.stdin.flush()
            while helper.poll() is None and not cancel.wait(_LOOKS):
                continue
        except BrokenPipeError:
            # It has gone already; whoever asks next goes on.
            return False
        finally:
            helper.kill()
            helper.wait()
            helper.stdin.close()
        return not self.waiting()


class _Telling:
    """Tells how far one index is, four times a second at most."""

    def __init__(self, run_id: str, cases: int, progress: Callable[[Progress], None] | None) -> None:
        self._run_id, self._cases, self._progress = run_id, cases, progress
        self._started = self._told = time.monotonic()
        self._done = 0

    def added(self, cases: int) -> None:
        """So many more cases are in the index."""
        self._done += cases
        now = time.monotonic()
        if self._progress is not None and now - self._told >= _TELLS:
            self._told = now
            spent = now - self._started
            self._progress(Progress(self._run_id, self._done, 0, self._done, self._cases, spent, "indexing"))


def main() -> None:
    """The helper: builds for the database named on its standard input, until that is done or closed."""
    database = Path(os.fsdecode(sys.stdin.buffer.readline().removesuffix(b"\n")))
    Indexing(Stores(database), database).build(cancel=aside.helping())
