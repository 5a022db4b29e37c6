"""The prompt that goes to a case: by its id, a part of it, or its number in the list."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from triage.models.offer import Found
from triage.plain import cut, cut_left, fit, one_line, preview, width
from triage.ui.screens.dialogs import Dialog
from triage.ui.widgets.fields import Field

_ID, _PLACE = 24, 15
"""Most cells of an id, and cells of its place."""


@dataclass(frozen=True, slots=True)
class Row:
    """A case that the prompt lists; `place` is its 0-based place in the list, None = it is not there.

    `by_number`: it was found by that place.
    """

    case: Found
    place: int | None
    by_number: bool = False


class GotoDialog(Dialog[Row]):
    """One line to type in, and the cases that it may mean; the first is taken where none is chosen.

    Args:
        look: the cases that a text may mean, the likeliest first; None where that can't be told.
        shown: how many cases the list holds.
        here: what the list holds, in words.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step(-1)", show=False),
        Binding("down", "step(1)", show=False),
    ]

    def __init__(self, look: Callable[[str], Awaitable[list[Row] | None]], shown: int, here: str) -> None:
        super().__init__("go to a case", "")
        self._look, self._shown, self._here = look, shown, here
        self._rows: list[Row] = []
        self._typed = ""
        self._entered = False
        self._outside: Row | None = None

    def content(self) -> ComposeResult:
        """The line and the cases."""
        yield Field(placeholder="a case's id or a part of it, or a number", compact=True)
        options = OptionList()
        options.can_focus = False
        options.display = False
        yield options

    def on_mount(self) -> None:
        """Say what may be typed."""
        super().on_mount()
        self._say_keys()

    def _say_keys(self) -> None:
        number = f"1 to {self._shown}: the row of the list   " if self._shown else ""
        self.tell(f"{number}enter goes there   esc back")

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self._outside = None
        self._typed = event.value.strip()
        self.run_worker(self._find(self._typed), group="goto", exclusive=True)

    async def _find(self, typed: str) -> None:
        found = await self._look(typed) if typed else []
        if typed != self._typed:
            return
        self._rows = found or []
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options([Option(self._line(row)) for row in self._rows])
        options.display = bool(self._rows)
        options.highlighted = 0 if self._rows else None
        if typed and not self._rows:
            self.tell(f"no case of this run has {one_line(typed)!r} in its id", bad=True)
        else:
            self._say_keys()
        if self._entered:
            self._entered = False
            self._take()

    def _line(self, row: Row) -> Content:
        cells = min(max(width(one_line(one.case.id)) for one in self._rows), _ID)
        # The field is as wide as the list with its margins; a cell is for the scrollbar.
        room = self.query_one(Field).size.width - cells - _PLACE - 5
        place = "not in the list" if row.place is None else f"row {row.place + 1}"
        return Content.assemble(
            "  ",
            fit(cut_left(one_line(row.case.id), cells), cells),
            (f"  {fit(place, _PLACE)}  ", "$focus" if row.by_number else "$muted"),
            (cut(preview(row.case.query), max(room, 8)), "$muted"),
        )

    def action_step(self, direction: int) -> None:
        """One up or down."""
        options = self.query_one(OptionList)
        self._outside = None
        if direction > 0:
            options.action_cursor_down()
        else:
            options.action_cursor_up()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        if event.value.strip() != self._typed or any(
            not worker.is_finished for worker in self.workers if worker.group == "goto"
        ):
            # Taken when it is found: keys come faster than answers.
            self._entered = True
        else:
            self._take()

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        self._choose(self._rows[event.option_index])

    def _take(self) -> None:
        at = self.query_one(OptionList).highlighted
        if at is not None and at < len(self._rows):
            self._choose(self._rows[at])

    def _choose(self, row: Row) -> None:
        if row.place is not None or self._outside == row:
            self.dismiss(row)
            return
        self._outside = row
        self.tell(
            f"{one_line(row.case.id)} is not among the cases shown ({self._here}).\n"
            "enter again shows all cases, without a filter, and goes there   esc back"
        )
