"""The list of the Agreement screen: a line a pair, a class, a reader or a rule, under its header."""

from __future__ import annotations

from collections.abc import Sequence

from rich.style import Style
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from triage.plain import fit, width
from triage.ui.palette import Palette, colours
from triage.ui.widgets.agreement_model import Bar, Column, Row
from triage.ui.widgets.cursor_list import CursorList
from triage.ui.widgets.line import Part, line
from triage.ui.widgets.slices_tint import STEPS, tinted

GAP = 2
NAME_MOST = 36
BAR_LEAST, BAR_MOST = 14, 44
MARK = "|"


class Laid:
    """The columns for a list `cells` wide: names take what they need, a bar what is left.

    Args:
        cells: of the whole line.
        columns: as the part has them; the first is a name, and so is the second where it stands left.
        rows: what is listed.
    """

    def __init__(self, cells: int, columns: Sequence[Column], rows: Sequence[Row]) -> None:
        self.cells = cells
        sizes = [column.cells for column in columns]
        for gone in (0, 2, 1):
            if gone and self._total(sizes) > cells:
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


class AgreementHead(Widget):
    """The header line over the list."""

    DEFAULT_CSS = "AgreementHead { height: 1; width: 1fr; }"

    columns: reactive[tuple[Column, ...]] = reactive(())
    rows: reactive[Sequence[Row]] = reactive(())
    lit: reactive[bool] = reactive(True)

    def render_line(self, y: int) -> Strip:
        """The row."""
        ink, cells = colours(self.app), self.size.width
        voice = ink("text" if self.lit else "faint", "raised")
        laid = Laid(cells, self.columns, self.rows)
        text = " "
        for column, size in zip(self.columns, laid.sizes, strict=True):
            if size:
                text += fit(column.title, size, right=column.right) + " " * GAP
        if laid.bar:
            text += "0" + " " * (laid.bar - 2) + "1"
        return line([(text, voice)], [], cells, voice)


class AgreementList(CursorList):
    """One line a row; the cursor stays on its row."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.columns: tuple[Column, ...] = ()
        self.rows: Sequence[Row] = ()
        self._laid: Laid | None = None

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self.rows)

    @property
    def row(self) -> Row | None:
        """The row under the cursor."""
        return self.rows[self.position] if self.position < len(self.rows) else None

    def show(self, columns: tuple[Column, ...], rows: Sequence[Row], keep: str | None = None) -> None:
        """Show other rows; the cursor goes to the row `keep`, else stays on its own."""
        wanted = keep if keep is not None else self.row.key if self.row is not None else None
        place = next((at for at, row in enumerate(rows) if row.key == wanted), None)
        self.columns, self.rows, self._laid = columns, rows, None
        self.changed(0 if place is None else place)

    def paint(self, position: int, cells: int, *, cursor: bool, ink: Palette) -> Strip:
        """The row."""
        if self._laid is None or self._laid.cells != cells:
            self._laid = Laid(cells, self.columns, self.rows)
        laid, row = self._laid, self.rows[position]
        on = "cursor" if cursor else "bg"
        ground = ink("text", on)
        mark: Part = (" ", ground)
        if cursor:
            mark = (">", ink.fill("focus") if self.has_focus else ground)
        parts: list[Part] = [mark]
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
