"""A footer of the review's screens shows no key that can do nothing here."""

from __future__ import annotations

import pytest
from review_help import NAME, drawn, open_review, read
from screen_help import settle, text_of

from triage.ui.app import TriageApp
from triage.workspace import Workspace


def foot(app: TriageApp) -> str:
    return text_of(app).splitlines()[-1]


@pytest.mark.parametrize(
    ("keys", "dead", "living"),
    [
        ((), ("enter read",), ("n new", "esc back")),
        (("d",), ("1 retr", "0 fine", "enter"), ("esc back", "? help")),
        (("a",), ("enter", "c all", "tab table"), ("f next", "d disputes", "esc back")),
        (("J",), ("enter", "m missed"), ("f next", "esc back")),
    ],
)
async def test_without_a_row_the_keys_of_a_row_are_not_offered(
    app: TriageApp, keys: tuple[str, ...], dead: tuple[str, ...], living: tuple[str, ...]
) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        await open_review(pilot, *keys)
        shown = foot(app)
        assert not [words for words in dead if words in shown], shown
        assert all(words in shown for words in living), shown


async def test_a_filter_that_leaves_nothing_takes_them_away_and_they_come_back(
    app: TriageApp, workspace: Workspace
) -> None:
    drawn(workspace)
    read(workspace, C01="ranking")
    async with app.run_test(size=(120, 30)) as pilot:
        await open_review(pilot)
        assert "enter read" in foot(app)
        await pilot.press("/", *"zz", "enter")
        await settle(pilot)
        assert "enter read" not in foot(app) and "esc back" in foot(app)
        await pilot.press("escape")
        await settle(pilot)
        assert "enter read" in foot(app) and NAME.split()[0] in text_of(app)


async def test_the_way_back_and_help_are_told_on_the_smallest_terminal(
    app: TriageApp, workspace: Workspace, other: Workspace
) -> None:
    drawn(workspace)
    read(workspace, C01="retrieval")
    read(other, C01="ranking")
    async with app.run_test(size=(60, 15)) as pilot:
        for keys in ((), ("d",), ("a",), ("J",), ("t",)):
            await open_review(pilot, *keys)
            shown = foot(app)
            assert shown.rstrip().endswith("help") and "esc back" in shown, shown
            await pilot.press("escape", "escape")
            await settle(pilot)
