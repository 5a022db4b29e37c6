"""The Disputes screen: cases on which readers differ, what each of them said, and what is decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events, getters, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.timer import Timer

from triage.models.verdict import VERDICTS
from triage.ui.keys import bindings, same_keys
from triage.ui.screens.over_run import RunOverScreen
from triage.ui.widgets.case_detail import CaseDetail
from triage.ui.widgets.dispute_list import DisputeHead, DisputeList, Readings
from triage.ui.widgets.dispute_model import Dispute, View, narrowed, next_view
from triage.ui.widgets.footer import Foot, Footer, Place
from triage.ui.widgets.line import Words
from triage.ui.widgets.narrow_bar import NarrowBar
from triage.ui.widgets.notice import Notice
from triage.ui.widgets.review_top import ReviewTop, Shown
from triage.ui.work import disputes_reading
from triage.ui.work.disputes_deeds import DisputesDeeds
from triage.ui.work.words import number_of

if TYPE_CHECKING:
    from triage.models.verdict import Verdict
    from triage.ui.screens.triage import TriageScreen
    from triage.workspace import Workspace

RESTS = 0.08
"""Seconds after which the cursor rests, and the case under it is read."""


class DisputesScreen(RunOverScreen):
    """Esc leaves the screen under it as it was.

    Args:
        triage: the Triage screen.
        workspace: everything it shows and writes.
        keymap: the user's keys by action id.
        run_id: whose cases are in dispute.
        sample_name: those of this sample alone, None = all of the run.
    """

    CSS_PATH = "disputes.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-middle"), (116, "-wide")]  # noqa: RUF012
    AUTO_FOCUS = "DisputeList"
    KEYS = "disputes"
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("disputes"),
        *same_keys(
            undo="review('undo')", flag_next="flag(1)", flag_previous="flag(-1)", document="document",
            unfold="unfold", next="cursor(1)", previous="cursor(-1)",
            **{f"verdict_{verdict}": f"verdict('{verdict}')" for verdict in VERDICTS},
        ),
    ]  # fmt: skip

    table = getters.query_one(DisputeList)
    detail = getters.query_one(CaseDetail)

    def __init__(
        self,
        triage: TriageScreen,
        workspace: Workspace,
        keymap: Mapping[str, str],
        run_id: str,
        sample_name: str | None = None,
    ) -> None:
        super().__init__(triage, workspace, keymap, run_id, sample_name)
        self._reads = disputes_reading.DisputesReading(self, workspace)
        self._deeds = DisputesDeeds(self, workspace)
        self._pool: Sequence[Dispute] = ()
        self._held: set[str] = set()
        """What was settled here under the view of disputes: it rests in its place until the view changes."""
        self._total = self._unread = 0
        self._there = False
        self._view: View = "disputed"
        self._rest: Timer | None = None

    def compose(self) -> ComposeResult:
        """Head, what narrows, the pool beside what readers say over the case, footer."""
        yield ReviewTop()
        yield NarrowBar(self.keys, action="disputes.filter")
        with Horizontal(id="body"):
            with Vertical(id="pool"):
                yield DisputeHead()
                yield DisputeList()
            with Vertical(id="case"):
                yield Readings()
                yield CaseDetail(id="detail")
        yield Notice(id="small")
        yield Footer(self.keymap)

    @property
    def beside(self) -> CaseDetail:
        """The case."""
        return self.detail

    @property
    def main(self) -> DisputeList:
        """The list."""
        return self.table

    def ask(self) -> None:
        """Read the pool."""
        self._reads.pool(self.run_id, self.sample_name, self.under.k)

    # what is shown

    def _shown(self) -> list[Dispute]:
        def fits(one: Dispute) -> bool:
            if self._view == "both" or one.id in self._held:
                return True
            return (one.decided is None) == (self._view == "disputed")

        return narrowed([one for one in self._pool if fits(one)], self.bar.text)

    def show(self, keep: str | None = None) -> None:
        """The pool as it is narrowed."""
        disputes = self._shown()
        self.set_class(not disputes, "-empty")
        self.table.say(self._nothing())
        self.table.show(disputes, keep)
        self.query_one(DisputeHead).rows = disputes
        self._tell()
        self.settle()

    def _nothing(self) -> tuple[Words, ...]:
        key = "focus bold"
        if not self._there:
            return ([("reading the disputes", "muted")],)
        if self.bar.text:
            return (
                [("no case matches", "text")],
                [(self.keys["disputes.back"], key), (" clears it", "muted")],
            )
        settled = sum(one.decided is not None for one in self._pool)
        if self._view == "settled":
            return (
                [("nothing is settled yet", "text")],
                [(self.keys["disputes.view"], key), (" shows all", "muted")],
            )
        if settled:
            return (
                [("every dispute is settled", "text bold")],
                [(self.keys["disputes.view"], key), (f" shows the {settled} settled", "muted")],
            )
        if self._unread:
            return (
                [(f"{number_of(self._unread, 'case')} yours to read first", "text bold")],
                [("What others differ on is shown once you have judged it.", "muted")],
                [(self.keys["disputes.back"], key), (" back", "muted")],
            )
        return (
            [("nobody disagrees", "text bold")],
            [("Cases come here when readers differ.", "muted")],
            [(self.keys["disputes.back"], key), (" back", "muted")],
        )

    def _tell(self) -> None:
        one = self.table.row
        self.query_one(Readings).dispute = one
        if one is None:
            self.detail.detail = None
            self.detail.notice = ()
            return
        shown = self.detail.detail
        self.detail.place = (self.table.position + 1, self.table.count)
        if shown is None or shown.row.id != one.id or shown.row.review != one.row.review:
            self._reads.detail(self.run_id, self.under.k, one.id)

    def settle(self) -> None:
        """Head, counts and footer."""
        top = self.query_one(ReviewTop)
        top.shown = Shown("disputes", self._run, self.sample_name, "", self._workspace.reviewer)
        top.live = self._triage.live
        counted: list[tuple[str, str]] = []
        if self._there:
            settled = sum(one.decided is not None for one in self._pool)
            left = self._total - settled
            more = f", the first {len(self._pool)} shown" if self._total > len(self._pool) else ""
            counted = [
                (f"  {self._view} " if self._view != "disputed" else "  ", "muted"),
                (f"{left} in dispute", "text bold" if left else "muted"),
                (f"  {settled} settled{more}", "muted"),
            ]
            if self._unread:
                counted.append((f"  {self._unread} yours to read first", "muted"))
        self.bar.count(counted)
        self.query_one(DisputeHead).lit = self.focused is self.table
        place: Place = "filter" if self.bar.typing else "disputes"
        self.query_one(Footer).foot = Foot(place, rows=self.main.count > 0)

    # what is told

    @on(disputes_reading.PoolRead)
    def _pool_read(self, event: disputes_reading.PoolRead) -> None:
        self._pool, self._total, self._run, self._there = event.disputes, event.total, event.run, True
        self._unread = event.unread
        self.show(self._deeds.take_keep())

    @on(disputes_reading.DetailRead)
    def _detail_read(self, event: disputes_reading.DetailRead) -> None:
        one = self.table.row
        if one is not None and one.id == event.case_id:
            self.detail.detail = event.detail

    @on(DisputeList.Moved)
    def _highlighted(self) -> None:
        if self._rest is not None:
            self._rest.stop()
        self.query_one(Readings).dispute = self.table.row
        self._rest = self.set_timer(RESTS, self._tell)

    @on(DisputeList.Chosen)
    def _chosen(self) -> None:
        self.action_disputes_open()

    @on(CaseDetail.Spoke)
    def _spoke(self, event: CaseDetail.Spoke) -> None:
        self.say(event.text)

    def on_resize(self, event: events.Resize) -> None:
        """The readings are as wide as their pane."""
        self.query_one(Readings).refresh(layout=True)

    # keys

    @property
    def reading(self) -> bool:
        """Is the case alone on a narrow screen?"""
        return self.has_class("-narrow") and self.has_class("-reading")

    def action_disputes_open(self) -> None:
        """Give the case the keys; on a narrow screen it takes the list's place."""
        if self.table.row is not None:
            self.add_class("-reading")
            self.call_after_refresh(self.detail.focus)

    def action_pane(self) -> None:
        """Between the list and the case."""
        if self.focused is self.detail:
            self.to_main()
        else:
            self.action_disputes_open()

    def to_main(self) -> None:
        """Give the list the keys; on a narrow screen it takes the case's place."""
        self.remove_class("-reading")
        self.call_after_refresh(self.table.focus)

    def action_disputes_view(self) -> None:
        """The next of disputed, settled, both."""
        self._view, self._held = next_view(self._view), set()
        self.show()

    def action_narrow(self) -> None:
        """Narrow the list by typing."""
        self.remove_class("-reading")
        super().action_narrow()

    def action_disputes_cases(self) -> None:
        """These cases in the case list."""
        text = {"disputed": "is:disputed", "settled": "is:arbitrated"}.get(
            self._view, "is:disputed OR is:arbitrated"
        )
        self.to_cases().selection.show_all(text)

    def action_cursor(self, step: int) -> None:
        """The next or previous case, from the case too."""
        self.table.action_step(step)

    def action_verdict(self, verdict: Verdict) -> None:
        """Decide over the readings of the case under the cursor: asks for the reason."""
        one = self.table.row
        if one is not None:
            self.do(self._deeds.decide(one, verdict))

    def action_review(self, what: str) -> None:
        """Take the last decision of this visit back."""
        self.do(self._deeds.undo())

    def decided(self, case_id: str) -> None:
        """A case is settled: it rests in its place, and the cursor goes on to the next that is not."""
        order = list(self.table.rows)
        at = self.table.position
        after = [one for one in (*order[at + 1 :], *order[:at]) if one.decided is None and one.id != case_id]
        self._held.add(case_id)
        self._deeds.keep = after[0].id if after else case_id
        self.ask()

    def action_flag(self, direction: int) -> None:
        """To a flagged sentence or citation of the case."""
        self.detail.to_flag(direction)

    def action_document(self) -> None:
        """To the cited text and back."""
        self.detail.to_document()

    def action_unfold(self) -> None:
        """Show the case's long texts whole, or fold them."""
        self.detail.unfold()
