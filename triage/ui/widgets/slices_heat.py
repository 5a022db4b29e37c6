"""Two dimensions crossed: a table of cells, the worse the deeper their ground; digits stand in each."""

from __future__ import annotations

from msgspec import Struct
from textual.strip import Strip

from triage.metrics.metric import Metric
from triage.models.slices import NOT_RECORDED, CrossCell, CrossHead, CrossTable
from triage.plain import fit, preview, width
from triage.ui.palette import Palette
from triage.ui.widgets.line import Part, line
from triage.ui.widgets.panel_model import fraction, number
from triage.ui.widgets.slices_model import COUNT, Look, cell_value, metric_of, named
from triage.ui.widgets.slices_tint import degree, tinted

NAME_LEAST, NAME_MOST = 14, 28
CELL, WIDE_CELL, GAP, MORE = 9, 15, 1, 4
"""Cells of a value alone, and of a value with its fraction."""
ALL = "all"

CONFUSIONS: tuple[tuple[str, str, str], ...] = (
    ("expected_route", "route", "the route taken against the expected one"),
    ("answerable", "refused", "refusals against what can be answered"),
    ("conflict.resolved", "conflict.correct", "conflicts resolved against resolved rightly"),
)
"""Pairs that are told by counting: row, column, what the table is."""


def look_of(rows_by: str, columns_by: str, row: str, column: str) -> Look:
    """Is a count of these two values what should be?"""
    if (rows_by, columns_by) == ("expected_route", "route"):
        return "fine" if row == column else "worse"
    if (rows_by, columns_by) == ("answerable", "refused") and {row, column} <= {"true", "false"}:
        return "worse" if row == column else "fine"
    if (rows_by, columns_by) == ("conflict.resolved", "conflict.correct") and {row, column} <= {
        "true",
        "false",
    }:
        return "fine" if column == "true" else "worse"
    return "plain"


class HeatModel(Struct, frozen=True):
    """A cross table as it is painted: the values of `rows` and `columns` are safe to print.

    `worst` is the greatest shortfall to the whole in a cell, > 0; `column` is the chosen column.
    """

    table: CrossTable
    metric: Metric
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    worst: float
    column: int

    @property
    def counts(self) -> bool:
        """Are the cases counted, not measured?"""
        return self.metric.key == COUNT

    def cell(self, row: int, column: int) -> CrossCell | None:
        """The cases with both values, None where there are none."""
        return self.table.cells[row][column]


class HeatColumns(Struct, frozen=True):
    """Cells of the columns; `first` to `first + shown` are seen. `both` = the fraction stands beside."""

    cells: int
    name: int
    column: int
    both: bool
    shown: int
    first: int


def heat(table: CrossTable, key: str, column: int) -> HeatModel:
    """A cross table, made ready to be painted; `column` is the chosen one."""
    metric = metric_of(key)
    falls = [_short(table, cell, metric) for row in table.cells for cell in row if cell is not None]
    return HeatModel(
        table,
        metric,
        tuple(named(head.part.value) for head in table.rows),
        tuple(named(head.part.value) for head in table.columns),
        max([fall for fall in falls if fall > 0], default=1.0),
        min(max(column, 0), max(len(table.columns) - 1, 0)),
    )


def _short(table: CrossTable, cell: CrossCell | CrossHead, metric: Metric) -> float:
    """How far a cell falls short of the whole, in the metric's unit; below 0 = it is better."""
    value, whole = cell_value(cell, metric.key), cell_value(table.whole, metric.key)
    if value is None or value.value is None or whole is None or whole.value is None:
        return 0.0
    return (whole.value - value.value) * (1 if metric.higher_is_better else -1)


