"""Reads of the workspace, off the event loop; each comes back to the screen as a message."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace
from textual.message import Message
from textual.worker import get_current_worker

from triage.errors import Stopped, TriageError
from triage.models.measure import CLASSES
from triage.models.query import First, Scope
from triage.ui.messages import (
    Counted,
    CutFound,
    DetailRead,
    KeysRead,
    MarksMoved,
    NextFound,
    ReadFailed,
    RowsRead,
    RunsRead,
    ViewRead,
)
from triage.ui.paging import PAGE, begin_with, pages_around
from triage.ui.widgets.row import judged, rests
from triage.ui.work.words import terms

if TYPE_CHECKING:
    from array import array

    from textual.screen import Screen

    from triage.ui.work.memory import Memory
    from triage.workspace import Workspace

SOON = 0.05
"""Seconds in which all keys are to be found; where they are not, the first of them are shown before."""


class Reader:
    """One read of a kind at a time: a newer one takes the older one's place."""

    def __init__(self, screen: Screen[None], workspace: Workspace, memory: Memory) -> None:
        self._screen = screen
        self._memory = memory
        self.workspace = workspace
        self.columns: tuple[str, ...] = ()
        """Fields and metrics whose values come along with the rows."""

    def _start(
        self, what: str, scope: Scope | None, call: Callable[[], Message], *, exclusive: bool = True
    ) -> None:
        def work() -> None:
            worker = get_current_worker()
            message: Message
            try:
                with self.workspace.stoppable(lambda: worker.is_cancelled):
                    message = call()
            except Stopped:
                # A newer question of the kind is being answered.
                return
            except TriageError as error:
                message = ReadFailed(what, scope, error)
            if not worker.is_cancelled:
                self._screen.post_message(message)

        self._screen.run_worker(
            work, name=what, group=what, thread=True, exclusive=exclusive, exit_on_error=False
        )

    def runs(self, choose: str | None = None) -> None:
        """The loaded runs; the one to show is `choose`, else the one remembered, else the newest."""

        def call() -> Message:
            return RunsRead(*begin_with(self.workspace, self._memory, choose), choose)

        self._start("runs", None, call)

    def newest_of(self, ids: Sequence[str]) -> None:
        """The loaded runs; the one to show is the newest of `ids`, or the newest of all."""

        def call() -> Message:
            runs = self.workspace.runs()
            mine = [run for run in runs if run.id in ids]
            chosen = max(mine, key=lambda run: (run.created_at, run.loaded_at), default=None)
            return RunsRead(runs, chosen or (self.workspace.find_run(None) if runs else None))

        self._start("runs", None, call)

    def keys(
        self,
        scope: Scope,
        marked: frozenset[int],
        keep: Sequence[int | None],
        keep_id: str | None = None,
        place: int | None = None,
    ) -> None:
        """The keys of a scope, with the first page and that of the case that is to be selected.

        That is the case `keep_id`, else the first of `keep` that is among them. With `place` the case
        `keep_id` is put there where it is none of the scope's.
        """

        kept = tuple(pk for pk in keep if pk is not None)

        def call() -> Message:
            keys = self._soon(scope, marked) if keep_id is None else None
            if keys is None and keep_id is None:
                self._first(scope, marked, kept)
            if keys is None:
                keys = self.workspace.case_keys(scope, marked)
            if keep_id is not None:
                wanted = self.workspace.case_key(scope, keep_id)
                if place is not None and wanted is not None and wanted not in keys:
                    keys.insert(place, wanted)
            else:
                wanted = next((pk for pk in kept if pk in keys), None)
            pages = pages_around(self.workspace, scope, keys, wanted, self.columns)
            # The cursor may have moved since: where nothing was asked for by id, the list knows better.
            return KeysRead(scope, keys, pages, wanted if keep_id is not None else None)

        self._start("keys", scope, call)

    def _soon(self, scope: Scope, marked: frozenset[int], first: First | None = None) -> array[int] | None:
        """The keys, where they are found in no time; else None.

        Raises:
            Stopped: another selection is asked for.
        """
        worker, end = get_current_worker(), time.monotonic() + SOON
        try:
            with self.workspace.stoppable(lambda: worker.is_cancelled or time.monotonic() > end):
                return self.workspace.case_keys(scope, marked, first)
        except Stopped:
            if worker.is_cancelled:
                raise
            return None

    def _first(self, scope: Scope, marked: frozenset[int], kept: tuple[int, ...]) -> None:
        """Show the first of a selection that takes its time, unless the cursor's case comes later in it."""
        keys = self._soon(scope, marked, First(2 * PAGE, kept))
        if keys:
            pages = pages_around(self.workspace, scope, keys, None, self.columns)
            self._screen.post_message(KeysRead(scope, keys, pages, None, more=True))

    def page(self, scope: Scope, generation: int, page: int, pks: list[int]) -> None:
        """A page of the list."""

        def call() -> Message:
            return RowsRead(scope, generation, page, self.workspace.case_rows(scope, pks, self.columns))

        self._start(f"page {page}", scope, call)

    def fresh_rows(self, scope: Scope, pks: list[int]) -> None:
        """Rows that are shown, as they are now."""

        def call() -> Message:
            return RowsRead(scope, 0, None, self.workspace.case_rows(scope, pks, self.columns))

        self._start("fresh rows", scope, call)

    def view(self, scope: Scope, marked: frozenset[int] = frozenset()) -> None:
        """What the panels show."""
        self._start("view", scope, lambda: ViewRead(scope, self.workspace.run_view(scope, marked)))

    def moved(self, scope: Scope, marked: frozenset[int]) -> None:
        """Where the marked cases are in the run's new revision."""

        def call() -> Message:
            return MarksMoved(scope, self.workspace.bulk.moved(scope.run, list(marked)))

        self._start("marks", scope, call)

    def detail(self, scope: Scope, pk: int) -> None:
        """A case whole."""
        self._start("detail", scope, lambda: DetailRead(scope, pk, self.workspace.case_detail(scope, pk)))

    def next_unreviewed(self, scope: Scope, keys: array[int], start: int, skip: frozenset[int]) -> None:
        """The next case without a verdict after the position `start`, wrapping once, in the list as shown."""

        def call() -> Message:
            count = len(keys)
            order = [(start + step) % count for step in range(1, count)]
            later: int | None = None
            for at in range(0, len(order), 2 * PAGE):
                places = order[at : at + 2 * PAGE]
                rows = self.workspace.case_rows(scope, [keys[place] for place in places])
                for place, row in zip(places, rows, strict=True):
                    if row.pk in skip or judged(row):
                        continue
                    if not rests(row):
                        return NextFound(scope, place, place < start)
                    later = place if later is None else later
            return NextFound(scope, later, later is not None and later < start)

        self._start("next", scope, call)

    def agreement(self, scope: Scope, triaged: int) -> None:
        """How the verdicts on failing cases stand to the suggestions."""

        def count(text: str) -> int:
            return len(self.workspace.case_keys(Scope(scope.run, scope.k, text), frozenset()))

        def call() -> Message:
            same = sum(count(f"is:failing verdict:{name} suggestion:{name}") for name in CLASSES)
            return Counted(scope, (same, max(triaged - same, 0), count("is:failing is:disputed")))

        self._start("agreement", scope, call)

    def cut_most(self, scope: Scope) -> None:
        """Which word of a filter that finds nothing cut most."""

        def call() -> Message:
            parts = terms(scope.text)
            best, word = 0, ""
            for index, part in enumerate(parts[:8]):
                rest = " ".join(parts[:index] + parts[index + 1 :])
                try:
                    found = len(self.workspace.case_keys(replace(scope, text=rest), frozenset()))
                except TriageError:
                    # Half of a group or phrase is no filter; it then is no single word that cut.
                    continue
                if found > best:
                    best, word = found, part
            return CutFound(scope, word)

        self._start("cut", scope, call)
