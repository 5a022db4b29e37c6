"""What help and palette say on the screens of a review, and a sample's number that is typed anew."""

from __future__ import annotations

from typing import Any

import pytest
from reading_help import draw, open_reading, press
from review_help import drawn, open_review
from screen_help import settle, text_of
from textual.pilot import Pilot

from triage.models.guide import GUIDE, ORDER
from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.ui.providers import Actions
from triage.ui.screens.help import HelpScreen
from triage.ui.screens.sample_dialog import SampleDialog
from triage.ui.widgets.fields import Field
from triage.ui.widgets.paragraphs import Paragraphs
from triage.workspace import Workspace


async def helped(pilot: Pilot[Any], app: TriageApp) -> str:
    """All that help says of the screen, in one line."""
    await pilot.press("?")
    await settle(pilot, lambda: isinstance(app.screen, HelpScreen))
    told = [one.render().plain for one in app.screen.query(Paragraphs)]
    return " ".join(" ".join(told).split())


async def test_help_of_a_reader_tells_what_keys_do_there_and_what_verdicts_mean(
    app: TriageApp, workspace: Workspace
) -> None:
    draw(workspace)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_reading(pilot, app)
        said = await helped(pilot, app)
    assert "scroll a line down" in said and "previous case" not in said
    assert "asks why" in said and "again takes the case up" not in said
    assert ORDER in said and all(meaning.says in said for meaning in GUIDE)


async def test_the_palette_of_a_reader_says_it_in_the_same_words(
    app: TriageApp, workspace: Workspace
) -> None:
    draw(workspace)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await open_reading(pilot, app)
        words = {hit.text async for hit in Actions(screen).discover()}
    assert "scroll a line down" in words and "previous case" not in words


async def test_help_without_a_sample_begins_with_how_to_draw_one(app: TriageApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await open_review(pilot, "?")
        await settle(pilot, lambda: isinstance(app.screen, HelpScreen))
        text = text_of(app)
    assert "how do I" in text and "A run file is one evaluation run" not in text


@pytest.mark.parametrize("keys", [(), ("down", "up")], ids=["at once", "come back"])
async def test_the_number_of_cases_is_replaced_by_what_is_typed(
    app: TriageApp, workspace: Workspace, keys: tuple[str, ...]
) -> None:
    drawn(workspace)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_review(pilot, "n")
        await settle(pilot, lambda: isinstance(app.screen, SampleDialog))
        await pilot.press(*keys, "8")
        await settle(pilot)
        assert app.screen.query_one("#n", Field).value == "8"


async def test_space_says_why_nothing_is_accepted_when_blind(app: TriageApp, workspace: Workspace) -> None:
    draw(workspace)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await open_reading(pilot, app, blind=True)
        case = screen.hand.case_id
        await press(pilot, app, "space")
        assert screen.hand.case_id == case and "blind: nothing is suggested, b shows it" in text_of(app)
        assert "accept" not in text_of(app)


async def test_at_the_end_of_a_sample_it_says_what_comes_next(app: TriageApp, workspace: Workspace) -> None:
    draw(workspace, readings=1)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await open_reading(pilot, app)
        await press(pilot, app, "1", "1", "1", "1")
        await settle(pilot, lambda: screen.has_class("-staged"))
        text = text_of(app)
        assert "from there t what came of it   a how far readers agree" in text
        assert "settles disputes" not in text


async def test_help_of_the_cases_leads_into_the_review(app: TriageApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        said = await helped(pilot, app)
    assert "read a fair sample V:" in said and "L is the codebook" in said and "M proposes them" in said


async def test_where_no_case_must_be_reviewed_it_says_so_before_and_after(
    app: TriageApp, workspace: Workspace
) -> None:
    workspace.settings = Settings(must_review=("topic:nowhere",))
    async with app.run_test(size=(80, 24)) as pilot:
        await open_review(pilot, "n")
        await settle(pilot, lambda: "topic:nowhere selects no case" in text_of(app))
        await pilot.press("enter")
        await settle(pilot, lambda: "no case must be reviewed: topic:nowhere selects none" in text_of(app))


async def test_the_footer_of_the_judges_leads_from_the_sample_to_the_run(
    app: TriageApp, workspace: Workspace
) -> None:
    drawn(workspace)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_review(pilot, "J")
        await settle(pilot)
        foot = text_of(app).splitlines()[-1]
    assert "s sample" in foot and "t good from" in foot


async def test_however_much_there_is_to_tell_of_a_sample_its_keys_are_seen(
    app: TriageApp, workspace: Workspace
) -> None:
    rules = ("is:high-risk", "rank:2", "is:failing", "topic:shipping", "is:passing", "answer:*", "query:*")
    workspace.settings = Settings(must_review=rules, must_review_cap=1)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_review(pilot, "n", "5")
        await settle(pilot, lambda: "left out by the cap" in text_of(app))
        text = text_of(app)
        assert "enter draws it" in text and "at most 1 of is:high-risk" in text


async def test_help_tells_what_is_drawn_and_how_an_earlier_verdict_is_changed(
    app: TriageApp, workspace: Workspace
) -> None:
    draw(workspace)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_review(pilot)
        said = await helped(pilot, app)
        assert "strata: each kind of case gives its share" in said and "another seed draws others" in said
        await pilot.press("escape", "enter")
        await settle(pilot, lambda: app.screen.query("CaseDetail").first() is not None)
        await settle(pilot)
        assert "on the cases : and its id" in await helped(pilot, app)
