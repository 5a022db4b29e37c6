"""A shell, or tmux, in a pseudo-terminal, with the app started from it as a person does."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect
from driver import ROOT, Terminal

TRIAGE = f"{shlex.quote(sys.executable)} -m triage"
HAS_BASH = shutil.which("bash") is not None
HAS_TMUX = shutil.which("tmux") is not None


def environment(cwd: Path, **more: str) -> dict[str, str]:
    """What a program in a test's terminal is given; its home is the test's folder."""
    left_out = {"NO_COLOR", "COLUMNS", "LINES", "TMUX", "TRIAGE_DB", "XDG_STATE_HOME", "XDG_CONFIG_HOME"}
    given = {key: value for key, value in os.environ.items() if key not in left_out}
    given.update(TERM="xterm-256color", COLORTERM="truecolor", PYTHONPATH=str(ROOT), LANG="C.UTF-8")
    given.update(HOME=str(cwd), PS1="$ ", TRIAGE_REVIEWER="wei", **more)
    return given


class Shell(Terminal):
    """An interactive bash with job control."""

    def __init__(self, cwd: Path, *, columns: int = 120, rows: int = 40, **env: str) -> None:
        # The program of the driver itself is never started: this terminal runs a shell.
        super().__init__([], cwd, columns=columns, rows=rows, start=False)
        self.cwd = cwd
        # Readline would set and reset modes of its own.
        (cwd / "inputrc").write_text("set enable-bracketed-paste off\n")
        env["INPUTRC"] = str(cwd / "inputrc")
        self.child = pexpect.spawn(
            "bash",
            ["--norc", "--noprofile", "-i"],
            cwd=str(cwd),
            env=environment(cwd, **env),
            dimensions=(rows, columns),
            timeout=self.patience,
        )
        self.wait("$")

    def line(self, text: str) -> str:
        """Type a line."""
        self.child.send(text + "\r")
        return self.rest(0.3)

    def modes(self) -> str:
        """The terminal's modes, as `stty -a` tells them, whatever they are called."""
        self.child.send("stty -a > modes.txt; touch modes.done\r")
        done = self.cwd / "modes.done"
        self.wait(lambda text: done.exists())
        done.unlink()
        self.rest(0.1)
        return (self.cwd / "modes.txt").read_text()

    def job(self) -> int:
        """The process that was started from the shell."""
        children = Path(f"/proc/{self.child.pid}/task/{self.child.pid}/children")
        return int(children.read_text().split()[0])

    def blank(self) -> None:
        """Forget what is on the screen, so that only what is painted from now on is seen."""
        self.screen.erase_in_display(2)


class Tmux:
    """A tmux server of its own with its default settings, and one window in it."""

    def __init__(
        self, cwd: Path, command: str, *, columns: int = 120, rows: int = 40, term: str = ""
    ) -> None:
        self._socket = str(cwd / "tmux.socket")
        given = environment(cwd)
        given.pop("COLORTERM")
        term = f"TERM={term} " if term else ""
        self._env = given
        size = ["-x", str(columns), "-y", str(rows)]
        self.call(
            "-f", "/dev/null", "-u", "new-session", "-d", *size, "-c", str(cwd), f"{term}{command}; cat"
        )

    def call(self, *words: str) -> str:
        """Run tmux; its output."""
        done = subprocess.run(
            ["tmux", "-S", self._socket, *words], env=self._env, capture_output=True, text=True, timeout=20
        )
        return done.stdout

    @property
    def text(self) -> str:
        """What stands in the pane."""
        return self.call("capture-pane", "-p", "-t", "0")

    @property
    def title(self) -> str:
        """The pane's title."""
        return self.call("display-message", "-p", "-t", "0", "#{pane_title}").strip()

    def wait(self, seen: str | Callable[[str], bool], seconds: float = 20.0) -> str:
        """The pane's text once `seen` stands in it."""
        test = (lambda text: seen in text) if isinstance(seen, str) else seen
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            text = self.text
            if test(text):
                return text
            time.sleep(0.05)
        raise AssertionError(f"never saw {seen!r}; the pane:\n{self.text}")

    def press(self, *keys: str) -> None:
        """Send keys by tmux's names."""
        self.call("send-keys", "-t", "0", *keys)


@contextmanager
def tmux(cwd: Path, command: str, **options: object) -> Iterator[Tmux]:
    """A tmux that ends with the block."""
    server = Tmux(cwd, command, **options)  # type: ignore[arg-type]
    try:
        yield server
    finally:
        server.call("kill-server")
