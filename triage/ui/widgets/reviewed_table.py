"""The list of a review report: rows under headings, intervals drawn to one scale."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from triage.models.review_report import Rate
from triage.plain import cut, cut_left, fit, width
from triage.ui.palette import Palette, colours
from triage.ui.widgets.broken import whole
from triage.ui.widgets.head import WIDE
from triage.ui.widgets.line import Part, Words, clip, length, line, size_of, styled
from triage.ui.widgets.reviewed_model import Row
from triage.ui.widgets.row_list import RowList, cursor_mark

GAP = 2
NAME_LEAST, NAME_MOST, SHORT, COUNT, SAID = 16, 36, 12, 9, 27
BAR_LEAST, BAR_MOST = 16, 48


class Columns(Struct, frozen=True):
    """Cells of each column; `bar` 0 = there is no room for it. `top` is the share at the bar's end, 0..1."""

    cells: int = 0
    name: int = NAME_LEAST
    bar: int = 0
    top: float = 1.0

    @classmethod
    def at(cls, cells: int, rows: Sequence[Row]) -> Columns:
        """The columns of a list `cells` wide."""
        longest = max((width(row.name) for row in rows if row.key), default=0)
        fixed = 1 + 2 + 2 * (COUNT + GAP) + GAP + SAID + GAP + 1
        share = cells * 3 // 10 if cells >= WIDE else cells // 4
        name = min(max(longest, NAME_LEAST), NAME_MOST, max(share, NAME_LEAST))
        bar = cells - fixed - name
        highs = [
            row.rate.interval[1] for row in rows if row.rate is not None and row.rate.interval is not None
        ]
        # To the next tenth, so that the scale has a round end.
        top = min(max(math.ceil(max(highs, default=0.1) * 10 - 1e-9) / 10, 0.1), 1.0)
        return cls(cells, name, min(bar, BAR_MOST) if bar >= BAR_LEAST else 0, top)


class ReviewedSaid(Widget):
    """The two lines over the list: what may be claimed, and how much was read."""

    DEFAULT_CSS = "ReviewedSaid { height: 2; width: 1fr; }"

    said: reactive[Sequence[Words]] = reactive(())

    def render_line(self, y: int) -> Strip:
        """One of them."""
        ink, cells = colours(self.app), self.size.width
        ground = ink("text", "bg")
        words = self.said[y] if y < len(self.said) else ()
        return line([(" ", ground), *styled(whole(words, cells - 2), ink)], [(" ", ground)], cells, ground)


