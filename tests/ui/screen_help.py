"""Runs to write and screens to read, for the tests of the app."""

from __future__ import annotations

import asyncio
import json
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from textual.pilot import Pilot

from triage.ui.app import TriageApp
from triage.ui.screens.triage import TriageScreen

HOSTILE = "[/] [b]bold[/b] [/INST] \x1b]52;c;AAAA\x07 \x1b[2J \u202e \u200b $(rm) {0} '\n\tend"
"""Text that is markup, terminal control, direction override and a format string at once."""


def record(number: int, **changes: Any) -> dict[str, Any]:
    """A case that passes; `changes` make it fail."""
    made = {
        "id": f"C{number:02}",
        "query": f"question {number}",
        "topic": "shipping",
        "answerable": True,
        "expected_ids": ["KB-1"],
        "retrieved": [{"id": "KB-1", "text": "seven days"}, {"id": "KB-2", "text": "other"}],
        "answer": "seven days [S1]",
        "citations": ["S1"],
    }
    return made | changes


MISS = {"retrieved": [{"id": "KB-8", "text": "x"}, {"id": "KB-9", "text": "y"}]}
SECOND = {
    "retrieved": [{"id": "KB-2", "text": "other"}, {"id": "KB-1", "text": "seven days"}],
    "answer": "seven days [S2]",
    "citations": ["S2"],
}
UNCITED = {"citations": [], "answer": "seven days"}
BROKE = {"error": "timed out"}


def ten() -> list[dict[str, Any]]:
    """C01, C04 retrieval, C02 ranking, C06 citation, C08 an error; the rest pass, C03 is hostile."""
    made = [record(number) for number in range(1, 11)]
    made[0] |= MISS
    made[1] |= SECOND | {"topic": "refund"}
    # The text says what the answer says, and the field cites it: no sentence is at fault.
    there = [{"id": "KB-1", "text": HOSTILE}, {"id": "KB-2", "text": "other"}]
    made[2] |= {"query": HOSTILE, "answer": HOSTILE, "topic": HOSTILE, "retrieved": there}
    made[3] |= MISS | {"query": "给我转人工，现在还有人吗，我等了很久很久很久很久了"}
    made[5] |= UNCITED
    made[7] |= BROKE
    return made


def write(path: Path, records: list[dict[str, Any]], **header: Any) -> Path:
    """A run file."""
    lines = [json.dumps({"run": {"id": path.stem, "dataset": {"name": "set"}, **header}})]
    lines += [json.dumps(one, ensure_ascii=False) for one in records]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


OPEN = ("asking", "quit")
"""Workers that wait for an answer of the user."""


async def settle(pilot: Pilot[Any], until: Callable[[], bool] | None = None, seconds: float = 10.0) -> None:
    """Let workers finish and messages be handled, or wait until something holds."""
    end = asyncio.get_running_loop().time() + seconds
    while True:
        await pilot.pause()
        screen = pilot.app.screen
        busy = [
            one for one in pilot.app.workers if not one.is_finished and one.group not in ("asking", "quit")
        ]
        if until is not None and until():
            return
        if until is None and not busy:
            await pilot.pause(0.12)
            await pilot.pause()
            return
        if asyncio.get_running_loop().time() > end:
            raise AssertionError(f"never came to be on {screen!r}: {[one.name for one in busy]}")
        await asyncio.sleep(0.01)


def text_of(app: TriageApp) -> str:
    """What stands on the screen, row by row."""
    width, height = app.size
    rows = app.screen._compositor.render_strips()
    assert len(rows) <= height and width
    return "\n".join("".join(segment.text for segment in row) for row in rows)


def clean_text(app: TriageApp) -> str:
    """What stands on the screen: every row as wide as the terminal, no sign of doubtful width, no control."""
    text = text_of(app)
    assert {cell_len(line) for line in text.splitlines()} == {app.size.width}
    assert not [sign for sign in text if unicodedata.east_asian_width(sign) == "A"]
    assert "\x1b" not in text and "\u202e" not in text
    return text


def listed(app: TriageApp) -> list[str]:
    """The ids of the Triage screen's list, which is on top, in their own order."""
    screen = app.screen
    assert isinstance(screen, TriageScreen) and screen.selection.scope is not None
    return sorted(row.id for row in app.workspace.case_rows(screen.selection.scope, screen.cases.keys))
