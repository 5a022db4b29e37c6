"""What is done in the background once the run can be used: search indexes, then the check of sentences."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from triage.errors import TriageError

if TYPE_CHECKING:
    from triage.ui.screens.triage import TriageScreen
    from triage.workspace import Workspace


class Indexing:
    """One thing at a time; it gives way to a load, and ends with the app.

    The index comes first: it is a tenth of the work, so both are there soonest.
    """

    def __init__(self, screen: TriageScreen, workspace: Workspace) -> None:
        self._screen = screen
        self._workspace = workspace
        self._cancel = threading.Event()
        self._busy = self._again = False

    def begin(self) -> None:
        """Do what is waiting, unless files are being read; what came while it was at work is done after."""
        if self._cancel.is_set() or self._screen.loader.busy:
            return
        self._again = self._busy
        if self._busy:
            return
        self._busy = True

        def work() -> None:
            try:
                self._workspace.indexing.build_aside(self._cancel)
                self._workspace.checking.build_aside(self._cancel, self._tell)
            except TriageError:
                # Texts are looked through without an index; the next load or start tries again.
                return
            finally:
                self._busy = False
                if self._again and not self._cancel.is_set():
                    self._screen.call_later(self.begin)

        self._screen.run_worker(work, name="index", group="index", thread=True, exit_on_error=False)

    def _tell(self) -> None:
        """In the thread that waits: sentences are checked."""
        if not self._cancel.is_set():
            self._screen.call_later(self._checked)

    def _checked(self) -> None:
        """Take over the new numbers; cursor, marks and the place of the list stay."""
        selection, row = self._screen.selection, self._screen.cases.row
        if selection.scope is None:
            return
        selection.refresh()
        selection.ask(selection.scope, keep_id=row.id if row is not None else None, stay=True)
        selection.read_detail()

    def close(self) -> None:
        """Stop; what has been done is kept."""
        self._cancel.set()
