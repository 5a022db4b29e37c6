"""The beginning of a file as it will be written, to scroll through; control characters are visible marks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import get_character_cell_size
from textual import events
from textual.binding import Binding, BindingType
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from triage.plain import cut, fit, one_line, plain, width
from triage.ui.palette import colours
from triage.ui.screens.export_fields import GUTTER
from triage.ui.widgets.line import line

STEP = 8
"""Cells that left and right scroll."""
COLUMN = 24
"""Most cells of a table's column."""
LONGEST = 4000
"""Most characters of a line that are looked at; nobody scrolls further to the right."""


def text_lines(text: str) -> list[str]:
    """A text file's lines, safe to print."""
    return [plain(line[:LONGEST]) for line in text.replace("\r\n", "\n").removesuffix("\n").split("\n")]


def table_lines(table: Sequence[Sequence[str]]) -> list[str]:
    """A table's rows, safe to print, each column as wide as what stands in it, `COLUMN` cells at most."""
    rows = [[one_line(cell[: 4 * COLUMN]) for cell in row] for row in table]
    widths = [min(max(map(width, column)), COLUMN) for column in zip(*rows, strict=True)]
    return ["  ".join(map(fit, row, widths)).rstrip() for row in rows]


def _from(text: str, left: int) -> str:
    """`text` without its first `left` cells; a wide character on the edge becomes a space."""
    if text.isascii():
        return text[left:]
    used = 0
    for at, sign in enumerate(text):
        if used >= left:
            return " " * (used - left) + text[at:]
        used += get_character_cell_size(sign)
    return ""


class PreviewPane(Widget, can_focus=True):
    """A line that says what is seen, and the lines of the file under it."""

    DEFAULT_CSS = "PreviewPane { height: 1fr; width: 1fr; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll(-1, 0)", show=False),
        Binding("down", "scroll(1, 0)", show=False),
        Binding("left", "scroll(0, -1)", show=False),
        Binding("right", "scroll(0, 1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown,space", "page(1)", show=False),
        Binding("home", "edge(False)", show=False),
        Binding("end", "edge(True)", show=False),
    ]

    lines: reactive[list[str]] = reactive([])
    about: reactive[str] = reactive("")
    headed: reactive[bool] = reactive(False)
    """The first line names the columns."""
    top: reactive[int] = reactive(0)
    left: reactive[int] = reactive(0)

    def watch_lines(self) -> None:
        """Another file begins at its beginning."""
        self.top = self.left = 0

    @property
    def _rows(self) -> int:
        return max(self.size.height - 1, 0)

    def validate_top(self, top: int) -> int:
        """Neither before the first line nor beyond the last page."""
        return max(min(top, len(self.lines) - self._rows), 0)

    def validate_left(self, left: int) -> int:
        """Not before the first cell."""
        return max(left, 0)

    def action_scroll(self, down: int, right: int) -> None:
        """By a line, or by some cells as far as there is text."""
        if right < 0 or any(width(text) > self.left + self.size.width - 2 for text in self._seen()):
            self.left += right * STEP
        self.top += down

    def action_page(self, direction: int) -> None:
        """By a page."""
        self.top += direction * max(self._rows - 1, 1)

    def action_edge(self, last: bool) -> None:
        """To the beginning or the end."""
        self.left = 0
        self.top = len(self.lines) if last else 0

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Three lines on."""
        event.stop()
        self.top += 3

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Three lines back."""
        event.stop()
        self.top -= 3

    def on_focus(self) -> None:
        """The head shows that the pane has the keys."""
        self.refresh()

    def on_blur(self) -> None:
        """The head shows that it has not."""
        self.refresh()

    def _seen(self) -> list[str]:
        return self.lines[self.top : self.top + self._rows]

    def render_line(self, y: int) -> Strip:
        """What is seen, then the lines."""
        ink, cells = colours(self.app), self.size.width
        if y == 0:
            voice = "text bold" if self.has_focus else "muted"
            last = min(self.top + self._rows, len(self.lines))
            where = f"lines {self.top + 1}-{last} of {len(self.lines)}" if self.lines else ""
            left = [("preview".ljust(GUTTER), ink(voice, "raised")), (self.about, ink("muted", "raised"))]
            return line(left, [(f"  {where}", ink("faint", "raised"))], cells, ink("text", "raised"))
        seen = self._seen()
        text = cut(_from(seen[y - 1], self.left), cells - 2) if y <= len(seen) else ""
        head = self.headed and self.top + y == 1
        look = ink("text bold" if head else "text", "bg")
        return line([(" ", look), (text, look)], [], cells, look)
