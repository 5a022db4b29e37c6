"""How the screens over the Triage screen ask the workspace: off the event loop, the answer is a message."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.message import Message
from textual.worker import get_current_worker

from triage.errors import Stopped, TriageError

if TYPE_CHECKING:
    from textual.screen import Screen

    from triage.workspace import Workspace


class Failed(Message):
    """A read ended by an error of the user's; `doing` says what was being done."""

    def __init__(self, error: BaseException, doing: str) -> None:
        super().__init__()
        self.error, self.doing = error, doing


class Reads:
    """One read of a kind at a time: a newer one stops the older.

    Args:
        screen: gets the answers.
        workspace: is asked.
    """

    def __init__(self, screen: Screen[None], workspace: Workspace) -> None:
        self._screen, self._workspace = screen, workspace

    def start(
        self,
        kind: str,
        call: Callable[[], Message],
        doing: str,
        failed: Callable[[BaseException, str], Message] = Failed,
    ) -> None:
        """Make a call on a thread of its own, and post what comes back.

        Args:
            kind: reads of one kind stop each other.
            call: gives the answer.
            doing: what is being done, for who is told that it failed.
            failed: makes the message about an error of the user's; a bug of ours ends the worker.
        """
        screen, workspace = self._screen, self._workspace

        def work() -> None:
            worker = get_current_worker()
            message: Message
            try:
                with workspace.stoppable(lambda: worker.is_cancelled):
                    message = call()
            except Stopped:
                # A newer question is being answered, or the screen was left.
                return
            except TriageError as error:
                message = failed(error, doing)
            if not worker.is_cancelled:
                screen.post_message(message)

        screen.run_worker(work, name=doing, group=kind, thread=True, exclusive=True, exit_on_error=False)
