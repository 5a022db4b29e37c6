"""A list of rows under its header, where each sheet knows how its rows are painted."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from triage.ui.palette import Palette, colours
from triage.ui.widgets.cursor_list import CursorList


class Sheet(Protocol):
    """The rows as they are ordered and narrowed; `keys` tells them apart."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The rows' keys, in their order."""

    def heading(self, cells: int, lit: bool, ink: Palette) -> Strip:
        """The header line."""

    def paint(self, place: int, cells: int, *, cursor: bool, focused: bool, ink: Palette) -> Strip:
        """The row at a 0-based place as exactly `cells` cells."""


Rows = TypeVar("Rows", bound=Sheet)


class ListedHead(Widget):
    """The header line over the list."""

    DEFAULT_CSS = "ListedHead { height: 1; width: 1fr; background: $raised; }"

    sheet: reactive[Sheet | None] = reactive(None)
    lit: reactive[bool] = reactive(True)

    def render_line(self, y: int) -> Strip:
        """The line."""
        ink, cells = colours(self.app), self.size.width
        if self.sheet is None:
            return Strip.blank(cells, ink("text", "raised"))
        return self.sheet.heading(cells, self.lit, ink)


class Listed(CursorList, Generic[Rows]):
    """One line a row. The cursor stays on its row, whatever comes and goes."""

    DEFAULT_CSS = "Listed { width: 1fr; height: 1fr; background: $bg; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.sheet: Rows | None = None

    @property
    def count(self) -> int:
        """How many rows are shown."""
        return len(self.sheet.keys) if self.sheet is not None else 0

    @property
    def key(self) -> str | None:
        """What tells the row under the cursor from others, None where there is none."""
        keys = self.sheet.keys if self.sheet is not None else ()
        return keys[self.position] if self.position < len(keys) else None

    def show(self, sheet: Rows, keep: str | None = None) -> None:
        """Show another sheet; the cursor goes to the row `keep`, else stays on its row or its place."""
        wanted = keep if keep is not None else self.key
        self.sheet = sheet
        self.changed(sheet.keys.index(wanted) if wanted in sheet.keys else self.position)

    def paint(self, position: int, cells: int, *, cursor: bool, ink: Palette) -> Strip:
        """The row."""
        assert self.sheet is not None
        return self.sheet.paint(position, cells, cursor=cursor, focused=self.has_focus, ink=ink)
