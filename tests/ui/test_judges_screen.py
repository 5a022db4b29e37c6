"""The Judges screen: what it shows at every size, what can be chosen, and the cases behind each row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from review_help import open_over
from screen_help import HOSTILE, clean_text, listed, record, settle, text_of, write
from textual.pilot import Pilot

from triage.models.sample import SampleRule
from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.ui.screens.judges import JudgesScreen
from triage.ui.screens.triage import TriageScreen
from triage.workspace import Workspace

SIZES = [(60, 15), (80, 24), (100, 30), (120, 40), (200, 60)]


def _judged(number: int) -> dict[str, Any]:
    score = number % 5 + 1
    return record(
        number,
        topic=HOSTILE if number % 3 == 0 else "退款",
        judges=[
            {"judge": HOSTILE, "scores": {"faithfulness": score}},
            {"judge": "评委二", "scores": {"faithfulness": min(score + number % 3, 5)}},
        ],
        labels={"human": {"median": score, "raw": {"wei": score, HOSTILE: min(score + number % 2, 5)}}},
    )


@pytest.fixture
def scored(tmp_path: Path) -> Iterator[Workspace]:
    """30 cases that two judges and two people scored; 25 of them read, a score of 1 or 2 called bad."""
    made = Workspace(tmp_path / "judges.db", Settings(), reviewer="wei")
    write(tmp_path / "now.jsonl", [_judged(at) for at in range(30)], kb_version="kb2")
    made.ingest([tmp_path / "now.jsonl"])
    made.tag("now", [f"C{at:02}" for at in range(25) if at % 5 < 2], "citation-semantic")
    made.tag("now", [f"C{at:02}" for at in range(25) if at % 5 >= 2], "not-a-failure")
    yield made
    made.close()


def screen_of(app: TriageApp) -> JudgesScreen:
    """The screen, which is on top."""
    screen = app.screen
    assert isinstance(screen, JudgesScreen)
    return screen


async def open_judges(pilot: Pilot[Any], *keys: str, sample: str | None = None) -> JudgesScreen:
    """The screen over the cases of `now`, then these keys."""
    made = await open_over(pilot, JudgesScreen, lambda made: made.found is not None, sample)
    await pilot.press(*keys)
    await settle(pilot)
    return made


async def test_thresholds_with_the_one_in_use_and_the_best(scored: Workspace) -> None:
    app = TriageApp(scored)
    async with app.run_test(size=(120, 40)) as pilot:
        made = await open_judges(pilot)
        text = text_of(app)
        assert "c judge faithfulness" in text and "p against verdicts" in text
        assert "25 judged by both, 10 bad" in text
        row = made.table.row
        assert row is not None and row.cells[1][0] == "in use"
        assert "enter cases" in text.splitlines()[-1]


@pytest.mark.parametrize("size", SIZES)
async def test_every_line_is_as_wide_as_the_screen_and_without_doubtful_signs(
    scored: Workspace, size: tuple[int, int]
) -> None:
    app = TriageApp(scored)
    async with app.run_test(size=size) as pilot:
        made = await open_judges(pilot)
        made.change(people="labels.human.median", ratings="labels.human.raw", second=None)
        await settle(pilot, lambda: made.found is not None and made.found.raters is not None)
        for keys in ((), ("f",), ("f",), ("f",), ("down",)):
            await pilot.press(*keys)
            await pilot.pause()
            await pilot.pause()
            clean_text(app)
            assert made.table.size.height >= 3


@pytest.mark.parametrize(("key", "kind"), [("enter", "wrong"), ("m", "missed"), ("x", "alarms")])
async def test_a_threshold_opens_exactly_the_cases_it_gets_wrong(
    scored: Workspace, key: str, kind: Any
) -> None:
    app = TriageApp(scored)
    async with app.run_test(size=(100, 30)) as pilot:
        made = await open_judges(pilot, "up")
        row, found = made.table.row, made.found
        assert row is not None and found is not None and row.behind.threshold is not None
        wanted = scored.judging.wrong(made.scope, found.question, row.behind.threshold, kind)
        await pilot.press(key)
        if not wanted:
            await settle(pilot, lambda: "no such case" in text_of(app))
            return
        await settle(pilot, lambda: isinstance(app.screen, TriageScreen))
        await settle(pilot)
        assert listed(app) == sorted(wanted)


async def test_judges_two_by_two_open_what_a_person_must_settle(scored: Workspace) -> None:
    app = TriageApp(scored)
    async with app.run_test(size=(120, 40)) as pilot:
        made = await open_judges(pilot, "left")
        assert made.part == "judges" and made.found is not None
        wanted = made.found.pairs[0].arbitrate
        assert wanted and f"{len(wanted)} cases" in text_of(app)
        await pilot.press("enter")
        await settle(pilot, lambda: isinstance(app.screen, TriageScreen))
        await settle(pilot)
        assert listed(app) == sorted(wanted)


async def test_a_number_of_the_records_is_chosen_in_place_of_verdicts(scored: Workspace) -> None:
    app = TriageApp(scored)
    async with app.run_test(size=(120, 40)) as pilot:
        made = await open_judges(pilot, "p")
        await pilot.press(*"median")
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot, lambda: made.found is not None and made.found.question.people is not None)
        await settle(pilot)
        assert "against labels.human.median >= 4" in text_of(app)
        assert "30 judged by both" in text_of(app)
        await pilot.press("r")
        await settle(pilot)
        await pilot.press(*"raw", "enter")
        await settle(pilot, lambda: made.found is not None and made.found.raters is not None)
        await settle(pilot)
        assert made.part == "people" and "alpha, ordinal" in text_of(app)
        await pilot.press("enter")
        await settle(pilot, lambda: isinstance(app.screen, TriageScreen))


async def test_a_path_without_numbers_is_told_and_the_question_stays(scored: Workspace) -> None:
    app = TriageApp(scored)
    async with app.run_test(size=(120, 40)) as pilot:
        made = await open_judges(pilot)
        made.change(people="labels.human")
        await settle(pilot, lambda: "no case has a number there" in text_of(app))
        await pilot.press("escape", "down")
        await settle(pilot)
        assert made.question.people is None and "p against verdicts" in text_of(app)


async def test_verdicts_from_elsewhere_are_counted_and_a_sample_narrows(
    scored: Workspace, tmp_path: Path
) -> None:
    scored.sampling.draw("now", SampleRule(seed="7", n=6, by=()), "six")
    app = TriageApp(scored)
    async with app.run_test(size=(120, 40)) as pilot:
        made = await open_judges(pilot, sample="six")
        assert made.found is not None and made.found.cases == 6
        await pilot.press("s")
        await settle(pilot, lambda: made.found is not None and made.found.cases == 30)
        other = Workspace(tmp_path / "judges.db", Settings(), reviewer="li")
        other.tag("now", ["C29"], "retrieval")
        other.close()
        await settle(pilot, lambda: "26 judged by both" in text_of(app))
        await pilot.press("escape")
        await settle(pilot, lambda: isinstance(app.screen, TriageScreen))


async def test_a_run_without_scores_says_what_would_fill_it(workspace: Workspace) -> None:
    app = TriageApp(workspace)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_judges(pilot)
        assert "no case of this run has a judge's score" in text_of(app)
        await pilot.press("f", "f", "enter", "m", "c")
        await settle(pilot)
        assert isinstance(app.screen, JudgesScreen)


async def test_where_good_begins_on_peoples_scale_is_asked_for(scored: Workspace) -> None:
    app = TriageApp(scored)
    async with app.run_test(size=(100, 30)) as pilot:
        made = await open_judges(pilot, "t")
        assert "verdicts say what is bad" in text_of(app)
        made.change(people="labels.human.median")
        await settle(pilot, lambda: made.found is not None and made.found.question.people is not None)
        await pilot.press("t")
        await settle(pilot)
        await pilot.press("backspace", "3", "enter")
        await settle(pilot, lambda: made.found is not None and made.found.question.good == 3)
        await settle(pilot)
        assert "labels.human.median >= 3" in text_of(app)
