"""What the screens of the codebook and of groups ask of the workspace, off the event loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.message import Message
from textual.worker import get_current_worker

from triage.models.codes import Codebook, CodeChange
from triage.models.groups import Grouped
from triage.ui.work.reads import Reads

if TYPE_CHECKING:
    from triage.models.query import Scope


class BookRead(Message):
    """The codebook, its changes, newest first, and the short names of the loaded runs."""

    def __init__(self, book: Codebook, changes: Sequence[CodeChange], names: dict[str, str]) -> None:
        super().__init__()
        self.book, self.changes, self.names = book, changes, names


class GroupsRead(Message):
    """The groups of similar failures."""

    def __init__(self, found: Grouped) -> None:
        super().__init__()
        self.found = found


class CodesReading(Reads):
    """Reads the codebook, and groups."""

    def book(self) -> None:
        """The codebook."""
        workspace = self._workspace

        def call() -> Message:
            coding = workspace.coding
            names = {run.id: run.kb_version or run.id for run in workspace.runs()}
            # Two runs of one knowledge base are told apart by their ids.
            twice = {name for name in names.values() if list(names.values()).count(name) > 1}
            names = {run: run if name in twice else name for run, name in names.items()}
            return BookRead(coding.book(), coding.history(), names)

        self.start("codebook", call, "reading the codebook")

    def groups(self, scope: Scope) -> None:
        """The groups of a scope's failing cases."""
        grouping = self._workspace.grouping

        def call() -> Message:
            worker = get_current_worker()
            return GroupsRead(grouping.groups(scope, lambda: worker.is_cancelled))

        self.start("groups", call, "grouping the failures")
