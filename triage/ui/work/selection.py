"""Which cases are shown: the scope, what is asked of the workspace for it, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from textual.timer import Timer

from triage.errors import FilterError
from triage.models.query import DRILL_PARTS, Drill, Scope
from triage.ui import messages
from triage.ui.paging import First, first_scope
from triage.ui.widgets.case_detail import NOTHING
from triage.ui.widgets.notice import error_lines
from triage.ui.work.words import next_view, number_of

if TYPE_CHECKING:
    from concurrent.futures import Future

    from triage.models.case import CaseRow, RunView
    from triage.models.run import RunSummary
    from triage.ui.paging import Ahead
    from triage.ui.screens.triage import TriageScreen
    from triage.ui.work.memory import Memory
    from triage.ui.work.reader import Reader

RESTS = 0.08
"""Seconds after which the cursor rests; while it does not, as under a held key, the detail waits."""


class Selection:
    """Holds the scope. What is shown stays until the new is whole, and the cursor keeps its case."""

    def __init__(
        self, screen: TriageScreen, reader: Reader, open_case: tuple[str, str | None] | None, memory: Memory
    ) -> None:
        self._screen = screen
        self._reader = reader
        self._open_case = open_case[1] if open_case is not None else None
        self._open_run = open_case[0] if open_case is not None else None
        self._memory = memory
        self._newest: str | None = None
        self.scope: Scope | None = None
        self._good: Scope | None = None
        self._rest: Timer | None = None
        self._moved = 0.0
        self._opening: str | None = None
        """The run that was asked for and is not here yet."""
        self.finding = False
        """The cases of the scope are being looked for; the list shows others, or the first of them."""
        self._gone = False
        """The run that is shown, or was asked for, is no longer in the database."""
        self._came: tuple[Scope, Scope] | None = None
        """What was shown before a filter was put in by something else than its row, and what that opened."""

    def start(self, ahead: Ahead | None) -> None:
        """Begin with what is being read ahead, or ask for it."""
        if ahead is None:
            self._reader.runs(self._open_run)
            return
        if ahead.first.done() and not ahead.first.cancelled():
            # Taken before the first layout, so that the first paint holds the list.
            self.take_first(ahead.first.result())
        else:
            ahead.first.add_done_callback(self._answered)
        # Called at once where it is there already, else from the reading thread.
        ahead.view.add_done_callback(self._answered)

    def _answered(self, done: Future[First] | Future[RunView]) -> None:
        self._told(None if done.cancelled() else done.result())

    def _told(self, found: First | RunView | None) -> None:
        if not self._screen.is_running or (found is None and self.scope is not None):
            return
        if found is None:
            self._reader.runs(self._open_run)
        elif isinstance(found, First):
            self._screen.post_message(messages.FirstRead(found))
        else:
            scope = Scope(found.run, view="failing", sort=self._memory.sort or "")
            self._screen.post_message(messages.ViewRead(scope, found))

    def take_first(self, first: First) -> None:
        """The list as it was read ahead."""
        self.scope = first.scope
        self.take_runs(messages.RunsRead(first.runs, first.chosen))
        if first.scope is not None and first.keys is not None:
            self.take_keys(messages.KeysRead(first.scope, first.keys, first.pages or {}, None))

    def to_remember(self) -> dict[str, str | None]:
        """What the next sitting is to know: the run shown, and which was the newest."""
        return {
            "run": self.scope.run if self.scope is not None else None,
            "newest": self._newest,
        }

    # asking

    def ask(self, scope: Scope, *, keep_id: str | None = None, stay: bool = False) -> None:
        """Ask for another selection; the cursor goes to the case `keep_id`, or keeps its own.

        With `stay` that case keeps its place in the list even where it is no longer of the selection.
        """
        screen, old = self._screen, self.scope
        self.scope, self.finding = scope, True
        if screen.marking is not None and old != scope:
            screen.marking.drop()
        screen.stage.cut = None
        if old is None or (old.run, old.text, old.view) != (scope.run, scope.text, scope.view):
            screen.stage.dismissed = False
        place = screen.cases.position if stay else None
        if keep_id is not None:
            screen.cases.home = None
        self._reader.keys(scope, self._marked(scope), screen.cases.wanted, keep_id, place)
        screen.speech.searches(bool(scope.text))
        if old is None or (old.run, old.k, old.text) != (scope.run, scope.k, scope.text):
            self._reader.view(scope, self._marked(scope))
        if old is not None and old.sort != scope.sort:
            self._memory.remember(sort=scope.sort)

    def _marked(self, scope: Scope) -> frozenset[int]:
        """What `is:marked` stands for, where the filter may speak of it."""
        return frozenset(self._screen.cases.marked.keys if "marked" in scope.text else ())

    def change(self, **changes: Any) -> None:
        """Ask for the present selection with changes."""
        if self.scope is not None:
            self.ask(replace(self.scope, **changes))

    def text(self, text: str) -> None:
        """Another filter text."""
        self._screen.bar.set_text(text)
        self._screen.bar.error("")
        self.change(text=text.strip())

    def show_all(self, text: str) -> None:
        """All cases of a filter text that another place gave; `back_out` leads to what is shown now."""
        if self.scope is not None:
            before = self.scope
            self._screen.bar.set_text(text)
            self._screen.bar.error("")
            self.change(text=text, view="all", drill=None)
            self._came = (before, self.scope)

    def back_out(self) -> None:
        """Out of the filter: to what was shown before it, where it came from another place."""
        before, opened = self._came or (None, None)
        self._came = None
        if before is not None and opened == self.scope:
            self._screen.bar.set_text(before.text)
            self.change(text=before.text, view=before.view, drill=before.drill)
        else:
            self.text("")

    def next_view(self) -> None:
        """The next view; it ends a drill-down."""
        if self.scope is not None:
            view = self.scope.view if self.scope.drill is not None else next_view(self.scope.view)
            self.change(view=view, drill=None)

    def drill_metric(self, key: str) -> None:
        """Through a number: the cases that make it worse, again its scope, again the missing ones."""
        if self.scope is None:
            return
        drill = self.scope.drill
        part = DRILL_PARTS[0]
        if drill is not None and drill.metric == key:
            part = DRILL_PARTS[(DRILL_PARTS.index(drill.part) + 1) % len(DRILL_PARTS)]
        self.change(drill=Drill(metric=key, part=part))

    def drill_class(self, failure_class: str) -> None:
        """Through a class count; the same door again leads out."""
        if self.scope is not None:
            drill = Drill(failure_class=failure_class)
            self.change(drill=None if self.scope.drill == drill else drill)

    def open_run(self, run: str) -> None:
        """Show another run, or the same again with another baseline."""
        self._opening = run
        self._reader.runs(run)

    def leave(self) -> None:
        """The last run was removed here: begin anew with nothing."""
        self.scope = None
        self._reader.runs()

    def refresh(self) -> None:
        """Somebody has written: read anew what is on screen, and move nothing."""
        # A run that is about to be shown is not given up for the one that still is.
        self._reader.runs(self._opening or (self.scope.run if self.scope is not None else None))

    def again(self) -> None:
        """Read what could not be read."""
        self._reader.runs(self.scope.run if self.scope is not None else self._open_run)

    def read_view(self) -> None:
        """Count anew."""
        if self.scope is not None:
            self._reader.view(self.scope, self._marked(self.scope))

    def read_detail(self) -> None:
        """Read the case under the cursor anew."""
        pk = self._screen.cases.pk
        if self.scope is not None and pk is not None:
            self._reader.detail(self.scope, pk)

    def highlighted(self, pk: int | None) -> None:
        """The cursor stands on another case: its detail is drawn at once, or else when the cursor rests."""
        before, self._moved = self._moved, monotonic()
        self._screen.speech.stand_clear()
        if self._rest is not None:
            self._rest.stop()
        detail = self._screen.detail
        detail.notice = NOTHING if pk is None else ()
        if pk is None:
            self._count()
            detail.detail = None
        elif detail.detail is None or self._moved - before >= RESTS:
            self.read_detail()
        else:
            self._rest = self._screen.set_timer(RESTS, self.read_detail)

    def _count(self) -> None:
        cases = self._screen.cases
        self._screen.detail.place = (cases.position + 1, len(cases.keys)) if cases.keys else None

    def page_wanted(self, generation: int, page: int, pks: list[int]) -> None:
        """Rows that are on screen are not here yet."""
        if self.scope is not None:
            self._reader.page(self.scope, generation, page, pks)

    # what comes back

    def take_runs(self, event: messages.RunsRead) -> None:
        """The loaded runs, and the one to show."""
        screen, run = self._screen, event.chosen
        screen.trouble.over()
        if event.asked == self._opening:
            self._opening = None
        if event.asked is not None and self.scope is not None and (run is None or run.id != event.asked):
            # Another run under the cursor would take the next key, so what is shown stays.
            screen.speech.gone(event.asked)
            self._gone = True
            return
        if self._gone:
            self._gone = False
            screen.bar.error("")
        self._newest = event.runs[0].id if event.runs else None
        old, screen.run_shown = screen.run_shown, run
        screen.against = next((one for one in event.runs if run is not None and one.id == run.baseline), None)
        screen.stage.empty = run is None
        if run is None:
            screen.view = None
        row = screen.cases.row
        if run is not None and (self.scope is None or self.scope.run != run.id):
            self._begin(run, row.id if row is not None else None)
        elif run is not None and self.scope is not None and old is not None and old.pk != run.pk:
            self.ask(self.scope, keep_id=row.id if row is not None else None, stay=True)
            self._reader.view(self.scope, self._marked(self.scope))
            if screen.cases.marked:
                self._reader.moved(self.scope, frozenset(screen.cases.marked.keys))
        elif run is not None and self.scope is not None and event.asked is not None:
            screen.cases.forget_rows()
            self._reader.fresh_rows(self.scope, screen.cases.rows_on_screen())
            self._reader.view(self.scope)
        screen.stage.settle()

    def _begin(self, run: RunSummary, keep_id: str | None) -> None:
        old = self.scope
        if old is None:
            scope = first_scope(run, self._memory, self._screen.workspace)
        else:
            scope = replace(old, run=run.id, k=None, drill=None)
        if old is not None and self._screen.cases.marked:
            marks = number_of(len(self._screen.cases.marked), "mark")
            self._screen.speech.say(f"{marks} in {old.run} let go")
        self._screen.cases.unmark()
        if self._open_case is not None:
            scope = replace(scope, view="all")
        self.ask(scope, keep_id=self._open_case or keep_id)

    def take_marks(self, event: messages.MarksMoved) -> None:
        """The marked cases under the keys of the run's new revision."""
        if self.scope is None or event.scope.run != self.scope.run:
            return
        marked = self._screen.cases.marked
        gone = len(marked) - len(event.places)
        marked.move(event.places)
        marked.shown_in(self._screen.cases.keys)
        self._screen.cases.refresh()
        if gone > 0:
            self._screen.speech.say(f"{number_of(gone, 'marked case')} no longer in the file")
        if self._marked(self.scope):
            self.ask(self.scope)
            self.read_view()
        self._screen.stage.settle()

    def take_keys(self, event: messages.KeysRead) -> None:
        """The cases of the scope."""
        if event.scope != self.scope:
            return
        screen = self._screen
        if not event.more:
            screen.speech.searches(False)
        screen.stage.more = event.more
        self._good = event.scope
        screen.stage.error = ()
        screen.bar.error("")
        screen.cases.liken(event.scope.drill is not None and event.scope.drill.similar is not None)
        screen.cases.show(event.keys, event.pages, event.keep)
        self._count()
        if not event.more:
            self.finding = False
            if screen.marking is not None:
                screen.marking.found()
        if self._open_case is not None:
            self._open_case = None
            screen.read()
        screen.stage.settle()

    def take_rows(self, event: messages.RowsRead) -> None:
        """A page of the list, or rows as they are now."""
        screen = self._screen
        if event.scope != self.scope:
            return
        if event.page is not None:
            screen.cases.put_page(event.generation, event.page, event.rows)
        else:
            before = {row.pk: row for row in screen.cases.rows_of(row.pk for row in event.rows)}
            changed = [row for row in event.rows if row.pk in before and row.review != before[row.pk].review]
            screen.cases.update_rows(event.rows)
            self._from_elsewhere(changed, before)
        screen.stage.settle()

    def _from_elsewhere(self, changed: Sequence[CaseRow], before: Mapping[int, CaseRow]) -> None:
        for row in changed:
            self._screen.speech.judged(row, before[row.pk].review)
        if any(row.pk == self._screen.cases.pk for row in changed):
            self.read_detail()

    def take_view(self, event: messages.ViewRead) -> None:
        """What the panels and the head show."""
        screen, scope, of = self._screen, self.scope, event.scope
        if scope is None or (of.run, of.k, of.text) != (scope.run, scope.k, scope.text):
            return
        if screen.view is None or screen.view.verdicts != event.view.verdicts:
            screen.stage.agreed = None
        renamed = screen.view is not None and screen.view.k != event.view.k
        screen.view = event.view
        if renamed and screen.cases.chosen is not None:
            from triage.ui.work.columns import renew

            renew(screen)
        screen.stage.settle()

    def take_detail(self, event: messages.DetailRead) -> None:
        """The case under the cursor, unless the cursor has gone on."""
        if event.scope == self.scope and event.pk == self._screen.cases.pk:
            self._count()
            self._screen.detail.detail = event.detail

    def take_failure(self, event: messages.ReadFailed) -> None:
        """A read failed: told in the pane it concerns; after a wrong filter the list stays as it was."""
        screen, error = self._screen, event.error
        if event.what in ("detail", "keys") and event.scope != self.scope:
            return
        if event.what == "keys":
            self.finding = False
            screen.speech.searches(False)
            if screen.marking is not None:
                screen.marking.drop()
        if screen.trouble.met(error):
            return
        if isinstance(error, FilterError):
            if event.what == "keys":
                screen.speech.error(error, "")
                self.scope = self._good
        elif event.what == "detail" and getattr(error, "title", "") == "no such case":
            # The run was loaded anew a moment ago: its new list is on the way.
            self.refresh()
        elif event.what == "detail":
            screen.speech.in_detail(error, "reading the case")
        elif event.what == "keys" and not screen.cases.keys:
            screen.stage.error = error_lines(error, "reading the list")
            screen.stage.settle()
        else:
            if event.what == "runs" and screen.run_shown is None:
                screen.stage.empty = True
                screen.stage.settle()
            screen.speech.error(error, f"reading the {event.what}")
