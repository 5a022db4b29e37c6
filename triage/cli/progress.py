"""A progress bar on standard error: only on a terminal, only for what takes over a second."""

from __future__ import annotations

import sys
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
            if progress.seconds < WAIT_SECONDS or progress.stage == "done" or not sys.stderr.isatty():
                return
            self._rich = self._start()
        if self._task is None or progress.path != self._path:
            self._path = progress.path
            name = cut(one_line(Path(progress.path).name), 30)
            self._task = self._rich.add_task(name, total=progress.total_bytes or None, told="")
        rejected = f"  {progress.rejected} rejected" if progress.rejected else ""
        rate = progress.records / progress.seconds if progress.seconds else 0.0
        self._rich.update(
            self._task,
            completed=progress.total_bytes if progress.stage == "done" else progress.done_bytes,
            told=f"{progress.records} records{rejected}  {rate:,.0f}/s  {progress.stage}",
        )

    @staticmethod
    def _start() -> RichProgress:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        bar = RichProgress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=20),
            TextColumn("{task.fields[told]}", markup=False),
            TimeRemainingColumn(compact=True),
            console=Console(stderr=True),
            refresh_per_second=4,
        )
        bar.start()
        return bar