class ReviewedList(RowList[Row]):
    """One line a row; the cursor passes over headings, and stays on its row when others come."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._columns = Columns()

    @property
    def row(self) -> Row | None:
        """The row under the cursor; a heading is none."""
        row = super().row
        return row if row is not None and row.key else None

    def key_of(self, row: Row) -> str:
        """What tells a row from the others; "" is a heading's."""
        return row.key

    @property
    def place(self) -> tuple[int, int]:
        """The cursor's 1-based place among the rows, and how many there are."""
        keys = [at for at, row in enumerate(self.rows) if row.key]
        return sum(at <= self.position for at in keys), len(keys)

    def show(self, rows: Sequence[Row], keep: str | None = None) -> None:
        """Show others, under columns that fit them; a heading never has the cursor."""
        self._columns = Columns()
        super().show(rows, keep)

    def changed(self, position: int) -> None:
        """The lines are others; the cursor goes to a position, or to the row after the heading there."""
        super().changed(self._landed(position, 1))

    def _landed(self, position: int, step: int) -> int:
        """The nearest row at or after a position in the direction of a step, else before it."""
        if not self.rows:
            return 0
        last = len(self.rows) - 1
        position = min(max(position, 0), last)
        for places in (range(position, last + 1), range(position, -1, -1))[:: step or 1]:
            for at in places:
                if self.rows[at].key:
                    return at
        return position

    def move_to(self, position: int) -> None:
        """Put the cursor on the row at a position, or on the next one in the direction it came from."""
        landed = self._landed(position, 1 if position >= self.position else -1)
        super().move_to(landed)
        if landed <= self._landed(0, 1):
            # The first row's heading is seen with it.
            self.scroll_to(y=0, animate=False, force=True)

    def paint(self, position: int, cells: int, *, cursor: bool, ink: Palette) -> Strip:
        """A row, or a heading."""
        if self._columns.cells != cells:
            self._columns = Columns.at(cells, self.rows)
        columns, row = self._columns, self.rows[position]
        cursor = cursor and bool(row.key)
        on = "cursor" if cursor else "bg"
        ground = ink("text", on)
        if not row.key:
            return self._heading(row, cells, ink)
        gap: Part = (" " * GAP, ground)
        quiet = ink("muted", on)
        mark = cursor_mark(cursor, self.has_focus, ink)
        name = ink("text bold", on) if cursor else quiet if row.quiet else ground
        if row.tint:
            word = f" {row.name} "
            named = [
                (word, ink.ground(on) + ink.tint(row.tint, on)),
                (" " * (columns.name - width(word)), ground),
            ]
        else:
            named = [(fit(row.name, columns.name), name)]
        if row.narrow:
            said = [(text, ink(_seen(role, cursor), on)) for text, role in row.said]
            short: Part = (fit(cut_left(row.name, SHORT), SHORT), name)
            return line([mark, short, gap, *said], [(" ", ground)], cells, ground)
        if not any(row.counts) and not row.rate and width(row.name) > columns.name:
            return self._long(row, mark, cells, ink, on)
        parts: list[Part] = [mark, *named, (f" {row.sign:<1}", ink("text bold", on))]
        for text in row.counts:
            parts += [gap, (fit(text, COUNT, right=True), quiet)]
        parts.append(gap)
        room = cells - length(parts) - 1
        fitting = whole(row.said, room)
        if row.rate is not None and size_of(fitting) > room:
            # A rate without its interval, which the strip has: never a number that is cut.
            fitting = [(text.partition(" [")[0], role) for text, role in fitting]
        said = [(text, ink(_seen(role, cursor), on)) for text, role in fitting]
        if row.rate is None or not columns.bar:
            return line([*parts, *said], [(" ", ground)], cells, ground)
        said = clip(said, SAID)
        parts += [*said, (" " * (SAID - length(said)), ground), gap]
        return line([*parts, *bar(row.rate, columns, ink, on)], [], cells, ground)

    def _long(self, row: Row, mark: Part, cells: int, ink: Palette, on: str) -> Strip:
        """A sentence in the name's place."""
        said = [(text, ink(_seen(role, on == "cursor"), on)) for text, role in row.said]
        voice = ink("muted", on)
        return line([mark, (row.name, voice), ("  ", voice), *said], [(" ", voice)], cells, ink("text", on))

    def _heading(self, row: Row, cells: int, ink: Palette) -> Strip:
        columns, ground, faint = self._columns, ink("text", "bg"), ink("faint", "bg")
        if not row.name:
            return Strip.blank(cells, ground)
        parts: list[Part] = [(" ", ground), (fit(row.name, columns.name + 2), ink("text bold", "bg"))]
        if width(row.name) > columns.name + 2:
            parts[-1] = (cut(row.name, cells - 2), ink("text bold", "bg"))
            return line(parts, [], cells, ground)
        for text in row.counts:
            parts += [("  ", ground), (fit(text, COUNT, right=True), faint)]
        parts.append(("  ", ground))
        if row.said:
            said = row.said
            if length(parts) + size_of(said) + 1 > cells:
                # The strip has the whole sentence; its first half is what there is room for.
                said = [(text.partition(": ")[0], role) for text, role in said]
            return line([*parts, *styled(said, ink)], [(" ", ground)], cells, ground)
        follows = self.rows[self.rows.index(row) + 1 :][:1]
        if follows and follows[0].rate is not None:
            parts.append((fit("failure rate, 95 %", SAID), faint))
            if columns.bar:
                end = f"{columns.top * 100:.0f} %"
                scale = "0" + end.rjust(columns.bar - 1)
                parts += [("  ", ground), (scale, faint)]
        return line(parts, [], cells, ground)


def _seen(role: str, cursor: bool) -> str:
    """Faint words can't be read on the cursor's tone."""
    return role.replace("faint", "muted") if cursor else role


def bar(rate: Rate, columns: Columns, ink: Palette, on: str) -> list[Part]:
    """An interval as a line from 0 to the scale's end; the value stands on it as `|`."""
    ground = ink("text", on)
    if rate.value is None or rate.interval is None or rate.method is None:
        return [(" " * columns.bar, ground)]

    def place(share: float) -> int:
        return min(round(share / columns.top * (columns.bar - 1)), columns.bar - 1)

    low, high = (place(end) for end in rate.interval)
    voice = ink("muted" if on == "cursor" else "faint", on)
    parts: list[Part] = [
        (" " * low, ground),
        ("-" * (high - low + 1), voice),
        (" " * (columns.bar - high - 1), ground),
    ]
    if rate.method == "none failed":
        return parts
    at = place(rate.value)
    role = "bad bold" if rate.failing else "good bold"
    return [
        (" " * low, ground),
        ("-" * (at - low), voice),
        ("|", ink(role, on)),
        ("-" * (high - at), voice),
        (" " * (columns.bar - high - 1), ground),
    ]
