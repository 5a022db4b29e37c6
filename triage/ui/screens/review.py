"""The Review screen: the samples of a run, how far each is, and the ways into reading and settling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events, getters, on
from textual.app import ComposeResult
from textual.binding import BindingType

from triage.plain import cut, one_line
from triage.ui.keys import bindings
from triage.ui.screens.over import OverScreen
from triage.ui.widgets.footer import Foot, Footer, Place
from triage.ui.widgets.line import Words
from triage.ui.widgets.narrow_bar import NarrowBar
from triage.ui.widgets.notice import Notice
from triage.ui.widgets.review_model import Entry, Line, body, lines_of
from triage.ui.widgets.review_model import first as words_first
from triage.ui.widgets.review_table import SampleHead, SampleTable
from triage.ui.widgets.review_top import ReviewTop, Shown
from triage.ui.widgets.told_strip import ToldStrip
from triage.ui.work import review_reading
from triage.ui.work.review_deeds import ReviewDeeds
from triage.ui.work.words import number_of

if TYPE_CHECKING:
    from triage.models.run import RunSummary
    from triage.ui.screens.triage import TriageScreen
    from triage.workspace import Workspace

_AROUND, _LIST = 4, 4
"""Rows of head, row, header and footer; least rows of the list."""
_STRIP = ((36, 12), (28, 10), (20, 8), (0, 4))
"""Least rows of the strip by the terminal's."""


