"""The table of slices: one of three sheets under its header, with a cursor that keeps its row."""

from __future__ import annotations

from typing import Protocol

from msgspec.structs import replace
from textual import events
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from triage.models.slices import CrossCell, SliceRow
from triage.plain import cut, preview
from triage.ui.palette import Palette, colours
from triage.ui.widgets import slices_grid, slices_heat, slices_row
from triage.ui.widgets.listed import Listed
from triage.ui.widgets.slices_grid import GridModel
from triage.ui.widgets.slices_heat import HeatModel
from triage.ui.widgets.slices_model import OneModel

LONGEST_TITLE = 28


class Sheet(Protocol):
    """What stands in the table."""

    first: int
    """The first column of those that move; it is where the sheet before left it."""

    @property
    def keys(self) -> tuple[str, ...]:
        """What tells the rows apart: by it the cursor finds its row again."""

    def heading(self, cells: int, lit: bool, ink: Palette) -> Strip:
        """The header line."""

    def whole(self, cells: int, ink: Palette) -> Strip:
        """The line of all cases."""

    def paint(self, place: int, cells: int, *, cursor: bool, focused: bool, ink: Palette) -> Strip:
        """The row at a 0-based place."""

    def row(self, place: int) -> SliceRow | None:
        """The slice at a place, None where there is no row or two dimensions are crossed."""


class OneSheet:
    """One metric by one dimension."""

    def __init__(self, model: OneModel, against: str) -> None:
        """`against` is the baseline as a heading names it."""
        self.model, self.first = model, 0
        self._against = preview(against)
        self._columns = slices_row.Columns(0, 0)

    @property
    def keys(self) -> tuple[str, ...]:
        """The values; the tail's key is no value."""
        return tuple("\n" if line.tail else line.row.value for line in self.model.lines)

    def _at(self, cells: int) -> slices_row.Columns:
        if self._columns.cells != cells:
            self._columns = slices_row.Columns.at(cells, self.model)
        return self._columns

    def heading(self, cells: int, lit: bool, ink: Palette) -> Strip:
        """The header line."""
        title = cut(preview(self.model.table.dimension.title), LONGEST_TITLE)
        return slices_row.heading(self._at(cells), self.model, title, self._against, lit, ink)

    def whole(self, cells: int, ink: Palette) -> Strip:
        """The line of all cases."""
        model = self.model
        return slices_row.paint(
            model.whole, self._at(cells), model.axis, cursor=False, focused=False, ink=ink, on="raised"
        )

    def paint(self, place: int, cells: int, *, cursor: bool, focused: bool, ink: Palette) -> Strip:
        """The row."""
        line = self.model.lines[place]
        return slices_row.paint(
            line, self._at(cells), self.model.axis, cursor=cursor, focused=focused, ink=ink
        )

    def row(self, place: int) -> SliceRow | None:
        """The slice at a place."""
        return self.model.lines[place].row if place < len(self.model.lines) else None


class GridSheet:
    """All metrics by one dimension."""

    def __init__(self, model: GridModel, first: int = 0) -> None:
        self.model, self.first = model, first
        self._made: tuple[int, slices_grid.GridColumns] | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        """The values; the tail's key is no value."""
        return tuple("\n" if line.tail else line.row.value for line in self.model.lines)

    def _at(self, cells: int) -> slices_grid.GridColumns:
        if self._made is None or self._made[0] != cells:
            made = slices_grid.columns_at(cells, self.model, self.first)
            self._made, self.first = (cells, made), made.first
        return self._made[1]

    def heading(self, cells: int, lit: bool, ink: Palette) -> Strip:
        """The header line."""
        title = cut(preview(self.model.table.dimension.title), LONGEST_TITLE)
        return slices_grid.heading(self._at(cells), self.model, title, lit, ink)

    def whole(self, cells: int, ink: Palette) -> Strip:
        """The line of all cases."""
        row = self.model.table.whole
        return slices_grid.paint(
            row, "whole", self._at(cells), self.model, cursor=False, focused=False, ink=ink, whole=True
        )

    def paint(self, place: int, cells: int, *, cursor: bool, focused: bool, ink: Palette) -> Strip:
        """The row."""
        line = self.model.lines[place]
        return slices_grid.paint(
            line.row, line.name, self._at(cells), self.model, cursor=cursor, focused=focused, ink=ink
        )

    def row(self, place: int) -> SliceRow | None:
        """The slice at a place."""
        return self.model.lines[place].row if place < len(self.model.lines) else None


