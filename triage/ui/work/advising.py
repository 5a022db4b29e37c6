"""Advice on the cases shown: read off the event loop, and the cases behind a line opened."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from triage.models.query import Scope
from triage.ui.work.words import number_of

if TYPE_CHECKING:
    from triage.ui.screens.triage import TriageScreen
    from triage.ui.work.finding import Off


async def advise(screen: TriageScreen, off: Off, scope: Scope) -> None:
    """Say what to try first for the cases that the panels speak of, and open those behind a line."""
    from triage.ui.screens.advice import AdviceDialog

    counsel = await off(partial(screen.workspace.advising.of, scope), "looking for advice")
    view = screen.view
    if counsel is None:
        return
    matching = view.matching if view is not None else 0
    cases = number_of(matching, "case")
    if view is not None and matching < view.cases:
        cases = f"{matching:,} of {view.cases:,} cases"
    query = await screen.app.push_screen_wait(AdviceDialog(counsel, cases))
    if query is None or screen.selection.scope is None or screen.selection.scope.run != scope.run:
        return
    screen.remove_class("-reading")
    screen.selection.show_all(query)
    screen.cases.focus()
