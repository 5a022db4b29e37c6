"""What a review says, on the screen: rates by topic, what is missing, and the cases behind each number."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from review_help import open_over
from screen_help import HOSTILE, MISS, record, settle, write
from textual.pilot import Pilot

from triage.models.run import LoadOptions
from triage.models.sample import SampleRule
from triage.settings import Settings
from triage.settings.reading import read_files
from triage.ui.app import TriageApp
from triage.ui.screens.reviewed import ReviewedScreen
from triage.ui.screens.triage import TriageScreen
from triage.ui.widgets.filter_bar import Spoken
from triage.workspace import Workspace

SIZES = [(120, 40), (100, 30), (80, 24)]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Thirty cases of three topics, one of a hostile name; ten of high risk, one of a hostile id."""
    cases = [record(number, topic="refund", query="退款多久到账") for number in range(1, 11)]
    cases += [record(number, topic="shipping") for number in range(11, 26)]
    cases += [record(number, topic=HOSTILE, query=HOSTILE) for number in range(26, 31)]
    cases[0] |= MISS
    cases[3]["id"] = HOSTILE
    made = Workspace(tmp_path / "reviewed.db", Settings(), reviewer="wei")
    made.ingest([write(tmp_path / "now.jsonl", cases, created_at="2026-11-02T10:00:00Z")], LoadOptions())
    return made


def reviewed(workspace: Workspace) -> None:
    """A sample by topic, read but for two cases of refund; one failure, one mistake of the test set."""
    workspace.sampling.draw("now", SampleRule("s", 30, by=("topic",)), "all-of-it")
    workspace.tag("now", ["C01"], "retrieval", labels=["时限缺失"])
    workspace.tag(
        "now", [f"C{number:02}" for number in range(2, 26) if number not in (4, 5)], "not-a-failure"
    )
    workspace.tag("now", [f"C{number:02}" for number in range(27, 31)], "not-a-failure")
    workspace.tag("now", ["C26"], "test-set", labels=[HOSTILE], note=HOSTILE)


async def opened(pilot: Pilot[Any], sample: str | None = None) -> ReviewedScreen:
    """The screen with its report."""
    return await open_over(pilot, ReviewedScreen, lambda made: made.report is not None, sample)


def lines(screen: ReviewedScreen) -> list[str]:
    """Everything that is painted, a line each."""
    table = screen.table
    return ["".join(part.text for part in table.render_line(y)) for y in range(table.size.height)]


@pytest.mark.parametrize("size", SIZES)
async def test_the_rate_stands_first_and_every_topic_below(workspace: Workspace, size: Any) -> None:
    reviewed(workspace)
    async with TriageApp(workspace).run_test(size=size) as pilot:
        screen = await opened(pilot)
        painted = lines(screen)
        assert painted[0].split()[:4] == ["failure", "rate", "by", "topic"]
        (refund,) = [line for line in painted if line.startswith(" refund")]
        assert "!" in refund and "8 of 10" in refund and "[" in refund
        (shipping,) = [line for line in painted if line.startswith(" shipping")]
        assert "15 of 15" in shipping and "none, all read" in shipping
        assert not any("\x1b" in line or "\x07" in line for line in painted)
        assert ("----" in refund) == (size[0] >= 100), "an interval is drawn where there is room"


async def test_enter_opens_the_cases_behind_a_row(workspace: Workspace) -> None:
    reviewed(workspace)
    async with TriageApp(workspace).run_test(size=(120, 40)) as pilot:
        screen = await opened(pilot)
        while screen.table.row is None or not screen.table.row.key.startswith("rule"):
            await pilot.press("down")
        assert screen.table.row.counts == ("8 of 10", "2")
        await pilot.press("enter")
        await settle(pilot, lambda: isinstance(pilot.app.screen, TriageScreen))
        await settle(pilot)
        triage = pilot.app.screen
        assert isinstance(triage, TriageScreen)
        scope = triage.selection.scope
        assert scope is not None and scope.drill is not None and scope.drill.ids == (HOSTILE, "C05")
        assert len(triage.cases.keys) == 2


async def test_the_cursor_passes_headings_and_comes_back_to_the_top(workspace: Workspace) -> None:
    reviewed(workspace)
    async with TriageApp(workspace).run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        seen = set()
        for _ in range(len(screen.table.rows)):
            row = screen.table.row
            assert row is not None and row.key
            seen.add(row.key)
            await pilot.press("j")
        assert seen == {row.key for row in screen.table.rows if row.key}
        await pilot.press("g")
        await settle(pilot)
        assert screen.table.row is not None and screen.table.row.key == "rate"
        assert lines(screen)[0].startswith(" failure rate by topic")


