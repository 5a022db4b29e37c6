"""Marking the whole list, also one whose cases are still being looked for."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from triage.ui.terminal_app import hold_keys

if TYPE_CHECKING:
    from triage.ui.screens.triage import TriageScreen

HOLDS = 1.0
"""Seconds that keys wait for a list on its way before they go to the one that is shown."""
_STEP = 0.01


class Marking:
    """Marks every case of the selection that was asked for, when all of them are known.

    Until then `waits`, and no verdict is given: it would go to other cases than those meant.
    """

    def __init__(self, screen: TriageScreen) -> None:
        self._screen = screen
        self.waits = False

    def all(self) -> None:
        """Mark all, now or when the selection is whole."""
        screen = self._screen
        if not screen.selection.finding:
            screen.cases.mark("all")
            return
        self.waits = True
        hold_keys(screen.app, screen.run_worker(self._wait(), group="marking", exclusive=True))

    async def _wait(self) -> None:
        for _ in range(int(HOLDS / _STEP)):
            if not self.waits:
                return
            await asyncio.sleep(_STEP)
        self.tell()

    def tell(self) -> None:
        """Say what is waited for."""
        back = self._screen.shown_keys["back"]
        self._screen.speech.tell(
            [
                ("all are marked when the search is through   ", "text"),
                (back, "focus bold"),
                (" stops", "muted"),
            ]
        )

    def found(self) -> None:
        """The selection is whole."""
        if self.waits:
            self.waits = False
            self._screen.cases.mark("all")

    def drop(self) -> None:
        """Another selection is asked for, or this one could not be read."""
        if self.waits:
            self.waits = False
            self._screen.speech.say("nothing marked: all of them were not found yet")
