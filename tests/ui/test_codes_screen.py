"""The codebook's screen: labels over runs, what they mean, and every change by its key."""

from __future__ import annotations

from typing import Any

import pytest
from screen_help import HOSTILE, clean_text, settle, text_of
from textual.pilot import Pilot

from triage.models.query import Scope
from triage.plain import one_line
from triage.ui.app import TriageApp
from triage.ui.screens.codes import CodesScreen
from triage.ui.screens.labels import LabelsDialog
from triage.ui.screens.triage import TriageScreen
from triage.workspace import Workspace

SIZES = [(80, 24), (100, 30), (120, 40), (200, 60)]
ZH = "检索到的文档已经过期，答案引用了旧规则"


@pytest.fixture
def coded(workspace: Workspace) -> Workspace:
    """`过期` on three cases of two runs, `路由` on two, and its definition."""
    workspace.set_labels("now", ["C01", "C02"], ["过期", "路由"])
    workspace.set_labels("before", ["C04"], ["过期"])
    workspace.coding.define("过期", ZH, [("now", "C01")])
    return workspace


async def open_codes(pilot: Pilot[Any], *keys: str) -> CodesScreen:
    await settle(pilot)
    await pilot.press("L")
    await settle(
        pilot, lambda: isinstance(pilot.app.screen, CodesScreen) and pilot.app.screen.book is not None
    )
    screen = pilot.app.screen
    assert isinstance(screen, CodesScreen)
    await settle(pilot)
    for key in keys:
        await pilot.press(key)
        await settle(pilot)
    return screen


async def back(pilot: Pilot[Any]) -> None:
    """Until the screen is on top again and what was asked is answered."""
    await settle(pilot, lambda: isinstance(pilot.app.screen, CodesScreen))
    await settle(pilot)


def labels(workspace: Workspace, run: str, case: str) -> tuple[str, ...]:
    row = workspace.case_rows(Scope(run), [workspace.case_key(Scope(run), case) or 0])[0]
    return row.review.labels if row.review is not None else ()


async def test_each_label_has_its_count_in_every_run_and_what_it_means(coded: Workspace) -> None:
    app = TriageApp(coded)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_codes(pilot)
        text = text_of(app)
        row = next(line for line in text.splitlines()[3:] if line[1:].startswith("过期"))
        assert row.split()[:4] == [">过期", "3", "1", "2"] and ZH[:12] in row
        head = text.splitlines()[2].split()
        assert head == ["label", "cases", "kb1", "kb2", "means"]
        assert "such as" in text and "now C01" in text and "in runs" in text and "now 2, before 1" in text
        assert "defined:" in text and "1 defined" in text


@pytest.mark.parametrize("size", SIZES)
async def test_every_row_is_as_wide_as_the_screen_and_without_doubtful_signs(
    coded: Workspace, size: tuple[int, int]
) -> None:
    coded.set_labels("now", ["C05"], [one_line(HOSTILE)])
    coded.coding.define(one_line(HOSTILE), HOSTILE)
    app = TriageApp(coded)
    async with app.run_test(size=size) as pilot:
        await open_codes(pilot)
        for keys in ((), ("down",), ("down",), ("slash", "z", "z")):
            await pilot.press(*keys)
            await pilot.pause()
            clean_text(app)


async def test_a_definition_is_typed_and_stands_at_once(coded: Workspace) -> None:
    app = TriageApp(coded)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_codes(pilot, "down", "d")
        await pilot.press(*"wrong tool", "enter")
        await back(pilot)
        assert "wrong tool" in text_of(app)
    assert coded.coding.definitions()["路由"] == "wrong tool"


async def test_a_rename_keeps_the_cursor_and_u_takes_it_back(coded: Workspace) -> None:
    app = TriageApp(coded)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await open_codes(pilot, "r")
        await pilot.press(*["backspace"] * 2, *"stale", "enter")
        await back(pilot)
        assert screen.code is not None and screen.code.name == "stale"
        assert labels(coded, "before", "C04") == ("stale",) and labels(coded, "now", "C01") == (
            "stale",
            "路由",
        )
        assert "过期 is stale now: 3 cases in 2 runs" in text_of(app)
        await pilot.press("u")
        await settle(pilot, lambda: not isinstance(app.screen, CodesScreen))
        await pilot.press("y")
        await back(pilot)
        assert labels(coded, "now", "C01") == ("过期", "路由")


