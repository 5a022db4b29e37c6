"""What holds for the app as a whole: keys in one table, the palette, themes, signs, the start."""

from __future__ import annotations

import signal
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from screen_help import record, settle, text_of, write
from textual.command import CommandPalette

from triage.models.run import LoadOptions
from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.ui.keys import ACTIONS, NO_KEY, bindings, key_table, keys_of
from triage.ui.start import run_app
from triage.ui.widgets.footer import Foot, keys_for
from triage.workspace import Workspace

RUN_TEXT = "question"
WALK = (
    "1 space u f slash escape tab tab enter escape n escape l escape s escape K escape b escape e escape "
    "p escape question_mark escape ctrl+p escape enter escape S a right d escape x escape enter escape"
)
"""Keys through every screen and dialog."""


def test_every_action_has_a_plain_key_or_stands_in_the_palette() -> None:
    for action in ACTIONS:
        plain = [key for key in action.keys if not key.startswith(("ctrl+", "alt+")) and len(key) < 10]
        assert plain or action.palette or action.where == "note" or action.id == "palette", action.id


def test_no_two_actions_of_one_place_share_an_id_or_a_key_unless_one_is_for_the_first_screen() -> None:
    assert len({action.id for action in ACTIONS}) == len(ACTIONS)
    for where in ("app", "screen", "list"):
        keys = [binding.key for binding in bindings(where) if binding.key != NO_KEY]
        twice = ["d", "o"] if where == "screen" else []
        assert sorted({key for key in keys if keys.count(key) > 1}) == twice


def test_the_readme_table_has_every_action_once() -> None:
    lines = key_table().splitlines()
    idents = [line.split("|")[3].strip(" `") for line in lines if not line.startswith("| **")][2:]
    assert sorted(idents) == sorted(action.id for action in ACTIONS)
    assert "| `1` | tag: retrieval | `verdict.retrieval` |" in lines
    assert all(line.count("|") == 4 for line in lines)


@pytest.mark.parametrize(("cells", "most"), [(120, 10), (100, 9), (80, 8)])
def test_the_footer_holds_so_many_keys_and_names_the_class(cells: int, most: int) -> None:
    left, right = keys_for(Foot("list", "accept ranking"), cells, {})
    assert len(left) + len(right) == most
    assert "accept ranking" in [key.words for key in right]


