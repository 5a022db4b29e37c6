"""Search indexes, built in the background once the run can be used."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from triage.errors import TriageError

if TYPE_CHECKING:
    from triage.ui.screens.triage import TriageScreen
    from triage.workspace import Workspace


class Indexing:
    """One building at a time; it gives way to a load, and ends with the app."""

    def __init__(self, screen: TriageScreen, workspace: Workspace) -> None:
        self._screen = screen
        self._workspace = workspace
        self._cancel = threading.Event()
        self._busy = False

    def begin(self) -> None:
        """Build what is waiting, unless files are being read or a building is under way."""
        if self._busy or self._cancel.is_set() or self._screen.loader.busy:
            return
        self._busy = True

        def work() -> None:
            try:
                self._workspace.indexing.build_aside(self._cancel)
            except TriageError:
                # Texts are looked through without it; the next load or start tries again.
                return
            finally:
                self._busy = False

        self._screen.run_worker(work, name="index", group="index", thread=True, exit_on_error=False)

    def close(self) -> None:
        """Stop; what has been built is kept."""
        self._cancel.set()
