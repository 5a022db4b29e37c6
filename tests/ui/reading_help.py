"""A sample of the ten cases, and the screen on which it is read."""

from __future__ import annotations

from typing import Any

from screen_help import settle
from textual.pilot import Pilot

from triage.models.sample import SampleRule
from triage.review.sampling import queue
from triage.ui.app import TriageApp
from triage.ui.screens.reading import ReadingScreen
from triage.workspace import Workspace

NAME = "七月 [b]抽样[/b]"


def draw(workspace: Workspace, n: int = 4, readings: int = 2) -> list[str]:
    """Draw a sample of the run `now`; its cases in the order of the queue."""
    sample = workspace.sampling.draw("now", SampleRule(seed="s", n=n, by=(), readings=readings), NAME)
    return [case.case_id for case in sorted(queue(sample.drawn), key=lambda case: case.place)]


def reading(app: TriageApp) -> ReadingScreen:
    """The screen, wherever it stands."""
    return next(screen for screen in reversed(app.screen_stack) if isinstance(screen, ReadingScreen))


def ready(app: TriageApp) -> bool:
    """Is a case in hand, or said that there is none?"""
    screen = app.screen
    return isinstance(screen, ReadingScreen) and (
        screen.hand.handed is not None or screen.has_class("-staged")
    )


async def open_reading(
    pilot: Pilot[Any], app: TriageApp, text: str = "", *, blind: bool = False
) -> ReadingScreen:
    """Open it over the Triage screen, and wait for the first case."""
    await settle(pilot)
    assert app.triage is not None
    screen = ReadingScreen(app.triage, app.workspace, app.key_map, "now", NAME, text, blind)
    await app.push_screen(screen)
    await settle(pilot, lambda: ready(app))
    await pilot.pause()
    return screen


async def press(pilot: Pilot[Any], app: TriageApp, *keys: str) -> None:
    """Press keys one after the other, each when the one before has done what it does."""
    for key in keys:
        await pilot.press(key)
        await settle(pilot, lambda: ready(app) or not isinstance(app.screen, ReadingScreen))
        await pilot.pause()
