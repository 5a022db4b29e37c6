"""What is told as another's verdict: only one that he has given by now."""

from __future__ import annotations

from pathlib import Path

from screen_help import settle, text_of

from triage.models.verdict import Review
from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.workspace import Workspace

TOLD = "li tagged C01 ranking"


def review_of(app: TriageApp, case_id: str) -> Review:
    """What the list shows of a case."""
    rows = [row for row in app.triage.cases.rows_here() if row.id == case_id]  # type: ignore[union-attr]
    return rows[0].review or Review(None)


async def test_a_label_that_is_renamed_brings_no_news_of_an_old_verdict(
    app: TriageApp, workspace: Workspace, other: Workspace
) -> None:
    other.tag("now", ["C01"], "ranking", labels=["stale-doc"])
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        other.coding.rename("stale-doc", "old-doc")
        await settle(pilot, lambda: review_of(app, "C01").labels == ("old-doc",))
        await settle(pilot)
        assert TOLD not in text_of(app)


async def test_an_older_verdict_that_stands_again_is_no_news(
    app: TriageApp, workspace: Workspace, other: Workspace, database: Path
) -> None:
    mine = Workspace(database, Settings(), reviewer="wei")
    other.tag("now", ["C01"], "ranking")
    workspace.tag("now", ["C01"], "retrieval")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        mine.clear("now", ["C01"])
        mine.close()
        await settle(pilot, lambda: review_of(app, "C01").verdict == "ranking")
        await settle(pilot)
        assert TOLD not in text_of(app)
        other.tag("now", ["C01"], "refusal")
        await settle(pilot, lambda: "li tagged C01 refusal" in text_of(app))
