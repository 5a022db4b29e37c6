"""Runs whose topics differ, and the Slices screen over them, for its tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from screen_help import HOSTILE, MISS, record, settle, write
from textual.pilot import Pilot

from triage.models.run import LoadOptions
from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.ui.screens.slices import SlicesScreen
from triage.workspace import Workspace

LONG_ZH = "会员积分与权益的兑换规则以及到期提醒说明"
PLAN = (("退款与售后", 40, 20), ("物流配送", 40, 4), ("发票", 8, 2), (LONG_ZH, 6, 0), (HOSTILE, 3, 1))
"""Topic, how many cases, how many of them miss the expected document."""


def cases(plan: tuple[tuple[str, int, int], ...] = PLAN) -> list[dict[str, Any]]:
    """Cases by topic; every other one is hard."""
    made: list[dict[str, Any]] = []
    for topic, count, missed in plan:
        for number in range(count):
            one = record(len(made) + 1, topic=topic, difficulty="hard" if number % 2 else "easy")
            one["route"], one["expected_route"] = ("sql" if number % 4 == 1 else "vector"), "vector"
            made.append(one | (MISS if number < missed else {}))
    return made


def loaded(folder: Path, *, before: bool = True) -> Workspace:
    """The run `now`, and `before`, in which 退款与售后 misses ten less."""
    made = Workspace(folder / "slices.db", Settings(), reviewer="wei")
    files = [write(folder / "now.jsonl", cases(), created_at="2026-11-02T10:00:00Z", kb_version="kb2")]
    if before:
        plan = (("退款与售后", 40, 10), *PLAN[1:4])
        files.append(
            write(folder / "before.jsonl", cases(plan), created_at="2026-11-01T10:00:00Z", kb_version="kb1")
        )
    made.ingest(files, LoadOptions())
    return made


def slices_of(app: TriageApp) -> SlicesScreen:
    """The screen, which is on top."""
    screen = app.screen
    assert isinstance(screen, SlicesScreen)
    return screen


async def open_slices(pilot: Pilot[Any], *keys: str) -> None:
    """The screen with its table and its dimensions, then these keys, each answered."""
    app = pilot.app
    await settle(pilot)
    await pilot.press("S")
    await settle(pilot, lambda: isinstance(app.screen, SlicesScreen) and bool(app.screen.dimensions))
    await settle(pilot)
    for key in keys:
        await pilot.press(key)
        await settle(pilot)


async def choose(pilot: Pilot[Any], key: str, words: str) -> None:
    """Open a list by its key, type, take what is first."""
    await pilot.press(key)
    await settle(pilot, lambda: not isinstance(pilot.app.screen, SlicesScreen))
    await settle(pilot, lambda: bool(pilot.app.screen.query("Field")))
    await pilot.press(*words, "enter")
    await settle(pilot, lambda: isinstance(pilot.app.screen, SlicesScreen))
    await settle(pilot)