class ReviewScreen(OverScreen):
    """Esc leaves the Triage screen as it was, whose filter text narrows what is handed out.

    Args:
        triage: the screen under it.
        workspace: everything it shows and writes.
        keymap: the user's keys by action id.
        run_id: whose cases are read.
        sample_name: the sample at which to begin, None = the newest.
        begin: read that sample at once.
        blind: hide what the machine says from who reads.
    """

    CSS_PATH = "review.tcss"
    VERTICAL_BREAKPOINTS = [(0, "-short"), (30, "-tall")]  # noqa: RUF012
    AUTO_FOCUS = "SampleTable"
    KEYS = "review"
    AMONG_READERS = True
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("review")]

    table = getters.query_one(SampleTable)
    strip = getters.query_one(ToldStrip)

    def __init__(
        self,
        triage: TriageScreen,
        workspace: Workspace,
        keymap: Mapping[str, str],
        run_id: str,
        sample_name: str | None = None,
        *,
        begin: bool = False,
        blind: bool = False,
    ) -> None:
        super().__init__(triage, workspace, keymap)
        self.run_id = run_id
        self._keep, self._begin, self._blind = sample_name, begin, blind
        self._reads = review_reading.SamplesReading(self, workspace)
        self._deeds = ReviewDeeds(self, triage, workspace)
        self._entries: Sequence[Entry] = ()
        self._run: RunSummary | None = None
        self._there = False
        self._disputed = 0

    def compose(self) -> ComposeResult:
        """Head, what narrows, the samples under their header, the one under the cursor, footer."""
        yield ReviewTop()
        yield NarrowBar(self.keys, action="review.filter")
        yield SampleHead()
        yield SampleTable()
        yield ToldStrip(self.keys, "review.pane")
        yield Notice(id="first")
        yield Notice(id="small")
        yield Footer(self.keymap)

    def begin(self) -> None:
        """Ask for the samples."""
        self._triage.speech.forget_toast()
        super().begin()

    @property
    def beside(self) -> ToldStrip:
        """What is told below the list."""
        return self.strip

    @property
    def main(self) -> SampleTable:
        """The list."""
        return self.table

    @property
    def entry(self) -> Entry | None:
        """The sample under the cursor."""
        line = self.table.row
        return line.entry if line is not None else None

    @property
    def text(self) -> str:
        """The filter text of the cases, which narrows what is handed out."""
        scope = self._triage.selection.scope
        return scope.text if scope is not None and scope.run == self.run_id else ""

    @property
    def disputed(self) -> int:
        """How many of the run's cases are in dispute."""
        return self._disputed

    def ask(self, keep: str | None = None) -> None:
        """Read the samples; the cursor goes to the one of this name."""
        self._keep = keep or self._keep
        text = self.text
        marked = frozenset(self._triage.cases.marked.keys if "marked" in text else ())
        self._reads.samples(self.run_id, text, marked)

    # what is shown

    def show(self, keep: str | None = None) -> None:
        """The list as it is narrowed."""
        lines = lines_of(self._entries, self.bar.text)
        first = self._there and not self._entries
        self.set_class(first, "-first")
        self.query_one("#first", Notice).lines = words_first(self.keys) if first else ()
        self.table.say(self._nothing())
        self.table.show(lines, keep)
        self.query_one(SampleHead).rows = lines
        self._tell()
        self.settle()

    def _nothing(self) -> tuple[Words, ...]:
        key = "focus bold"
        if not self._there:
            return ([("reading the samples", "muted")],)
        return ([("no sample has such a name", "text")],
                [(self.keys["review.back"], key), (" clears it", "muted")])  # fmt: skip

    def _tell(self) -> None:
        line, strip = self.table.row, self.strip
        strip.display = line is not None
        if line is None:
            strip.title, strip.lines, strip.place = (), (), ""
            return
        strip.title = self._title(line)
        strip.place = f"{self.table.position + 1} of {self.table.count}"
        strip.lines = body(line.entry, self.size.width, self.keys, filtered=bool(self.text))
        self._share()

    def _title(self, line: Line) -> Words:
        sample = line.entry.sample
        return [
            (line.name, "text bold"),
            (f"  drawn {line.drawn} by {cut(one_line(sample.reviewer), 16)}", "muted"),
        ]

    def settle(self) -> None:
        """Head, counts and footer."""
        top = self.query_one(ReviewTop)
        top.shown = Shown("review", self._run, None, self.text, self._workspace.reviewer)
        top.live = self._triage.live
        counted: list[tuple[str, str]] = []
        if self._there:
            counted.append((f"  {number_of(len(self._entries), 'sample')}", "text"))
            if self._disputed:
                counted.append((f"  {number_of(self._disputed, 'case')} in dispute", "text bold"))
        self.bar.count(counted)
        self.query_one(SampleHead).lit = self.focused is self.table
        place: Place = "filter" if self.bar.typing else "review"
        self.query_one(Footer).foot = Foot(place, rows=self.main.count > 0)

    def _share(self) -> None:
        """What a short list leaves free is the strip's."""
        height = self.size.height
        least = next(rows for above, rows in _STRIP if height >= above)
        room = height - _AROUND - max(len(self._entries) + 1, _LIST)
        self.strip.styles.height = max(least, min(room, len(self.strip.lines) + 2))

    def on_resize(self, event: events.Resize) -> None:
        """The strip has what the list leaves."""
        self.call_after_refresh(self.show)

    # what is told

    @on(review_reading.SamplesRead)
    def _samples_read(self, event: review_reading.SamplesRead) -> None:
        self._entries, self._there, self._run = event.entries, True, event.run
        self._disputed = event.disputed
        keep, self._keep = self._keep, None
        self.show(keep)
        if keep is not None and all(one.sample.name != keep for one in event.entries):
            self.bar.error(f"no sample is named {cut(one_line(keep), 32)}")
        elif self._begin:
            self._begin = False
            self.action_review_read(False)

    @on(SampleTable.Moved)
    def _highlighted(self) -> None:
        self._tell()

    def on_screen_resume(self) -> None:
        """What was read, settled or drawn meanwhile is counted."""
        if self._there:
            self.ask_anew()

    # keys

    @on(SampleTable.Chosen)
    def _chosen(self) -> None:
        self.action_review_read(False)

    def action_review_read(self, blind: bool) -> None:
        """Read the sample under the cursor, one case at a time."""
        if not self._there:
            # Typed ahead of the list: it begins when that is here.
            self._begin, self._blind = True, self._blind or blind
        elif self.entry is None:
            self.say(f"no sample to read: {self.keys['review.new']} draws one")
        else:
            self.do(self._deeds.read(self.entry, blind or self._blind))

    def action_review_new(self) -> None:
        """Draw a sample."""
        self.do(self._deeds.new())

    def action_review_over(self, what: str) -> None:
        """Open a screen of the review."""
        self.do(self._deeds.over(what))

    def action_review_remove(self) -> None:
        """Ask, then let go of the sample."""
        if self.entry is not None:
            self.do(self._deeds.remove(self.entry))


def begin_at(
    triage: TriageScreen,
    workspace: Workspace,
    keymap: Mapping[str, str],
    run_id: str,
    sample_name: str | None,
    blind: bool,
) -> ReviewScreen:
    """The screen as a command opens it: reading a sample at once where one was named."""
    begin = sample_name is not None
    return ReviewScreen(triage, workspace, keymap, run_id, sample_name, begin=begin, blind=blind)
