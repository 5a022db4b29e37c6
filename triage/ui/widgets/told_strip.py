"""What stands under a list is told of: a title, and lines that scroll where there is not room for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from triage.ui.keys import same_keys
from triage.ui.palette import colours
from triage.ui.widgets.line import Words, clip, line, size_of, styled
from triage.ui.work.words import number_of


class ToldStrip(Widget, can_focus=True, inherit_bindings=False):
    """A title line, and below it as much as there is room for; with the keys it scrolls."""

    DEFAULT_CSS = "ToldStrip { width: 1fr; background: $raised; }"
    BINDINGS: ClassVar[list[BindingType]] = [*same_keys(
        down="step(1)", up="step(-1)", next="step(1)", previous="step(-1)", page_down="page(1)",
        page_up="page(-1)", home="edge(False)", end="edge(True)", first="edge(False)", last="edge(True)",
    )]  # fmt: skip

    title: reactive[Words] = reactive(())
    place: reactive[str] = reactive("")
    """Where the list's cursor is: `1 of 3`."""
    lines: reactive[Sequence[Words]] = reactive(())

    def __init__(self, keys: Mapping[str, str], pane: str, *, id: str | None = None) -> None:
        """`keys` are the keys shown by action id, `pane` is the action that gives this the keys."""
        super().__init__(id=id)
        self._keys, self._pane, self._top = keys, pane, 0

    def body(self) -> Sequence[Words]:
        """What stands below the title."""
        return self.lines

    def watch_title(self) -> None:
        """Something else is told, from its top."""
        self._top = 0

    def action_step(self, step: int) -> None:
        """A line down or up."""
        self._scroll(self._top + step)

    def action_page(self, direction: int) -> None:
        """A page down or up."""
        self._scroll(self._top + direction * max(self.size.height - 2, 1))

    def action_edge(self, last: bool) -> None:
        """To the end or the start."""
        self._scroll(len(self.body()) if last else 0)

    def _scroll(self, top: int) -> None:
        self._top = min(max(top, 0), max(len(self.body()) - (self.size.height - 1), 0))
        self.refresh()

    def on_mouse_scroll_down(self) -> None:
        """The wheel scrolls."""
        self.action_step(1)

    def on_mouse_scroll_up(self) -> None:
        """The wheel scrolls."""
        self.action_step(-1)

    def on_focus(self) -> None:
        """The title tells the focus."""
        self.refresh()

    def on_blur(self) -> None:
        """The title tells the focus."""
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """The title, or a line of what is told."""
        ink, cells, on = colours(self.app), self.size.width, "raised"
        ground, lines = ink("text", on), self.body()
        if y == 0:
            below = len(lines) - self._top - (self.size.height - 1)
            right: list[tuple[str, str]] = []
            if below > 0:
                right.append((f"{number_of(below, 'more line')}   ", "faint"))
                if not self.has_focus:
                    right += [(self._keys[self._pane], "focus bold"), (" reads them   ", "muted")]
            if self.place:
                right.append((f"{self.place} ", "text" if self.has_focus else "faint"))
            if cells - size_of(right) < 30:
                right = right[-1:]
            left = [(" ", ground), *styled(self.title, ink, on)]
            return line(clip(left, cells - size_of(right) - 2), styled(right, ink, on), cells, ground)
        at = self._top + y - 1
        words = lines[at] if 0 <= at < len(lines) else ()
        return line([(text, ink(role or "text", on)) for text, role in words], [(" ", ground)], cells, ground)
