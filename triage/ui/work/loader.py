"""Run files read in the background, one after the other, with progress told at most four times a second."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from textual.message import Message

from triage.errors import Busy, TriageError
from triage.ui.messages import Arrived, Loaded, LoadFailed, Loading
from triage.ui.work import words

if TYPE_CHECKING:
    from triage.models.run import FileReport, LoadOptions, Progress
    from triage.ui.screens.triage import TriageScreen
    from triage.workspace import Workspace

EVERY = 0.25
AGAIN = 2.0
"""Seconds after which a file is tried again that could not be stored."""
LONG = 1.0
"""Seconds after which it is told that a file which came by itself is being read."""


class _Job(Struct, frozen=True):
    """Files and folders to open; or the file of one run, that `came` by itself or was `asked` for again."""

    paths: tuple[Path, ...]
    options: LoadOptions
    kind: Literal["open", "came", "asked"] = "open"


class Loader:
    """One reading at a time, the others wait; it ends with the app, leaving no half run."""

    def __init__(self, screen: TriageScreen, workspace: Workspace) -> None:
        self._screen = screen
        self._workspace = workspace
        self._cancel = threading.Event()
        self._waiting: deque[_Job] = deque()
        self._job: _Job | None = None
        self.reports: Sequence[FileReport] = ()
        """What the last reading came to."""

    @property
    def busy(self) -> bool:
        """Is anything being read?"""
        return self._job is not None

    def start(self, paths: Sequence[Path], options: LoadOptions) -> None:
        """Read files and folders, now or after what is being read."""
        self._add(_Job(tuple(paths), options))

    def arrive(self, path: Path, options: LoadOptions, *, asked: bool = False) -> None:
        """Read a file that has come or changed, or is asked for again; nothing is opened by that."""
        self._add(_Job((path,), options, "asked" if asked else "came"))

    def _add(self, job: _Job) -> None:
        if job not in self._waiting:
            self._waiting.append(job)
        if self._job is None:
            self._next()

    def _next(self) -> None:
        self._job = job = self._waiting.popleft() if self._waiting else None
        if job is None or self._cancel.is_set():
            return
        told = 0.0

        def tell(progress: Progress) -> None:
            nonlocal told
            now = time.monotonic()
            if now - told >= EVERY and not (job.kind == "came" and progress.seconds < LONG):
                told = now
                self._screen.post_message(Loading(progress))

        def call() -> Message:
            if job.kind == "open":
                ingest = self._workspace.ingest
                return Loaded(ingest(job.paths, job.options, tell, self._cancel, aside=True))
            following = self._workspace.following
            arrival = following.load(job.paths[0], job.options, tell, self._cancel)
            return Arrived(arrival, job.kind == "asked")

        self._screen.run_worker(self._work(call), name="load", group="load", thread=True, exit_on_error=False)

    def _work(self, call: Callable[[], Message]) -> Callable[[], None]:
        def work() -> None:
            try:
                message = call()
            except (TriageError, OSError) as error:
                message = LoadFailed(error)
            self._screen.post_message(message)

        return work

    def told(self, progress: Progress) -> None:
        """How far it is: in the list's place, or beside a list that is shown."""
        screen = self._screen
        if self._job is None:
            return
        screen.stage.progress = progress
        if screen.cases.keys:
            screen.speech.tell(words.reading(progress))
        screen.stage.settle()

    def took(self, reports: Sequence[FileReport]) -> list[str]:
        """What the files came to is told; returns the ids of the runs that can be shown."""
        screen = self._screen
        if screen.follow is not None and self._job is not None:
            screen.follow.also(self._job.paths)
        self.reports = reports
        said, bad = words.loaded(reports)
        screen.stage.unread = said if bad else ""
        more = [("   ", "text"), (screen.shown_keys["problems"], "focus bold"), (" lists them", "muted")]
        if reports:
            screen.speech.tell([(said, "bad"), *more] if bad else [(said, "text")])
        self.ended()
        return [report.run for report in reports if report.run is not None and report.status != "failed"]

    def failed(self, error: BaseException) -> None:
        """Reading stopped; a file that came by itself is tried again where another program was in the way."""
        job = self._job
        if job is not None and job.kind == "came" and isinstance(error, Busy):
            self._screen.set_timer(AGAIN, lambda: self._add(job))
        else:
            self._screen.stage.unread = self._screen.speech.error(error, "reading files")
        self.ended()

    def ended(self) -> None:
        """The reading is over: the next one begins."""
        self._screen.stage.progress = None
        self._next()

    def close(self) -> None:
        """Stop at the next record."""
        self._cancel.set()
        self._waiting.clear()
