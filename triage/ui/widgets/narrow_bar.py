"""One row over a list: `/` and what narrows the list, what is said, what the list holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input

from triage.ui.keys import same_keys
from triage.ui.palette import colours
from triage.ui.widgets.broken import whole
from triage.ui.widgets.fields import Field
from triage.ui.widgets.filter_bar import SPEAKS, Slash, Spoken
from triage.ui.widgets.line import Words, line, size_of, styled

_HINT = "type to narrow"
_TYPED = len(_HINT) + 4
"""Cells of the sign, the hint, and a gap to the counts."""


class NarrowField(Field):
    """What is typed; the keys that leave a filter leave it too, and the text stays."""

    BINDINGS: ClassVar[list[BindingType]] = [*same_keys(filter_leave="leave")]

    def action_leave(self) -> None:
        """Give the keys back to the list: at once, so that the next key is not taken for text."""
        self.screen.set_focus(None)
        self.post_message(NarrowBar.Left())


class Counted(Widget):
    """Words at the right end of the row."""

    DEFAULT_CSS = "Counted { height: 1; width: auto; }"

    words: reactive[Words] = reactive((), layout=True)

    def get_content_width(self, container: object, viewport: object) -> int:
        """As wide as what it says."""
        return size_of(self.words) + 1

    def render_line(self, y: int) -> Strip:
        """The row."""
        ink = colours(self.app)
        ground = ink("text", "bg")
        return line(styled(self.words, ink), [(" ", ground)], self.size.width, ground)


class NarrowBar(Horizontal):
    """What is said stands in the text's place for a few seconds; an error stays until it is hushed."""

    DEFAULT_CSS = """
    NarrowBar { height: 1; background: $bg; }
    NarrowBar NarrowField {
        width: 1fr; height: 1; border: none; padding: 0; color: $text; background: $bg; background-tint: 0%;
    }
    NarrowBar.-speaking NarrowField { display: none; }
    NarrowBar.-speaking Spoken { display: block; }
    NarrowBar.-long Counted { display: none; }
    """

    @dataclass
    class Typed(Message):
        """The list is to be narrowed to these words."""

        text: str

    @dataclass
    class Left(Message):
        """The list is to have the keys again."""

    def __init__(
        self, keys: Mapping[str, str], *, action: str = "runs.filter", id: str | None = None
    ) -> None:
        """`keys` are the keys shown by action id, `action` is the one that narrows here."""
        super().__init__(id=id)
        self._keys, self._action = keys, action
        self._said: Words = ()
        self._counts: Words = ()
        self._error = ""
        self._hush: Timer | None = None

    def compose(self) -> ComposeResult:
        """The parts of the row."""
        yield Slash(self._keys, self._action)
        yield NarrowField(placeholder=_HINT, compact=True, select_on_focus=False)
        yield Spoken()
        yield Counted()

    def on_mount(self) -> None:
        """The caret does not blink."""
        self.query_one(NarrowField).cursor_blink = False

    @property
    def text(self) -> str:
        """What stands in the field."""
        return self.query_one(NarrowField).value

    @property
    def typing(self) -> bool:
        """Does the field have the keys?"""
        return self.query_one(NarrowField).has_focus

    def type(self) -> None:
        """Give the field the keys."""
        self._said, self._error = (), ""
        self._paint()
        self.query_one(NarrowField).focus()

    def clear(self) -> None:
        """Take the text away."""
        self.query_one(NarrowField).value = ""

    def count(self, words: Words) -> None:
        """Tell what the list holds, the most telling first: what has no room is left out whole."""
        self._counts = words
        self._paint()

    def on_resize(self) -> None:
        """There may be room for more, or for less."""
        self._paint()

    def say(self, words: Words) -> None:
        """Speak for a few seconds."""
        self._said = words
        if self._hush is not None:
            self._hush.stop()
        self._hush = self.set_timer(SPEAKS, self._quiet)
        self._paint()

    def error(self, text: str) -> None:
        """Tell what went wrong, until `hush`."""
        self._error = text
        self._paint()

    def hush(self) -> bool:
        """Take an error away; False where there was none."""
        had, self._error = bool(self._error), ""
        self._paint()
        return had

    def _quiet(self) -> None:
        self._said = ()
        self._paint()

    def _paint(self) -> None:
        said: Words = [(f"error: {self._error}", "bad")] if self._error else self._said
        speaks = bool(said) and not self.typing
        counted = self.query_one(Counted)
        counted.words = whole(self._counts, self.size.width - _TYPED)
        self.set_class(speaks, "-speaking")
        # A sentence goes before the counts where both don't fit; those come back in a moment.
        self.set_class(speaks and size_of(said) + size_of(counted.words) + 5 > self.size.width, "-long")
        self.query_one(Spoken).words = said

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(self.Typed(event.value))

    def on_descendant_blur(self) -> None:
        """What is said may stand in the text's place again."""
        self._paint()
