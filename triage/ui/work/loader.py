"""Run files read in the background, with progress told at most four times a second."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from triage.errors import TriageError
from triage.ui.messages import Loaded, LoadFailed, Loading
from triage.ui.work import words

if TYPE_CHECKING:
    from triage.models.run import FileReport, LoadOptions, Progress
    from triage.ui.screens.triage import TriageScreen
    from triage.workspace import Workspace

EVERY = 0.25


class Loader:
    """One reading of files at a time; it ends with the app, leaving no half run."""

    def __init__(self, screen: TriageScreen, workspace: Workspace) -> None:
        self._screen = screen
        self._workspace = workspace
        self._cancel = threading.Event()
        self.busy = False
        self.reports: Sequence[FileReport] = ()
        """What the last reading came to."""

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

    def told(self, progress: Progress) -> None:
        """How far it is: in the list's place, or beside a list that is shown."""
        screen = self._screen
        screen.stage.progress = progress
        if screen.cases.keys:
            screen.speech.tell(words.reading(progress))
        screen.stage.settle()

    def took(self, reports: Sequence[FileReport]) -> list[str]:
        """What the files came to is told; returns the ids of the runs that can be shown."""
        self._ended()
        screen = self._screen
        self.reports = reports
        said, bad = words.loaded(reports)
        screen.stage.unread = said if bad else ""
        more = [("   ", "text"), (screen.shown_keys["problems"], "focus bold"), (" tells", "muted")]
        screen.speech.tell([(said, "bad"), *more] if bad else [(said, "text")])
        return [report.run for report in reports if report.run is not None and report.status != "failed"]

    def failed(self, error: BaseException) -> None:
        """Reading stopped."""
        self._ended()
        self._screen.stage.unread = self._screen.speech.error(error, "reading files")

    def _ended(self) -> None:
        self.busy = False
        self._screen.stage.progress = None

    def close(self) -> None:
        """Stop at the next record."""
        self._cancel.set()
