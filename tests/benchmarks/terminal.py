"""A program in a pty whose output bytes are timed, and the environment it runs in."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pexpect

ROOT = Path(__file__).resolve().parents[2]
# What is measured is this checkout, whatever is installed.
sys.path.insert(0, str(ROOT))
RESTS = 0.35
"""Seconds of silence after which a program has said all."""
PATIENCE = 2.0
"""Seconds that a key's first byte is waited for."""
DOWN, UP = "\x1b[B", "\x1b[A"
_STYLE = re.compile(rb"\x1b\[[0-9;]*m")


class Gone(Exception):
    """The program ended, or never showed what was waited for."""


class Terminal:
    """A program in a terminal of 120x40."""

    def __init__(self, command: Sequence[str], env: dict[str, str], folder: Path | None = None) -> None:
        self.started = time.perf_counter()
        self.child = pexpect.spawn(
            command[0], list(command[1:]), env=env, dimensions=(40, 120), timeout=60, cwd=str(folder or ROOT)
        )
        self.child.delaybeforesend = None

    def until(self, seen: re.Pattern[bytes], patience: float = 120.0) -> float:
        """Seconds from now until something like `seen` was written.

        Raises:
            Gone: it never was; what was written last goes to standard error.
        """
        start = time.perf_counter()
        data = b""
        while time.perf_counter() - start < patience:
            data += self._read(0.02)
            # A style between two letters is no part of what is seen.
            if seen.search(data) or seen.search(_STYLE.sub(b"", data)):
                return time.perf_counter() - start
            if not self.child.isalive():
                break
        print(f"never saw {seen.pattern!r}, but {data[-300:]!r}", file=sys.stderr)
        raise Gone("does not show them")

    def shows(self, seen: re.Pattern[bytes], patience: float = 120.0) -> float:
        """Seconds from the start until `seen` was written."""
        self.until(seen, patience)
        return time.perf_counter() - self.started

    def _read(self, wait: float) -> bytes:
        if not select.select([self.child.fileno()], [], [], wait)[0]:
            return b""
        try:
            return os.read(self.child.fileno(), 1 << 16)
        except OSError:
            return b""

    def drain(self, quiet: float = RESTS, patience: float = 20.0) -> tuple[int, float]:
        """Bytes written until `quiet` seconds of silence, and the moment of the last one."""
        start = last = time.perf_counter()
        count = 0
        while time.perf_counter() - last < quiet and time.perf_counter() - start < patience:
            data = self._read(0.01)
            if data:
                count, last = count + len(data), time.perf_counter()
        return count, last

    def key(self, key: str) -> tuple[float, float, int]:
        """Milliseconds to the first byte, to the last byte, and bytes written for one key."""
        start = time.perf_counter()
        self.child.send(key)
        first = b""
        while not first and time.perf_counter() - start < PATIENCE:
            first = self._read(0.005)
        answered = time.perf_counter()
        count, last = self.drain()
        last = max(last if count else answered, answered)
        return (answered - start) * 1e3, (last - start) * 1e3, count + len(first)

    def walk(self, presses: int, pause: float = 0.03) -> float:
        """Mean bytes a key while the key is held: the detail waits until the cursor rests."""
        count = 0
        for _ in range(presses):
            self.child.send(DOWN)
            ends = time.perf_counter() + pause
            while time.perf_counter() < ends:
                count += len(self._read(max(0.0, ends - time.perf_counter())))
        return count / presses

    def end(self) -> None:
        """End the program at once; one that holds much memory takes a while to go."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.child.pid, signal.SIGKILL)
        with contextlib.suppress(OSError, pexpect.ExceptionPexpect):
            self.child.wait()
        with contextlib.suppress(OSError, pexpect.ExceptionPexpect):
            self.child.close()


def environment(home: Path, database: Path | None = None) -> dict[str, str]:
    """The child's environment: a home of its own, the checkout's code."""
    env = {**os.environ, "HOME": str(home), "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    env.update(PYTHONPATH=str(ROOT), TRIAGE_REVIEWER="bench")
    # An installed program has its bytecode; without it every start would compile ours and not the libraries.
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    if database:
        env["TRIAGE_DB"] = str(database)
    return env


def ours(*words: str) -> list[str]:
    """The command of this checkout's `triage`."""
    return [sys.executable, "-m", "triage", *words]
