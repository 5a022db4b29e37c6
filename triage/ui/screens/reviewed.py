"""The report of a review: failure rate, what must still be read, new kinds, mistakes of the test set."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from textual import events, getters, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message

from triage.models.query import Drill
from triage.models.review_report import ReviewReport
from triage.ui.keys import bindings
from triage.ui.screens.over_run import RunOverScreen
from triage.ui.widgets.footer import Foot, Footer, Place
from triage.ui.widgets.line import Words
from triage.ui.widgets.narrow_bar import NarrowBar
from triage.ui.widgets.notice import Notice
from triage.ui.widgets.review_top import ReviewTop, Shown
from triage.ui.widgets.reviewed_model import Row, rows_of, summary, told_lines
from triage.ui.widgets.reviewed_table import ReviewedList, ReviewedSaid
from triage.ui.widgets.told_strip import ToldStrip
from triage.ui.work import clipboard
from triage.ui.work.reads import Reads

if TYPE_CHECKING:
    from triage.models.run import RunSummary
    from triage.ui.screens.triage import TriageScreen
    from triage.workspace import Workspace

NO_SAMPLE = ""
"""In a sample's place: all verdicts of the run."""


class ReportRead(Message):
    """The report, and its run."""

    def __init__(self, run: RunSummary, report: ReviewReport) -> None:
        super().__init__()
        self.run, self.report = run, report


class Copied(Message):
    """The report was copied as Markdown; `where` it is now, "" = no program took it."""

    def __init__(self, page: str, where: str) -> None:
        super().__init__()
        self.page, self.where = page, where


