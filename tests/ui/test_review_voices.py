"""The screens of a review where a terminal has few colours or none: nothing on them is dim."""

from __future__ import annotations

import pytest
from review_help import drawn, read
from screen_help import settle

from triage.ui.app import TriageApp
from triage.workspace import Workspace

WALK = (
    "V slash x escape escape n escape d escape a f f f escape J f f f escape t escape ? escape "
    "enter l escape n escape d escape b b escape D escape escape L d escape escape M escape"
)


@pytest.mark.parametrize("few", ["nocolor", "ansi"])
async def test_nothing_is_dim_without_colour_or_in_sixteen(
    workspace: Workspace, other: Workspace, monkeypatch: pytest.MonkeyPatch, few: str
) -> None:
    drawn(workspace)
    read(workspace, most=6, C01="retrieval", C02="ranking")
    read(other, most=6, C01="ranking", C02="refusal")
    if few == "nocolor":
        monkeypatch.setenv("NO_COLOR", "1")
    app = TriageApp(workspace, theme="triage-ansi" if few == "ansi" else None)
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        for key in WALK.split():
            await pilot.press(key.replace("?", "question_mark"))
            await settle(pilot)
            strips = app.screen._compositor.render_strips()
            dim = [one.text for row in strips for one in row if one.style and one.style.dim]
            assert not dim, (key, type(app.screen).__name__, dim)
