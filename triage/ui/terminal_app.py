"""What the app owes its terminal, which it gives back whole; and a key goes where it was meant to go."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import sys
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Any

from rich.console import Console
from textual import on
from textual.app import App
from textual.events import Event, Key, Paste, Resize
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.worker import Worker

from triage.plain import plain

if TYPE_CHECKING:
    from textual.driver import Driver

    from triage.ui.terminal import Terminal
    from triage.ui.work.writer import Writer

_LOST = 0.1
"""Seconds after which a key is no longer waited for: the pane that had it has gone."""
_NEVER_HELD = ("ctrl+q", "ctrl+z", "ctrl+c")


def _driver() -> type[Driver] | None:
    """Our terminal where there is one of that kind; None = as Textual chooses."""
    if sys.platform == "win32" or "TEXTUAL_DRIVER" in os.environ:
        return None
    from triage.ui.terminal import Terminal

    return Terminal


class Followed(Message):
    """Every pane that a key came through has done with it."""

    def __init__(self, key: Key) -> None:
        super().__init__()
        self.key = key


class TerminalApp(App[int]):
    """Signals, suspending, a bug's end, and keys typed ahead of a dialog.

    Attributes:
        terminal: the terminal, where it is one that we know.
        bug: what ended the app, where a bug did.
        writers: everything that may still hold what a person did.
        unkept: `E06 of kb42` -> texts of notes whose draft could not be written.
    """

    def __init__(self) -> None:
        # By Textual's default NO_COLOR comes out as greys, in which what is worse is dimmer than text.
        super().__init__(driver_class=_driver(), ansi_color=True if "NO_COLOR" in os.environ else None)
        self.terminal: Terminal | None = None
        self.bug: BaseException | None = None
        self.writers: list[Writer] = []
        self.unkept: dict[str, str] = {}
        # Textual's own report of a bug shows the values of variables, record text and all: it goes nowhere.
        self.error_console = Console(file=io.StringIO())
        self._ending = False
        self._held: list[Key] | None = None
        self._in_hand: tuple[Key, Widget] | None = None
        """The key that goes its way through the panes, and the one it began at."""
        self._queued: deque[Key] = deque()

    @property
    def waiting(self) -> bool:
        """Is anything that was typed not on disk?"""
        return bool(self.unkept) or any(writer.waiting for writer in self.writers)

    # keys

    async def on_event(self, event: Event) -> None:
        """What is pasted is made plain at the door: no field of the screen ever holds a control character."""
        if isinstance(event, Paste):
            event.text = plain(event.text)
        # A key that was forwarded has bubbled up again.
        typed = event if isinstance(event, Key) and not event.is_forwarded else None
        if typed is None:
            await super().on_event(event)
            if self._in_hand is not None and event is self._in_hand[0]:
                await self._done()
        elif self._in_hand is not None or self._queued:
            # What this key does may depend on what that one will have done: `/` makes letters text.
            self._queued.append(typed)
            if self._in_hand is not None and len(self._queued) == 1:
                self._ask_after(*self._in_hand)
        else:
            await self._press(typed)

    async def _press(self, key: Key) -> None:
        if self._held is not None and key.key not in _NEVER_HELD:
            self._held.append(key)
            return
        target = self.focused or self.screen
        is_text = target.check_consume_key(key.key, key.character)
        await super().on_event(key)
        # What a field takes for text changes nothing for the next key.
        if key.is_forwarded and not is_text:
            self._in_hand = (key, target)

    def _ask_after(self, key: Key, target: Widget) -> None:
        # It takes the key's way behind it, also where a pane has kept the key for itself.
        if target.post_message(Followed(key)):
            self.set_timer(_LOST, partial(self._followed, Followed(key)))
        else:
            self.call_later(self._followed, Followed(key))

    @on(Followed)
    async def _followed(self, event: Followed) -> None:
        if self._in_hand is not None and event.key is self._in_hand[0]:
            await self._done()

    async def _done(self) -> None:
        self._in_hand = None
        if self._queued:
            # After what the key has asked of the app, such as another focus.
            self.call_later(self._go_on)

    async def _go_on(self) -> None:
        while self._queued and self._in_hand is None:
            await self._press(self._queued.popleft())
        if self._queued and self._in_hand is not None:
            self._ask_after(*self._in_hand)

    def hold_keys(self, opening: Worker[None]) -> None:
        """See the function `hold_keys`."""
        if self._held is None:
            self._held = []
            self.run_worker(self._hold(opening, self.screen), group="asking", exit_on_error=False)

    async def _hold(self, opening: Worker[None], below: Screen[Any]) -> None:
        while not opening.is_finished and self.screen is below:
            await asyncio.sleep(0.005)
        if self.screen is not below:
            self.screen.call_after_refresh(self.call_next, self._let_go)
        else:
            self.call_next(self._let_go)

    async def _let_go(self) -> None:
        # Within one message of the app, so that no later key gets before these.
        held, self._held = self._held or [], None
        for event in held:
            await self.on_event(event)

    # signals, suspending, the end

    def on_mount(self) -> None:
        """A signal ends the app as `q` does: the terminal comes back as it was."""
        if self.is_headless:
            return
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"):
            if hasattr(signal, name) and sys.platform != "win32":
                number = getattr(signal, name)
                loop.add_signal_handler(number, self._ended_by, number)
        if self.terminal is not None:
            self.set_interval(1.0, self.terminal.look)

    def _ended_by(self, number: int) -> None:
        if self._ending:
            self.exit(128 + number, return_code=128 + number)
            return
        from triage.ui.work.ending import end

        self._ending = True
        self.run_worker(end(self, 128 + number), group="quit", exit_on_error=False)

    def terminal_gone(self) -> None:
        """The line to the terminal broke; called from the thread that found it so."""
        self.call_later(self._ended_by, signal.SIGHUP)

    def terminal_back(self) -> None:
        """The screen is ours again, and empty."""
        self.call_later(self.action_redraw)

    def on_resize(self, event: Resize) -> None:
        """A terminal that is resized keeps nothing in its place."""
        if self.terminal is not None:
            self.terminal.repaint(event.size)

    def action_redraw(self) -> None:
        """Paint the whole screen anew, whatever another program has written on it."""
        if self.terminal is not None:
            self.terminal.repaint()
        self.refresh(layout=True)

    def bell(self) -> None:
        """Nothing rings. Textual rings when a bug ends the app: then the bug is kept for its report."""
        if self.bug is None:
            self.bug = sys.exc_info()[1]

    async def action_suspend(self) -> None:
        """Stop, with the terminal as it was; `fg` in the shell comes back to the same place."""
        from triage.ui.work.ending import keep_drafts

        await keep_drafts(self)
        # Stopped within a transaction it would hold the database against everybody.
        for writer in self.writers:
            await writer.drained(1.0)
        self.action_suspend_process()


def hold_keys(app: App[Any], opening: Worker[None]) -> None:
    """Keep the keys typed until `opening` has opened its dialog: they are meant for it, not for the list."""
    if isinstance(app, TerminalApp):
        app.hold_keys(opening)
