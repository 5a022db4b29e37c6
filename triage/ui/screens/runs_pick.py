"""The quick way to another baseline or run: one line a run over the Triage screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from triage.ui.keys import same_keys
from triage.ui.screens.dialogs import Dialog, step
from triage.ui.widgets.runs_model import Order, arrange, prepare
from triage.ui.widgets.runs_row import pick_line

if TYPE_CHECKING:
    from triage.models.run import RunSummary
    from triage.models.run_list import RunEntry

_WIDEST, _BESIDE = 86, 48
"""Cells of the box, and those of its margins and of what stands beside run id and test set."""


@dataclass(frozen=True, slots=True)
class Picked:
    """The answer: open the run, compare with it, or compare with what is compared by default."""

    does: Literal["open", "against", "default", "screen"]
    run: str


class RunsDialog(Dialog[Picked]):
    """Enter compares the run shown with the one under the cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("o", "open", show=False),
        *same_keys(runs_default="default", runs="screen", next="step(1)", previous="step(-1)"),
    ]

    def __init__(self, entries: Sequence[RunEntry], current: RunSummary, keys: Mapping[str, str]) -> None:
        default, more = keys["runs.default"], keys["runs"]
        hint = f"enter compares   o opens   {default} default   {more} numbers   esc back"
        super().__init__(f"runs: {current.id} against {current.baseline or 'none'}", hint)
        model = arrange(prepare(entries, shown=current.id, against=current.baseline, metric=None), Order())
        self._lines, self._current = model.lines, current

    def content(self) -> ComposeResult:
        """The list."""
        room = min(self.app.size.width, _WIDEST) - _BESIDE
        test_set = max(min(14, room - 18), 4)
        cells = (max(min(24, room - test_set), 8), test_set)
        yield OptionList(
            *(
                Option(
                    Content.assemble(
                        "> " if line.mark == "shown" else "  ",
                        *((text, f"${role}") for text, role in pick_line(line, cells)),
                    )
                )
                for line in self._lines
            )
        )

    def on_mount(self) -> None:
        """Begin at the baseline, else at the run shown."""
        super().on_mount()
        ids = [line.entry.run.id for line in self._lines]
        start = self._current.baseline if self._current.baseline in ids else self._current.id
        self.query_one(OptionList).highlighted = ids.index(start) if start in ids else 0

    def _at(self) -> str | None:
        at = self.query_one(OptionList).highlighted
        return self._lines[at].entry.run.id if at is not None else None

    def action_step(self, direction: int) -> None:
        """One up or down."""
        step(self.query_one(OptionList), direction)

    def action_open(self) -> None:
        """Show this run."""
        run = self._at()
        self.dismiss(Picked("open", run) if run is not None else None)

    def action_default(self) -> None:
        """Compare with the newest earlier run of the test set."""
        self.dismiss(Picked("default", ""))

    def action_screen(self) -> None:
        """All of them, with their numbers."""
        self.dismiss(Picked("screen", ""))

    @on(OptionList.OptionSelected)
    def _against(self) -> None:
        run = self._at()
        if run is None:
            return
        if run == self._current.id:
            self.tell("a run is not compared with itself: choose another", bad=True)
        else:
            self.dismiss(Picked("against", run))
