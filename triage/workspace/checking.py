"""The answers' sentences, checked beside the work: a run can be used long before that is done.

The app has them checked in a helper process of low priority (`build_aside`), so that neither keys nor a
reviewer's verdicts wait; commands wait for the runs that they speak of (`build`). What is checked when either
is stopped or killed stays, and the next one goes on from there.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING

from triage.workspace import aside
from triage.workspace.stores import Stores

if TYPE_CHECKING:
    from triage.models.run import Progress
    from triage.settings import Settings
    from triage.store import Store

__all__ = ["Checking"]

_LOOKS = 0.3
"""Seconds between two looks whether a helper is to stop."""
_AGAIN = 0.25
"""Seconds between two looks whether another process is done with a run."""
_LINGER = 1.0
"""Seconds that measures stay whose place others took, for those who read them at that moment."""


class Checking:
    """What is to be checked in a workspace's database, and the checking of it.

    Args:
        stores: the workspace's.
        database: its file.
        settings: the user's as they are now.
    """

    def __init__(self, stores: Stores, database: Path, settings: Callable[[], Settings]) -> None:
        self._stores = stores
        self._database = database
        self._settings = settings

    def waiting(self, runs: Collection[str] | None = None) -> list[str]:
        """The ids of runs (of `runs`, where given) that are still to be checked, newest first."""
        store = self._stores.reading()
        return [] if store is None else _waiting(store, runs)

    def build(
        self,
        progress: Callable[[Progress], None] | None = None,
        cancel: threading.Event | None = None,
        *,
        runs: Collection[str] | None = None,
    ) -> bool:
        """Check what is waiting, here and now, and measure it anew.

        Where another process checks a run already, this waits for it, and goes on where that one ends early.

        Args:
            progress: called a few times a second, stages "checking" and "measuring".
            cancel: stops it once it is set.
            runs: ids of the runs that are wanted; None = all.

        Returns:
            Whether nothing is left to be checked.

        Raises:
            Busy: another process held the database for too long.
        """
        # Imported here because most often nothing is waiting.
        from triage.ingest import Cancelled
        from triage.ingest.checking import check_run

        cancel = cancel or threading.Event()
        store = self._stores.reading()
        if store is None:
            return True
        while todo := _waiting(store, runs):
            done = False
            for run_id in todo:
                run = store.run(run_id)
                try:
                    done |= run is not None and check_run(store, run, self._settings(), progress, cancel)
                except Cancelled:
                    return False
            if cancel.wait(0 if done else _AGAIN):
                return False
        return True

    def tidy(self) -> None:
        """Remove the measures whose place others took; who reads them at that moment reads again."""
        store = self._stores.reading()
        if store is not None:
            store.checks.sweep()

    def build_aside(self, cancel: threading.Event, ready: Callable[[], None]) -> bool:
        """Check what is waiting in a helper process, and wait for it; returns and stops as `build` does.

        Args:
            cancel: stops it once it is set.
            ready: called once when something was waiting and nothing is any more; the helper tidies up then.
        """
        if not self.waiting():
            return True
        done = self._aside(cancel)
        if done is not None:
            helper, whole = done
            if whole:
                ready()
            self._let_go(helper, cancel)
            return whole
        whole = self.build(cancel=cancel)
        if whole:
            ready()
        return whole

    def _aside(self, cancel: threading.Event) -> tuple[subprocess.Popen[bytes], bool] | None:
        """A helper that has done what it could, and whether that is all; None where none is to be had."""
        helper = aside.start(__name__)
        if helper is None:
            return None
        assert helper.stdin is not None
        try:
            helper.stdin.write(pickle.dumps((str(self._database.absolute()), self._settings())))
            helper.stdin.flush()
            while helper.poll() is None and not cancel.wait(_LOOKS) and self.waiting():
                continue
            return helper, not self.waiting()
        except BrokenPipeError:
            # It has gone already; whoever asks next goes on.
            return helper, False
        except BaseException:
            self._let_go(helper, cancel, patience=0)
            raise

    @staticmethod
    def _let_go(
        helper: subprocess.Popen[bytes], cancel: threading.Event, patience: float = 2 * _LINGER
    ) -> None:
        """Wait for a helper that tidies up; end one that is to stop."""
        limit = time.monotonic() + patience
        while helper.poll() is None and time.monotonic() < limit and not cancel.wait(_LOOKS):
            continue
        helper.kill()
        helper.wait()
        if helper.stdin is not None:
            helper.stdin.close()


def _waiting(store: Store, runs: Collection[str] | None) -> list[str]:
    return [run_id for _, run_id in store.checks.waiting() if runs is None or run_id in runs]


def main() -> None:
    """The helper: checks for the database named on its standard input, until that is done or closed."""
    name, settings = pickle.load(sys.stdin.buffer)
    cancel = aside.helping()
    checking = Checking(Stores(Path(name)), Path(name), lambda: settings)
    checking.build(cancel=cancel)
    if not cancel.wait(_LINGER):
        checking.tidy()
