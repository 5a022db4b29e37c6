"""The real program in a pseudo-terminal, with a screen to read (pexpect and pyte)."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

import pexpect
import pyte

ROOT = Path(__file__).resolve().parents[2]


class Terminal:
    """`triage WORDS` in a terminal of `columns` x `rows` cells; use as a context manager."""

    def __init__(
        self,
        words: list[str],
        cwd: Path,
        *,
        columns: int = 120,
        rows: int = 40,
        env: dict[str, str] | None = None,
        patience: float = 20.0,
        start: bool = True,
    ) -> None:
        environment = {
            key: value for key, value in os.environ.items() if key not in {"NO_COLOR", "COLUMNS", "LINES"}
        }
        environment.update(TERM="xterm-256color", COLORTERM="truecolor", PYTHONPATH=str(ROOT), LANG="C.UTF-8")
        environment.update(env or {})
        self.patience = patience
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.received = bytearray()
        if start:
            self.child = pexpect.spawn(
                sys.executable,
                ["-m", "triage", *words],
                cwd=str(cwd),
                env=environment,
                dimensions=(rows, columns),
                timeout=patience,
            )

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.child.isalive():
            self.child.close(force=True)

    def pump(self, seconds: float = 0.05) -> bool:
        """Read what the program wrote; True where something came."""
        try:
            data = self.child.read_nonblocking(1 << 16, timeout=seconds)
        except (pexpect.TIMEOUT, pexpect.EOF):
            return False
        self.received += data
        self.stream.feed(data)
        return True

    @property
    def lines(self) -> list[str]:
        """The screen's lines as they stand, without the second cell of wide characters."""
        # Of a wide character that is painted over half by half, pyte's own way finds no sign and fails.
        rows, columns = self.screen.lines, self.screen.columns
        buffer = self.screen.buffer
        return ["".join(buffer[y][x].data for x in range(columns)).rstrip() for y in range(rows)]

    @property
    def text(self) -> str:
        """The whole screen."""
        return "\n".join(self.lines)

    def wait(self, seen: str | Callable[[str], bool]) -> str:
        """Read until `seen` is on the screen; AssertionError with the screen where patience ends."""
        test = (lambda text: seen in text) if isinstance(seen, str) else seen
        ends = time.monotonic() + self.patience
        while time.monotonic() < ends:
            self.pump()
            if test(self.text):
                return self.text
        raise AssertionError(f"never saw {seen!r}; the screen:\n{self.text}")

    def rest(self, quiet: float = 0.4) -> str:
        """Read until nothing has come for `quiet` seconds."""
        ends = time.monotonic() + self.patience
        last = time.monotonic()
        while time.monotonic() < ends and time.monotonic() - last < quiet:
            if self.pump():
                last = time.monotonic()
        return self.text

    def press(self, *keys: str) -> str:
        """Send keys (as a terminal would) one at a time and let the screen come to rest after each."""
        for key in keys:
            self.child.send(KEYS.get(key, key))
            self.rest(0.25)
        return self.text

    def resize(self, columns: int, rows: int) -> None:
        """Resize the terminal under the program."""
        self.screen.resize(rows, columns)
        self.child.setwinsize(rows, columns)

    def end(self) -> int:
        """Wait for the program's end; its exit code."""
        while self.pump(0.2) or self.child.isalive():
            pass
        self.child.close()
        return int(
            self.child.exitstatus if self.child.exitstatus is not None else -(self.child.signalstatus or 0)
        )


KEYS = {
    "enter": "\r",
    "esc": "\x1b",
    "tab": "\t",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "end": "\x1b[F",
    "home": "\x1b[H",
    "backspace": "\x7f",
    "space": " ",
    "ctrl+c": "\x03",
    "ctrl+o": "\x0f",
    "ctrl+p": "\x10",
    "ctrl+q": "\x11",
    "ctrl+s": "\x13",
    "ctrl+z": "\x1a",
}
