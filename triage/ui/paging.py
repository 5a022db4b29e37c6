"""Pages of the list, and what its first paint needs; light, so that it can be read while the screen loads."""

from __future__ import annotations

from array import array
from concurrent.futures import Future
from threading import Thread
from typing import TYPE_CHECKING

from msgspec import Struct

from triage.errors import TriageError
from triage.models.query import Scope

if TYPE_CHECKING:
    from triage.models.case import CaseRow, RunView
    from triage.models.run import RunSummary
    from triage.ui.work.memory import Memory
    from triage.workspace import Workspace

PAGE = 128
"""Rows of a page."""
NEAR = 60
"""Rows around the cursor that are read with the keys: the tallest screen's half."""


def pages_around(
    workspace: Workspace, scope: Scope, keys: array[int], wanted: int | None
) -> dict[int, list[CaseRow]]:
    """The first page and those around the case `wanted`, by their index."""
    place = 0
    if wanted is not None:
        try:
            place = keys.index(wanted)
        except ValueError:
            place = 0
    pages = sorted({0, place // PAGE, max(place - NEAR, 0) // PAGE, (place + NEAR) // PAGE})
    return {
        page: workspace.case_rows(scope, list(keys[page * PAGE : (page + 1) * PAGE]))
        for page in pages
        if page * PAGE < len(keys)
    }


def begin_with(
    workspace: Workspace, memory: Memory, run: str | None
) -> tuple[list[RunSummary], RunSummary | None]:
    """The loaded runs, and the one to show: `run`, else the one remembered, else the newest."""
    runs = workspace.runs()
    if not runs:
        return runs, None
    newest = workspace.find_run(None)
    wanted = run or memory.run(newest.id)
    return runs, next((one for one in runs if one.id == wanted), newest)


def first_scope(run: RunSummary, memory: Memory) -> Scope:
    """What a sitting begins with."""
    return Scope(run.id, view="failing", sort=memory.sort or "")


class First(Struct, frozen=True):
    """The list of the first paint; `chosen` None = nothing is loaded."""

    runs: list[RunSummary]
    chosen: RunSummary | None
    scope: Scope | None = None
    keys: array[int] | None = None
    pages: dict[int, list[CaseRow]] | None = None


class Ahead:
    """Reads what the first paint shows on its own thread, while the screen library is still being loaded.

    `first` and `view` are cancelled where the database can't be read: the screen asks again and tells why.
    """

    def __init__(self, workspace: Workspace, memory: Memory) -> None:
        self._workspace, self._memory = workspace, memory
        self.first: Future[First] = Future()
        self.view: Future[RunView] = Future()
        Thread(target=self._read, name="ahead", daemon=True).start()

    def _read(self) -> None:
        try:
            runs, chosen = begin_with(self._workspace, self._memory, None)
            if chosen is None:
                self.first.set_result(First(runs, chosen))
                self.view.cancel()
                return
            scope = first_scope(chosen, self._memory)
            keys = self._workspace.case_keys(scope, frozenset())
            pages = pages_around(self._workspace, scope, keys, None)
            self.first.set_result(First(runs, chosen, scope, keys, pages))
            self.view.set_result(self._workspace.run_view(scope))
        except TriageError:
            self.first.cancel()
            self.view.cancel()
