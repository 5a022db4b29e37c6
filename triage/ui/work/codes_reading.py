"""What the screens of the codebook and of groups ask of the workspace, off the event loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.message import Message
from textual.worker import get_current_worker

from triage.errors import Stopped, TriageError
from triage.models.codes import Codebook, CodeChange
from triage.models.groups import Grouped

if TYPE_CHECKING:
    from textual.screen import Screen

    from triage.models.query import Scope
    from triage.workspace import Workspace


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


class Failed(Message):
    """A read failed."""

    def __init__(self, error: BaseException, doing: str) -> None:
        super().__init__()
        self.error, self.doing = error, doing


class Reads:
    """One read of a kind at a time: a newer one stops the older."""

    def __init__(self, screen: Screen[None], workspace: Workspace) -> None:
        self._screen, self._workspace = screen, workspace

    def _start(self, call: Callable[[Callable[[], bool]], Message], doing: str) -> None:
        screen, workspace = self._screen, self._workspace

        def work() -> None:
            worker = get_current_worker()

            def stopped() -> bool:
                return worker.is_cancelled

            message: Message
            try:
                with workspace.stoppable(stopped):
                    message = call(stopped)
            except Stopped:
                # A newer question is being answered, or the screen was left.
                return
            except TriageError as error:
                message = Failed(error, doing)
            if not worker.is_cancelled:
                screen.post_message(message)

        screen.run_worker(work, name=doing, group=doing, thread=True, exclusive=True, exit_on_error=False)

    def book(self) -> None:
        """The codebook."""
        workspace = self._workspace

        def call(stopped: Callable[[], bool]) -> Message:
            coding = workspace.coding
            names = {run.id: run.kb_version or run.id for run in workspace.runs()}
            # Two runs of one knowledge base are told apart by their ids.
            twice = {name for name in names.values() if list(names.values()).count(name) > 1}
            names = {run: run if name in twice else name for run, name in names.items()}
            return BookRead(coding.book(), coding.history(), names)

        self._start(call, "reading the codebook")

    def groups(self, scope: Scope) -> None:
        """The groups of a scope's failing cases."""
        grouping = self._workspace.grouping
        self._start(lambda stopped: GroupsRead(grouping.groups(scope, stopped)), "grouping the failures")
