"""The Slices screen: a metric, or all, by a dimension or two, and the cases behind each number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, getters, on
from textual.app import ComposeResult
from textual.binding import BindingType

from triage.metrics.metric import Metric
from triage.models.query import Drill, SlicePart
from triage.models.slices import FAILING, CrossTable, Dimension, SliceTable
from triage.ui.keys import bindings
from triage.ui.screens.over import OverScreen
from triage.ui.widgets.footer import Foot, Footer
from triage.ui.widgets.narrow_bar import NarrowBar
from triage.ui.widgets.notice import Notice
from triage.ui.widgets.slices_model import COUNT, Order, recorded
from triage.ui.widgets.slices_strip import SliceStrip
from triage.ui.widgets.slices_table import HeatSheet, SliceHead, SliceList
from triage.ui.widgets.slices_top import Shown, SlicesAsked, SlicesTop
from triage.ui.work import slices_reading, slices_showing
from triage.ui.work.slices_choosing import SlicesChoosing
from triage.ui.work.slices_reading import SlicesReading
from triage.ui.work.slices_showing import TAIL, Left

if TYPE_CHECKING:
    from triage.models.query import Scope
    from triage.models.run import RunSummary
    from triage.ui.screens.triage import TriageScreen
    from triage.ui.work.memory import Memory
    from triage.workspace import Workspace

_STRIP = ((36, 7), (30, 6), (22, 4), (0, 2))
"""Least rows of the terminal, and the strip's."""
MORE = 5
"""How many times as many values are shown one by one when the tail is opened."""


