"""The case list: an array of keys, pages of rows as they are needed, painted a line at a time.

There is never a widget or a row object per case: a list of a million costs its keys and a few pages.
"""

from __future__ import annotations

import contextlib
from array import array
from collections import OrderedDict
from collections.abc import Iterable, Sequence, Set
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.geometry import Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from triage.models.case import CaseRow
from triage.plain import one_line, width
from triage.ui.keys import bindings
from triage.ui.messages import Told
from triage.ui.paging import PAGE
from triage.ui.palette import colours
from triage.ui.widgets.line import Words, line, size_of, styled
from triage.ui.widgets.marks import Marks
from triage.ui.widgets.row import LIKENESS, TOPIC, TOPIC_FROM, Column, Columns, RowState, judged, paint, rests

PAGES_KEPT = 48


class CaseList(ScrollView, can_focus=True, inherit_bindings=False):
    """The cases of a scope, one a line, with a cursor that keeps its case."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("list")]
    DEFAULT_CSS = "CaseList { scrollbar-size: 0 0; overflow-x: hidden; overflow-y: auto; }"

    sort_name: reactive[str] = reactive("")

    class Highlighted(Told):
        """The cursor stands on another case; None = the list is empty."""

        pk: int | None

    class Opened(Told):
        """Enter, or a click on the case under the cursor."""

        pk: int

    class PageWanted(Told):
        """Rows that are on screen are not here yet."""

        generation: int
        page: int
        pks: list[int]

    class Shaped(Told):
        """The columns have changed: the header line is to be painted again."""

        columns: Columns

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.keys: array[int] = array("q")
        self.position = 0
        self.home: int | None = None
        self.generation = 0
        self.marked = Marks()
        self.chosen: Sequence[Column] | None = None
        self.likened = False
        """The list is of similar cases, so how similar each is stands first."""
        self.tail: Words = ()
        self.notice: tuple[Words, ...] = ()
        self._pages: OrderedDict[int, list[CaseRow]] = OrderedDict()
        self._wanted: set[int] = set()
        self._longest_id = 0
        self._told: int | None = -1

    # what is shown

    def show(self, keys: array[int], pages: dict[int, list[CaseRow]], keep: int | None = None) -> None:
        """Show other keys at once.

        The cursor goes to the case with the key `keep`, else to the one on which a person put it last, else
        stays on its own; where that has gone too it goes to its nearest neighbour. A case that was kept
        stands as far from the top of the screen as the one before.
        """
        below_top = self.position - self.scroll_offset.y if self.keys and keep is not None else None
        self.position = self._place(keys, keep)
        self.keys = keys
        self.generation += 1
        self._pages = OrderedDict(pages)
        self._wanted.clear()
        self._longest_id = 0
        self.marked.shown_in(keys)
        for rows in pages.values():
            self._measure(rows)
        self._fit()
        if below_top is not None:
            self.scroll_to(y=max(self.position - below_top, 0), animate=False, force=True)
        self._reveal(centre=True)
        self.refresh()
        self._tell()

    def _place(self, keys: array[int], keep: int | None) -> int:
        if not keys:
            return 0
        for pk in (keep, *self.wanted):
            with contextlib.suppress(ValueError):
                if pk is not None:
                    return keys.index(pk)
        old, at = self.keys, self.position
        here = {key: place for place, key in enumerate(keys)} if old else {}
        for step in range(1, len(old)):
            for neighbour in (at + step, at - step):
                if 0 <= neighbour < len(old) and old[neighbour] in here:
                    return here[old[neighbour]]
        return min(at, len(keys) - 1)

    def put_page(self, generation: int, page: int, rows: list[CaseRow]) -> None:
        """Rows that were wanted; those of keys shown before are dropped."""
        if generation != self.generation:
            return
        self._wanted.discard(page)
        self._pages[page] = rows
        self._pages.move_to_end(page)
        while len(self._pages) > PAGES_KEPT:
            self._pages.popitem(last=False)
        self._measure(rows)
        self.refresh_lines(page * PAGE, PAGE)

    def update_rows(self, rows: Iterable[CaseRow]) -> None:
        """Rows as they are now, in their old places: only lines that differ are painted again."""
        fresh = {row.pk: row for row in rows}
        for page, kept in self._pages.items():
            for offset, row in enumerate(kept):
                new = fresh.get(row.pk)
                if new is not None and new != row:
                    kept[offset] = new
                    self.refresh_lines(page * PAGE + offset)

    def forget_rows(self) -> None:
        """Drop every page that is not on screen: what they hold may be old."""
        first, last = self._on_screen()
        for page in [page for page in self._pages if not first <= page <= last]:
            del self._pages[page]

    def say(self, tail: Words, notice: tuple[Words, ...]) -> None:
        """What stands after the last row, and what stands in the list's place where it has none."""
        if (tail, notice) != (self.tail, self.notice):
            self.tail, self.notice = tail, notice
            self._fit()
            self.refresh()

    def liken(self, likened: bool) -> None:
        """Show how similar each case is, or no longer."""
        if likened != self.likened:
            self.likened = likened
            self.post_message(self.Shaped(self.columns))

    def choose(self, columns: Sequence[Column] | None) -> None:
        """Show other columns between flags and query; None = as the width has it."""
        self.chosen = columns
        self.post_message(self.Shaped(self.columns))
        self.refresh()

    def unmark(self) -> None:
        """Take every mark away."""
        if self.marked:
            self.marked.clear()
            self.refresh()

    def mark(self, what: str) -> None:
        """Mark `one` case, under the cursor, and go one down; up `to` the cursor; `all` shown."""
        if self.pk is None:
            return
        if what == "one":
            self.marked.toggle(self.pk)
            self.refresh_lines(self.position)
            self.move_to(self.position + 1)
            return
        if what == "to":
            self.marked.reach(self.keys, self.position)
        else:
            self.marked.all(self.keys)
        self.refresh()

    # what is known

    @property
    def wanted(self) -> tuple[int | None, int | None]:
        """Keys of the case on which a person put the cursor last, and of the one it is on."""
        return self.home, self.pk

    @property
    def pk(self) -> int | None:
        """Key of the case under the cursor."""
        return self.keys[self.position] if 0 <= self.position < len(self.keys) else None

    @property
    def row(self) -> CaseRow | None:
        """The case under the cursor, where its row is here."""
        return self.row_at(self.position)

    def row_at(self, position: int) -> CaseRow | None:
        """The row at a 0-based position, None where its page is not here."""
        page, offset = divmod(position, PAGE)
        rows = self._pages.get(page)
        return rows[offset] if rows is not None and 0 <= offset < len(rows) else None

    def rows_here(self) -> list[CaseRow]:
        """Every row that is here."""
        return [row for rows in self._pages.values() for row in rows]

    def rows_of(self, pks: Iterable[int]) -> list[CaseRow]:
        """The rows of these keys as far as they are here."""
        wanted = set(pks)
        return [row for rows in self._pages.values() for row in rows if row.pk in wanted]

    def rows_on_screen(self) -> list[int]:
        """Keys of the pages on screen."""
        first, last = self._on_screen()
        return list(self.keys[first * PAGE : (last + 1) * PAGE])

    def next_unreviewed(self, skip: Set[int]) -> tuple[int | None, bool, bool]:
        """The next case without a verdict after the cursor, wrapping once; cases in `skip` count as judged.

        One that was put off comes only where no other is left.

        Returns:
            Its position or None; whether it wrapped; whether that is known: False where rows are not here.
        """
        count = len(self.keys)
        later: int | None = None
        for step in range(1, count):
            position = (self.position + step) % count
            if self.keys[position] in skip:
                continue
            row = self.row_at(position)
            if row is None:
                return None, False, False
            if not rests(row):
                return position, position < self.position, True
            if later is None and not judged(row):
                later = position
        return later, later is not None and later < self.position, True

    @property
    def columns(self) -> Columns:
        """The columns at the present width."""
        chosen = self.chosen
        if self.likened:
            usual = [TOPIC] if self.size.width >= TOPIC_FROM else []
            chosen = [LIKENESS, *(usual if chosen is None else chosen)]
        return Columns.at(self.size.width, self._longest_id, chosen)

    # moving

    def move_to(self, position: int) -> None:
        """Put the cursor on a 0-based position (held within the list); two lines are painted again."""
        if not self.keys:
            return
        position = min(max(position, 0), len(self.keys) - 1)
        if position == self.position:
            return
        old, self.position = self.position, position
        self.home = self.pk
        if not self._reveal():
            self.refresh_lines(old)
            self.refresh_lines(position)
        self._tell()

    def go_to(self, pk: int) -> None:
        """Put the cursor on the case with this key, where the list has it."""
        if pk in self.keys:
            self.move_to(self.keys.index(pk))

    def _reveal(self, *, centre: bool = False) -> bool:
        """Scroll so that the cursor is seen: by half a page, so that most keys don't scroll."""
        height = self.size.height
        if height <= 0:
            return False
        top = self.scroll_offset.y
        if top <= self.position < top + height:
            last_top = max(self.virtual_size.height - height, 0)
            if top <= last_top:
                return False
            target = last_top
        elif centre or self.position < top - height or self.position >= top + 2 * height:
            target = self.position - height // 2
        elif self.position < top:
            target = self.position - height + height // 2
        else:
            target = self.position - height // 2
        target = min(max(target, 0), max(self.virtual_size.height - height, 0))
        self.scroll_to(y=target, animate=False, force=True)
        return True

    def action_down(self) -> None:
        """One row down."""
        self.move_to(self.position + 1)

    def action_up(self) -> None:
        """One row up."""
        self.move_to(self.position - 1)

    def action_page(self, direction: int) -> None:
        """A page down (1) or up (-1)."""
        self.move_to(self.position + direction * max(self.size.height - 1, 1))

    def action_edge(self, last: bool) -> None:
        """To the first or the last row."""
        self.move_to(len(self.keys) - 1 if last else 0)

    def action_open(self) -> None:
        """Open the case under the cursor."""
        if self.pk is not None:
            self.post_message(self.Opened(self.pk))

    def on_click(self, event: events.Click) -> None:
        """A click selects, a click on the selected opens."""
        position = self.scroll_offset.y + event.y
        if position == self.position:
            self.action_open()
        elif position < len(self.keys):
            self.move_to(position)

    # painting

    def render_line(self, y: int) -> Strip:
        """The line `y` of the window."""
        ink = colours(self.app)
        cells = self.size.width
        ground = ink("text", "bg")
        if not self.keys:
            words = self.notice[y - 1] if 1 <= y <= len(self.notice) else ()
            return line([("  ", ground), *styled(words, ink)], [(" ", ground)], cells, ground)
        position = self.scroll_offset.y + y
        if position < len(self.keys):
            state = RowState(position == self.position, self.has_focus, self.keys[position] in self.marked)
            row = self.row_at(position)
            if row is not None:
                return paint(row, self.columns, state, ink)
            self._want(position // PAGE)
            cursor = (">", ink.fill("focus")) if state.cursor else (" ", ground)
            return line([cursor], [], cells, ink("text", "cursor") if state.cursor else ground)
        if position == len(self.keys) + 1 and self.tail:
            indent = min(7, max(cells - size_of(self.tail) - 1, 1))
            return line([(" " * indent, ground), *styled(self.tail, ink)], [(" ", ground)], cells, ground)
        return Strip.blank(cells, ground)

    def _want(self, page: int) -> None:
        if page not in self._wanted:
            self._wanted.add(page)
            self.post_message(
                self.PageWanted(self.generation, page, list(self.keys[page * PAGE : (page + 1) * PAGE]))
            )

    def _measure(self, rows: list[CaseRow]) -> None:
        longest = max((width(one_line(row.id)) for row in rows), default=0)
        if longest > self._longest_id:
            before, self._longest_id = self.columns, longest
            if self.columns != before:
                self.post_message(self.Shaped(self.columns))
                self.refresh()

    def _on_screen(self) -> tuple[int, int]:
        top = self.scroll_offset.y
        last = max(min(top + self.size.height, len(self.keys)) - 1, 0)
        return top // PAGE, last // PAGE

    def _fit(self) -> None:
        self.virtual_size = Size(self.size.width, len(self.keys) + (2 if self.tail and self.keys else 0))

    def _tell(self) -> None:
        if self.pk != self._told:
            self._told = self.pk
            self.post_message(self.Highlighted(self.pk))

    def on_resize(self) -> None:
        """Keep the cursor in view at any size."""
        self._fit()
        self._reveal(centre=True)
        self.post_message(self.Shaped(self.columns))

    def on_focus(self) -> None:
        """Only the cursor's line tells the focus."""
        self.refresh_lines(self.position)

    def on_blur(self) -> None:
        """Only the cursor's line tells the focus."""
        self.refresh_lines(self.position)
