"""Review calls, written one after the other in the order of the keys, off the event loop."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from triage.errors import Busy, TriageError
from triage.ui.messages import WriteFailed, Written

if TYPE_CHECKING:
    from textual.screen import Screen

    from triage.models.verdict import ReviewOutcome

RETRY = 2.0
"""Seconds until what could not be written is tried again."""


class Job(Struct, frozen=True):
    """A review call in hand: what to do, for which cases, in which words a failure is told.

    `back`: the cursor goes back to the case; `then` is the action that takes it back.
    """

    call: Callable[[], ReviewOutcome]
    case_ids: tuple[str, ...]
    says: str
    back: bool = False
    then: Literal["undo", "redo"] = "undo"


class Writer:
    """A queue with one thread. Nothing is told before it is on disk; what can't be written stays in hand."""

    def __init__(self, screen: Screen[None]) -> None:
        self._screen = screen
        self._jobs: deque[Job] = deque()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="verdicts")
        self._woken = asyncio.Event()
        self._running = False

    @property
    def waiting(self) -> int:
        """How many calls are not on disk yet."""
        return len(self._jobs)

    def add(self, job: Job) -> None:
        """Take a call in hand."""
        self._jobs.append(job)
        self._woken.set()
        if not self._running:
            self._running = True
            self._screen.run_worker(self._work(), name="verdicts", group="verdicts")

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while self._jobs:
            job = self._jobs[0]
            future = loop.run_in_executor(self._pool, job.call)
            await asyncio.wait([future])
            error = future.exception()
            if error is None:
                self._jobs.popleft()
                self._screen.post_message(Written(future.result(), len(self._jobs), job.back, job.then))
                continue
            # What the user did wrong can't come right by itself; a busy or broken disk can.
            kept = isinstance(error, Busy) or not isinstance(error, TriageError)
            if not kept:
                self._jobs.popleft()
            self._screen.post_message(WriteFailed(job.says, error, kept, len(self._jobs), job.case_ids))
            if kept:
                self._woken.clear()
                waits = asyncio.create_task(self._woken.wait())
                await asyncio.wait([waits], timeout=RETRY)
                waits.cancel()
        self._running = False

    async def drained(self, seconds: float) -> bool:
        """Wait for everything to be on disk, for so long at most; tells whether it is."""
        self._woken.set()
        end = asyncio.get_running_loop().time() + seconds
        while self._jobs and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.02)
        return not self._jobs

    def close(self) -> None:
        """Let the thread go."""
        self._pool.shutdown(wait=False, cancel_futures=True)
