"""What the Triage screen says around its list: its tail, why it is empty, that all is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widgets import Input

from triage.ui import messages
from triage.ui.widgets.filter_bar import Doors
from triage.ui.widgets.footer import Foot, Footer, Place
from triage.ui.widgets.line import Words
from triage.ui.widgets.list_head import ListHead
from triage.ui.widgets.notice import Notice
from triage.ui.work import words

if TYPE_CHECKING:
    from textual.widget import Widget

    from triage.models.run import Progress
    from triage.ui.screens.triage import TriageScreen

LEAST = (60, 15)
"""Columns and rows below which the screen says so and shows nothing else."""


class Stage:
    """Sets what depends on everything at once; called whenever any of it has changed."""

    def __init__(self, screen: TriageScreen) -> None:
        self._screen = screen
        self.empty = False
        """Nothing is loaded."""
        self.progress: Progress | None = None
        self.dismissed = False
        """The sentence that all is done was seen, and the list asked for."""
        self.agreed: tuple[int, int, int] | None = None
        self.cut: str | None = None
        self.more = False
        """The list shows the first of its cases, the others are being looked for."""
        self.unread = ""
        """Why the files just given could not be read."""
        self.awaited = ""
        """What is followed while nothing is loaded."""
        self._typed_in: Widget | None = None
        """What had the focus before the terminal became too small."""
        self.error: tuple[Words, ...] = ()
        """Why the list could not be read."""

    def take(self, event: messages.Counted | messages.CutFound) -> None:
        """What was counted for a sentence."""
        if isinstance(event, messages.Counted):
            self.agreed = event.agreed
        elif event.scope == self._screen.selection.scope:
            self.cut = event.word
        self.settle()

    @property
    def done(self) -> bool:
        """Does the sentence that all is tagged stand in the list's place?"""
        screen, view, scope = self._screen, self._screen.view, self._screen.selection.scope
        if view is None or scope is None or self.dismissed or scope.drill is not None or scope.text:
            return False
        at_work = scope.view == "failing" or (scope.view == "unreviewed" and not screen.cases.keys)
        return at_work and 0 < view.failing <= view.triaged and not screen.verdicts.pending

    def settle(self) -> None:
        """Bring tail, notices, classes and footer up to date."""
        self._place()
        self._list()
        self._foot()

    def _place(self) -> None:
        screen = self._screen
        first = self.empty and not screen.loader.busy
        done = self.done
        lines: tuple[Words, ...] = ()
        if first:
            lines = words.first(self.unread, screen.shown_keys, self.awaited)
        elif done and screen.view is not None:
            lines = words.done(screen.view, self.agreed, screen.shown_keys)
            if self.agreed is None and screen.selection.scope is not None:
                screen.reader.agreement(screen.selection.scope, screen.view.triaged)
        was = screen.has_class("-staged")
        screen.set_class(first, "-first")
        screen.set_class(bool(lines), "-staged")
        screen.query_one("#stage", Notice).lines = lines
        if was and not lines and screen.focused is None:
            screen.cases.focus()

    def _list(self) -> None:
        screen, scope, view = self._screen, self._screen.selection.scope, self._screen.view
        count = len(screen.cases.keys)
        tail: Words = ()
        notice: tuple[Words, ...] = self.error
        if not notice and not count and screen.loader.busy:
            notice = (words.reading(self.progress),)
        elif not notice and scope is not None and view is not None:
            tail = () if self.more else words.tail(scope, count, view, screen.shown_keys)
            if not count:
                notice = words.nothing(scope, view, self.cut or "", screen.shown_keys)
                if scope.text and view.matching == 0 and self.cut is None:
                    self.cut = ""
                    screen.reader.cut_most(scope)
        screen.cases.say(tail, notice)
        if scope is not None:
            marked = len(screen.cases.marked)
            said = words.counted(scope, count, view, marked, screen.cases.marked.hidden, more=self.more)
            screen.bar.count(said, drilled=scope.drill is not None)
            sort = words.sorted_by(scope.sort)
            if scope.drill is not None and scope.drill.similar is not None:
                sort = ("similarity", "similarity")
            screen.query_one(ListHead).sorted_by = sort

    def _foot(self) -> None:
        screen = self._screen
        screen.query_one(ListHead).lit = screen.cases.has_focus
        marked = len(screen.cases.marked)
        accept = f"accept {marked:,} marked" if marked else words.accepts(screen.cases.row)
        screen.query_one(Footer).foot = Foot(self.where(), accept)

    def where(self) -> Place:
        """Where the keys go now."""
        screen = self._screen
        focused = screen.focused
        if screen.has_class("-first"):
            return "first"
        if screen.has_class("-staged"):
            return "done"
        if isinstance(focused, Input):
            return "filter"
        if isinstance(focused, Doors):
            return "doors"
        if focused is screen.panels:
            return "panels"
        if focused is screen.detail:
            return "detail"
        return "list" if screen.cases.keys else "empty"

    def measure(self, width: int, height: int) -> None:
        """Too small a terminal is told in a sentence."""
        tiny = width < LEAST[0] or height < LEAST[1]
        if tiny and not self._screen.has_class("-tiny"):
            self._typed_in = self._screen.focused
        self._screen.set_class(tiny, "-tiny")
        if not tiny and self._typed_in is not None:
            # What is not seen loses the focus, and gets it back with its place.
            self._screen.call_after_refresh(self._typed_in.focus)
            self._typed_in = None
        self._screen.query_one("#small", Notice).lines = words.too_small(width, height) if tiny else ()