class HeatSheet:
    """One metric by two crossed dimensions."""

    def __init__(self, model: HeatModel, first: int = 0) -> None:
        self.model, self.first = model, first
        self._made: tuple[int, slices_heat.HeatColumns] | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        """The values of the rows; the tail's key is no value."""
        return tuple("\n" if head.folded else head.part.value for head in self.model.table.rows)

    def _at(self, cells: int) -> slices_heat.HeatColumns:
        if self._made is None or self._made[0] != cells:
            made = slices_heat.columns_at(cells, self.model, self.first)
            self._made, self.first = (cells, made), made.first
        return self._made[1]

    def heading(self, cells: int, lit: bool, ink: Palette) -> Strip:
        """The header line."""
        title = cut(preview(self.model.table.rows_by.title), LONGEST_TITLE)
        return slices_heat.heading(self._at(cells), self.model, title, lit, ink)

    def whole(self, cells: int, ink: Palette) -> Strip:
        """The line of all rows."""
        return slices_heat.whole(self._at(cells), self.model, ink)

    def paint(self, place: int, cells: int, *, cursor: bool, focused: bool, ink: Palette) -> Strip:
        """The row."""
        return slices_heat.paint(place, self._at(cells), self.model, cursor=cursor, focused=focused, ink=ink)

    def row(self, place: int) -> SliceRow | None:
        """A row of two crossed dimensions is no one slice."""
        return None

    def cell(self, place: int) -> CrossCell | None:
        """The cell of a row in the chosen column."""
        rows = self.model.table.rows
        return self.model.cell(place, self.model.column) if place < len(rows) and self.model.columns else None

    def column_at(self, x: int, cells: int) -> int | None:
        """The column at a cell of a line, None beside the columns."""
        return slices_heat.column_at(self._at(cells), x)

    def to(self, column: int) -> HeatSheet:
        """The same with another column chosen."""
        last = max(len(self.model.columns) - 1, 0)
        return HeatSheet(replace(self.model, column=min(max(column, 0), last)), self.first)


class SliceHead(Widget):
    """The header over the table, and the whole under it."""

    DEFAULT_CSS = "SliceHead { height: 2; width: 1fr; } SliceHead.-empty { height: 1; }"

    sheet: reactive[Sheet | None] = reactive(None)
    lit: reactive[bool] = reactive(True)

    def watch_sheet(self, sheet: Sheet | None) -> None:
        """Without rows there is no whole to hold them against."""
        self.set_class(sheet is None or not sheet.keys, "-empty")

    def render_line(self, y: int) -> Strip:
        """The header line, or the whole."""
        ink, cells = colours(self.app), self.size.width
        if self.sheet is None:
            return Strip.blank(cells, ink("text", "raised"))
        return self.sheet.whole(cells, ink) if y else self.sheet.heading(cells, self.lit, ink)


class SliceList(Listed[Sheet]):
    """One line a value. The cursor stays on its value, whatever comes, goes or is sorted."""

    def show(self, sheet: Sheet | None, keep: str | None = None) -> None:
        """Show another sheet; the cursor goes to the row `keep`, else stays on its row or its place."""
        wanted = keep if keep is not None else self.key
        self.sheet = sheet
        keys = sheet.keys if sheet is not None else ()
        self.changed(keys.index(wanted) if wanted in keys else self.position if keep is None else 0)

    def to_column(self, column: int) -> None:
        """Choose another column of two crossed dimensions (held within them)."""
        if isinstance(self.sheet, HeatSheet):
            self.show(self.sheet.to(column))
            self.post_message(self.Moved())

    def on_click(self, event: events.Click) -> None:
        """A click on a cell selects that cell; on the selected one it opens, as in every list."""
        sheet, position = self.sheet, self.scroll_offset.y + event.y
        if isinstance(sheet, HeatSheet) and position < self.count:
            column = sheet.column_at(event.x, self.size.width)
            if column not in (None, sheet.model.column):
                event.prevent_default()
                self.to_column(column)
                self.move_to(position)