async def test_the_palette_has_every_action_every_run_and_every_theme(app: TriageApp) -> None:
    async with app.run_test(size=(120, 60)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+p")
        await settle(
            pilot, lambda: isinstance(app.screen, CommandPalette) and "tag: retrieval" in text_of(app)
        )
        await pilot.press(*"compare")
        await settle(pilot, lambda: "compare with before" in text_of(app))
        await pilot.press(*["backspace"] * 7, *"tag: ranking")
        await settle(pilot, lambda: "tag: ranking" in text_of(app))
        await pilot.pause(0.3)
        await pilot.press("enter")
        await settle(pilot, lambda: "1 of 5 triaged" in text_of(app))
        assert app.triage.cases.row_at(0).review.verdict == "ranking"


async def test_a_theme_is_chosen_and_remembered(app: TriageApp, workspace: Workspace) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await app.run_action("app.use_theme('triage-light')")
        await settle(pilot)
    assert TriageApp(workspace).theme == "triage-light"


async def test_sort_and_run_are_remembered_until_a_newer_run_comes(
    app: TriageApp, workspace: Workspace, tmp_path: Path
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await app.run_action("screen.go('run', 'before')", app.triage)
        await settle(pilot, lambda: app.triage.run_shown.id == "before")
        app.triage.selection.change(sort="-id")
        await settle(pilot)
        await pilot.press("q")
        await settle(pilot, lambda: app._exit)
    second = TriageApp(workspace)
    async with second.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert second.triage.run_shown.id == "before" and second.triage.selection.scope.sort == "-id"
    write(tmp_path / "newer.jsonl", [record(1, error="x")], created_at="2026-11-09T10:00:00Z")
    workspace.ingest([tmp_path / "newer.jsonl"], LoadOptions())
    third = TriageApp(workspace)
    async with third.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert third.triage.run_shown.id == "newer"


async def test_open_begins_at_the_case(workspace: Workspace) -> None:
    app = TriageApp(workspace, open_case=("before", "C07"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot, lambda: app.triage.detail.detail is not None)
        assert app.triage.reading and app.triage.detail.detail.row.id == "C07"
        assert app.triage.run_shown.id == "before"


async def test_what_was_read_ahead_is_shown_without_asking_again(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    from triage import paths
    from triage.ui.paging import Ahead
    from triage.ui.work.memory import Memory

    memory = Memory(paths.state_file())
    ahead = Ahead(workspace, memory)
    ahead.view.result(10)
    asked: list[str] = []
    for name in ("runs", "case_keys", "run_view"):
        real = getattr(workspace, name)
        monkeypatch.setattr(
            workspace, name, lambda *given, name=name, real=real: asked.append(name) or real(*given)
        )
    app = TriageApp(workspace, memory=memory, ahead=ahead)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "5 failing" in text_of(app) and app.triage.cases.row.id == "C01"
        assert asked == []


@pytest.mark.parametrize("size", [(120, 40), (100, 30), (80, 24)])
async def test_nothing_of_ours_is_of_ambiguous_width(tmp_path: Path, size: tuple[int, int]) -> None:
    made = Workspace(tmp_path / "t.db", Settings(), reviewer="wei")
    records = [record(number) for number in range(1, 5)]
    records[0] |= {"retrieved": [{"id": "KB-9", "text": "x"}]}
    records[1] |= {"error": "timed out"}
    records[2] |= {"citations": [], "answer": "none"}
    made.ingest([write(tmp_path / "r.jsonl", records)], LoadOptions())
    app = TriageApp(made)
    async with app.run_test(size=size, notifications=True) as pilot:
        await settle(pilot)
        for key in WALK.split():
            await pilot.press(key)
            await settle(pilot)
            wide = {
                character
                for character in text_of(app)
                if unicodedata.east_asian_width(character) == "A" and character not in "\u203a"
            }
            assert wide == set(), (key, wide)
    made.close()


async def test_without_colour_the_state_is_still_told(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    workspace.tag("now", ["C01"], "retrieval")
    app = TriageApp(workspace)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("j")
        await settle(pilot)
        rows = app.screen._compositor.render_strips()
        for row in rows:
            for segment in row:
                style = segment.style
                assert style is None or (style.color is None or style.color.is_default)
                assert style is None or (style.bgcolor is None or style.bgcolor.is_default)
        text = text_of(app)
        assert "retrieval " in text and "retrieval?" in text and ">1" in text
        cursor = next(segment for row in rows for segment in row if segment.text.startswith(">"))
        assert cursor.style.reverse


def test_the_start_loads_nothing_that_the_first_paint_does_without() -> None:
    code = (
        "import sys, triage.ui.app\n"
        "late = ('pydantic', 'sqlite_utils', 'luqum', 'watchfiles', 'click')\n"
        "print([name for name in late if name in sys.modules],"
        "'triage.ui.work.asking' in sys.modules, 'triage.ui.providers' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["[]", "False", "False"]


def test_an_unknown_theme_is_the_users_error(workspace: Workspace) -> None:
    from triage.errors import TriageError

    with pytest.raises(TriageError, match="no such theme"):
        run_app(workspace, theme="no-such")


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no such signal here")
async def test_a_bug_in_a_worker_says_so_and_where_the_report_is(
    app: TriageApp, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*given: object) -> None:
        raise ZeroDivisionError("oops [/]")

    async with app.run_test(size=(200, 40)) as pilot:
        await settle(pilot)
        monkeypatch.setattr(workspace, "case_detail", broken)
        await pilot.press("j")
        await settle(pilot, lambda: "bug in triage" in text_of(app))
        assert "triage-bug-" in text_of(app) and RUN_TEXT in text_of(app)
        monkeypatch.undo()
        await pilot.press("j")
        await settle(pilot, lambda: app.triage.detail.detail is not None)


def test_a_rebound_key_is_the_one_that_is_shown() -> None:
    action = next(action for action in ACTIONS if action.id == "undo")
    assert keys_of(action, {"undo": "z,ctrl+z"}) == ("z", "ctrl+z") and keys_of(action, {}) == ("u",)
