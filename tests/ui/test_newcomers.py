"""What somebody asks who has not read the README, answered by the screen: numbers, notes, undo."""

from __future__ import annotations

import pytest
from screen_help import settle, text_of

from triage.metrics.registry import METRICS
from triage.plain import width
from triage.ui.app import TriageApp
from triage.ui.screens.note import NoteBox
from triage.ui.widgets.metric_panel import MetricPanels
from triage.ui.widgets.panel_model import TOLD, told


def flowed(app: TriageApp) -> str:
    """The screen's text with its line breaks taken for blanks."""
    return " ".join(text_of(app).split())


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40), (200, 60)])
async def test_a_number_says_what_it_means_at_every_width(app: TriageApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        app.triage.panels.focus()
        await settle(pilot)
        assert "tells share of answerable questions with an expected document among the first K" in flowed(
            app
        )
        said = flowed(app)
        assert "can't tell where it ranks" in said and "whether the answer is right" in said


async def test_what_a_number_tells_goes_with_the_focus(app: TriageApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        panels = app.triage.query_one(MetricPanels)
        before = panels.size.height
        panels.focus()
        await settle(pilot)
        await pilot.press("right")
        await settle(pilot)
        assert panels.size.height == before + TOLD and "tells mean of 1/rank" in flowed(app)
        await pilot.press("escape")
        await settle(pilot)
        assert panels.size.height == before and "tells" not in flowed(app)


@pytest.mark.parametrize("metric", METRICS, ids=lambda one: one.key)
def test_at_80_columns_no_meaning_is_cut(metric: object) -> None:
    key = getattr(metric, "key", "")
    lines = told(key, 77)
    assert len(lines) == TOLD and all(width(one) <= 77 for one in lines)
    assert not any("»" in one for one in lines)


async def test_a_note_says_where_it_went_and_what_undo_did_to_it(app: TriageApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("n")
        await settle(pilot, lambda: isinstance(app.screen, NoteBox))
        await pilot.press(*"why", "ctrl+s")
        await settle(pilot, lambda: "C01 noted, in its case under notes   u undo" in text_of(app))
        await pilot.press("enter")
        await settle(pilot, lambda: "1 of 5  noted" in text_of(app))
        await pilot.press("escape", "u")
        await settle(pilot, lambda: "undone: C01 is without its note   U redo" in text_of(app))
        await pilot.press("U")
        await settle(pilot, lambda: "redone: C01 is noted as before   u undo" in text_of(app))


async def test_at_80_columns_a_dialog_leaves_no_crumbs_beside_it(app: TriageApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for key in ("n", "b", "s", "F", ":", "l"):
            await pilot.press(key)
            await settle(pilot, lambda: app.screen is not app.triage)
            assert app.screen.query_one("#around").region.width == 80, key
            await pilot.press("escape")
            await settle(pilot, lambda: app.screen is app.triage)


async def test_every_hint_of_a_long_list_is_whole_at_80_columns(app: TriageApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("s")
        await settle(pilot, lambda: app.screen is not app.triage)
        assert "typing narrows   esc back" in text_of(app)


async def test_the_last_key_of_the_footer_leaves_a_cell_at_the_edge(app: TriageApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for cells in range(60, 124):
            await pilot.resize_terminal(cells, 24)
            await settle(pilot)
            foot = text_of(app).splitlines()[-1]
            assert len(foot.rstrip()) < cells and "help" in foot, cells


async def test_a_case_that_is_gone_to_has_its_long_query_cut_with_a_sign(app: TriageApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press(":", *"C03")
        await settle(pilot)
        line = next(one for one in text_of(app).splitlines() if "not in the list" in one)
        assert "C03" in line and line.rstrip().endswith("»") and width(line.rstrip()) <= 76


async def test_with_every_failure_tagged_the_unreviewed_cases_are_still_a_queue(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        for _ in range(5):
            await pilot.press("5")
            await settle(pilot)
        assert "all 5 failing cases are tagged" in text_of(app)
        await pilot.press("f", "f")
        await settle(pilot)
        assert "unreviewed 5 of 10" in text_of(app) and "question 5" in text_of(app)
        for _ in range(5):
            await pilot.press("0")
            await settle(pilot)
        await pilot.press("f", "f", "f", "f")
        await settle(pilot)
        assert "all 5 failing cases are tagged" in text_of(app)
