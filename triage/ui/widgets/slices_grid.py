"""All metrics by one dimension: a row a value, a column a metric, as many as fit, the others beside them."""

from __future__ import annotations

from msgspec import Struct
from textual.strip import Strip

from triage.metrics.metric import Metric
from triage.models.slices import SliceRow, SliceTable
from triage.plain import fit, width
from triage.ui.palette import Palette
from triage.ui.widgets.line import Part, line
from triage.ui.widgets.panel_model import CHECKING, compared
from triage.ui.widgets.slices_model import (
    FEW,
    NONE,
    Line,
    Order,
    arranged,
    base_of,
    headlines,
    layer_of,
    line_of,
    metric_of,
    recorded,
    said,
    surely,
    value_of,
)

NAME_LEAST, NAME_MOST, MORE = 14, 32, 4
CASES, FAILING, GAP = 5, 7, 2
VALUE, NAMED, DELTA = 6, 10, 7
"""Cells of a value, of a value under its digit and name, of a delta beside it."""


class GridModel(Struct, frozen=True):
    """All recorded metrics of a table; `at` is the chosen one's place among them, -1 where it is none."""

    table: SliceTable
    metrics: tuple[Metric, ...]
    lines: tuple[Line, ...]
    at: int
    total: int

    @property
    def metric(self) -> Metric | None:
        """The chosen metric, None where it is none of them: the failing cases, or what no case has."""
        return self.metrics[self.at] if 0 <= self.at < len(self.metrics) else None


class GridColumns(Struct, frozen=True):
    """Cells of the columns; metrics `first` to `first + shown` are seen."""

    cells: int
    name: int
    cases: int
    failing: int
    column: int
    deltas: bool
    shown: int
    first: int


