"""On the smallest terminal the numbers of a review are whole: what has no room is left out, never cut."""

from __future__ import annotations

import pytest
from review_help import drawn, open_review, read
from screen_help import settle, text_of

from triage.ui.app import TriageApp
from triage.workspace import Workspace


@pytest.mark.parametrize("size", [(60, 15), (64, 18), (70, 20), (80, 24)])
async def test_no_number_and_no_word_of_ours_is_cut(
    app: TriageApp, workspace: Workspace, other: Workspace, size: tuple[int, int]
) -> None:
    drawn(workspace, "s1")
    for reader, verdicts in (
        (workspace, ("retrieval", "ranking", "refusal", "citation-semantic", "other", "test-set")),
        (other, ("ranking", "refusal", "retrieval", "other", "test-set", "not-a-failure")),
    ):
        read(reader, "s1", **{f"C{at:02}": verdict for at, verdict in enumerate(verdicts, 1)})  # type: ignore[arg-type]
    async with app.run_test(size=size) as pilot:
        await open_review(pilot, "a")
        for part in ("pairs", "classes", "readers", "suggestions"):
            text = text_of(app)
            assert "»" not in text or part == "suggestions", (part, text)
            assert "»" not in text.splitlines()[1], text
            await pilot.press("f")
            await settle(pilot)
        await pilot.press("escape", "t")
        await settle(pilot, lambda: "failure rate" in text_of(app))
        await settle(pilot)
        rates = [line for line in text_of(app).splitlines() if " of " in line and "%" in line]
        assert rates and not [line for line in rates if "»" in line[28:]], rates


async def test_the_way_out_of_a_queue_is_told_at_60_cells(app: TriageApp, workspace: Workspace) -> None:
    drawn(workspace, "s1")
    async with app.run_test(size=(60, 15)) as pilot:
        await open_review(pilot, "enter")
        await settle(pilot, lambda: "take the first" in text_of(app) or "retr" in text_of(app))
        await settle(pilot)
        foot = text_of(app).splitlines()[-1]
        assert "esc pause" in foot and "? help" in foot, foot
