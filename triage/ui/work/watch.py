"""Notices that somebody else has written to the database."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from triage.ui.messages import ChangedElsewhere, ReadFailed

if TYPE_CHECKING:
    from textual.screen import Screen

    from triage.workspace import Workspace

EVERY = 0.5
"""Seconds between two looks, so that a verdict from elsewhere is seen within one."""


class Watch:
    """Asks the workspace every half second, from one thread: the answer belongs to one connection."""

    def __init__(self, screen: Screen[None], workspace: Workspace) -> None:
        self._screen = screen
        self._workspace = workspace
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="watch")
        self._asking = False
        self.failing = False
        """The last look found the database unusable."""
        self._timer = screen.set_interval(EVERY, self._look)
        # The first answer is what the others are held against, so it is asked for as soon as all is painted.
        screen.call_after_refresh(self._look)

    def _look(self) -> None:
        if not self._asking:
            self._asking = True
            future = asyncio.get_running_loop().run_in_executor(self._pool, self._workspace.changed)
            future.add_done_callback(self._answered)

    def _answered(self, future: asyncio.Future[bool]) -> None:
        self._asking = False
        if future.cancelled():
            return
        error = future.exception()
        if error is None:
            was_failing, self.failing = self.failing, False
            if future.result() or was_failing:
                self._screen.post_message(ChangedElsewhere())
        elif not self.failing:
            # Told once, not twice a second.
            self.failing = True
            self._screen.post_message(ReadFailed("changes", None, error))

    def close(self) -> None:
        """Stop asking."""
        self._timer.stop()
        self._pool.shutdown(wait=False, cancel_futures=True)