def room_for(cells: int) -> int:
    """How many metrics fit beside the names and counts."""
    return max((cells - 1 - NAME_LEAST - GAP - CASES - 1 - len(FEW) - 2 - MORE) // (NAMED + 1), 1)


def grid(table: SliceTable, key: str, order: Order, cells: int, text: str = "") -> GridModel:
    """The table with its headline metrics first; rows in the order of the chosen one."""
    metrics = headlines(recorded(table.whole.metrics, table.checking), room_for(cells))
    metric = metric_of(key)
    costs = table.metric == metric.key
    made = [line_of(row, table.whole, metric, costs=costs) for row in table.rows]
    lines = arranged(made, order, metric, text)
    if table.tail is not None and not text.strip():
        lines.append(line_of(table.tail, table.whole, metric, costs=costs))
    at = next((place for place, one in enumerate(metrics) if one.key == key), -1)
    return GridModel(table, tuple(metrics), tuple(lines), at, len(table.rows))


def columns_at(cells: int, model: GridModel, first: int) -> GridColumns:
    """The columns for a table `cells` wide; the window of metrics begins at `first` unless the chosen one is
    not in it then.
    """
    longest = max((width(one.name) for one in model.lines), default=0)
    count = max(len(model.metrics), 1)
    cases = max(len(str(model.table.whole.cases)), CASES)
    room = cells - 1 - NAME_LEAST - GAP - cases - 1 - len(FEW) - 2
    failing = FAILING if room - FAILING - GAP >= min(count, 4) * (NAMED + 1) else 0
    room -= (failing + GAP) if failing else 0
    compares = model.table.baseline is not None and any(one.row.base for one in model.lines)
    both = VALUE + DELTA + 4
    deltas = compares and room >= min(count, 6) * both
    column = both if deltas else NAMED + 1
    if room // column < count:
        # What does not fit is counted at the end of the header.
        room -= MORE
    shown = max(min(room // column, count), 1)
    name = NAME_LEAST + max(min(min(longest, NAME_MOST) - NAME_LEAST, room - shown * column), 0)
    first = min(max(first, model.at - shown + 1), model.at, max(count - shown, 0))
    return GridColumns(cells, name, cases, failing, column, deltas, shown, max(first, 0))


def heading(columns: GridColumns, model: GridModel, title: str, lit: bool, ink: Palette) -> Strip:
    """The header line: each metric under its layer's digit; the chosen one is bold."""
    on = "raised"
    voice = ink("text" if lit else "faint", on)
    parts: list[Part] = [
        (" " + fit(title, columns.name), ink("text bold", on)),
        (" " * GAP + fit("cases", columns.cases, right=True) + " " * (1 + len(FEW)), voice),
    ]
    if columns.failing:
        parts.append((" " * GAP + fit("failing", FAILING, right=True), voice))
    parts.append(("  ", voice))
    for place, metric in seen(columns, model):
        chosen = place == model.at
        ground = "cursor" if chosen else on
        name = metric.named(model.table.k)
        wide = columns.column - 1 - (DELTA if columns.deltas else 0)
        pad = max(wide - len(name) - 2, 0)
        layer = ink(f"{layer_of(metric)} bold", ground)
        parts += [
            (" " * pad, ink("text", ground)),
            (f"{metric.digit} ", layer),
            (name, ink("text bold" if chosen else "text" if lit else "faint", ground)),
            (" " * (columns.column - pad - 2 - len(name)), ink("text", ground)),
        ]
    before, after = columns.first, len(model.metrics) - columns.first - columns.shown
    more = f"+{before + after} " if before + after > 0 else ""
    return line(parts, [(more, voice)] if more else [], columns.cells, voice)


def seen(columns: GridColumns, model: GridModel) -> list[tuple[int, Metric]]:
    """The metrics in the window, with their places among all."""
    end = columns.first + columns.shown
    return list(enumerate(model.metrics))[columns.first : end]


def paint(
    row: SliceRow,
    name: str,
    columns: GridColumns,
    model: GridModel,
    *,
    cursor: bool,
    focused: bool,
    ink: Palette,
    whole: bool = False,
) -> Strip:
    """The row as exactly `columns.cells` cells; with the cursor, `>` stands at the chosen metric too."""
    on = "raised" if whole else "cursor" if cursor else "bg"
    ground, quiet = ink("text", on), ink("muted", on)
    faint = quiet if cursor else ink("faint", on)
    head = (">", ink.fill("focus") if focused else ground) if cursor else (" ", ground)
    role = "muted italic" if row.folded else "text bold" if cursor else "muted" if whole else "text"
    few = FEW if row.small and not whole else ""
    parts: list[Part] = [
        head,
        (fit(name, columns.name), ink(role, on)),
        (" " * GAP + fit(str(row.cases), columns.cases, right=True), quiet),
        (f" {few:<3}", faint),
    ]
    if columns.failing:
        voice = "text" if row.failing else "faint" if not cursor else "muted"
        parts.append((" " * GAP + fit(str(row.failing), FAILING, right=True), ink(voice, on)))
    parts.append(("  ", ground))
    for place, metric in seen(columns, model):
        chosen = place == model.at
        # The chosen column is a band of its own tone; on the cursor's row that is the row's.
        band = "raised" if chosen and not cursor else on
        value = value_of(row, metric.key)
        tone = "" if whole else surely(value, value_of(model.table.whole, metric.key), metric)
        words = said(value, metric, model.table.checking)
        voice = {"worse": "bad bold", "better": "good"}.get(
            tone, "text bold" if cursor and chosen else "text"
        )
        if words in (NONE, CHECKING):
            voice = "muted" if cursor else "faint"
        wide = columns.column - 1 - (DELTA if columns.deltas else 0)
        parts.append((fit(words, wide, right=True), ink(voice, band)))
        if columns.deltas:
            delta, worse = (
                compared(value, base_of(row, metric.key), metric) if value is not None else ("", "")
            )
            tint = {"worse": "bad bold", "better": "good"}.get(worse, "muted" if cursor else "faint")
            parts.append((fit(delta, DELTA, right=True), ink(tint, band)))
        parts.append((" ", ink("text", band)))
    return line(parts, [], columns.cells, ground)