class SlicesScreen(OverScreen):
    """It follows the filter text of the Triage screen; esc leaves that as it was.

    Args:
        triage: the screen under it, whose run and filter text are sliced.
        workspace: everything it shows.
        memory: keeps what was asked last.
        keymap: the user's keys by action id.
        start: what is asked at first.
        scope: the cases that are told apart.
    """

    CSS_PATH = "slices.tcss"
    VERTICAL_BREAKPOINTS = [(0, "-short"), (30, "-tall")]  # noqa: RUF012
    AUTO_FOCUS = "SliceList"
    KEYS = "slices"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("slices")]

    table = getters.query_one(SliceList)
    strip = getters.query_one(SliceStrip)
    asked = getters.query_one(SlicesAsked)

    def __init__(
        self,
        triage: TriageScreen,
        workspace: Workspace,
        memory: Memory,
        keymap: Mapping[str, str],
        start: Left,
        scope: Scope,
    ) -> None:
        super().__init__(triage, workspace, keymap)
        self.reading = SlicesReading(self, workspace)
        self._choosing = SlicesChoosing(self)
        self._memory, self._scope = memory, scope
        self._keep: str | None = start.key
        self._column, self._first = start.column, start.first
        self.question, self.order = start.question, start.order
        self._chosen = start.chosen
        """The user chose the dimension; another one is not looked for then."""
        self.dimensions: Sequence[Dimension] = ()
        self._waits = True
        """The answer to the question is still to come."""
        self._table: SliceTable | None = None
        self._cross: CrossTable | None = None
        self._run: RunSummary | None = triage.run_shown
        self._against: RunSummary | None = triage.against

    def compose(self) -> ComposeResult:
        """Head, question, what narrows, the table under its header, the slice under the cursor, footer."""
        yield SlicesTop()
        yield SlicesAsked(self.keys)
        yield NarrowBar(self.keys, action="slices.filter")
        yield SliceHead()
        yield SliceList()
        yield SliceStrip()
        yield Notice(id="small")
        yield Footer(self.keymap)

    def begin(self) -> None:
        """Answer the question, and look which dimensions there are."""
        self._ask()
        self.reading.dimensions(self._scope)
        self.show()

    def ask(self) -> None:
        """Look at the run anew; what is told of it follows."""
        self.reading.runs(self._scope.run)

    @property
    def main(self) -> SliceList:
        """The table."""
        return self.table

    @property
    def k(self) -> int:
        """The K of the metrics."""
        made = self._table or self._cross
        return made.k if made is not None else self._scope.k or 3

    @property
    def metrics(self) -> Sequence[Metric]:
        """The metrics that the run has values of."""
        view = self._triage.view
        if self._table is not None:
            return recorded(self._table.whole.metrics, self._table.checking)
        return recorded(view.metrics, view.checking) if view is not None else ()

    @property
    def answer(self) -> SliceTable | CrossTable | None:
        """What has been answered last to a question of this kind."""
        return self._cross if self.question.mode == "cross" else self._table

    # what is shown

    def _title(self, name: str) -> str:
        return next((one.title for one in self.dimensions if one.name == name), name.replace("_", " "))

    def show(self, keep: str | None = None) -> None:
        """The table as it was answered, ordered and narrowed."""
        asked, cells = self.question, self.size.width
        sheet = self.table.sheet
        if isinstance(sheet, HeatSheet):
            self._column = sheet.model.column
        first = sheet.first if sheet is not None else self._first
        answer = self.answer
        made = slices_showing.sheet_of(
            asked, answer, self.order, self.bar.text, cells, self._against, self._column, first
        )
        if answer is None:
            # What is shown stays until the answer is whole.
            made = sheet
        self.table.say(
            slices_showing.nothing(
                asked, answer, self.dimensions, self._title(asked.by), self.bar.text, self.keys
            )
        )
        self.table.show(made, keep)
        self.query_one(SliceHead).sheet = made
        self.asked.question, self.asked.k = asked, self.k
        self.asked.titles = (self._title(asked.by), self._title(asked.cross) if asked.cross else "")
        self.asked.on_results = answer is not None and answer.on_results
        self.bar.count(slices_showing.counted(made, answer, asked, None if self._waits else self.order))
        self._tell()
        self.settle()

    def _tell(self) -> None:
        self.strip.told = slices_showing.told_of(
            self.table, self.answer, self.question, self._against, self.asked.titles
        )

        sheet = self.table.sheet
        if sheet is not None:
            column = sheet.model.column if isinstance(sheet, HeatSheet) else 0
            self._triage.left = Left(self.question, self.order, self.table.key, column, sheet.first, True)

    def settle(self) -> None:
        """Head, header and footer."""
        top = self.query_one(SlicesTop)
        answer = self.answer
        matching = answer.whole.cases if answer is not None else None
        if matching is None and self._triage.view is not None:
            matching = self._triage.view.matching
        top.shown = Shown(self._run, self._against, self._scope.text, matching)
        top.live = self._triage.live
        self.query_one(SliceHead).lit = self.focused is self.table
        self.query_one(Footer).foot = Foot("filter" if self.bar.typing else "slices")

    # what is asked

    def change(self, **changes: Any) -> None:
        """Ask something else; what is shown stays until the answer is whole."""
        old, asked = self.question, slices_showing.asked_next(self.question, changes)
        if asked.by != old.by:
            self._chosen, self._keep = True, ""
        if (asked.by, asked.cross, asked.mode) != (old.by, old.cross, old.mode):
            self._cross = None
        self.question = asked
        self._memory.remember(slices=slices_showing.remembered(asked))
        self._ask()
        self.show()

    def _ask(self) -> None:
        self._waits = True
        self.reading.ask(self.question, self._scope)

    def sort_by(self, order: Order) -> None:
        """Another order; the cursor stays on its slice."""
        self.order = order
        self._memory.remember(slices_sort=order.written())
        self.show()

    # what is told

    @on(slices_reading.DimensionsRead)
    def _dimensions_read(self, event: slices_reading.DimensionsRead) -> None:
        self.dimensions = event.dimensions
        self._choosing.there.set()
        if not self._chosen and (changes := slices_showing.had(self.question, event.dimensions)):
            self.bar.hush()
            self.change(**changes)
        else:
            self.show()

    @on(slices_reading.Answered)
    def _answered(self, event: slices_reading.Answered) -> None:
        if event.question != self.question:
            return
        if isinstance(event.table, CrossTable):
            self._cross = event.table
        else:
            self._table = event.table
        keep, self._keep, self._waits = self._keep, None, False
        self.show(keep)

    @on(slices_reading.RunsRead)
    def _runs_read(self, event: slices_reading.RunsRead) -> None:
        if event.run is None:
            self.bar.error("the run is no longer loaded")
            return
        self._run, self._against = event.run, event.against
        self._ask()
        self.reading.dimensions(self._scope)

    @on(slices_reading.Unanswered)
    def _unanswered(self, event: slices_reading.Unanswered) -> None:
        if event.question == self.question:
            self._waits = False
            self.show()
            self.wrong(event.error, event.doing)

    @on(SliceList.Moved)
    def _highlighted(self) -> None:
        self.query_one(SliceHead).sheet = self.table.sheet
        self._tell()

    def on_resize(self, event: events.Resize) -> None:
        """The strip has what the height leaves."""
        self.strip.styles.height = next(rows for least, rows in _STRIP if event.size.height >= least)
        self.call_after_refresh(self.show)

    # keys

    @on(SliceList.Chosen)
    def action_slices_open(self) -> None:
        """The cases behind the number under the cursor; on the folded tail: more of its values."""
        sheet, place = self.table.sheet, self.table.position
        if sheet is None or not sheet.keys:
            return
        parts: tuple[SlicePart, ...] = ()
        if isinstance(sheet, HeatSheet):
            cell = sheet.cell(place)
            if cell is None:
                self.say("no case has both values")
                return
            parts = cell.parts
        elif self.table.key == TAIL and self._table is not None:
            self._keep = self._table.tail.value if self._table.tail is not None else None
            self.change(most=MORE * len(self._table.rows))
            return
        else:
            row = sheet.row(place)
            parts = (row.part,) if row is not None else ()
        self._open(parts)

    def _open(self, parts: tuple[SlicePart, ...]) -> None:
        """The Triage screen with the cases that have all these values: a drill-down under its filter text."""
        runs = next((part.runs for part in parts if part.runs), ())
        if runs:
            self._triage.selection.open_run(runs[0])
        elif parts:
            self._triage.selection.change(drill=Drill(slice=parts))
        self.dismiss(None)

    def action_slices_choose(self, what: str) -> None:
        """Choose the dimension, the metric, the second dimension or the order."""
        self.do(getattr(self._choosing, what)())

    def action_slices_all(self) -> None:
        """All metrics, or the one alone."""
        self.change(mode="one" if self.question.mode == "all" else "all")

    def action_slices_step(self, step: int) -> None:
        """The column beside: of two crossed dimensions the next value, else the next metric."""
        sheet = self.table.sheet
        if isinstance(sheet, HeatSheet):
            self.table.to_column(sheet.model.column + step)
        else:
            self.action_slices_metric(step)

    def action_slices_metric(self, step: int) -> None:
        """The next or previous metric."""
        sheet = self.table.sheet
        keys = [FAILING, *(metric.key for metric in self.metrics)]
        if self.question.mode == "cross":
            keys.insert(0, COUNT)
        elif self.question.mode == "all":
            keys = [metric.key for metric in getattr(sheet, "model", self).metrics]
        if keys:
            at = keys.index(self.question.metric) if self.question.metric in keys else -1
            self.change(metric=keys[(at + step) % len(keys)])
