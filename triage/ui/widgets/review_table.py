"""The list of samples: a line each under its header; the cursor stays on its sample."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from textual.strip import Strip

from triage.plain import cut, fit
from triage.ui.palette import Palette
from triage.ui.widgets.line import Part, line
from triage.ui.widgets.review_model import Line, longest
from triage.ui.widgets.row_list import RowHead, RowList, cursor_mark

GAP = 2
NAME_LEAST, NAME_FIRST, NAME_MOST, STRATA_LEAST = 8, 18, 28, 12


class Columns(Struct, frozen=True):
    """Cells of each column; 0 = there is no room for it."""

    cells: int = 0
    name: int = NAME_LEAST
    cases: int = 5
    yours: int = 10
    readings: int = 8
    disputes: int = 8
    left: int = 0
    drawn: int = 0
    by: int = 0
    strata: int = 0

    @classmethod
    def at(cls, cells: int, lines: Sequence[Line]) -> Columns:
        """The columns of a list `cells` wide: what is still to do comes first."""
        name = min(max(longest(lines, "name"), NAME_LEAST), NAME_MOST)
        got = {
            "cases": max(longest(lines, "cases"), 5),
            "yours": max(longest(lines, "yours") + 2, 10),
            "readings": max(longest(lines, "readings"), 8),
            "disputes": 8,
        }
        room = cells - 2 - NAME_LEAST - sum(GAP + size for size in got.values())
        grown = min(name - NAME_LEAST, NAME_FIRST - NAME_LEAST, max(room, 0))
        room -= grown
        for column, size in (("left", max(longest(lines, "left"), 9)), ("drawn", 11)):
            if room >= GAP + size:
                got[column] = size
                room -= GAP + size
        more = min(name - NAME_LEAST - grown, max(room, 0))
        grown, room = grown + more, room - more
        for column, size in (("by", min(max(longest(lines, "by"), 6), 12)), ("strata", STRATA_LEAST)):
            if room >= GAP + size:
                got[column] = size
                room -= GAP + size
        if "strata" in got:
            got["strata"] += room
        return cls(cells, NAME_LEAST + grown, **got)


_TITLES = (
    ("cases", "cases", True),
    ("yours", "you read", False),
    ("left", "time left", True),
    ("readings", "readings", True),
    ("disputes", "disputes", True),
    ("drawn", "drawn", False),
    ("by", "by", False),
    ("strata", "strata", False),
)


class SampleHead(RowHead):
    """The header line over the list."""

    def titles(self, cells: int) -> str:
        """The columns' titles in a line of so many cells."""
        columns = Columns.at(cells, self.rows)
        text = " " + fit("sample", columns.name)
        for column, title, right in _TITLES:
            size = getattr(columns, column)
            if size:
                title = f" {title}" if column == "yours" else title
                text += " " * GAP + fit(title, size, right=right)
        return text


class SampleTable(RowList[Line]):
    """One line a sample."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._columns = Columns()

    def key_of(self, row: Line) -> str:
        """The sample's name."""
        return row.entry.sample.name

    def show(self, rows: Sequence[Line], keep: str | None = None) -> None:
        """Show others, under columns that fit them."""
        self._columns = Columns()
        super().show(rows, keep)

    def paint(self, position: int, cells: int, *, cursor: bool, ink: Palette) -> Strip:
        """The sample's row; what this reader has read is drawn as progress."""
        if self._columns.cells != cells:
            self._columns = Columns.at(cells, self.rows)
        columns, row = self._columns, self.rows[position]
        on = "cursor" if cursor else "bg"
        ground, quiet, text = ink("text", on), ink("muted", on), ink("text", on)
        gap: Part = (" " * GAP, ground)
        mark = cursor_mark(cursor, self.has_focus, ink)
        done = row.left == "done"
        name = ink("text bold", on) if cursor else quiet if done else text
        parts: list[Part] = [mark, (fit(row.name, columns.name), name)]
        for column, _, right in _TITLES:
            size = getattr(columns, column)
            if not size:
                continue
            parts.append(gap)
            words = getattr(row, column)
            if column == "yours":
                parts += progress(words, row.share, size, ink)
            elif column == "disputes":
                voice = text if row.entry.progress.disputed else ink("muted" if cursor else "faint", on)
                parts.append((fit(words, size, right=right), voice))
            else:
                parts.append((fit(cut(words, size), size, right=right), quiet))
        return line(parts, [], cells, ground)


def progress(words: str, share: float, cells: int, ink: Palette) -> list[Part]:
    """Words on a ground that is filled up to a share, 0..1, in exactly `cells` cells."""
    text = fit(f" {words}", cells)
    filled = round(cells * share)
    if share > 0 and not filled:
        filled = 1
    if share < 1 and filled == cells:
        filled = cells - 1
    return [(text[:filled], ink.ground("done")), (text[filled:], ink("text", "cursor"))]