async def test_renaming_to_a_label_that_is_there_asks_to_merge(coded: Workspace) -> None:
    app = TriageApp(coded)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_codes(pilot, "r")
        await pilot.press(*["backspace"] * 2, *"路由", "enter")
        await settle(pilot, lambda: "merge 过期 into it?" in text_of(app))
        await pilot.press("y")
        await back(pilot)
    assert labels(coded, "now", "C01") == ("路由",) and labels(coded, "before", "C04") == ("路由",)


async def test_merging_takes_the_other_label_from_a_list(coded: Workspace) -> None:
    app = TriageApp(coded)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_codes(pilot, "m")
        await pilot.press("enter")
        await back(pilot)
    assert coded.coding.book().named("过期") is None


async def test_a_split_asks_about_each_case_and_what_gets_nothing_keeps_the_label(coded: Workspace) -> None:
    app = TriageApp(coded)
    async with app.run_test(size=(100, 30)) as pilot:
        await open_codes(pilot, "s")
        await pilot.press(*"a, b", "enter")
        await settle(pilot, lambda: "1 a   2 b" in text_of(app))
        await pilot.press("1", "down", "２", "enter")
        await back(pilot)
    assert labels(coded, "before", "C04") == ("a",)
    assert labels(coded, "now", "C01") == ("b", "路由") and labels(coded, "now", "C02") == ("过期", "路由")


async def test_examples_are_chosen_among_the_cases_that_bear_the_label(coded: Workspace) -> None:
    app = TriageApp(coded)
    async with app.run_test(size=(100, 30)) as pilot:
        await open_codes(pilot, "x")
        await pilot.press("space", "down", "space", "enter")
        await back(pilot)
    code = coded.coding.book().named("过期")
    assert code is not None and [(one.run, one.case_id) for one in code.examples] == [("before", "C04")]


async def test_enter_lists_the_cases_of_the_run_shown_that_bear_it(coded: Workspace) -> None:
    coded.set_labels("now", ["C03"], ['a "b" \\c'])
    app = TriageApp(coded)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_codes(pilot, "down", "down", "enter")
        screen = app.screen
        assert isinstance(screen, TriageScreen)
        await settle(pilot, lambda: "label:" in text_of(app) and len(screen.cases.keys) == 1)
        row = screen.cases.row
        assert row is not None and row.id == "C03"


async def test_a_label_that_no_case_of_the_run_bears_says_so_and_stays(coded: Workspace) -> None:
    app = TriageApp(coded)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await open_codes(pilot, "end", "enter")
        assert app.screen is screen and "no case bears" in text_of(app)


async def test_keys_typed_before_the_book_is_there_are_not_lost(coded: Workspace) -> None:
    app = TriageApp(coded)
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await pilot.press("L", "d")
        await settle(pilot, lambda: "过期 means" in text_of(app))


async def test_what_another_writes_is_seen_and_the_cursor_stays(coded: Workspace, other: Workspace) -> None:
    app = TriageApp(coded)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await open_codes(pilot, "down")
        other.set_labels("now", ["C05", "C06", "C07", "C09"], ["新标签"])
        await settle(pilot, lambda: "新标签" in text_of(app))
        assert screen.code is not None and screen.code.name == "路由"


async def test_the_labels_dialog_says_what_the_label_under_the_cursor_means(coded: Workspace) -> None:
    app = TriageApp(coded)
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await pilot.press("l")
        await settle(pilot, lambda: isinstance(app.screen, LabelsDialog))
        await settle(pilot, lambda: "not in the codebook yet" in text_of(app))
        await pilot.press("down")
        await settle(pilot, lambda: ZH[:10] in text_of(app))
