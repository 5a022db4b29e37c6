"""The terminal under the app: its title, stops and resumes that leave it whole, and a line that breaks."""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Queue
from threading import Thread
from typing import Any, NamedTuple, TextIO

from textual.drivers.linux_driver import LinuxDriver

from triage.plain import cut, one_line
from triage.ui.frames import Frames

MOST_TITLE = 80
"""Most cells of a title."""
_NOT_FOR_CONSOLE = ("\x1b[?2048$p", "\x1b[?2026$p", "\x1b[>", "\x1b[<", "\x1b]")
"""What the Linux console does not understand: it would print some of it, or move the cursor."""


def shows_titles(term: str) -> bool:
    """Whether a terminal of this type (`$TERM`) has a title; one that has none would print it."""
    return term not in ("", "dumb", "unknown", "linux", "ansi") and not term.startswith(("vt", "eterm"))


class _Forget(NamedTuple):
    """A word between the frames: see `Frames.forget`."""

    size: tuple[int, int] | None


class Line(Thread):
    """Writes to the terminal off the event loop, in order. A line that broke swallows what still comes.

    Args:
        stream: the terminal.
        broken: called once, from this thread, when the terminal has gone.
    """

    def __init__(self, stream: TextIO, broken: Callable[[], None]) -> None:
        super().__init__(daemon=True, name="terminal")
        self._number = stream.fileno()
        self._encoding = stream.encoding or "utf-8"
        self._broken = broken
        # Bounded, so that a slow line slows the app and not its memory.
        self._queue: Queue[str | _Forget | None] = Queue(32)
        self._parts: list[str | _Forget | None] = []
        """Taken from the queue, and not sent yet."""
        self._whole, self._ends = True, False

    def write(self, text: str) -> None:
        """Take a text in hand."""
        self._queue.put(text)

    def forget(self, size: tuple[int, int] | None) -> None:
        """What stands on the terminal is not known any more: the next frame is sent whole. See `Frames`."""
        self._queue.put(_Forget(size))

    def finish(self) -> None:
        """Write the rest, and end."""
        self._queue.put(None)
        self.join()

    def run(self) -> None:
        """Write until `finish`."""
        try:
            self._write_all(Frames())
        finally:
            # A bug in what spares bytes takes no terminal along: all goes out as it comes, till the end.
            self._write_all(None)

    def _write_all(self, frames: Frames | None) -> None:
        while not self._ends:
            if not self._parts:
                self._parts.append(self._queue.get())
            while not self._queue.empty():
                self._parts.append(self._queue.get())
            text = ""
            for part in self._parts:
                if part is None:
                    self._ends = True
                elif isinstance(part, str):
                    text += part if frames is None else frames.change(part)
                elif frames is not None:
                    frames.forget(part.size)
            self._parts.clear()
            if self._whole and text:
                self._send(text.encode(self._encoding, "replace"))

    def _send(self, data: bytes) -> None:
        try:
            self._send_all(data)
        except OSError:
            self._whole = False
            self._broken()

    def _send_all(self, data: bytes) -> None:
        while data:
            try:
                data = data[os.write(self._number, data) :]
            except BlockingIOError:
                # Another program on the same terminal may have made it non-blocking.
                select.select([], [self._number], [])


class Terminal(LinuxDriver):
    """Textual's driver, with what it leaves to the app.

    Attributes:
        on_screen: the app has the screen; False while it is suspended.
        lost: the terminal has gone.
        title: what the window or pane is called, "" = as it was before.
    """

    def __init__(self, app: Any, **options: Any) -> None:
        super().__init__(app, **options)
        self.on_screen = False
        self.lost = False
        self.title = ""
        self._line: Line | None = None
        self._lent = False
        self._titled = False
        self._term = os.environ.get("TERM", "")
        self._parent = os.getppid()
        self._when_lost: Callable[[], None] = app.terminal_gone
        self._when_back: Callable[[], None] = app.terminal_back
        app.terminal = self
        signal.signal(signal.SIGCONT, self._continued)

    def write(self, data: str) -> None:
        """Send to the terminal."""
        if self._term == "linux" and data.startswith(_NOT_FOR_CONSOLE):
            return
        if self._line is not None:
            self._line.write(data)

    def repaint(self, size: tuple[int, int] | None = None) -> None:
        """The next frame is sent whole: the terminal has another size now, or somebody else wrote on it."""
        if self._line is not None:
            self._line.forget(size)

    def start_application_mode(self) -> None:
        """Take the screen."""
        if self._line is None and sys.__stderr__ is not None:
            self._line = Line(sys.__stderr__, self.lose)
            self._line.start()
        super().start_application_mode()  # type: ignore[no-untyped-call]
        self.on_screen = True
        self.show_title(self.title)

    def stop_application_mode(self) -> None:
        """Give the screen back."""
        self._title_as_before()
        self.on_screen = False
        super().stop_application_mode()

    def close(self) -> None:
        """Write the rest."""
        super().close()
        line, self._line = self._line, None
        if line is not None:
            line.finish()

    @contextmanager
    def no_automatic_restart(self) -> Iterator[None]:
        """The screen is lent to another program, which may be stopped and resumed meanwhile."""
        lent, self._lent = self._lent, True
        try:
            with super().no_automatic_restart():
                yield
        finally:
            self._lent = lent

    def _continued(self, *_: object) -> None:
        if self._lent or self.lost:
            return
        if self.on_screen:
            # Nobody announced the stop, and the shell has set modes of its own meanwhile.
            self.suspend_application_mode()
        self.resume_application_mode()
        self._when_back()

    def run_input_thread(self) -> None:
        """Read keys until the app ends or the terminal goes."""
        try:
            super().run_input_thread()
        except OSError:
            self.lose()

    def look(self) -> None:
        """Is the terminal still there, and ours? Its end is not told to a program in the background."""
        try:
            front = os.tcgetpgrp(self.fileno)
        except OSError:
            self.lose()
            return
        if front != os.getpgrp() and os.getppid() != self._parent:
            self.lose()

    def lose(self) -> None:
        """The terminal has gone: there is nobody left to show anything to."""
        if not self.lost:
            self.lost = True
            self._when_lost()

    def show_title(self, text: str) -> None:
        """Set the title of the window or pane; "" gives it the one from before."""
        if not shows_titles(self._term):
            return
        self.title = cut(one_line(text), MOST_TITLE)
        if not self.title:
            self._title_as_before()
        elif self.on_screen:
            # The title from before is laid on the terminal's stack once.
            self.write(("" if self._titled else "\x1b[22;2t") + f"\x1b]2;{self.title}\x07")
            self._titled = True

    def _title_as_before(self) -> None:
        if self._titled:
            # Emptied first for terminals that have no stack of titles.
            self.write("\x1b]2;\x07\x1b[23;2t")
            self._titled = False
