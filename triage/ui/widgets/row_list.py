"""A list whose lines are values, told apart by a key, and the header line over it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from triage.ui.palette import Palette, colours
from triage.ui.widgets.cursor_list import CursorList
from triage.ui.widgets.line import Part, line

Row = TypeVar("Row")


class RowHead(Widget):
    """The header line; those who derive from it say what stands in it."""

    DEFAULT_CSS = "RowHead { height: 1; width: 1fr; background: $raised; }"

    rows: reactive[Sequence[Any]] = reactive(())
    """The rows under it: columns are as wide as what stands in them."""
    lit: reactive[bool] = reactive(True)
    """Has the list the keys?"""

    def titles(self, cells: int) -> str:
        """The columns' titles in a line of so many cells."""
        raise NotImplementedError

    def render_line(self, y: int) -> Strip:
        """The line."""
        cells = self.size.width
        voice = colours(self.app)("text" if self.lit else "faint", "raised")
        return line([(self.titles(cells), voice)], [], cells, voice)


class RowList(CursorList, Generic[Row]):
    """One line a row; the cursor stays on its row. Who derives from it knows a row's key, and paints it."""

    DEFAULT_CSS = "RowList { width: 1fr; height: 1fr; background: $bg; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows: Sequence[Row] = ()

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self.rows)

    @property
    def row(self) -> Row | None:
        """The row under the cursor."""
        return self.rows[self.position] if self.position < len(self.rows) else None

    def key_of(self, row: Row) -> str:
        """What tells a row from the others."""
        raise NotImplementedError

    def show(self, rows: Sequence[Row], keep: str | None = None) -> None:
        """Show other rows.

        Args:
            rows: in their order.
            keep: key of the row to which the cursor goes, "" = the first one; without it the cursor stays on
                its row. Where there is no such row it stays in its place.
        """
        wanted = keep if keep is not None else self.key_of(self.row) if self.row is not None else None
        place = next((at for at, row in enumerate(rows) if self.key_of(row) == wanted), None)
        self.rows = rows
        self.changed(place if place is not None else 0 if keep == "" else self.position)


def cursor_mark(cursor: bool, focused: bool, ink: Palette) -> Part:
    """The cell at the left of a row: a sign at the cursor, filled where the list has the keys."""
    if not cursor:
        return (" ", ink("text", "bg"))
    return (">", ink.fill("focus") if focused else ink("text", "cursor"))
