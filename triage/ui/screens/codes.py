"""The codebook: every label with what it means, where it stands, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events, getters, on
from textual.app import ComposeResult
from textual.binding import BindingType

from triage.models.codes import Code, Codebook, CodeChange
from triage.ui.keys import bindings
from triage.ui.screens.over import OverScreen
from triage.ui.widgets.codes_model import CodesSheet, narrowed, title_of, told_of
from triage.ui.widgets.footer import Foot, Footer, Place
from triage.ui.widgets.line import Words
from triage.ui.widgets.listed import Listed, ListedHead, Sheet
from triage.ui.widgets.narrow_bar import NarrowBar
from triage.ui.widgets.notice import Notice
from triage.ui.widgets.review_top import ReviewTop, Shown
from triage.ui.widgets.told_strip import ToldStrip
from triage.ui.work import codes_reading
from triage.ui.work.codes_deeds import CodesDeeds
from triage.ui.work.words import number_of

if TYPE_CHECKING:
    from triage.ui.screens.triage import TriageScreen
    from triage.workspace import Workspace

STRIP = ((36, 12), (28, 10), (20, 8), (0, 5))
"""Least rows of the terminal, and the strip's."""
_ALONE = ("new", "undo", "history")
"""What needs no label under the cursor."""


class CodesScreen(OverScreen):
    """Esc leaves the Triage screen as it was.

    Args:
        triage: the screen under it, whose run's column is lit.
        workspace: everything it shows and writes.
        keymap: the user's keys by action id.
    """

    AUTO_FOCUS = "Listed"
    KEYS = "codes"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("codes")]

    table = getters.query_one(Listed)
    strip = getters.query_one(ToldStrip)

    def __init__(self, triage: TriageScreen, workspace: Workspace, keymap: Mapping[str, str]) -> None:
        super().__init__(triage, workspace, keymap)
        self._reads = codes_reading.CodesReading(self, workspace)
        self._deeds = CodesDeeds(self, workspace)
        self.book: Codebook | None = None
        self.changes: Sequence[CodeChange] = ()
        self._names: dict[str, str] = {}
        self._keep: str | None = None
        self._typed_ahead: str | None = None
        """What a key asked for while the book was still being read."""

    def compose(self) -> ComposeResult:
        """Head, what narrows, the labels under their header, the one under the cursor, footer."""
        yield ReviewTop()
        yield NarrowBar(self.keys, action="codes.filter")
        yield ListedHead()
        yield Listed()
        yield ToldStrip(self.keys, "codes.pane")
        yield Notice(id="small")
        yield Footer(self.keymap)

    @property
    def beside(self) -> ToldStrip:
        """What is told below the list."""
        return self.strip

    @property
    def main(self) -> Listed[Sheet]:
        """The list."""
        return self.table

    @property
    def code(self) -> Code | None:
        """The label under the cursor."""
        key = self.table.key
        return self.book.named(key) if self.book is not None and key is not None else None

    @property
    def _run_id(self) -> str | None:
        run = self._triage.run_shown
        return run.id if run is not None else None

    def ask(self, keep: str | None = None) -> None:
        """Read the book; the cursor goes to the label `keep`."""
        self._keep = keep or self._keep
        self._reads.book()

    # what is shown

    def show(self, keep: str | None = None) -> None:
        """The labels as they are narrowed."""
        book = self.book
        codes = narrowed(book, self.bar.text) if book is not None else ()
        runs = tuple((run, self._names.get(run, run)) for run in (book.runs if book is not None else ()))
        sheet = CodesSheet(codes, runs, self._run_id)
        self.table.say(self._nothing())
        self.table.show(sheet, keep)
        self.query_one(ListedHead).sheet = sheet
        self._tell()
        self.settle()

    def _nothing(self) -> tuple[Words, ...]:
        key = "focus bold"
        if self.book is None:
            return ([("reading the codebook", "muted")],)
        if self.bar.text:
            return ([("no label matches", "text")], [(self.keys["codes.back"], key), (" clears it", "muted")])
        return (
            [("no label yet", "text")],
            [(self.keys["codes.new"], key), (" defines the first one   ", "muted"),
             (self.keys["labels"], key), (" on the cases gives one", "muted")],
        )  # fmt: skip

    def _tell(self) -> None:
        code, book = self.code, self.book
        if code is None or book is None:
            self.strip.title, self.strip.lines, self.strip.place = (), (), ""
            return
        changes = [one for one in self.changes if code.name in one.names or code.name in one.into]
        self.strip.title = title_of(code)
        self.strip.lines = told_of(code, changes, book, self.size.width, self.keys)
        self.strip.place = f"{self.table.position + 1} of {self.table.count}"

    def settle(self) -> None:
        """Head, counts and footer."""
        top = self.query_one(ReviewTop)
        top.shown = Shown("codebook", reviewer=self._workspace.reviewer)
        top.live = self._triage.live
        if self.book is not None:
            count, defined = len(self.book.codes), sum(bool(one.definition) for one in self.book.codes)
            shown = self.table.count
            of = f"{shown} of {number_of(count, 'label')}" if shown != count else number_of(count, "label")
            self.bar.count([(f"  {of}", "text"), (f"  {defined} defined", "muted")])
        self.query_one(ListedHead).lit = self.focused is self.table
        place: Place = "filter" if self.bar.typing else "codes"
        self.query_one(Footer).foot = Foot(place, rows=self.main.count > 0)

    # what is told

    @on(codes_reading.BookRead)
    def _book_read(self, event: codes_reading.BookRead) -> None:
        self.book, self.changes, self._names = event.book, event.changes, event.names
        keep, self._keep = self._keep, None
        self.show(keep)
        ahead, self._typed_ahead = self._typed_ahead, None
        if ahead is not None:
            self.action_codes_do(ahead)

    @on(Listed.Moved)
    def _highlighted(self) -> None:
        self._tell()

    def on_resize(self, event: events.Resize) -> None:
        """The strip has what the height leaves."""
        self.strip.styles.height = next(rows for least, rows in STRIP if event.size.height >= least)
        self.call_after_refresh(self.show)

    # keys

    @on(Listed.Chosen)
    def action_codes_open(self) -> None:
        """The cases of the run shown that bear the label."""
        code, run = self.code, self._run_id
        if code is None or run is None:
            return
        if not code.uses.get(run):
            where = "no case of this run" if code.total else "no case"
            self.say(f"{where} bears {code.name}")
            return
        quoted = code.name.replace("\\", "\\\\").replace('"', '\\"')
        self._triage.selection.show_all(f'label:"{quoted}"')
        self.dismiss(None)

    def action_codes_do(self, what: str) -> None:
        """Ask what a change needs, and make it."""
        code = self.code
        if self.book is None:
            self._typed_ahead = what
        elif code is not None or what in _ALONE:
            self.do(getattr(self._deeds, what)(code))
