"""Groups of similar failures: why they are one, and their cases, all marked, behind enter."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from screen_help import HOSTILE, MISS, SECOND, clean_text, record, settle, text_of, write
from textual.pilot import Pilot

from triage.models.groups import Group
from triage.models.query import Scope
from triage.models.run import LoadOptions
from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.ui.screens.groups import GroupsScreen
from triage.ui.screens.triage import TriageScreen
from triage.ui.widgets.groups_model import GroupsSheet
from triage.workspace import Workspace

SIZES = [(80, 24), (100, 30), (120, 40), (200, 60)]


@pytest.fixture
def failing(tmp_path: Path) -> Iterator[Workspace]:
    """Three cases that miss KB-1, two of them asked alike; two that rank KB-1 low; one that errs."""
    made = Workspace(tmp_path / "groups.db", Settings(), reviewer="wei")
    cases = [record(number) for number in range(1, 10)]
    cases[0] |= MISS | {"query": "给我转人工，现在还有人吗"}
    cases[1] |= MISS | {"query": "给我转人工，现在有人吗", "topic": "refund"}
    cases[2] |= MISS | {"query": HOSTILE}
    cases[3] |= SECOND | {"query": "下个月黄金价格"}
    cases[4] |= SECOND
    cases[5] |= {"error": HOSTILE}
    made.ingest([write(tmp_path / "fails.jsonl", cases)], LoadOptions())
    yield made
    made.close()


async def open_groups(pilot: Pilot[Any], *keys: str) -> GroupsScreen:
    await settle(pilot)
    await pilot.press("M")
    await settle(
        pilot, lambda: isinstance(pilot.app.screen, GroupsScreen) and pilot.app.screen.found is not None
    )
    screen = pilot.app.screen
    assert isinstance(screen, GroupsScreen)
    await settle(pilot)
    for key in keys:
        await pilot.press(key)
        await settle(pilot)
    return screen


async def test_a_group_says_why_its_cases_are_one(failing: Workspace) -> None:
    app = TriageApp(failing)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_groups(pilot)
        text = text_of(app)
        assert "2 of 2 groups" in text and "5 of 6 failing cases, 1 alone" in text
        assert "3 cases   missing document KB-1" in text
        assert "same rule" in text and "the same expected document was not retrieved: KB-1" in text
        assert "3 without a verdict" in text and "给我转人工，现在还有人吗" in text


async def test_enter_opens_it_all_marked_and_one_key_judges_them(failing: Workspace) -> None:
    app = TriageApp(failing)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_groups(pilot, "enter")
        screen = app.screen
        assert isinstance(screen, TriageScreen)
        await settle(pilot, lambda: len(screen.cases.marked) == 3)
        assert "missing document KB-1" in text_of(app) and len(screen.cases.keys) == 3
        await pilot.press("1")
        await settle(pilot)
        said = failing.run_view(Scope("fails"))
        assert said.verdicts == {"retrieval": 3}
        await pilot.press("u")
        await settle(pilot)
        assert failing.run_view(Scope("fails")).verdicts.get("retrieval", 0) == 0


async def test_marks_from_before_do_not_join_a_group(failing: Workspace) -> None:
    app = TriageApp(failing)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("f", "end", "x")
        await settle(pilot)
        await open_groups(pilot, "enter")
        screen = app.screen
        assert isinstance(screen, TriageScreen)
        await settle(pilot, lambda: len(screen.cases.marked) == 3)
        assert screen.cases.marked.hidden == 0


async def test_who_opens_a_group_is_told_that_some_of_it_is_judged(failing: Workspace) -> None:
    failing.tag("fails", ["C02"], "test-set")
    app = TriageApp(failing)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_groups(pilot, "enter")
        await settle(pilot, lambda: "1 of 3 cases judged before   x lets one go" in text_of(app))
        await pilot.press("down", "x", "1")
        await settle(pilot)
    assert failing.run_view(Scope("fails")).verdicts == {"retrieval": 2, "test-set": 1}


async def test_a_judged_group_rests_and_comes_back_with_the_view(failing: Workspace) -> None:
    failing.tag("fails", ["C01", "C02", "C03"], "retrieval")
    app = TriageApp(failing)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await open_groups(pilot)
        assert screen.group is not None and screen.group.failure_class == "ranking"
        await pilot.press("f")
        await settle(pilot)
        assert screen.table.count == 2 and "all 2 of 2 groups" in text_of(app)


async def test_it_follows_the_filter_and_esc_leaves_the_cases_as_they_were(failing: Workspace) -> None:
    app = TriageApp(failing)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("slash", *"topic:refund", "escape", "enter")
        await settle(pilot)
        await open_groups(pilot)
        assert "1 failing case under this filter, no two of them by the same rule" in text_of(app)
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, TriageScreen) and "topic:refund" in text_of(app)


async def test_what_another_judges_is_counted(failing: Workspace, tmp_path: Path) -> None:
    app = TriageApp(failing)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await open_groups(pilot)
        other = Workspace(tmp_path / "groups.db", Settings(), reviewer="li")
        other.tag("fails", ["C01"], "retrieval")
        await settle(pilot, lambda: screen.group is not None and screen.group.judged == 1)
        other.close()


@pytest.mark.parametrize("size", SIZES)
async def test_every_row_is_as_wide_as_the_screen_and_without_doubtful_signs(
    failing: Workspace, size: tuple[int, int]
) -> None:
    app = TriageApp(failing)
    async with app.run_test(size=size) as pilot:
        await open_groups(pilot)
        for keys in ((), ("down",), ("down",), ("slash", "z", "z")):
            await pilot.press(*keys)
            await pilot.pause()
            clean_text(app)


async def test_nothing_that_fails_is_said(tmp_path: Path) -> None:
    made = Workspace(tmp_path / "fine.db", Settings(), reviewer="wei")
    made.ingest([write(tmp_path / "fine.jsonl", [record(1), record(2)])], LoadOptions())
    app = TriageApp(made)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_groups(pilot)
        assert "nothing fails" in text_of(app)
    made.close()


class Watched(tuple[Group, ...]):
    """Groups that tell how often somebody went through all of them."""

    def __iter__(self) -> Iterator[Group]:
        self.looks = getattr(self, "looks", 0) + 1
        return super().__iter__()


async def test_a_key_goes_through_no_group_that_it_does_not_show(failing: Workspace) -> None:
    app = TriageApp(failing)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await open_groups(pilot)
        assert isinstance(screen.table.sheet, GroupsSheet)
        groups = Watched(screen.table.sheet.groups)
        screen.table.show(GroupsSheet(groups))
        await settle(pilot)
        looks = groups.looks
        await pilot.press("j", "k", "j")
        await settle(pilot)
        assert groups.looks == looks
        assert screen.group == groups[1]
