"""What the screen says where: marks, undo, filters that find nothing, a place kept, small terminals."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.style import Style
from screen_help import MISS, record, settle, text_of, write
from textual.widgets import Static

from triage.models.run import LoadOptions
from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.ui.palette import DARK, LIGHT, Palette, variable
from triage.ui.work.words import terms
from triage.workspace import Workspace

WALK = (
    "1 u slash x escape escape tab tab enter escape n escape l escape s escape K escape b escape e escape "
    "p escape question_mark escape ctrl+p escape S a escape S a x escape d escape m escape escape"
)


def styles(app: TriageApp) -> set[tuple[str, Style]]:
    strips = app.screen._compositor.render_strips()
    return {(segment.text, segment.style) for strip in strips for segment in strip if segment.style}


@pytest.mark.parametrize("few", ["nocolor", "ansi"])
async def test_nothing_is_dim_without_colour_or_in_sixteen(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, few: str
) -> None:
    if few == "nocolor":
        monkeypatch.setenv("NO_COLOR", "1")
    app = TriageApp(workspace, theme="triage-ansi" if few == "ansi" else None)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        for key in ("", *WALK.split()):
            await pilot.press(*[key] if key else [])
            await settle(pilot)
            assert not [text for text, style in styles(app) if style.dim], key


@pytest.mark.parametrize("colours", [DARK, LIGHT])
def test_every_ground_that_is_drawn_alone_brings_a_text_that_is_read_on_it(colours: dict[str, str]) -> None:
    ink = Palette({variable(key): value for key, value in colours.items()}, dark=colours is DARK, ansi=False,
                  colourless=False)  # fmt: skip
    style = ink.ground("done")
    assert style.color is not None and style.color == ink("text").color


async def test_after_an_undo_the_row_offers_redo(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("1")
        await settle(pilot, lambda: "C01 tagged retrieval   u undo" in text_of(app))
        await pilot.press("u")
        await settle(pilot, lambda: "undone: C01 is without a verdict   U redo" in text_of(app))
        await pilot.press("U")
        await settle(pilot, lambda: "redone: C01 is retrieval   u undo" in text_of(app))


async def test_marks_are_counted_and_space_says_that_it_takes_them_all(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("x", "x")
        await settle(pilot)
        lines = text_of(app).splitlines()
        assert "2 marked" in lines[7] and "space accept 2 marked" in lines[-1]
        await pilot.press("G", "x")
        await settle(pilot)
        assert "3 marked" in text_of(app).splitlines()[7]
        await pilot.press("escape")
        await settle(pilot)
        assert "marked" not in text_of(app)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("one", []),
        ("one two", ["one", "two"]),
        ('topic:refund AND "two words"', ["topic:refund", '"two words"']),
        ("a && (b OR c) rank:[2 TO 3]", ["a", "(b OR c)", "rank:[2 TO 3]"]),
        ("NOT a b -c", ["NOT a", "b", "-c"]),
        ("a OR b", []),
    ],
)
def test_a_filter_falls_into_the_parts_that_must_all_hold(text: str, parts: list[str]) -> None:
    assert terms(text) == parts


async def test_the_part_that_cut_most_is_named_among_connectives_and_phrases(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        app.triage.selection.text('topic:shipping AND "no such words"')
        await settle(pilot, lambda: '"no such words" cut most' in text_of(app))
        assert "esc clears the filter" in text_of(app)


async def test_a_filter_that_finds_nothing_gives_the_place_back(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("j", "j", "j")
        await settle(pilot)
        assert app.triage.cases.row.id == "C06"
        for text in ("xyzzy", "", "topic:refund", ""):
            app.triage.selection.text(text)
            await settle(pilot)
        assert app.triage.cases.row.id == "C06"
        app.triage.selection.text("topic:refund")
        await settle(pilot)
        await pilot.press("f", "f", "f", "f")
        await settle(pilot)
        assert app.triage.cases.row.id == "C02"
        app.triage.selection.text("")
        await settle(pilot)
        assert app.triage.cases.row.id == "C06"


async def test_in_a_terminal_too_small_no_key_does_anything_unseen(
    app: TriageApp, workspace: Workspace
) -> None:
    async with app.run_test(size=(59, 14)) as pilot:
        await settle(pilot)
        await pilot.press("j", "1", "space", "n", "slash", "x")
        await settle(pilot)
        assert app.screen is app.triage and not app.triage.cases.marked
        await pilot.resize_terminal(120, 40)
        await settle(pilot)
        assert app.triage.cases.row.id == "C01" and "0 of 5 triaged" in text_of(app)


@pytest.mark.parametrize("key", ["b", "s", "K", "l", "e", "n"])
async def test_every_dialog_shows_its_keys_in_the_smallest_terminal(app: TriageApp, key: str) -> None:
    async with app.run_test(size=(60, 15)) as pilot:
        await settle(pilot)
        await pilot.press(key)
        await settle(pilot)
        hint = app.screen.query_one("#hint", Static)
        assert hint.region.height and hint.region.bottom <= 15
        assert "esc" in text_of(app)


@pytest.mark.parametrize("key", ["b", "e", "n", "K"])
async def test_hints_of_dialogs_take_one_line_where_there_is_room(app: TriageApp, key: str) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press(key)
        await settle(pilot)
        assert app.screen.query_one("#hint", Static).region.height == 1


@pytest.mark.parametrize(("cells", "columns"), [(120, 2), (80, 1)])
async def test_help_has_its_keys_in_two_columns_where_there_is_room(
    app: TriageApp, cells: int, columns: int
) -> None:
    async with app.run_test(size=(cells, 60)) as pilot:
        await settle(pilot)
        await pilot.press("question_mark")
        await settle(pilot)
        row = next(line for line in text_of(app).splitlines() if "tag: retrieval" in line)
        assert ("next row" in row or "moving" in row or "previous" in row) == (columns == 2)
        assert "accept the suggestion  or full-width space" in text_of(app)


async def test_counts_of_one_are_said_as_one_and_no_progress_without_work(tmp_path: Path) -> None:
    made = Workspace(tmp_path / "t.db", Settings(), reviewer="wei")
    app = TriageApp(made, paths=[write(tmp_path / "one.jsonl", [record(1)])])
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot, lambda: app.triage.view is not None)
        await settle(pilot)
        head = text_of(app).splitlines()[0]
        assert " 1 case " in head and "0 failing" in head and "triaged" not in head
        assert "nothing fails in 1 case" in text_of(app) and "1 record of 1 file" in text_of(app)
    made.close()


async def test_p_tells_what_the_last_reading_left_out_of_other_files(
    workspace: Workspace, tmp_path: Path
) -> None:
    broken = write(tmp_path / "broken.jsonl", [record(1, **MISS)], created_at="2026-10-01T10:00:00Z")
    broken.write_text(broken.read_text("utf-8") + "{half\n", "utf-8")
    app = TriageApp(workspace, paths=[broken, tmp_path / "now.jsonl"])
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot, lambda: "1 of 12 rejected" in text_of(app))
        # The words come when all is read; the run that is shown follows with the next answer of a worker.
        await settle(pilot, lambda: app.triage.run_shown is not None and app.triage.run_shown.id == "now")
        await settle(pilot)
        await pilot.press("p")
        await settle(pilot, lambda: "broken.jsonl, 1 record rejected" in text_of(app))
        assert "line 3" in text_of(app)


async def test_long_texts_unfold_by_z_from_the_list(tmp_path: Path) -> None:
    made = Workspace(tmp_path / "t.db", Settings(), reviewer="wei")
    made.ingest([write(tmp_path / "r.jsonl", [record(1, answer="line\n" * 99, **MISS)])], LoadOptions())
    app = TriageApp(made)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot, lambda: "z shows all" in text_of(app))
        await pilot.press("z")
        await settle(pilot)
        assert "z shows all" not in text_of(app) and app.focused is app.triage.cases
    made.close()


async def test_tab_never_goes_to_a_pane_that_is_not_seen(app: TriageApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for _ in range(4):
            await pilot.press("tab")
            await settle(pilot)
            assert app.focused.region.area, app.focused
        assert {type(app.focused).__name__} <= {"CaseList", "MetricPanels"}
        app.triage.cases.focus()
        await pilot.press("enter")
        await settle(pilot)
        for key in ("tab", "shift+tab"):
            await pilot.press(key)
            await settle(pilot)
            assert app.focused is app.triage.detail


async def test_no_line_of_the_help_is_wrapped_in_its_two_columns(app: TriageApp) -> None:
    async with app.run_test(size=(120, 60)) as pilot:
        await settle(pilot)
        await pilot.press("question_mark")
        await settle(pilot)
        for column in app.screen.query("#keys Static"):
            assert isinstance(column, Static)
            assert column.content.cell_length and column.size.height == len(str(column.content).splitlines())


@pytest.mark.parametrize("size", [(120, 40), (100, 30), (80, 24)])
async def test_the_footer_names_the_class_that_space_accepts_at_every_common_width(
    app: TriageApp, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        foot = text_of(app).splitlines()[-1]
        assert "space accept retrieval" in foot and "? help" in foot


async def test_the_prose_of_the_help_fits_eighty_columns(app: TriageApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("question_mark")
        await settle(pilot)
        from triage.ui.screens.help_texts import FILE, FILTER

        assert max(map(len, [*FILE.splitlines(), *FILTER.splitlines()])) <= 80 - 4 - 2 - 1
