"""Verdicts against verdicts under the list: each cell a number and a door."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from triage.plain import fit
from triage.ui.keys import same_keys
from triage.ui.palette import LAYER_WORDS, Palette, colours
from triage.ui.widgets.agreement_model import DIGITS, Row, Table
from triage.ui.widgets.broken import broken
from triage.ui.widgets.line import Part, Words, clip, length, line, styled
from triage.ui.widgets.slices_tint import degree, tinted

NAME, CELL, ALL, ASIDE = 13, 8, 6, 16
CELL_LEAST = 5
"""Cells of a count where there is no room for more: its column is named by the digit alone."""
_SHORT = {"retrieval": "retr", "ranking": "rank", "refusal": "refu", "citation-semantic": "cite",
          "other": "other", "not-a-failure": "fine", "test-set": "set"}  # fmt: skip


def says_of(row: Row, cells: int) -> list[Words]:
    """A row's sentences in lines of a pane of so many cells."""
    return [part for words in row.says for part in broken(words, cells - 2)]


def _cell(table: Table, cells: int) -> int:
    """Cells of a count in a pane."""
    return CELL if 1 + NAME + CELL * len(table.columns) + ALL <= cells else CELL_LEAST


class Matrix(Widget, can_focus=True, inherit_bindings=False):
    """A title, the table of a row, its sentences; with the keys a cell is chosen."""

    DEFAULT_CSS = "Matrix { width: 1fr; background: $raised; }"
    BINDINGS: ClassVar[list[BindingType]] = [*same_keys(
        down="step(1)", up="step(-1)", next="step(1)", previous="step(-1)",
    )]  # fmt: skip

    row: reactive[Row | None] = reactive(None)
    place: reactive[str] = reactive("")
    """Where the list's cursor is: `1 of 3`."""
    at: reactive[tuple[int, int]] = reactive((0, 0))
    """The chosen cell, row and column, 0-based."""

    class Moved(Message):
        """Another cell is chosen."""

    class Chosen(Message):
        """A click on the chosen cell."""

    def watch_row(self, old: Row | None, row: Row | None) -> None:
        """Another table: the cell of most differences is chosen, else the first."""
        if row is None or (old is not None and old.key == row.key and old.table == row.table):
            return
        rows, columns = row.table.rows, row.table.columns
        apart = [
            (row.table.at(one, other), -at, -place)
            for at, one in enumerate(rows)
            for place, other in enumerate(columns)
            if one != other and row.table.lit in ("", one)
        ]
        _, at, place = max(apart, default=(0, 0, 0))
        self.at = (-at, -place)

    @property
    def cell(self) -> tuple[str, str] | None:
        """The two verdicts of the chosen cell."""
        row = self.row
        if row is None or not row.table.rows or not row.table.columns:
            return None
        return row.table.rows[self.at[0]], row.table.columns[self.at[1]]

    def action_step(self, step: int) -> None:
        """A row down or up."""
        self._to(self.at[0] + step, self.at[1])

    def across(self, step: int) -> None:
        """A column to the right or left."""
        self._to(self.at[0], self.at[1] + step)

    def _to(self, row: int, column: int) -> None:
        if self.row is None or self.cell is None:
            return
        table = self.row.table
        self.at = (min(max(row, 0), len(table.rows) - 1), min(max(column, 0), len(table.columns) - 1))
        self.post_message(self.Moved())

    def on_click(self, event: events.Click) -> None:
        """A click chooses a cell, a click on the chosen one opens its cases."""
        table = self.row.table if self.row is not None else None
        cell = CELL if table is None else _cell(table, self.size.width)
        row, column = event.y - 2, (event.x - 1 - NAME) // cell
        if table is None or not (0 <= row < len(table.rows) and 0 <= column < len(table.columns)):
            return
        if (row, column) == self.at:
            self.post_message(self.Chosen())
        else:
            self._to(row, column)

    def on_focus(self) -> None:
        """The cell shows only with the keys."""
        self.refresh()

    def on_blur(self) -> None:
        """The cell shows only with the keys."""
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """The title, the header, the rows, then the sentences."""
        ink, cells, on = colours(self.app), self.size.width, "raised"
        ground, row = ink("text", on), self.row
        if row is None:
            return Strip.blank(cells, ground)
        if y == 0:
            place = [(f"{self.place} ", ink("faint", on))]
            title = clip(styled(row.title, ink, on), cells - length(place) - 3)
            return line([(" ", ground), *title], place, cells, ground)
        table = row.table
        if table.rows and y == 1:
            return self._heading(row, ink, cells)
        if table.rows and y - 2 < len(table.rows):
            return self._line(row, y - 2, ink, cells)
        at, says = y - (2 + len(table.rows) if table.rows else 1), says_of(row, cells)
        words = says[at] if 0 <= at < len(says) else ()
        return line([(" ", ground), *styled(words, ink, on)], [(" ", ground)], cells, ground)

    @staticmethod
    def _beside(row: Row, cells: int) -> bool:
        """Is there room for what stands beside the counts?"""
        table = row.table
        return 1 + NAME + CELL * len(table.columns) + ALL + ASIDE * len(table.heads) < cells

    def _heading(self, row: Row, ink: Palette, cells: int) -> Strip:
        on = "raised"
        faint, cell = ink("text" if self.has_focus else "faint", on), _cell(row.table, cells)
        parts: list[Part] = [(" " * (1 + NAME), faint)]
        for at, verdict in enumerate(row.table.columns):
            chosen = self.has_focus and at == self.at[1]
            text = DIGITS[verdict] if cell < CELL else f"{DIGITS[verdict]} {_SHORT[verdict]}"
            style = ink(f"{verdict} bold" if chosen else verdict, on)
            parts += [(" " * (cell - len(text) - 1), faint), (text, style), (" ", faint)]
        parts.append((fit("all", ALL, right=True), faint))
        if self._beside(row, cells):
            parts += [(fit(head, ASIDE, right=True), faint) for head in row.table.heads]
        return line(parts, [], cells, faint)

    def _line(self, row: Row, at: int, ink: Palette, cells: int) -> Strip:
        on, table = "raised", row.table
        verdict = table.rows[at]
        ground, faint = ink("text", on), ink("faint", on)
        lit = table.lit == verdict or (self.has_focus and self.at[0] == at)
        total = sum(table.at(verdict, column) for column in table.columns)
        name = fit(f"{DIGITS[verdict]} {LAYER_WORDS[verdict]}", NAME)
        parts: list[Part] = [
            (">" if lit else " ", ground), (name, ink(f"{verdict} bold" if lit else verdict, on)),
        ]  # fmt: skip
        for place, column in enumerate(table.columns):
            count = table.at(verdict, column)
            text = fit(str(count) if count else ".", _cell(table, cells) - 1, right=True)
            if self.has_focus and (at, place) == self.at:
                parts += [(text, ink.fill("focus")), (" ", ground)]
            elif not count:
                parts.append((f"{text} ", faint))
            else:
                role = "other" if verdict == column else "bad"
                parts += [(text, tinted(ink, role, degree(count / total), "text", on)), (" ", ground)]
        parts.append((fit(str(total), ALL, right=True), ink("muted", on)))
        if self._beside(row, cells):
            texts = table.aside.get(verdict, ("",) * len(table.heads))
            parts += [(fit(text, ASIDE, right=True), ink("muted", on)) for text in texts]
        return line(parts, [], cells, ground)
