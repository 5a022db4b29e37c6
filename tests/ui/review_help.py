"""A sample that two people have read, for the tests of the review's screens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from screen_help import settle
from textual.pilot import Pilot

from triage.models.sample import Sample, SampleRule
from triage.models.verdict import Verdict
from triage.ui.app import TriageApp
from triage.ui.screens.disputes import DisputesScreen
from triage.ui.screens.over_run import RunOverScreen
from triage.ui.screens.review import ReviewScreen
from triage.ui.screens.triage import TriageScreen
from triage.workspace import Workspace

NAME = "第一轮 refunds"
Over = TypeVar("Over", bound=RunOverScreen)


def drawn(workspace: Workspace, name: str = NAME, n: int = 10, readings: int = 2, **rule: Any) -> Sample:
    """A sample of the run `now`."""
    return workspace.sampling.draw("now", SampleRule("seed", n, readings=readings, **rule), name)


def read(workspace: Workspace, name: str = NAME, most: int = 100, **verdicts: Verdict) -> list[str]:
    """Read what is handed out: `verdicts` by case, `not-a-failure` for the others. The cases in order."""
    done: list[str] = []
    while len(done) < most:
        handed = workspace.queue.next("now", name)
        if isinstance(handed, str):
            break
        verdict = verdicts.get(handed.case_id, "not-a-failure")
        workspace.queue.give("now", name, handed.case_id, verdict, seconds=10)
        done.append(handed.case_id)
    return done


async def open_review(pilot: Pilot[Any], *keys: str) -> None:
    """The Review screen, and what keys lead to from there."""
    await settle(pilot)
    await pilot.press("V")
    await settle(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen))
    await settle(pilot)
    for key in keys:
        await pilot.press(key)
        await settle(pilot)


def review_of(pilot: Pilot[Any]) -> ReviewScreen:
    """The Review screen, which is shown."""
    assert isinstance(pilot.app.screen, ReviewScreen)
    return pilot.app.screen


def disputes_of(pilot: Pilot[Any]) -> DisputesScreen:
    """The Disputes screen, which is shown."""
    assert isinstance(pilot.app.screen, DisputesScreen)
    return pilot.app.screen


async def open_over(
    pilot: Pilot[Any], made: Callable[..., Over], there: Callable[[Over], bool], sample: str | None = None
) -> Over:
    """A screen over the cases of `now`, once it is `there`."""
    app = pilot.app
    assert isinstance(app, TriageApp)
    await settle(pilot)
    triage = app.screen
    assert isinstance(triage, TriageScreen)
    screen = made(triage, app.workspace, app.key_map, "now", sample)
    await app.push_screen(screen)
    await settle(pilot, lambda: there(screen))
    await settle(pilot)
    return screen
