"""Helper processes that read batches beside the loader, where a file is large and there are processors."""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import BinaryIO, cast

from triage.ingest.batch import Job, Outcome, Setup
from triage.ingest.worker import receive_bytes, send_bytes

LARGE = 16 << 20
"""Bytes of a file from which on starting helpers pays."""
_PIPE = 1 << 19
"""Bytes that a pipe holds where the system lets one choose: a batch in one piece."""
MOST = 2
"""More helpers read faster than one connection writes."""


def helpers(size: int) -> int:
    """How many helpers to start for a file of `size` bytes."""
    if size < LARGE or getattr(sys, "frozen", False) or not sys.executable:
        return 0
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(MOST, cores) if cores > 1 else 0


class _Helper:
    """One process. It gets no signal of the terminal, and ends when its pipes do."""

    def __init__(self) -> None:
        start = f"import sys; sys.path[:] = {sys.path!r}; from triage.ingest.worker import main; main()"
        self._process = subprocess.Popen(
            [sys.executable, "-c", start], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            pipesize=_PIPE,
        )  # fmt: skip
        self._in = cast("BinaryIO", self._process.stdin)
        self._out = cast("BinaryIO", self._process.stdout)

    def ask(self, message: bytes) -> bytes:
        """Its answer.

        Raises:
            EOFError, OSError: it has gone.
        """
        send_bytes(self._in, message)
        return receive_bytes(self._out)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        for stream in (self._in, self._out):
            try:
                stream.close()
            except OSError:
                # A message that nobody reads any more.
                continue


class Crew:
    """Helpers at work on batches. Where they can't be started, or die, `ready` is False: do without.

    Args:
        setup: what they need to know.
        count: how many to start; they come while the loader begins by itself.
    """

    def __init__(self, setup: Setup, count: int) -> None:
        self._setup = pickle.dumps(setup, pickle.HIGHEST_PROTOCOL)
        self._free: queue.SimpleQueue[_Helper] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._all: list[_Helper] = []
        self._closed = False
        self.ready = False
        self.most = 2 * count
        """Batches that may wait at a time."""
        self._threads = ThreadPoolExecutor(max(1, count), thread_name_prefix="triage-load")
        for _ in range(count):
            self._threads.submit(self._start)

    def _start(self) -> None:
        with self._lock:
            if self._closed:
                return
            try:
                helper = _Helper()
            except OSError:
                # No process to be had: the loader goes on alone.
                return
            self._all.append(helper)
        try:
            helper.ask(self._setup)
        except (EOFError, OSError):
            return
        self._free.put(helper)
        self.ready = True

    def submit(self, job: Job) -> Future[bytes]:
        """Have a batch read; only while `ready`. `outcome` takes what is given back."""
        plain = (job.first, [tuple(item) for item in job.items], job.run_cites)
        return self._threads.submit(self._read, pickle.dumps(plain, pickle.HIGHEST_PROTOCOL))

    def _read(self, job: bytes) -> bytes:
        helper = self._free.get()
        try:
            return helper.ask(job)
        except (EOFError, OSError):
            self.ready = False
            raise
        finally:
            self._free.put(helper)

    @staticmethod
    def outcome(future: Future[bytes], patience: float) -> Outcome | None:
        """What became of a batch; None where its helper died.

        Raises:
            TimeoutError: it is still at work after `patience` seconds.
        """
        try:
            answer = future.result(patience)
        except TimeoutError:
            raise
        except (EOFError, OSError):
            return None
        return cast("Outcome", pickle.loads(answer))

    def close(self) -> None:
        """Stop at once, whatever they do; none is left when this returns."""
        with self._lock:
            self._closed = True
            for helper in self._all:
                helper.kill()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for helper in self._all:
            helper.close()