def columns_at(cells: int, model: HeatModel, first: int) -> HeatColumns:
    """The columns for a table `cells` wide; the window begins at `first` unless the chosen one is outside."""
    title = width(preview(model.table.rows_by.title))
    longest = max((width(name) for name in model.rows), default=0)
    longest, least, count = max(longest, title), NAME_LEAST, len(model.columns)
    room = cells - 1 - least - GAP
    both = room >= (count + 1) * WIDE_CELL
    column = WIDE_CELL if both else CELL
    if room // column <= count:
        # What does not fit is counted at the end of the header.
        room -= MORE
    shown = max(min(room // column - 1, count), 1)
    spare = room - (shown + 1) * column
    name = least + max(min(min(longest, NAME_MOST) - least, spare), 0)
    spare -= name - least
    names = max((width(text) for text in model.columns), default=0)
    # A name that does not fit its column takes what is left.
    column += max(min(names + 2 - column, spare // (shown + 1), 10), 0)
    first = min(max(first, model.column - shown + 1), model.column, max(count - shown, 0))
    return HeatColumns(cells, name, column, both, shown, max(first, 0))


def column_at(columns: HeatColumns, cell: int) -> int | None:
    """The column that is seen at a 0-based cell of a line; None beside them."""
    place = (cell - 1 - columns.name - GAP) // columns.column
    return columns.first + place if 0 <= place < columns.shown else None


def heading(columns: HeatColumns, model: HeatModel, title: str, lit: bool, ink: Palette) -> Strip:
    """The header line: the second dimension's values; the chosen one is bold."""
    on = "raised"
    voice = ink("text" if lit else "faint", on)
    parts: list[Part] = [(" " + fit(title, columns.name), ink("text bold", on)), (" " * GAP, voice)]
    for place in range(columns.first, columns.first + columns.shown):
        chosen = place == model.column
        ground = "cursor" if chosen else on
        style = ink("text bold" if chosen else "text" if lit else "faint", ground)
        parts += [(fit(model.columns[place], columns.column - 2, right=True) + " ", style), (" ", voice)]
    parts.append((fit(ALL, columns.column - 2, right=True), ink("muted", on)))
    rest = len(model.columns) - columns.shown
    return line(parts, [(f"+{rest} ", voice)] if rest else [], columns.cells, voice)


def _said(
    model: HeatModel, cell: CrossCell | CrossHead | None, row: CrossHead, columns: HeatColumns
) -> tuple[str, str]:
    """The number of a cell and what stands beside it: its fraction, or the share of the row."""
    if cell is None:
        return ("0", "") if model.counts else ("-", "")
    if model.counts:
        share = cell.cases / row.cases if row.cases else 0.0
        return str(cell.cases), f"{100 * share:.0f} %" if columns.both else ""
    value = cell_value(cell, model.metric.key)
    if value is None or value.value is None:
        return "-", ""
    return number(value.value, model.metric), fraction(value, model.metric) if columns.both else ""


def _tint(model: HeatModel, row: int, column: int) -> tuple[str, int]:
    """Role and degree of a cell's ground."""
    cell, head = model.cell(row, column), model.table.rows[row]
    if cell is None or (
        model.counts and NOT_RECORDED in (head.part.value, model.table.columns[column].part.value)
    ):
        return "other", 0
    if model.counts:
        table = model.table
        look = look_of(
            table.rows_by.name, table.columns_by.name, head.part.value, table.columns[column].part.value
        )
        share = cell.cases / head.cases if head.cases else 0.0
        return {"worse": "bad", "fine": "other", "plain": "focus"}[look], degree(share)
    return "bad", degree(_short(model.table, cell, model.metric) / model.worst)


def paint(
    row: int, columns: HeatColumns, model: HeatModel, *, cursor: bool, focused: bool, ink: Palette
) -> Strip:
    """The row as exactly `columns.cells` cells; `>` stands at the row and in the chosen cell."""
    head = model.table.rows[row]
    ground = ink("text", "bg")
    mark: Part = (">", ink.fill("focus") if focused else ground) if cursor else (" ", ground)
    name = "muted italic" if head.folded else "text bold" if cursor else "text"
    parts: list[Part] = [mark, (fit(model.rows[row], columns.name), ink(name, "bg")), (" " * GAP, ground)]
    for place in range(columns.first, columns.first + columns.shown):
        cell = model.cell(row, place)
        here = cursor and place == model.column
        role, step = _tint(model, row, place)
        said, beside = _said(model, cell, head, columns)
        quiet = cell is None or said == "-"
        voice = "faint" if quiet else "text bold" if here else "text"
        look = tinted(ink, role, step, voice)
        if here:
            look = ink("text bold", "cursor")
        wide = columns.column - 1
        text = f"{said:>6} {beside:>5}" if columns.both else said
        lead = (">", ink.fill("focus") if focused else look) if here else (" ", look)
        parts += [lead, (fit(text, wide - 2, right=True) + " ", look), (" ", ground)]
    parts += _sums(model, head, head, columns, ink, "bg")
    return line(parts, [], columns.cells, ground)


def _sums(
    model: HeatModel, head: CrossHead, of: CrossHead, columns: HeatColumns, ink: Palette, on: str
) -> list[Part]:
    said, beside = _said(model, head, of, columns)
    text = f"{said:>6} {beside:>5}" if columns.both else said
    return [(fit(text, columns.column - 2, right=True) + " ", ink("muted", on)), (" ", ink("text", on))]


def whole(columns: HeatColumns, model: HeatModel, ink: Palette) -> Strip:
    """The line of all rows: each column's own sums, then the whole's."""
    on = "raised"
    ground = ink("text", on)
    parts: list[Part] = [(" " + fit(ALL, columns.name), ink("muted", on)), (" " * GAP, ground)]
    for place in range(columns.first, columns.first + columns.shown):
        column = model.table.columns[place]
        parts += _sums(model, column, model.table.whole, columns, ink, on)
    parts += _sums(model, model.table.whole, model.table.whole, columns, ink, on)
    return line(parts, [], columns.cells, ground)
