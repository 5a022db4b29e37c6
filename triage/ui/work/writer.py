"""Review calls, written one after the other in the order of the keys, off the event loop."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from triage.errors import Busy, DatabaseProblem, TriageError
from triage.ui.messages import WriteFailed, Written

if TYPE_CHECKING:
    from textual.screen import Screen

    from triage.models.verdict import ReviewOutcome

RETRY = 2.0
"""Seconds until what could not be written is tried again."""


class Job(Struct, frozen=True):
    """A review call in hand: what to do, for which cases, in which words a failure is told.

    `back`: the cursor goes back to the case; `then` is the action that takes it back; `text` is what was
    typed for it; `pks` are the keys of the cases that it is for.
    """

    call: Callable[[], ReviewOutcome]
    case_ids: tuple[str, ...]
    says: str
    back: bool = False
    then: Literal["undo", "redo"] = "undo"
    text: str = ""
    pks: frozenset[int] = frozenset()


class Writer:
    """A queue with one thread. Nothing is told before it is on disk; what can't be written stays in hand."""

    def __init__(self, screen: Screen[None]) -> None:
        self._screen = screen
        self._jobs: deque[Job] = deque()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="verdicts")
        self._woken = asyncio.Event()
        self._running = False
        self._at_work: Future[ReviewOutcome] | None = None

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
        while self._jobs:
            job = self._jobs[0]
            self._at_work = self._pool.submit(job.call)
            future = asyncio.wrap_future(self._at_work)
            await asyncio.wait([future])
            error = future.exception()
            self._at_work = None
            if error is None:
                self._jobs.popleft()
                self._screen.post_message(
                    Written(future.result(), len(self._jobs), job.back, job.then, job.pks)
                )
                continue
            # What the user did wrong can't come right by itself; a busy or broken disk can.
            kept = isinstance(error, (Busy, DatabaseProblem)) or not isinstance(error, TriageError)
            if not kept:
                self._jobs.popleft()
            self._screen.post_message(
                WriteFailed(job.says, error, kept, len(self._jobs), job.case_ids, job.pks)
            )
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

    def try_now(self) -> None:
        """Try again what waits, without waiting longer."""
        self._woken.set()

    def rest(self) -> list[Job]:
        """What is not on disk after the screen has gone; waits for a call that is under way."""
        if self._at_work is not None:
            wait([self._at_work])
            try:
                if self._at_work.exception() is None:
                    self._jobs.popleft()
            except CancelledError:
                pass
            self._at_work = None
        left = list(self._jobs)
        self._jobs.clear()
        return left

    def close(self) -> None:
        """Let the thread go."""
        self._pool.shutdown(wait=False, cancel_futures=True)
