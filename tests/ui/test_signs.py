"""No sign of ambiguous width on any screen or dialog, but the trend that ends a row of the Runs screen."""

from __future__ import annotations

import unicodedata
from pathlib import Path

from screen_help import BROKE, MISS, SECOND, UNCITED, record, settle, text_of, write

from triage.models.run import LoadOptions
from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.workspace import Workspace

BLOCKS = "▁▂▃▄▅▆▇█"
WALK = (
    "slash down escape escape c escape F escape colon 1 escape m escape y y escape T escape d "
    "R right t escape s escape slash escape p escape tab D escape escape "
    "S right a escape S x escape d escape m escape s escape slash escape escape"
)
"""Keys through what the walk of the whole app does not open; what has closed is not looked at again."""


def doubtful(app: TriageApp) -> set[str]:
    """Signs of ambiguous width; the blocks that end a row are taken away first."""
    lines = [line.rstrip().rstrip(BLOCKS) for line in text_of(app).splitlines()]
    return {sign for line in lines for sign in line if unicodedata.east_asian_width(sign) == "A"}


async def test_no_screen_or_dialog_prints_a_sign_of_ambiguous_width(tmp_path: Path) -> None:
    made = Workspace(tmp_path / "t.db", Settings(), reviewer="wei")
    for month in range(1, 5):
        records = [record(number) for number in range(1, 8)]
        for place, breaks in enumerate([MISS, SECOND, UNCITED, BROKE][:month]):
            records[place] |= breaks
        file = write(tmp_path / f"r{month}.jsonl", records, created_at=f"2026-0{month}-01T10:00:00Z")
        made.ingest([file], LoadOptions())
    app = TriageApp(made)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        app.triage.speech.toast("r5 is here: 2 broke")
        trends = 0
        for key in WALK.split():
            await pilot.press(key)
            if key == "escape":
                await pilot.pause()
                continue
            await settle(pilot)
            assert doubtful(app) == set(), key
            trends += any(line.rstrip().endswith(tuple(BLOCKS)) for line in text_of(app).splitlines())
        assert trends
    made.close()