async def test_a_mistake_of_the_test_set_and_the_metrics_without_it(workspace: Workspace) -> None:
    reviewed(workspace)
    async with TriageApp(workspace).run_test(size=(120, 40)) as pilot:
        screen = await opened(pilot)
        rows = {row.key: row for row in screen.table.rows if row.key}
        assert rows["mistake C26"].door is not None and rows["mistake C26"].door.ids == ("C26",)
        hit = rows["metric hit"]
        assert hit.counts == ("0.9667", "0.9655")
        assert "same" in rows, "what does not change is counted"
        screen.table.show(screen.table.rows, "mistake C26")
        screen._tell()
        told = ["".join(text for text, _ in words) for words in screen.strip.lines]
        assert any("note" in line for line in told) and not any("\x1b" in line for line in told)


async def test_typing_narrows_and_esc_goes_back(workspace: Workspace) -> None:
    reviewed(workspace)
    async with TriageApp(workspace).run_test(size=(100, 30)) as pilot:
        screen = await opened(pilot)
        await pilot.press("/", *"ship")
        await settle(pilot)
        assert {row.name for row in screen.table.rows if row.key} == {"shipping"}
        await pilot.press("escape")
        await settle(pilot)
        assert len(screen.table.rows) > 10
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(pilot.app.screen, TriageScreen)


async def test_without_a_sample_it_counts_and_says_why(workspace: Workspace) -> None:
    workspace.tag("now", ["C11"], "retrieval")
    async with TriageApp(workspace).run_test(size=(120, 40)) as pilot:
        screen = await opened(pilot)
        assert screen.report is not None and screen.report.rate is None
        painted = " ".join(lines(screen))
        assert "counted, not estimated" in painted and "%" not in painted
        told = "".join(text for words in screen.strip.lines for text, _ in words)
        assert "nothing follows for the other 29" in told


async def test_a_verdict_from_elsewhere_is_counted(workspace: Workspace, tmp_path: Path) -> None:
    reviewed(workspace)
    async with TriageApp(workspace).run_test(size=(120, 40)) as pilot:
        screen = await opened(pilot, "all-of-it")
        other = Workspace(tmp_path / "reviewed.db", Settings(), reviewer="ana")
        other.tag("now", [HOSTILE, "C05"], "not-a-failure")
        other.close()
        await settle(pilot, lambda: screen.report is not None and screen.report.must_satisfied)
        assert screen.report is not None and screen.report.read.reviewers == {"wei": 28, "ana": 2}


async def test_the_next_sample_then_all_verdicts(workspace: Workspace) -> None:
    reviewed(workspace)
    workspace.sampling.draw("now", SampleRule("s", 6), "six")
    async with TriageApp(workspace).run_test(size=(120, 40)) as pilot:
        screen = await opened(pilot)
        seen = []
        for _ in range(3):
            assert screen.report is not None
            seen.append(screen.report.sample)
            before = screen.report
            await pilot.press("f")
            await settle(pilot, lambda: screen.report is not before)  # noqa: B023
        assert seen == ["six", None, "all-of-it"]


async def test_the_report_is_copied_as_markdown(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    reviewed(workspace)
    pages: list[str] = []

    def put(text: str, env: object) -> str:
        pages.append(text)
        return "on the clipboard"

    monkeypatch.setattr("triage.ui.work.clipboard.put", put)
    async with TriageApp(workspace).run_test(size=(120, 40)) as pilot:
        screen = await opened(pilot)
        await pilot.press("y")
        await settle(pilot, lambda: bool(pages))
        await settle(pilot)
        assert pages[0].startswith("# Review of now\n") and "failure rate" in pages[0]
        assert "Markdown is on the clipboard" in "".join(
            text for text, _ in screen.bar.query_one(Spoken).words
        )


async def test_a_rule_that_is_no_filter_is_told_whole_and_nothing_is_being_read(tmp_path: Path) -> None:
    path = tmp_path / ("a folder with a long name " * 4) / "triage.toml"
    path.parent.mkdir()
    path.write_text('must_review = ["topic:("]\n', "utf-8")
    made = Workspace(tmp_path / "wrong.db", read_files([path], lenient=False), reviewer="wei")
    made.ingest([write(tmp_path / "now.jsonl", [record(1)])], LoadOptions())
    async with TriageApp(made).run_test(size=(80, 24)) as pilot:
        screen = await open_over(
            pilot, ReviewedScreen, lambda shown: "closed" in " ".join(lines(shown)), None
        )
        painted = " ".join(" ".join(lines(screen)).split())
        assert "`(` is never closed, column 7 (correct must_review)" in painted
        assert "reading the report" not in painted and not [line for line in lines(screen) if "»" in line]