class ReviewedScreen(RunOverScreen):
    """Esc leaves the screen under it as it was; enter leads to the cases behind a number.

    Args:
        triage: the Triage screen.
        workspace: everything it shows.
        keymap: the user's keys by action id.
        run_id: whose review is told.
        sample_name: that of this sample; None: of the newest, else all verdicts of the run.
    """

    CSS_PATH = "reviewed.tcss"
    VERTICAL_BREAKPOINTS = [(0, "-short"), (30, "-tall")]  # noqa: RUF012
    AUTO_FOCUS = "ReviewedList"
    KEYS = "reviewed"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("reviewed")]

    table = getters.query_one(ReviewedList)
    strip = getters.query_one(ToldStrip)

    def __init__(
        self,
        triage: TriageScreen,
        workspace: Workspace,
        keymap: Mapping[str, str],
        run_id: str,
        sample_name: str | None = None,
    ) -> None:
        super().__init__(triage, workspace, keymap, run_id, sample_name)
        self._reads = Reads(self, workspace)
        self.report: ReviewReport | None = None

    def compose(self) -> ComposeResult:
        """Head, the two lines, what narrows, the numbers, the one under the cursor, footer."""
        yield ReviewTop()
        yield ReviewedSaid()
        yield NarrowBar(self.keys, action="reviewed.filter")
        yield ReviewedList()
        yield ToldStrip(self.keys, "reviewed.pane")
        yield Notice(id="small")
        yield Footer(self.keymap)

    @property
    def beside(self) -> ToldStrip:
        """What is told below the list."""
        return self.strip

    @property
    def main(self) -> ReviewedList:
        """The list."""
        return self.table

    def ask(self) -> None:
        """Read the report."""
        workspace, run_id, sample = self._workspace, self.run_id, self.sample_name

        def call() -> Message:
            report = workspace.reviewing.report(run_id, sample)
            return ReportRead(workspace.find_run(run_id), report)

        self._reads.start("review report", call, "reading the report")

    # what is shown

    def show(self, keep: str | None = None) -> None:
        """The report as it is narrowed."""
        rows: list[Row] = [] if self.report is None else rows_of(self.report, self.bar.text)
        self.table.say(self._nothing())
        self.table.show(rows, keep)
        self.query_one(ReviewedSaid).said = () if self.report is None else summary(self.report)
        self._tell()
        self.settle()

    def _nothing(self) -> tuple[Words, ...]:
        if self.report is None:
            return ([("reading the report", "muted")],)
        return (
            [("nothing in the report says so", "text")],
            [(self.keys["reviewed.back"], "focus bold"), (" clears it", "muted")],
        )

    def _tell(self) -> None:
        row, strip = self.table.row, self.strip
        if row is None:
            strip.title, strip.lines, strip.place = (), (), ""
            return
        at, count = self.table.place
        strip.title, strip.place = [(row.name, "text bold")], f"{at} of {count}"
        strip.lines = list(told_lines(row, self.size.width, self.keys))

    def settle(self) -> None:
        """Head, counts and footer."""
        report = self.report
        top = self.query_one(ReviewTop)
        sample = self.sample_name if report is None else report.sample
        text = "" if report is None else report.text
        top.shown = Shown("report", self._run, sample or "all verdicts", text, self._workspace.reviewer)
        top.live = self._triage.live
        counted: list[tuple[str, str]] = []
        if report is not None and report.others:
            key = self.keys["reviewed.sample"]
            counted = [(f"{key}", "focus bold"), (f" {len(report.others)} more ", "muted")]
            counted[1] = (" another sample", "muted")
        self.bar.count(counted)
        place: Place = "filter" if self.bar.typing else "reviewed"
        self.query_one(Footer).foot = Foot(place, rows=self.main.count > 0)

    # what is told

    @on(ReportRead)
    def _read(self, event: ReportRead) -> None:
        self._run, self.report = event.run, event.report
        self.show()

    @on(ReviewedList.Moved)
    def _highlighted(self) -> None:
        self._tell()

    @on(ReviewedList.Chosen)
    def _chosen(self) -> None:
        self.action_reviewed_open()

    def on_screen_resume(self) -> None:
        """What was read meanwhile is counted."""
        if self.report is not None:
            self.ask_anew()

    def on_resize(self, event: events.Resize) -> None:
        """What the strip says is broken into lines anew."""
        self.call_after_refresh(self._tell)

    # keys

    def action_reviewed_open(self) -> None:
        """The cases behind the row under the cursor, in the case list."""
        row = self.table.row
        if row is None or row.door is None:
            self.say("no case is behind this")
            return
        scope = self._triage.selection.scope
        if scope is None or scope.run != self.run_id:
            self.say("the case list shows another run now")
            return
        triage = self.to_cases()
        triage.bar.set_text("")
        drill = Drill(named=row.door.named, ids=row.door.ids)
        triage.selection.change(text="", view="all", drill=drill)

    def action_reviewed_sample(self) -> None:
        """The report of the run's next sample; after the last one that of all its verdicts."""
        report = self.report
        if report is None:
            return
        if not report.others:
            self.say("the run has no other sample")
            return
        names = [*sorted((*report.others, *([report.sample] if report.sample else []))), NO_SAMPLE]
        self.sample_name = names[(names.index(report.sample or NO_SAMPLE) + 1) % len(names)]
        self.ask()

    def action_reviewed_copy(self) -> None:
        """Copy the report as Markdown."""
        report, workspace = self.report, self._workspace
        if report is None:
            return

        def call() -> Message:
            page = workspace.reviewing.markdown(report)
            return Copied(page, clipboard.put(page, os.environ))

        self._reads.start("copy", call, "copying the report")

    @on(Copied)
    def _copied(self, event: Copied) -> None:
        size = len(event.page.encode())
        if event.where:
            self.say(f"the report as Markdown is {event.where}")
        elif clipboard.terminal_may_take(os.environ) and size <= clipboard.OSC_LIMIT:
            self.app.copy_to_clipboard(event.page)
            self.say("the report as Markdown was sent to the terminal's clipboard")
        else:
            self.say("no clipboard here: triage review --report --format markdown prints it")
