"""What the export dialog asks with: a row of options, and the field for the file's name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from triage.plain import one_line, width
from triage.ui.palette import colours
from triage.ui.widgets.fields import Field
from triage.ui.widgets.line import Part, line

GUTTER = 10
"""Cells of a row's name, those of the detail's gutter."""
_GAP = 2


class Chooser(Widget, can_focus=True):
    """One line: its name, its options, and a word on the chosen one where there is room.

    Args:
        label: what is chosen.
        values: the options.
        chosen: the one to begin with.
    """

    DEFAULT_CSS = "Chooser { height: 1; width: 1fr; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", show=False),
        Binding("right,space", "step(1)", show=False),
    ]

    chosen: reactive[str] = reactive("")
    asides: reactive[dict[str, str]] = reactive({})
    """Said at the right of the row, by option."""
    counts: reactive[dict[str, int]] = reactive({})
    """Stands behind an option."""

    class Changed(Message):
        """Another option is chosen."""

        def __init__(self, chooser: Chooser) -> None:
            super().__init__()
            self.chooser = chooser

        @property
        def control(self) -> Chooser:
            """Whose it is."""
            return self.chooser

    def __init__(self, label: str, values: Sequence[str], chosen: str, *, id: str) -> None:
        super().__init__(id=id)
        self._label, self._values = label, list(values)
        self.set_reactive(Chooser.chosen, chosen)

    def choose(self, value: str) -> None:
        """Choose an option; nothing is told where it is chosen already."""
        if value != self.chosen:
            self.chosen = value
            self.post_message(self.Changed(self))

    def action_step(self, direction: int) -> None:
        """The option to the left or right; the last is followed by the first."""
        at = self._values.index(self.chosen)
        self.choose(self._values[(at + direction) % len(self._values)])

    def _words(self, value: str) -> str:
        count = self.counts.get(value)
        return value if count is None else f"{value} {count}"

    def on_click(self, event: events.Click) -> None:
        """Choose what was clicked on."""
        at = GUTTER
        for value in self._values:
            end = at + 2 + width(self._words(value)) + _GAP
            if at <= event.x < end:
                self.choose(value)
            at = end

    def on_focus(self) -> None:
        """The row shows that it has the keys."""
        self.refresh()

    def on_blur(self) -> None:
        """The row shows that it has not."""
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """The row."""
        ink, ground = colours(self.app), "cursor" if self.has_focus else "raised"
        parts: list[Part] = [
            (self._label.ljust(GUTTER), ink("text bold" if self.has_focus else "muted", ground))
        ]
        for value in self._values:
            mine = value == self.chosen
            sign = ink("focus bold" if self.has_focus else "muted", ground)
            look = ink("text bold", ground) if mine else ink("muted", ground)
            parts += [("> " if mine else "  ", sign), (self._words(value) + " " * _GAP, look)]
        aside = one_line(self.asides.get(self.chosen, ""))
        room = self.size.width - sum(width(text) for text, _ in parts)
        right = [(aside, ink("muted", ground))] if width(aside) <= room else []
        return line(parts, right, self.size.width, ink("text", ground))


class PathField(Field):
    """The file's name; tab completes it, up and down leave it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "complete", show=False),
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
    ]

    class Complete(Message):
        """Complete what is typed."""

    def action_complete(self) -> None:
        """Ask for it."""
        self.post_message(self.Complete())
