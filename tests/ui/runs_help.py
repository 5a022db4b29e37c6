"""Seven runs and the Runs screen over them, for its tests."""

from __future__ import annotations

from typing import Any

from screen_help import settle, text_of
from textual.pilot import Pilot

from triage.ui.app import TriageApp
from triage.ui.screens.runs import RunsScreen


def runs_of(app: TriageApp) -> RunsScreen:
    """The screen, which is on top."""
    screen = app.screen
    assert isinstance(screen, RunsScreen)
    return screen


def at(app: TriageApp) -> str | None:
    """Id of the run under the cursor."""
    line = runs_of(app).table.line
    return line.entry.run.id if line is not None else None


def shown(app: TriageApp) -> str | None:
    """Id of the run on the Triage screen."""
    assert app.triage is not None
    return app.triage.run_shown.id if app.triage.run_shown is not None else None


def row_of(app: TriageApp, run_id: str) -> str:
    """The run's line in the list."""
    return next(line for line in text_of(app).splitlines()[3:] if line[1:].startswith(run_id))


async def open_runs(pilot: Pilot[Any]) -> None:
    """The screen with all its figures."""
    app = pilot.app
    await settle(pilot)
    await pilot.press("R")
    await settle(pilot, lambda: isinstance(app.screen, RunsScreen) and app.screen.filled)
    await settle(pilot)
