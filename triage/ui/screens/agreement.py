"""The Agreement screen: how far readers agree, by pair, class and reader, and what suggestions are worth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from textual import events, getters, on
from textual.app import ComposeResult
from textual.binding import BindingType

from triage.models.agreement import Door
from triage.ui.keys import bindings
from triage.ui.screens.over_run import RunOverScreen
from triage.ui.widgets.agreement_matrix import Matrix, says_of
from triage.ui.widgets.agreement_model import PARTS, Part, Row, cell_door, columns_of, rows_of
from triage.ui.widgets.agreement_table import AgreementHead, AgreementList
from triage.ui.widgets.agreement_top import AgreementTop, counts
from triage.ui.widgets.footer import Foot, Footer, Place
from triage.ui.widgets.line import Words
from triage.ui.widgets.narrow_bar import NarrowBar
from triage.ui.widgets.notice import Notice
from triage.ui.widgets.review_top import ReviewTop, Shown
from triage.ui.work import agreement_reading

if TYPE_CHECKING:
    from triage.models.agreement import Agreement
    from triage.ui.screens.triage import TriageScreen
    from triage.workspace import Workspace

_LIST = 4
"""Least rows of the list."""


class AgreementScreen(RunOverScreen):
    """It follows the filter text of the Triage screen; esc leaves the screen under it as it was.

    Args:
        triage: the Triage screen.
        workspace: everything it shows.
        keymap: the user's keys by action id.
        run_id: whose readings are compared.
        sample_name: those of this sample alone, None = all of the run.
    """

    CSS_PATH = "agreement.tcss"
    VERTICAL_BREAKPOINTS = [(0, "-short"), (30, "-tall")]  # noqa: RUF012
    AUTO_FOCUS = "AgreementList"
    KEYS = "agreement"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("agreement")]

    table = getters.query_one(AgreementList)
    matrix = getters.query_one(Matrix)
    top = getters.query_one(AgreementTop)

    def __init__(
        self,
        triage: TriageScreen,
        workspace: Workspace,
        keymap: Mapping[str, str],
        run_id: str,
        sample_name: str | None = None,
    ) -> None:
        super().__init__(triage, workspace, keymap, run_id, sample_name)
        self.part: Part = "pairs"
        self.found: Agreement | None = None
        self._reads = agreement_reading.AgreementReading(self, workspace)

    def compose(self) -> ComposeResult:
        """Head, summary, what narrows, the list under its header, the table of its row, footer."""
        yield ReviewTop()
        yield AgreementTop(self.keys)
        yield NarrowBar(self.keys, action="agreement.filter")
        yield AgreementHead()
        yield AgreementList()
        yield Matrix()
        yield Notice(id="small")
        yield Footer(self.keymap)

    @property
    def beside(self) -> Matrix:
        """What is told below the list."""
        return self.matrix

    @property
    def main(self) -> AgreementList:
        """The list."""
        return self.table

    def ask(self) -> None:
        """Compare the readings anew."""
        self._reads.compare(self.run_id, self.sample, self.under.text, self.under.literal)

    # what is shown

    def show(self, keep: str | None = None) -> None:
        """The rows of the part as they are narrowed."""
        found, part = self.found, self.part
        columns = columns_of(part, found) if found is not None else ()
        rows = rows_of(part, found, self.bar.text) if found is not None else []
        self.table.say(self._nothing())
        self.table.tabulate(columns, rows, keep)
        head = self.query_one(AgreementHead)
        head.columns, head.rows = columns, rows
        self.top.found, self.top.part = found, part
        said = f"  {len(rows)} of {counts(found)[part]}" if found is not None and self.bar.text else ""
        self.bar.count([(said, "text")])
        self._tell()
        self.settle()

    def _nothing(self) -> tuple[Words, ...]:
        found = self.found
        if found is None:
            return ()
        if self.bar.text.strip():
            return ([(f"none of the {self.part} has such a word", "text")],
                    [(self.keys["agreement.back"], "focus bold"), (" clears it", "muted")])  # fmt: skip
        if self.part == "suggestions":
            why = "no case with a suggestion and an undisputed verdict yet"
            return ([(why, "text")], [("a rule's suggestion is held against what people say", "muted")])
        if not found.readings:
            return ([("nobody has read a case here yet", "text")],
                    [("agreement is told of cases that two people or more have read:", "muted")],
                    [("draw a sample on the Review screen with two readings a case", "muted")])  # fmt: skip
        people = len(found.reviewers)
        who = "only one person has" if people == 1 else f"{people} people have"
        return ([(f"{who} read here, no case was read by two", "text")],
                [("a sample with two readings a case gives each to a second reader", "muted")])  # fmt: skip

    def _tell(self) -> None:
        table, matrix = self.table, self.matrix
        matrix.display = table.row is not None
        matrix.row = table.row
        matrix.place = f"{table.position + 1} of {table.count}" if table.count else ""
        self.call_after_refresh(self._share)

    def _share(self) -> None:
        """The table has what its row needs, as far as the list keeps some lines."""
        row, height = self.matrix.row, self.size.height
        if row is None:
            return
        needs = len(says_of(row, self.size.width)) + (2 + len(row.table.rows) if row.table.rows else 1)
        around = 7 if self.has_class("-tall") else 6
        self.matrix.styles.height = max(min(needs, height - around - _LIST), 3)

    def settle(self) -> None:
        """Head and footer."""
        top = self.query_one(ReviewTop)
        top.shown = Shown("agreement", self._run, self.sample, self.under.text, self._workspace.reviewer)
        top.live = self._triage.live
        self.query_one(AgreementHead).lit = self.focused is self.table
        place: Place = "filter" if self.bar.typing else "agreement"
        self.query_one(Footer).foot = Foot(place, rows=self.main.count > 0)

    def on_resize(self, event: events.Resize) -> None:
        """The list and the table have what the height leaves."""
        self.call_after_refresh(self.show)

    # what is told

    @on(agreement_reading.Compared)
    def _compared(self, event: agreement_reading.Compared) -> None:
        if event.sample != self.sample:
            return
        first = self.found is None
        self.found, self._run = event.found, event.run
        if first and not event.found.pairs and event.found.suggestions.n:
            self.part = "suggestions"
        self.show()

    @on(agreement_reading.Opened)
    def _opened(self, event: agreement_reading.Opened) -> None:
        """The Triage screen with exactly these cases, and nothing over it."""
        if not event.drill.ids:
            self.say("these cases are no longer so: somebody has read on")
            self.ask()
            return
        self.to_cases().selection.change(drill=event.drill)

    @on(AgreementList.Moved)
    def _highlighted(self) -> None:
        self._tell()

    # keys

    @on(AgreementList.Chosen)
    @on(Matrix.Chosen)
    def _chosen(self) -> None:
        self.action_agreement_open(True)

    def action_agreement_open(self, differ: bool) -> None:
        """The cases of the chosen cell; in the list those on which readers differ, or all of the row."""
        row = self.table.row
        if row is None:
            return
        if differ and self.focused is self.matrix and self.matrix.cell is not None:
            at, column = self.matrix.cell
            if not row.table.at(at, column):
                self.say("no case is so read")
                return
            self._open(*cell_door(row, at, column))
            return
        self._open_row(row, differ)

    def _open_row(self, row: Row, differ: bool) -> None:
        if differ and not row.differ:
            self.say(f"no difference here: {self.keys['agreement.cases']} opens all of its cases")
            return
        door = row.door
        chosen = Door(door.kind, door.a, door.b, door.reason, door.row, door.column, differ)
        other = "people say otherwise" if door.kind == "rule" else "read differently"
        self._open(chosen, f"{row.named}, {other}" if differ else row.named)

    def _open(self, door: Door, named: str) -> None:
        self._reads.open(self.run_id, door, named, self.sample, self.under.text, self.under.literal)

    def action_agreement_disputes(self) -> None:
        """Settle what is in dispute."""
        from triage.ui.screens.disputes import DisputesScreen

        if self.found is None or not self.found.disputes:
            self.say("no case is in dispute")
            return
        self.app.push_screen(
            DisputesScreen(self._triage, self._workspace, self.keymap, self.run_id, self.sample)
        )

    def on_screen_resume(self) -> None:
        """What was settled meanwhile is counted."""
        if self.found is not None:
            self.ask()

    def action_agreement_part(self, step: int) -> None:
        """The next or previous part."""
        self.part = PARTS[(PARTS.index(self.part) + step) % len(PARTS)]
        self.show("")

    def action_pane(self) -> None:
        """Between the list and the table below it, where that has a cell."""
        if self.matrix.cell is not None:
            super().action_pane()

    def action_agreement_step(self, step: int) -> None:
        """In the table the column beside, else the part beside."""
        if self.focused is self.matrix:
            self.matrix.across(step)
        else:
            self.action_agreement_part(step)
