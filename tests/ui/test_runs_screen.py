"""The Runs screen: what it shows, at every size, and how one moves in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len
from runs_help import at, open_runs, runs_of
from screen_help import HOSTILE, record, settle, text_of, write

from triage.models.run import LoadOptions
from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.ui.screens.runs import RunsScreen
from triage.ui.screens.triage import TriageScreen
from triage.ui.widgets.runs_model import BLOCKS
from triage.workspace import Workspace

SIZES = [(80, 24), (100, 30), (120, 40), (200, 60)]


async def test_it_opens_on_the_newest_run_and_esc_leaves_the_cases_as_they_were(many: Workspace) -> None:
    app = TriageApp(many)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("f", "down", "down")
        await settle(pilot)
        assert app.triage is not None
        before = (app.triage.selection.scope, app.triage.cases.pk, text_of(app))
        await open_runs(pilot)
        assert at(app) == "run-5"
        assert "run-5" in text_of(app).splitlines()[3] and "shown" in text_of(app).splitlines()[3]
        await pilot.press("down", "escape")
        await settle(pilot)
        assert isinstance(app.screen, TriageScreen)
        assert before == (app.triage.selection.scope, app.triage.cases.pk, text_of(app))


async def test_rows_say_who_is_shown_against_whom_with_value_delta_and_trend(many: Workspace) -> None:
    app = TriageApp(many)
    async with app.run_test(size=(140, 40)) as pilot:
        await open_runs(pilot)
        lines = text_of(app).splitlines()
        assert "Hit@3" in lines[2] and "trend" in lines[2]
        newest, before, *_ = lines[3:]
        assert "shown" in newest and "1.000" in newest and "+.100" in newest
        assert "against" in before and ".900" in before
        assert newest.rstrip().endswith("".join(BLOCKS[level] for level in (0, 1, 2, 4, 5, 6)))
        assert before.rstrip().endswith(" " + "".join(BLOCKS[level] for level in (0, 1, 2, 4, 5)))


@pytest.mark.parametrize("size", SIZES)
async def test_every_row_is_as_wide_as_the_screen_and_blocks_stand_at_its_end(
    many: Workspace, size: tuple[int, int]
) -> None:
    app = TriageApp(many)
    async with app.run_test(size=size) as pilot:
        await open_runs(pilot)
        lines = text_of(app).splitlines()
        for line in lines:
            assert cell_len(line) == size[0]
            blocks = [place for place, sign in enumerate(line) if sign in BLOCKS]
            if blocks:
                assert not line[blocks[0] :].strip(BLOCKS + " "), line
        row = lines[3]
        for word in ("run-5", "shown", "kb5", "10", "1.000"):
            assert word in row, word
        assert "failing" in lines[2] and " n " in lines[2]
        if size[0] >= 100:
            assert "客服测试集 v3" in row
        assert any(sign in BLOCKS for sign in row) == (size[0] >= 100)


async def test_typing_narrows_and_esc_clears_before_it_leaves(many: Workspace) -> None:
    app = TriageApp(many)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_runs(pilot)
        await pilot.press("slash", *"helpdesk", "enter")
        await settle(pilot)
        assert at(app) == "other" and "1 of 7 runs" in text_of(app)
        await pilot.press("slash", *" xyz", "enter")
        await settle(pilot)
        assert "no run matches" in text_of(app) and at(app) is None
        await pilot.press("enter", "p", "D", "b", "r")
        await settle(pilot)
        assert isinstance(app.screen, RunsScreen), "no key does anything to a run that is not there"
        await pilot.press("escape")
        await settle(pilot)
        assert len(runs_of(app).model.lines) == 7
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, TriageScreen)


async def test_sorting_keeps_the_cursor_on_its_run_and_is_remembered_with_the_metric(many: Workspace) -> None:
    app = TriageApp(many)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_runs(pilot)
        await pilot.press("down", "s")
        await settle(pilot, lambda: not isinstance(app.screen, RunsScreen))
        await pilot.press(*"failing", "enter")
        await settle(pilot, lambda: isinstance(app.screen, RunsScreen))
        assert "by failing, most first" in text_of(app) and at(app) == "run-4"
        assert runs_of(app).model.lines[0].entry.run.id == "run-0"
        await pilot.press("s")
        await settle(pilot, lambda: not isinstance(app.screen, RunsScreen))
        await pilot.press("enter")
        await settle(pilot, lambda: isinstance(app.screen, RunsScreen))
        assert "by failing, fewest first" in text_of(app)
        await pilot.press("right")
        await settle(pilot)
        assert "trend of MRR" in text_of(app) and "MRR trend" in text_of(app).splitlines()[2]
    again = TriageApp(many)
    async with again.run_test(size=(120, 40)) as pilot:
        await open_runs(pilot)
        assert "by failing, fewest first" in text_of(again) and "MRR trend" in text_of(again).splitlines()[2]


async def test_a_run_that_comes_in_leaves_the_cursor_where_it_is(many: Workspace, tmp_path: Path) -> None:
    app = TriageApp(many)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_runs(pilot)
        await pilot.press("down", "down")
        write(tmp_path / "new.jsonl", [record(1)], created_at="2026-10-20T10:00:00Z", dataset={"name": "x"})
        many.ingest([tmp_path / "new.jsonl"], LoadOptions())
        await settle(pilot, lambda: "new came in" in text_of(app))
        assert at(app) == "run-3" and len(runs_of(app).model.lines) == 8


@pytest.mark.parametrize("size", SIZES)
async def test_hostile_ids_notes_and_paths_stay_text(tmp_path: Path, size: tuple[int, int]) -> None:
    made = Workspace(tmp_path / "t.db", Settings(), reviewer="wei")
    nasty = HOSTILE + " 长的名字" * 20
    for number, name in enumerate(("[b]x", "b\u202ey")):
        folder = tmp_path / name
        folder.mkdir()
        write(
            folder / f"[red]{number}.jsonl", [record(1, retrieved=nasty)], id=f"{nasty}{number}", model=nasty,
            created_at=f"2026-10-0{number + 1}T10:00:00Z", dataset={"name": nasty, "version": nasty},
            kb_version=nasty, retrieval={"top_k": 3, nasty: nasty, "x": number}, notes=nasty * 3,
        )  # fmt: skip
    made.ingest([tmp_path], LoadOptions())
    app = TriageApp(made)
    async with app.run_test(size=size) as pilot:
        await open_runs(pilot)
        for keys in (
            ("tab", "G"),
            ("tab", "down", "b"),
            ("B",),
            ("p",),
            ("escape",),
            ("D",),
            ("escape", "enter"),
        ):
            await pilot.press(*keys)
            await settle(pilot)
            text = text_of(app)
            assert not set(text) & set("\x1b\x07\u202e\u200b\x00"), keys
            assert all(cell_len(line) == size[0] for line in text.splitlines()), keys
    made.close()


async def test_without_colour_words_say_it_all_and_nothing_is_dim(
    many: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = TriageApp(many)
    async with app.run_test(size=(140, 40)) as pilot:
        await open_runs(pilot)
        strips = app.screen._compositor.render_strips()
        styles = [segment.style for strip in strips for segment in strip if segment.style]
        assert not [style for style in styles if style.dim or (style.color and not style.color.is_default)]
        assert "shown" in text_of(app) and "against" in text_of(app) and "+.100" in text_of(app)


async def test_three_hundred_runs_are_listed_and_walked(tmp_path: Path) -> None:
    made = Workspace(tmp_path / "t.db", Settings(), reviewer="wei")
    for number in range(300):
        write(
            tmp_path / f"r{number:03}.jsonl", [record(1)],
            created_at=f"2026-{1 + number // 28:02}-{1 + number % 28:02}T10:00:00Z",
        )  # fmt: skip
    made.ingest([tmp_path], LoadOptions())
    app = TriageApp(made)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_runs(pilot)
        assert "300 runs" in text_of(app) and at(app) == "r299"
        await pilot.press("G")
        await settle(pilot)
        assert at(app) == "r000" and "300 of 300" in text_of(app)
        await pilot.press("pageup", "k")
        await settle(pilot)
        top = runs_of(app).table.scroll_offset.y
        assert top > 200 and at(app) in text_of(app)
    made.close()


async def test_runs_stand_there_before_their_figures(
    many: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(many.run_list, "filled", many.run_list.entries)
    monkeypatch.setattr(many.run_list, "measured", lambda run_id: None)
    app = TriageApp(many)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("R")
        await settle(pilot, lambda: isinstance(app.screen, RunsScreen) and bool(runs_of(app).model.lines))
        assert "run-5" in text_of(app).splitlines()[3] and "-" in text_of(app).splitlines()[3].split()


async def test_too_small_a_terminal_is_told_and_esc_still_leaves(many: Workspace) -> None:
    app = TriageApp(many)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_runs(pilot)
        await pilot.resize_terminal(50, 12)
        await settle(pilot)
        assert "needs 60x15" in text_of(app)
        await pilot.press("D")
        await settle(pilot)
        assert isinstance(app.screen, RunsScreen)
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, TriageScreen)


async def test_the_strip_tells_metrics_changes_notes_and_file(many: Workspace) -> None:
    app = TriageApp(many)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_runs(pilot)
        text = text_of(app)
        assert "against run-4: kb_version kb5, was kb4; top_k 4, was 3" in text
        assert "note 5" in text and "demo-1" in text and "run-5.jsonl" in text and "revision 1" in text
        assert "coverage" in text and "1 of 7" in text
        await pilot.press("G")
        await settle(pilot)
        assert "no baseline: no earlier run of its test set is loaded" in text_of(app)


async def test_on_a_small_screen_the_strip_is_scrolled_after_tab(many: Workspace) -> None:
    app = TriageApp(many)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_runs(pilot)
        assert "more lines   tab reads them" in text_of(app)
        await pilot.press("tab", "G")
        await settle(pilot)
        assert "more line" not in text_of(app) and at(app) == "run-5"
        await pilot.press("escape")
        await settle(pilot)
        assert app.focused is runs_of(app).table


async def test_esc_in_the_field_gives_the_list_its_keys_and_all_its_runs(many: Workspace) -> None:
    app = TriageApp(many)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_runs(pilot)
        await pilot.press("slash", *"run-4")
        await settle(pilot, lambda: "1 of " in text_of(app))
        await pilot.press("escape")
        await settle(pilot)
        screen = runs_of(app)
        assert screen.focused is screen.table and screen.bar.text == ""
        await pilot.press("slash", "escape", "p", "slash", "x", "escape", "escape", "escape")
        await settle(pilot, lambda: app.screen is app.triage)


async def test_a_long_id_never_runs_into_what_stands_at_the_right(many: Workspace, tmp_path: Path) -> None:
    name = "退款回归测试第一百零四号运行很长的名字" * 3
    write(tmp_path / "long.jsonl", [record(1)], id=name, dataset={"name": name})
    many.ingest([tmp_path / "long.jsonl"], LoadOptions())
    app = TriageApp(many)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_runs(pilot)
        lines = text_of(app).splitlines()
        title = next(line for line in lines if line.startswith(" 退款"))
        assert "»  " in lines[0] and "»  " in title
