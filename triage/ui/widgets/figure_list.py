"""A list of rows of figures under titled columns, with an interval drawn where there is room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from msgspec import Struct
from rich.style import Style
from textual.reactive import reactive
from textual.strip import Strip

from triage.plain import fit, width
from triage.ui.palette import Palette
from triage.ui.widgets.line import Part, line
from triage.ui.widgets.row_list import RowHead, RowList, cursor_mark
from triage.ui.widgets.slices_tint import STEPS, tinted

GAP = 2
NAME_MOST = 36
BAR_LEAST, BAR_MOST = 14, 44
MARK = "|"


class Bar(Struct, frozen=True):
    """A share (0..1) with its interval on an axis from 0 to 1; `marks` are shares that count."""

    value: float
    interval: tuple[float, float] | None = None
    marks: tuple[float, ...] = ()


class Column(Struct, frozen=True):
    """A column: its title, its cells, on which side its texts stand, and when it goes (0 = never)."""

    title: str
    cells: int
    right: bool = True
    goes: int = 0


class FigureRow(Protocol):
    """A line of the list."""

    @property
    def key(self) -> str:
        """What tells it from others."""

    @property
    def cells(self) -> tuple[tuple[str, str], ...]:
        """Text and role by column."""

    @property
    def bar(self) -> Bar | None:
        """What is drawn in what is left of the line; None = nothing."""


Row = TypeVar("Row", bound=FigureRow)


class Laid:
    """The columns for a list `cells` wide: names take what they need, a bar what is left.

    Args:
        cells: of the whole line.
        columns: as the part has them; the first is a name, and so is the second where it stands left.
        rows: what is listed.
    """

    def __init__(self, cells: int, columns: Sequence[Column], rows: Sequence[FigureRow]) -> None:
        self.cells = cells
        sizes = [column.cells for column in columns]
        for gone in (2, 1, 3):
            if self._total(sizes) > cells:
                sizes = [
                    0 if column.goes == gone else size for column, size in zip(columns, sizes, strict=True)
                ]
        room = cells - self._total(sizes)
        for at in (0, 1):
            if at < len(columns) and (at == 0 or not columns[at].right):
                longest = max((width(row.cells[at][0]) for row in rows), default=0)
                more = min(max(min(longest, NAME_MOST) - sizes[at], 0), max(room, 0))
                sizes[at], room = sizes[at] + more, room - more
        if room < 0:
            sizes[0] = max(sizes[0] + room, 6)
        drawn = any(row.bar is not None for row in rows)
        self.bar = min(room - GAP - 1, BAR_MOST) if drawn and room - GAP - 1 >= BAR_LEAST else 0
        self.sizes = tuple(sizes)

    @staticmethod
    def _total(sizes: Sequence[int]) -> int:
        return 1 + sum(size + GAP for size in sizes if size)


class FigureHead(RowHead):
    """The titles of the columns, and the axis of what is drawn; nothing where nothing is listed."""

    columns: reactive[Sequence[Column]] = reactive(())

    def titles(self, cells: int) -> str:
        """The columns' titles in a line of so many cells."""
        if not self.rows:
            return ""
        laid = Laid(cells, self.columns, self.rows)
        text = " "
        for column, size in zip(self.columns, laid.sizes, strict=True):
            if size:
                text += fit(column.title, size, right=column.right) + " " * GAP
        return (text + ("0" + " " * (laid.bar - 2) + "1" if laid.bar else "")).rstrip()


class FigureList(RowList[Row]):
    """One line a row."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.columns: Sequence[Column] = ()
        self._laid: Laid | None = None

    def key_of(self, row: Row) -> str:
        """What tells a row from the others."""
        return row.key

    def tabulate(self, columns: Sequence[Column], rows: Sequence[Row], keep: str | None = None) -> None:
        """Show other rows under other columns; `keep` as for `show`."""
        self.columns, self._laid = columns, None
        self.show(rows, keep)

    def paint(self, position: int, cells: int, *, cursor: bool, ink: Palette) -> Strip:
        """The row."""
        if self._laid is None or self._laid.cells != cells:
            self._laid = Laid(cells, self.columns, self.rows)
        laid, row = self._laid, self.rows[position]
        on = "cursor" if cursor else "bg"
        ground = ink("text", on)
        parts: list[Part] = [cursor_mark(cursor, self.has_focus, ink)]
        for at, (column, size) in enumerate(zip(self.columns, laid.sizes, strict=True)):
            if not size:
                continue
            text, role = row.cells[at]
            role = "muted" if cursor and role == "faint" else role
            role = f"{role} bold" if cursor and at == 0 and " " not in role else role
            parts += [(fit(text, size, right=column.right), ink(role, on)), (" " * GAP, ground)]
        if laid.bar and row.bar is not None:
            parts += drawn(row.bar, laid.bar, ink, on)
        return line(parts, [], cells, ground)


def drawn(bar: Bar, cells: int, ink: Palette, on: str) -> list[Part]:
    """The interval as a tinted stretch, the value a filled cell in it, what counts a mark."""

    def place(share: float) -> int:
        return min(int(share * cells), cells - 1)

    low, high = (place(end) for end in bar.interval or (bar.value, bar.value))
    value, marks = place(bar.value), {place(share) for share in bar.marks}
    parts: list[Part] = []
    for at in range(cells):
        style: Style = ink("faint" if on != "cursor" else "muted", on)
        if at == value:
            style = ink.fill("other")
        elif low <= at <= high:
            style = tinted(ink, "other", STEPS - 3, "text", on)
        parts.append((MARK if at in marks else " ", style))
    return parts
