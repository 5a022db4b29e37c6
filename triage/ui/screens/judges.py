"""The Judges screen: judge scores against people, where they fail, raters, judges against each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec.structs import replace
from textual import events, getters, on
from textual.app import ComposeResult
from textual.binding import BindingType

from triage.models.judging import JudgeQuestion
from triage.models.query import Drill, Scope
from triage.ui.keys import bindings
from triage.ui.screens.over_run import RunOverScreen
from triage.ui.widgets.broken import broken
from triage.ui.widgets.footer import Foot, Footer, Place
from triage.ui.widgets.judges_model import (
    PARTS,
    Part,
    Row,
    columns_of,
    counted,
    counts,
    rows_of,
)
from triage.ui.widgets.judges_table import JudgeHead, JudgeList, JudgesTop
from triage.ui.widgets.line import Words
from triage.ui.widgets.narrow_bar import NarrowBar
from triage.ui.widgets.notice import Notice
from triage.ui.widgets.review_top import ReviewTop, Shown
from triage.ui.widgets.told_strip import ToldStrip
from triage.ui.work import judges_reading
from triage.ui.work.judges_choosing import JudgesChoosing
from triage.ui.work.reads import Failed

if TYPE_CHECKING:
    from triage.models.judging import JudgeReport
    from triage.ui.screens.triage import TriageScreen
    from triage.workspace import Workspace
    from triage.workspace.judging import Fault

_LIST = 4
"""Least rows of the list."""
_NAMED: Mapping[Fault, str] = {
    "wrong": "judge and people differ", "missed": "bad, called good", "alarms": "good, called bad",
}  # fmt: skip


class JudgesScreen(RunOverScreen):
    """It follows the filter text of the Triage screen; esc leaves the screen under it as it was.

    Args:
        triage: the Triage screen.
        workspace: everything it shows.
        keymap: the user's keys by action id.
        run_id: whose scores are held against people.
        sample_name: the cases of this sample alone, None = all of the run.
    """

    CSS_PATH = "judges.tcss"
    VERTICAL_BREAKPOINTS = [(0, "-short"), (30, "-tall")]  # noqa: RUF012
    AUTO_FOCUS = "JudgeList"
    KEYS = "judges"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("judges")]

    table = getters.query_one(JudgeList)
    strip = getters.query_one(ToldStrip)
    top = getters.query_one(JudgesTop)

    def __init__(
        self,
        triage: TriageScreen,
        workspace: Workspace,
        keymap: Mapping[str, str],
        run_id: str,
        sample_name: str | None = None,
    ) -> None:
        super().__init__(triage, workspace, keymap, run_id, sample_name)
        self.part: Part = "thresholds"
        self.question = JudgeQuestion()
        self.found: JudgeReport | None = None
        self._reads = judges_reading.JudgesReading(self, workspace)
        self._choosing = JudgesChoosing(self)

    def compose(self) -> ComposeResult:
        """Head, question, what narrows, the list under its header, what is told of its row, footer."""
        yield ReviewTop()
        yield JudgesTop(self.keys)
        yield NarrowBar(self.keys, action="judges.filter")
        yield JudgeHead()
        yield JudgeList()
        yield ToldStrip(self.keys, "judges.pane")
        yield Notice(id="small")
        yield Footer(self.keymap)

    @property
    def beside(self) -> ToldStrip:
        """What is told below the list."""
        return self.strip

    @property
    def main(self) -> JudgeList:
        """The list."""
        return self.table

    @property
    def scope(self) -> Scope:
        """The cases under the filter text."""
        under = self.under
        return Scope(self.run_id, k=under.k, text=under.text, literal=under.literal)

    def ask(self) -> None:
        """Hold the judges against people anew."""
        self._reads.report(self.scope, self.question, self.sample)

    def change(self, **changes: Any) -> None:
        """Ask something else; what is shown stays until the answer is whole."""
        self.question = replace(self.found.question if self.found is not None else self.question, **changes)
        if changes.get("ratings"):
            self.part = "people"
        elif changes.get("second"):
            self.part = "judges"
        elif "judge" in changes or "people" in changes:
            self.part = "thresholds"
        self.ask()

    # what is shown

    def show(self, keep: str | None = None) -> None:
        """The rows of the part as they are narrowed."""
        found, part = self.found, self.part
        rows = rows_of(part, found, self.bar.text) if found is not None else []
        columns = columns_of(part)
        self.table.say(self._nothing())
        self.table.tabulate(columns, rows, keep)
        head = self.query_one(JudgeHead)
        head.columns, head.rows = columns, rows
        self.top.found, self.top.part = found, part
        if found is not None:
            narrowed: Words = [(f"  {len(rows)} of {counts(found)[part]}", "text")]
            self.bar.count(narrowed if self.bar.text else counted(found))
        self._tell()
        self.settle()

    def _nothing(self) -> tuple[Words, ...]:
        found, keys = self.found, self.keys
        key = "focus bold"
        if found is None:
            return ([("reading the scores", "muted")],)
        if self.bar.text.strip():
            return ([("no row has such a word", "text")],
                    [(keys["judges.back"], key), (" clears it", "muted")])  # fmt: skip
        if self.part in ("thresholds", "where it fails"):
            return self._uncalibrated(found)
        if self.part == "people":
            return ([("no people's ratings are looked at", "text")],
                    [(keys["judges.ratings"], key),
                     (" chooses where the records have each person's own", "muted")])  # fmt: skip
        other: Words = [(keys["judges.second"], key), (" holds this score against another one", "muted")]
        return [("no case was scored by two judges", "text")], other

    def _uncalibrated(self, found: JudgeReport) -> tuple[Words, ...]:
        key, made = "focus bold", found.calibration
        number = " holds it against a number that people gave in the records"
        against: Words = [(self.keys["judges.people"], key), (number, "muted")]
        if made is None:
            return ([("no case of this run has a judge's score", "text")],
                    [("scores stand in `scores`, or in `judges` of each record", "muted")])  # fmt: skip
        if not made.n:
            return ([("no case has both this score and people's word", "text")],
                    [("a verdict in triage is one", "muted")], against)  # fmt: skip
        if self.part == "where it fails" and made.shown is not None:
            return ([("it fails no kind of case more than the others", "text")],)
        return ([(f"{made.n} cases score all the same: no threshold tells them apart", "text")], against)

    def _tell(self) -> None:
        row, strip = self.table.row, self.strip
        strip.display = row is not None
        if row is None:
            strip.title, strip.lines, strip.place = (), (), ""
            return
        says = [part for words in row.says for part in broken(words, self.size.width - 2, lead=1)]
        strip.title, strip.lines = row.title, says
        strip.place = f"{self.table.position + 1} of {self.table.count}"
        around = 8 if self.has_class("-tall") else 6
        strip.styles.height = max(min(len(says) + 2, self.size.height - around - _LIST), 2)

    def settle(self) -> None:
        """Head and footer."""
        top = self.query_one(ReviewTop)
        top.shown = Shown("judges", self._run, self.sample, self.under.text, self._workspace.reviewer)
        top.live = self._triage.live
        self.query_one(JudgeHead).lit = self.focused is self.table
        place: Place = "filter" if self.bar.typing else "judges"
        self.query_one(Footer).foot = Foot(place, rows=self.main.count > 0)

    def on_resize(self, event: events.Resize) -> None:
        """The list and what is told have what the height leaves."""
        self.call_after_refresh(self.show)

    # what is told

    @on(judges_reading.Judged)
    def _judged(self, event: judges_reading.Judged) -> None:
        if event.asked != self.question:
            return
        first, before = self.found is None, self.found
        self.found, self._run = event.found, event.run
        many = counts(event.found)
        if first and not many[self.part]:
            self.part = next((part for part in PARTS if many[part]), self.part)
        changed = before is None or before.question != event.found.question
        self.show(self._begin() if changed else None)

    def _begin(self) -> str | None:
        """The row to begin at: the threshold in use, else the best one."""
        made = self.found.calibration if self.found is not None else None
        return f"{made.shown.threshold}" if made is not None and made.shown is not None else None

    @on(judges_reading.Opened)
    def _opened(self, event: judges_reading.Opened) -> None:
        if event.drill.ids:
            self._show_cases(event.drill)
        else:
            self.say("no such case: they say the same")

    def _show_cases(self, drill: Drill) -> None:
        """The Triage screen with exactly these cases, and nothing over it."""
        self.to_cases().selection.change(drill=drill)

    @on(Failed)
    def _unanswered(self) -> None:
        if self.found is not None:
            self.question = self.found.question

    @on(JudgeList.Moved)
    def _highlighted(self) -> None:
        self._tell()

    # keys

    @on(JudgeList.Chosen)
    def _chosen(self) -> None:
        self.action_judges_open("wrong")

    def action_judges_open(self, kind: Fault) -> None:
        """The cases behind the row; missed ones or false alarms alone where its row has them."""
        row, found = self.table.row, self.found
        if row is None or found is None:
            return
        if row.behind.judges:
            self._open_arbitrated(row, found)
        elif row.behind.threshold is None and kind != "wrong":
            self.say("missed answers and false alarms are a threshold's")
        else:
            named = f"{' and '.join(row.behind.pair)} differ"
            if row.behind.threshold is not None:
                named = _NAMED[kind]
            self._reads.open(self.scope, found.question, row.behind, kind, named, self.sample)

    def _open_arbitrated(self, row: Row, found: JudgeReport) -> None:
        """The cases over which two judges are at odds."""
        pairs = (*((found.second,) if found.second is not None else ()), *found.pairs)
        pair = next((pair for pair in pairs if (pair.a, pair.b) == row.behind.pair), None)
        ids = pair.apart.get(row.behind.value, ()) if pair is not None else ()
        if ids:
            self._show_cases(Drill(named=f"{' and '.join(row.behind.pair)} to arbitrate", ids=ids))
        else:
            self.say("nothing to arbitrate: they are never 2 apart, nor on both sides of 4")

    def action_judges_part(self, step: int) -> None:
        """The next or previous part."""
        self.part = PARTS[(PARTS.index(self.part) + step) % len(PARTS)]
        self.show(self._begin() if self.part == "thresholds" else "")

    def action_judges_choose(self, what: str) -> None:
        """Choose a part of the question."""
        self.do(getattr(self._choosing, what)())
