"""What every group of dialogs needs: the screen, the workspace off the event loop, a dialog's answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from triage.ui.work.off_loop import Result, off_loop

if TYPE_CHECKING:
    from triage.ui.screens.dialogs import Dialog
    from triage.ui.screens.triage import TriageScreen
    from triage.workspace import Workspace


class Asker:
    """Asks, and reads what a question needs."""

    def __init__(self, screen: TriageScreen, workspace: Workspace) -> None:
        self._screen = screen
        self._workspace = workspace

    async def _off(self, call: Callable[[], Result], doing: str) -> Result | None:
        """One workspace call off the event loop; what the user did wrong is told, None comes back."""
        done = await off_loop(call, lambda error: self._screen.speech.error(error, doing))
        return None if done is None else done[0]

    async def _show(self, dialog: Dialog[Result]) -> Result | None:
        return await self._screen.app.push_screen_wait(dialog)
