"""The loaded runs: open one, or compare the present one with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from triage.plain import fit, one_line
from triage.ui.screens.dialogs import Dialog

if TYPE_CHECKING:
    from triage.models.run import RunSummary


@dataclass(frozen=True, slots=True)
class Picked:
    """The answer: open the run, compare with it, or compare with what is compared by default."""

    does: Literal["open", "against", "default"]
    run: str


class RunsDialog(Dialog[Picked]):
    """One line a run; `>` is the one shown, `against` its baseline."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("o", "open", show=False),
        Binding("backspace", "default", show=False),
        Binding("j", "step(1)", show=False),
        Binding("k", "step(-1)", show=False),
    ]

    def __init__(self, runs: Sequence[RunSummary], current: RunSummary) -> None:
        hint = "enter compares   o opens   backspace default baseline   esc back"
        super().__init__(f"runs: {current.id} against {current.baseline or 'none'}", hint)
        self._runs, self._current = list(runs), current

    def content(self) -> ComposeResult:
        """The list."""
        yield OptionList(*(Option(self._line(run)) for run in self._runs))

    def on_mount(self) -> None:
        """Begin at the baseline, else at the run shown."""
        super().on_mount()
        ids = [run.id for run in self._runs]
        start = self._current.baseline if self._current.baseline in ids else self._current.id
        self.query_one(OptionList).highlighted = ids.index(start) if start in ids else 0

    def _line(self, run: RunSummary) -> Content:
        sign = "> " if run.id == self._current.id else "  "
        word = "against" if run.id == self._current.baseline else ""
        name = fit(one_line(run.id), 22)
        test_set = fit(one_line(run.dataset or ""), 13)
        return Content.assemble(
            sign,
            name,
            (f"  {word:<8}", "$focus"),
            (f"{test_set}{run.records:>7} cases  {run.created_at[:10]}", "$muted"),
        )

    def _at(self) -> RunSummary | None:
        at = self.query_one(OptionList).highlighted
        return self._runs[at] if at is not None else None

    def action_step(self, direction: int) -> None:
        """One up or down."""
        options = self.query_one(OptionList)
        if direction > 0:
            options.action_cursor_down()
        else:
            options.action_cursor_up()

    def action_open(self) -> None:
        """Show this run."""
        run = self._at()
        self.dismiss(Picked("open", run.id) if run is not None else None)

    def action_default(self) -> None:
        """Compare with the newest earlier run of the test set."""
        self.dismiss(Picked("default", ""))

    @on(OptionList.OptionSelected)
    def _against(self) -> None:
        run = self._at()
        if run is None:
            return
        if run.id == self._current.id:
            self.tell("a run is not compared with itself: choose another", bad=True)
        else:
            self.dismiss(Picked("against", run.id))
