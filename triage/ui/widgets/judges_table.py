"""The list of the Judges screen under its header, and over it the question and what it comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from triage.models.judging import JudgeReport
from triage.plain import fit
from triage.ui.palette import Palette, colours
from triage.ui.widgets.agreement_model import Column
from triage.ui.widgets.agreement_model import Row as AgreementRow
from triage.ui.widgets.agreement_table import GAP, Laid, drawn
from triage.ui.widgets.cursor_list import CursorList
from triage.ui.widgets.judges_model import PARTS, Part, Row, asked, counts, fitted, summary
from triage.ui.widgets.line import Part as Piece
from triage.ui.widgets.line import Words, length, line, styled


def _laid(cells: int, columns: Sequence[Column], rows: Sequence[Row]) -> Laid:
    return Laid(cells, columns, cast("Sequence[AgreementRow]", rows))


class JudgesTop(Widget):
    """Two rows: what is held against what, and what it comes to beside the parts."""

    DEFAULT_CSS = "JudgesTop { height: 2; width: 1fr; }"

    found: reactive[JudgeReport | None] = reactive(None)
    part: reactive[Part] = reactive("thresholds")

    def __init__(self, keys: Mapping[str, str]) -> None:
        """`keys` are the keys shown by action id."""
        super().__init__()
        self._keys = keys

    def render_line(self, y: int) -> Strip:
        """A row."""
        ink, cells = colours(self.app), self.size.width
        ground = ink("text", "bg")
        found = self.found
        if found is None:
            return Strip.blank(cells, ground)
        if y == 0:
            return line(styled(fitted(asked(found, self._keys), cells), ink), [], cells, ground)
        right = styled(self._parts(found), ink)
        left = styled(fitted(summary(found), cells - length(right) - 2), ink)
        return line(left, right, cells, ground)

    def _parts(self, found: JudgeReport) -> Words:
        many = counts(found)
        words: list[tuple[str, str]] = [(f"{self._keys['judges.part']} ", "focus bold")]
        for part in PARTS:
            shown = part if self.size.width >= 100 else part.split()[0]
            words += [(shown, "text bold" if part == self.part else "muted"), (f" {many[part]}", "faint"),
                      ("  ", "text")]  # fmt: skip
        return [*words[:-1], (" ", "text")]


class JudgeHead(Widget):
    """The header line over the list."""

    DEFAULT_CSS = "JudgeHead { height: 1; width: 1fr; background: $raised; }"

    columns: reactive[tuple[Column, ...]] = reactive(())
    rows: reactive[Sequence[Row]] = reactive(())
    lit: reactive[bool] = reactive(True)

    def render_line(self, y: int) -> Strip:
        """The row."""
        ink, cells = colours(self.app), self.size.width
        voice = ink("text" if self.lit else "faint", "raised")
        if not self.rows:
            return Strip.blank(cells, voice)
        laid = _laid(cells, self.columns, self.rows)
        text = " "
        for column, size in zip(self.columns, laid.sizes, strict=True):
            if size:
                text += fit(column.title, size, right=column.right) + " " * GAP
        if laid.bar:
            text += "0" + " " * (laid.bar - 2) + "1"
        return line([(text, voice)], [], cells, voice)


class JudgeList(CursorList):
    """One line a row; the cursor stays on its row."""

    DEFAULT_CSS = "JudgeList { width: 1fr; height: 1fr; background: $bg; }"

    def __init__(self) -> None:
        super().__init__()
        self.columns: tuple[Column, ...] = ()
        self.rows: Sequence[Row] = ()

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
        self.columns, self.rows = columns, rows
        self.changed(next((at for at, row in enumerate(rows) if row.key == wanted), 0))

    def paint(self, position: int, cells: int, *, cursor: bool, ink: Palette) -> Strip:
        """The row."""
        laid, row = _laid(cells, self.columns, self.rows), self.rows[position]
        on = "cursor" if cursor else "bg"
        ground = ink("text", on)
        mark: Piece = (" ", ground)
        if cursor:
            mark = (">", ink.fill("focus") if self.has_focus else ground)
        parts: list[Piece] = [mark]
        for at, (column, size) in enumerate(zip(self.columns, laid.sizes, strict=True)):
            if size:
                text, role = row.cells[at]
                role = "muted" if cursor and role == "faint" else role
                parts += [(fit(text, size, right=column.right), ink(role, on)), (" " * GAP, ground)]
        if laid.bar and row.bar is not None:
            parts += drawn(row.bar, laid.bar, ink, on)
        return line(parts, [], cells, ground)
