"""A progress bar on standard error: only on a terminal, only for what takes over a second."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from triage.models.run import Progress
from triage.plain import cut, one_line

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

WAIT_SECONDS = 1.0


class Bar:
    """Shows the loading of files with records, rate and time left; a context manager."""

    def __init__(self) -> None:
        self._rich: RichProgress | None = None
        self._task: TaskID | None = None
        self._path = ""
        self._started = time.monotonic()

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._rich is not None:
            self._rich.stop()

    def show(self, progress: Progress) -> None:
        """Take a report of the loader."""
        if self._rich is None:
            seconds = max(progress.seconds, time.monotonic() - self._started)
            if seconds < WAIT_SECONDS or not sys.stderr.isatty():
                return
            self._rich = self._start()
        if self._task is None or progress.path != self._path:
            if self._task is not None:
                self._rich.remove_task(self._task)
            self._path = progress.path
            does = progress.stage if progress.stage in ("indexing", "checking") else "reading"
            name = f"{does} {cut(one_line(Path(progress.path).name), 30)}"
            self._task = self._rich.add_task(name, total=progress.total_bytes or None, told="")
        rejected = f"  {progress.rejected} rejected" if progress.rejected else ""
        rate = progress.records / progress.seconds if progress.seconds else 0.0
        self._rich.update(
            self._task,
            completed=progress.total_bytes if progress.stage == "done" else progress.done_bytes,
            told=f"{progress.records} records{rejected}  {rate:,.0f}/s",
        )

    @staticmethod
    def _start() -> RichProgress:
        from rich.console import Console
        from rich.progress import Progress as RichProgress
        from rich.progress import TextColumn, TimeRemainingColumn

        # Words instead of a drawn bar, whose characters are two cells wide in many Chinese fonts.
        bar = RichProgress(
            TextColumn("{task.description}", markup=False, style="none"),
            TextColumn("{task.percentage:>3.0f}%", markup=False, style="none"),
            TextColumn("{task.fields[told]}", markup=False, style="none"),
            TimeRemainingColumn(compact=True),
            TextColumn("left", markup=False, style="none"),
            console=Console(stderr=True),
            refresh_per_second=4,
            transient=True,
        )
        bar.start()
        return bar
