"""The note box: several lines, kept as a draft while they are typed, so that nothing typed is ever lost."""

from __future__ import annotations

import contextlib
import os
import shlex
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult, SuspendNotSupported
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import TextArea

from triage.models.verdict import NOTE_LIMIT
from triage.plain import plain
from triage.ui.keys import bindings, same_keys, shown_keys
from triage.ui.palette import colours
from triage.ui.screens.dialogs import Dialog
from triage.ui.widgets.fields import harmless
from triage.ui.widgets.line import line

if TYPE_CHECKING:
    from collections.abc import Awaitable

PAUSE = 0.3
"""Seconds of quiet after which the draft is written."""
_HINT = "{note.save} saves   {back}, then y saves   {note.editor} opens $EDITOR"


class Text(TextArea):
    """What is written; it prints no control character."""

    # ctrl+z, which undoes elsewhere, suspends the app as in every program of a terminal.
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+underscore", "undo", show=False)]

    def render_line(self, y: int) -> Strip:
        """The line `y`, safe to print."""
        return harmless(super().render_line(y))


class Question(Widget, can_focus=True):
    """After esc: save, keep as a draft, drop, or go on writing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer('y')", show=False),
        Binding("n", "answer('n')", show=False),
        Binding("d", "answer('d')", show=False),
        *same_keys(back="answer('')"),
    ]

    class Answered(Message):
        """The key: y, n, d, or "" = go on writing."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def action_answer(self, key: str) -> None:
        """Tell the box."""
        self.post_message(self.Answered(key))

    def render_line(self, y: int) -> Strip:
        """The row."""
        ink = colours(self.app)
        voice, key = ink("muted", "raised"), ink("focus bold", "raised")
        parts = [("save? ", ink("text bold", "raised"))]
        for letter, words in (
            ("y", "save"),
            ("n", "keep as draft"),
            ("d", "drop it"),
            (shown_keys(getattr(self.app, "key_map", {}))["back"], "go on writing"),
        ):
            parts += [(letter, key), (f" {words}   ", voice)]
        return line(parts, [], self.size.width, voice)


class NoteBox(Dialog[str]):
    """Answers with the text to save, or None: then the draft was kept or dropped.

    Args:
        case_id: whose note it is.
        note: the note as it is saved.
        draft: what was typed the last time without saving, None = nothing.
        keep: writes a draft to disk (None drops it), off the event loop.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("note")]

    def __init__(
        self, case_id: str, note: str, draft: str | None, keep: Callable[[str | None], Awaitable[None]]
    ) -> None:
        super().__init__(f"note on {case_id}", _HINT)
        self.case_id = case_id
        # A note may have been written elsewhere: in the box a control character is a visible mark.
        self._note = plain(note)
        self._draft = draft
        self._keep = keep
        self._timer: Timer | None = None

    def content(self) -> ComposeResult:
        """The text, and the question."""
        yield Text(
            self._note if self._draft is None else self._draft,
            soft_wrap=True,
            show_line_numbers=False,
            tab_behavior="focus",
            compact=True,
        )
        yield Question()

    def on_mount(self) -> None:
        """The caret stands at the end and does not blink."""
        area = self.query_one(TextArea)
        area.cursor_blink = False
        area.highlight_cursor_line = False
        area.move_cursor(area.document.end)
        area.focus()
        if self._draft is not None and self._draft != self._note:
            self.tell(f"your draft is back   {_HINT}")

    @property
    def text(self) -> str:
        """What stands in the box."""
        return self.query_one(TextArea).text

    @property
    def open_draft(self) -> bool:
        """Does the box hold anything that is not saved?"""
        return self.text != self._note

    @on(TextArea.Changed)
    def _typed(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(PAUSE, self.flush)

    async def flush(self) -> None:
        """Write the draft now."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        await self._keep(self.text if self.open_draft else None)

    def action_save(self) -> None:
        """Save and close."""
        size = len(self.text.encode("utf-8", "surrogatepass"))
        if size > NOTE_LIMIT:
            self.tell(f"{size} bytes are too long for a note: {NOTE_LIMIT} at most", bad=True)
            return
        if self._timer is not None:
            self._timer.stop()
        self.dismiss(self.text)

    def action_cancel(self) -> None:
        """Close, or ask what to do with what was typed."""
        if not self.open_draft:
            self.dismiss(None)
            return
        self.add_class("-asking")
        self.query_one(Question).focus()

    @on(Question.Answered)
    async def _answered(self, event: Question.Answered) -> None:
        self.remove_class("-asking")
        if event.key == "y":
            self.action_save()
        elif event.key:
            if self._timer is not None:
                self._timer.stop()
            await self._keep(self.text if event.key == "n" else None)
            self.dismiss(None)
        else:
            self.query_one(TextArea).focus()

    async def action_editor(self) -> None:
        """Write in $VISUAL or $EDITOR; the text comes back into the box."""
        await self.flush()
        named = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
        try:
            command = shlex.split(named) or ["vi"]
        except ValueError as error:
            self.tell(plain(f"$EDITOR can't be read: {named}: {error}"), bad=True)
            return
        handle, name = tempfile.mkstemp(suffix=".md", prefix="note-")
        path = Path(name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass") as file:
                file.write(self.text)
            with self.app.suspend():
                code, failed = _edit(command, name)
            self.app.refresh(layout=True)
            if failed is not None:
                self.tell(plain(f"{command[0]} could not be started: {failed}"), bad=True)
                return
            if code:
                self.tell(f"{command[0]} ended with {code}: the text is as it was", bad=True)
                return
            text = plain(path.read_text("utf-8", errors="replace").removesuffix("\n"))
            if text != self.text:
                self.query_one(TextArea).text = text
        except (OSError, SuspendNotSupported) as error:
            self.tell(plain(f"no editor: {error}"), bad=True)
        finally:
            with contextlib.suppress(OSError):
                path.unlink()


def _edit(command: list[str], name: str) -> tuple[int, OSError | None]:
    """Run the editor on a file: its exit code, or why it could not be started.

    Nothing may be raised while the app is suspended: the screen would not come back.
    """
    try:
        return subprocess.run([*command, name], check=False).returncode, None
    except OSError as error:
        return 1, error
