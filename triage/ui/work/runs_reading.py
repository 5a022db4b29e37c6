"""What the Runs screen asks of the workspace, off the event loop; each answer comes back as a message."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual.message import Message
from textual.worker import get_current_worker

from triage.errors import TriageError
from triage.models.run import LoadOptions, Progress

if TYPE_CHECKING:
    from textual.screen import Screen

    from triage.models.run import FileReport
    from triage.models.run_list import RunEntry
    from triage.workspace import Workspace

EVERY = 0.25
"""Least seconds between two words on how far a reading is."""


class EntriesRead(Message):
    """The loaded runs; `filled` tells that their figures are here."""

    def __init__(self, entries: Sequence[RunEntry], filled: bool) -> None:
        super().__init__()
        self.entries, self.filled = entries, filled


class EntryMeasured(Message):
    """A run that was still to be measured."""

    def __init__(self, entry: RunEntry) -> None:
        super().__init__()
        self.entry = entry


class Failed(Message):
    """A read or a load failed."""

    def __init__(self, error: BaseException, doing: str) -> None:
        super().__init__()
        self.error, self.doing = error, doing


class FilesRead(Message):
    """Files were read."""

    def __init__(self, reports: Sequence[FileReport]) -> None:
        super().__init__()
        self.reports = reports


class FilesReading(Message):
    """How far the reading of files is."""

    def __init__(self, progress: Progress) -> None:
        super().__init__()
        self.progress = progress


class RunsReading:
    """One read of a kind at a time: a newer one takes the older one's place."""

    def __init__(self, screen: Screen[None], workspace: Workspace) -> None:
        self._screen, self._workspace = screen, workspace
        self._cancel = threading.Event()
        self.loading = False

    def entries(self, *, first: bool = False) -> None:
        """The runs with their figures; the `first` time the runs alone come before them.

        What is still to be measured is measured then, a run after the other.
        """
        screen, runs = self._screen, self._workspace.run_list

        def work() -> None:
            worker = get_current_worker()
            try:
                if first:
                    screen.post_message(EntriesRead(runs.entries(), False))
                found = runs.filled()
                if worker.is_cancelled:
                    return
                screen.post_message(EntriesRead(found, True))
                for entry in found:
                    if entry.figures is None and not worker.is_cancelled:
                        measured = runs.measured(entry.run.id)
                        if measured is not None and not worker.is_cancelled:
                            screen.post_message(EntryMeasured(measured))
            except TriageError as error:
                screen.post_message(Failed(error, "reading the runs"))

        screen.run_worker(
            work, name="runs list", group="runs list", thread=True, exclusive=True, exit_on_error=False
        )

    def load(
        self, paths: Sequence[Path], options: LoadOptions | None = None, again: str | None = None
    ) -> bool:
        """Read files and folders; False where a reading is still under way.

        Args:
            paths, options: which, and how.
            again: a run whose file is read again, in the way in which it was read before.
        """
        if self.loading:
            return False
        self.loading = True
        screen = self._screen
        told = 0.0

        def tell(progress: Progress) -> None:
            nonlocal told
            now = time.monotonic()
            if now - told >= EVERY:
                told = now
                screen.post_message(FilesReading(progress))

        def work() -> None:
            try:
                how = options or LoadOptions()
                if again is not None:
                    how = self._workspace.run_list.options(again)
                reports = self._workspace.ingest(paths, how, tell, self._cancel)
            except (TriageError, OSError) as error:
                screen.post_message(Failed(error, "reading files"))
            else:
                screen.post_message(FilesRead(reports))

        screen.run_worker(work, name="runs load", group="load", thread=True, exit_on_error=False)
        return True

    def close(self) -> None:
        """Stop at the next record."""
        self._cancel.set()
