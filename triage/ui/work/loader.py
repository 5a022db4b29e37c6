"""Run files read in the background, with progress told at most four times a second."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from triage.errors import TriageError
from triage.ui.messages import Loaded, LoadFailed, Loading

if TYPE_CHECKING:
    from textual.screen import Screen

    from triage.models.run import LoadOptions, Progress
    from triage.workspace import Workspace

EVERY = 0.25


class Loader:
    """One reading of files at a time; it ends with the app, leaving no half run."""

    def __init__(self, screen: Screen[None], workspace: Workspace) -> None:
        self._screen = screen
        self._workspace = workspace
        self._cancel = threading.Event()
        self.busy = False

    def start(self, paths: Sequence[Path], options: LoadOptions) -> bool:
        """Read files and folders; False where a reading is still under way."""
        if self.busy:
            return False
        self.busy = True
        told = 0.0

        def tell(progress: Progress) -> None:
            nonlocal told
            now = time.monotonic()
            if now - told >= EVERY:
                told = now
                self._screen.post_message(Loading(progress))

        def work() -> None:
            try:
                reports = self._workspace.ingest(paths, options, tell, self._cancel)
            except (TriageError, OSError) as error:
                self._screen.post_message(LoadFailed(error))
            else:
                self._screen.post_message(Loaded(reports))

        self._screen.run_worker(work, name="load", group="load", thread=True, exit_on_error=False)
        return True

    def close(self) -> None:
        """Stop at the next record."""
        self._cancel.set()
