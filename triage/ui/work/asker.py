"""What every group of dialogs needs: the screen, the workspace off the event loop, a dialog's answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from triage.ui.screens.dialogs import Dialog
    from triage.ui.screens.triage import TriageScreen
    from triage.workspace import Workspace

Result = TypeVar("Result")


class Asker:
    """Asks, and reads what a question needs."""

    def __init__(self, screen: TriageScreen, workspace: Workspace) -> None:
        self._screen = screen
        self._workspace = workspace

    async def _off(self, call: Callable[[], Result], doing: str) -> Result | None:
        """One workspace call off the event loop; what the user did wrong is told, None comes back."""
        future = asyncio.get_running_loop().run_in_executor(None, call)
        await asyncio.wait([future])
        error = future.exception()
        if error is None:
            return future.result()
        self._screen.speech.error(error, doing)
        return None

    async def _show(self, dialog: Dialog[Result]) -> Result | None:
        return await self._screen.app.push_screen_wait(dialog)
