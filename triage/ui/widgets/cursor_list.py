"""A list of lines with a cursor, painted a line at a time: what every list of lines shares."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from triage.ui.keys import same_keys
from triage.ui.palette import Palette, colours
from triage.ui.widgets.line import Words, line, styled


class CursorList(ScrollView, can_focus=True, inherit_bindings=False):
    """Lines by number; those who derive from it say how many there are and paint one."""

    DEFAULT_CSS = "CursorList { scrollbar-size: 0 0; overflow-x: hidden; overflow-y: auto; }"
    BINDINGS: ClassVar[list[BindingType]] = [*same_keys(
        down="step(1)", up="step(-1)", next="step(1)", previous="step(-1)", page_down="page(1)",
        page_up="page(-1)", home="edge(False)", end="edge(True)", first="edge(False)", last="edge(True)",
    )]  # fmt: skip

    class Moved(Message):
        """The cursor stands on another line."""

    class Chosen(Message):
        """A click on the line under the cursor."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.position = 0
        self.notice: tuple[Words, ...] = ()

    @property
    def count(self) -> int:
        """How many lines there are."""
        raise NotImplementedError

    def paint(self, position: int, cells: int, *, cursor: bool, ink: Palette) -> Strip:
        """The line at a 0-based position as exactly `cells` cells."""
        raise NotImplementedError

    def say(self, notice: tuple[Words, ...]) -> None:
        """What stands in the list's place where it is empty."""
        if notice != self.notice:
            self.notice = notice
            self.refresh()

    def changed(self, position: int) -> None:
        """The lines are others; the cursor goes to a position, on the row of the window where it stood."""
        count = self.count
        position = min(max(position, 0), max(count - 1, 0))
        top = self.scroll_offset.y
        moved = position - self.position if top else 0
        self.position = position
        self.virtual_size = Size(self.size.width, count)
        top = min(max(top + moved, 0), max(count - self.size.height, 0))
        if top != self.scroll_offset.y:
            self.scroll_to(y=top, animate=False, force=True)
        self._reveal()
        self.refresh()

    def move_to(self, position: int) -> None:
        """Put the cursor on a 0-based position (held within the list); two lines are painted again."""
        position = min(max(position, 0), self.count - 1)
        if position in (self.position, -1):
            return
        old, self.position = self.position, position
        if not self._reveal():
            self.refresh_lines(old)
            self.refresh_lines(position)
        self.post_message(self.Moved())

    def _reveal(self) -> bool:
        """Scroll so that the cursor is seen: by half a page, so that most keys don't scroll."""
        height, top = self.size.height, self.scroll_offset.y
        if height <= 0 or top <= self.position < top + height:
            return False
        target = min(max(self.position - height // 2, 0), max(self.virtual_size.height - height, 0))
        self.scroll_to(y=target, animate=False, force=True)
        return True

    def action_step(self, step: int) -> None:
        """One line up or down."""
        self.move_to(self.position + step)

    def action_page(self, direction: int) -> None:
        """A page up or down."""
        self.move_to(self.position + direction * max(self.size.height - 1, 1))

    def action_edge(self, last: bool) -> None:
        """To the first or the last line."""
        self.move_to(self.count - 1 if last else 0)

    def on_click(self, event: events.Click) -> None:
        """A click selects, a click on the selected opens."""
        position = self.scroll_offset.y + event.y
        if position == self.position and self.count:
            self.post_message(self.Chosen())
        elif position < self.count:
            self.move_to(position)

    def render_line(self, y: int) -> Strip:
        """The line `y` of the window."""
        ink, cells = colours(self.app), self.size.width
        ground = ink("text", "bg")
        if not self.count:
            words = self.notice[y - 1] if 1 <= y <= len(self.notice) else ()
            return line([("  ", ground), *styled(words, ink)], [(" ", ground)], cells, ground)
        position = self.scroll_offset.y + y
        if position >= self.count:
            return Strip.blank(cells, ground)
        return self.paint(position, cells, cursor=position == self.position, ink=ink)

    def on_resize(self) -> None:
        """Keep the cursor in view at any size."""
        self.virtual_size = Size(self.size.width, self.count)
        self._reveal()

    def on_focus(self) -> None:
        """Only the cursor's line tells the focus."""
        self.refresh_lines(self.position)

    def on_blur(self) -> None:
        """Only the cursor's line tells the focus."""
        self.refresh_lines(self.position)
