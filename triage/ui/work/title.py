"""The terminal's title tells, in another window or tmux pane, which run is shown and how much of it fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.plain import cut, one_line

if TYPE_CHECKING:
    from triage.models.case import RunView
    from triage.models.run import RunSummary
    from triage.ui.app import TriageApp
    from triage.ui.screens.triage import TriageScreen

RUN = 40
"""Most cells of a run's name."""


def title(run: RunSummary | None, view: RunView | None) -> str:
    """`triage kb42 3 failing`, or with what is known of it."""
    if run is None:
        return "triage"
    name = cut(one_line(run.id), RUN)
    return f"triage {name}" if view is None or view.run != run.id else f"triage {name} {view.failing} failing"


def follow(app: TriageApp, screen: TriageScreen) -> None:
    """Keep the terminal's title at what the screen shows, where there is such a title and it is wanted."""
    terminal = app.terminal
    if terminal is None or not screen.workspace.settings.title:
        return

    def show() -> None:
        if app.triage is screen:
            terminal.show_title(title(screen.run_shown, screen.view))

    app.watch(screen, "run_shown", show)
    app.watch(screen, "view", show)
