"""Pages of the list, and what its first paint needs; light, so that it can be read while the screen loads."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from concurrent.futures import Future
from threading import Thread
from typing import TYPE_CHECKING

from msgspec import Struct

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
    workspace: Workspace, scope: Scope, keys: array[int], wanted: int | None, columns: Sequence[str] = ()
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
        page: workspace.case_rows(scope, list(keys[page * PAGE : (page + 1) * PAGE]), columns)
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


def first_scope(run: RunSummary, memory: Memory, workspace: Workspace) -> Scope:
    """What a sitting begins with: the order chosen last, else the one of the settings."""
    from triage.workspace.cases import can_sort

    wanted = (memory.sort, workspace.settings.sort)
    sort = next((sort for sort in wanted if sort is not None and can_sort(sort)), "")
    return Scope(run.id, view="failing", sort=sort)


def first_columns(memory: Memory, workspace: Workspace) -> tuple[str, ...] | None:
    """The columns chosen last, else those of the settings; None where none were ever chosen."""
    return memory.columns if memory.columns is not None else workspace.settings.columns or None


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
            scope = first_scope(chosen, self._memory, self._workspace)
            keys = self._workspace.case_keys(scope, frozenset())
            columns = first_columns(self._memory, self._workspace) or ()
            pages = pages_around(self._workspace, scope, keys, None, columns)
            self.first.set_result(First(runs, chosen, scope, keys, pages))
            self.view.set_result(self._workspace.run_view(scope))
        finally:
            # What has an answer by now can't be cancelled any more.
            self.first.cancel()
            self.view.cancel()
