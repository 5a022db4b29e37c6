"""The Slices screen: what it shows at every size, what its keys ask, and the cases behind each number."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.cells import cell_len
from screen_help import record, settle, text_of, write
from slices_help import PLAN, choose, loaded, open_slices, slices_of

from triage.models.query import Scope
from triage.models.run import LoadOptions
from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.ui.screens.slices import SlicesScreen
from triage.ui.screens.triage import TriageScreen
from triage.ui.widgets.slices_table import GridSheet, HeatSheet, OneSheet
from triage.workspace import Workspace

SIZES = [(80, 24), (100, 30), (120, 40), (200, 60)]


@pytest.fixture
def sliced(tmp_path: Path) -> Iterator[Workspace]:
    made = loaded(tmp_path)
    yield made
    made.close()


def row_of(app: TriageApp, start: str) -> str:
    """The line of the table that begins so."""
    return next(line for line in text_of(app).splitlines()[4:] if line[1:].startswith(start))


async def test_it_begins_with_the_lit_metric_by_topic_and_the_costliest_first(sliced: Workspace) -> None:
    app = TriageApp(sliced)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_slices(pilot)
        text = text_of(app)
        assert "m Hit@3" in text and "d by topic" in text and "97 cases" in text.splitlines()[0]
        assert "vs kb1" in text and "costs the whole" in text
        sheet = slices_of(app).table.sheet
        assert isinstance(sheet, OneSheet)
        assert [line.row.value for line in sheet.model.lines][:1] == ["退款与售后"]
        row = row_of(app, "退款与售后")
        # 20 of 40, and 10 of 40 before: by hand; the others have 50 of 57, the whole 70 of 97.
        assert ".500" in row and "-.250" in row and f"-{50 / 57 - 70 / 97:.3f}".replace("0.", ".") in row
        assert "few" not in row and "few" in row_of(app, "发票")
        strip = "\n".join(text.splitlines()[-8:])
        assert "20/40" in strip and "wholly below the .722 of all" in strip and "is worse" in strip


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("keys", [(), ("a",), ("a", "right", "right", "right", "right", "right")])
async def test_every_row_is_as_wide_as_the_screen_and_without_doubtful_signs(
    sliced: Workspace, size: tuple[int, int], keys: tuple[str, ...]
) -> None:
    app = TriageApp(sliced)
    async with app.run_test(size=size) as pilot:
        await open_slices(pilot, *keys)
        lines = text_of(app).splitlines()
        assert all(cell_len(line) == size[0] for line in lines)
        assert {sign for line in lines for sign in line if unicodedata.east_asian_width(sign) == "A"} == set()
        assert row_of(app, "退款与售后") and row_of(app, "[/] [b]bold")
        assert "\x1b" not in "".join(lines)


@pytest.mark.parametrize("size", SIZES)
async def test_two_dimensions_cross_with_digits_in_each_cell(
    sliced: Workspace, size: tuple[int, int]
) -> None:
    app = TriageApp(sliced)
    async with app.run_test(size=size) as pilot:
        await open_slices(pilot)
        await choose(pilot, "x", "difficulty")
        lines = text_of(app).splitlines()
        assert all(cell_len(line) == size[0] for line in lines)
        assert isinstance(slices_of(app).table.sheet, HeatSheet)
        head = next(line for line in lines if line.startswith(" topic"))
        assert "easy" in head and "hard" in head and head.split()[-1] == "all"
        # The first 20 of 40 miss, and every other one is hard: ten of twenty each.
        assert row_of(app, "退款与售后").count(".500") == 3
        await pilot.press("right")
        await settle(pilot)
        assert "difficulty hard" in text_of(app) or "difficulty easy" in text_of(app)


async def test_the_routes_are_a_confusion_table_of_counts(sliced: Workspace) -> None:
    app = TriageApp(sliced)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_slices(pilot)
        await choose(pilot, "x", "expected route x")
        text = text_of(app)
        assert "m cases" in text and "by expected route" in text and "and by route" in text
        wrong = sum(1 for _, count, _ in PLAN for number in range(count) if number % 4 == 1)
        row = row_of(app, "vector")
        assert str(97 - wrong) in row and f"{wrong} " in row and f"{100 * wrong / 97:.0f} %" in row
        await pilot.press("right")
        await settle(pilot)
        assert f"of the {wrong} with route sql" in text_of(app)
        # Another mode has no counts to show.
        await pilot.press("a")
        await settle(pilot)
        assert isinstance(slices_of(app).table.sheet, GridSheet)


async def test_enter_shows_exactly_the_cases_and_S_comes_back_to_the_row(sliced: Workspace) -> None:
    app = TriageApp(sliced)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_slices(pilot, "down", "down")
        here = slices_of(app).table.key
        assert here is not None
        wanted = next(count for topic, count, _ in PLAN if topic == here)
        await pilot.press("enter")
        await settle(pilot, lambda: isinstance(app.screen, TriageScreen))
        await settle(pilot)
        assert app.triage is not None and len(app.triage.cases.keys) == wanted
        assert f"{wanted} of 97" in text_of(app) and "topic" in text_of(app)
        await pilot.press("S")
        await settle(pilot, lambda: isinstance(app.screen, SlicesScreen))
        await settle(pilot)
        assert slices_of(app).table.key == here
        await pilot.press("S")
        await settle(pilot, lambda: isinstance(app.screen, TriageScreen))
        await pilot.press("escape")
        await settle(pilot)
        assert app.triage.selection.scope is not None and app.triage.selection.scope.drill is None
        assert "failing 27 of 97" in text_of(app)


async def test_a_cell_opens_the_cases_that_have_both_values(sliced: Workspace) -> None:
    app = TriageApp(sliced)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_slices(pilot)
        await choose(pilot, "x", "difficulty")
        assert slices_of(app).table.key == "退款与售后", "the cursor kept its row"
        await pilot.press("right", "enter")
        await settle(pilot, lambda: isinstance(app.screen, TriageScreen))
        await settle(pilot)
        assert app.triage is not None and len(app.triage.cases.keys) == 20
        rows = sliced.case_rows(Scope("now"), list(app.triage.cases.keys))
        assert {row.topic for row in rows} == {"退款与售后"}
        assert [row.failing for row in rows] == [True] * 10 + [False] * 10, "in the list's own order"


async def test_it_follows_the_filter_text_and_says_so(sliced: Workspace) -> None:
    app = TriageApp(sliced)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("slash", *"difficulty:hard", "enter")
        await settle(pilot)
        await open_slices(pilot)
        head = text_of(app).splitlines()[0]
        assert "under difficulty:hard" in head and "48 of 97 cases" in head
        assert "20" in row_of(app, "退款与售后").split()[1]
        await pilot.press("escape")
        await settle(pilot)
        assert app.triage is not None and app.triage.bar.text == "difficulty:hard"


async def test_what_was_asked_is_remembered_and_typing_narrows(sliced: Workspace) -> None:
    app = TriageApp(sliced)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_slices(pilot)
        await choose(pilot, "d", "difficulty")
        await choose(pilot, "m", "MRR")
        await choose(pilot, "s", "cases")
        assert "MRR" in text_of(app) and "by cases, most first" in text_of(app)
        await pilot.press("slash", *"har", "enter")
        await settle(pilot)
        assert "1 of 2 values" in text_of(app) and slices_of(app).table.key == "hard"
        await pilot.press("slash", *"xyz", "enter")
        await settle(pilot)
        assert "no value holds it" in text_of(app)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, SlicesScreen), "there is nothing to open"
        await pilot.press("escape")
        await settle(pilot)
        assert "2 values" in text_of(app)
    again = TriageApp(sliced)
    async with again.run_test(size=(120, 40)) as pilot:
        await open_slices(pilot)
        assert slices_of(again).question.by == "difficulty" and slices_of(again).question.metric == "mrr"
        assert "by cases, most first" in text_of(again)


async def test_left_and_right_step_through_the_metrics(sliced: Workspace) -> None:
    app = TriageApp(sliced)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_slices(pilot)
        seen = [slices_of(app).question.metric]
        for _ in range(2):
            await pilot.press("right")
            await settle(pilot)
            seen.append(slices_of(app).question.metric)
        assert seen == ["hit", "mrr", "recall"] and "recall@3" in text_of(app)
        await pilot.press("left", "left", "left")
        await settle(pilot)
        assert slices_of(app).question.metric == "failing" and "share of cases that fail" in text_of(app)


async def test_a_dimension_without_values_says_which_there_are(sliced: Workspace) -> None:
    app = TriageApp(sliced)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_slices(pilot)
        slices_of(app).change(by="query_type")
        await settle(pilot)
        text = text_of(app)
        assert "no case of this run has query type recorded" in text
        assert "it has topic, " in text and "d chooses another" in text
        await pilot.press("enter", "right", "a", "s", "escape", "down")
        await settle(pilot)
        assert isinstance(app.screen, SlicesScreen)


async def test_a_dimension_that_is_gone_is_told(sliced: Workspace) -> None:
    app = TriageApp(sliced)
    app.memory.remember(slices={"by": "no[b]such", "metric": "nor this", "mode": "cross", "cross": "x y"})
    async with app.run_test(size=(80, 24)) as pilot:
        await open_slices(pilot)
        assert "退款与售后" in text_of(app) and "error" not in text_of(app), (
            "of another run: the first there is"
        )
        slices_of(app).change(by="no[b]such")
        await settle(pilot)
        assert "error: no such dimension" in text_of(app) and "退款与售后" in text_of(app)
        await pilot.press("escape")
        await choose(pilot, "d", "difficulty")
        assert "error" not in text_of(app) and row_of(app, "easy")


async def test_the_tail_folds_and_a_row_opens_more(tmp_path: Path) -> None:
    made = Workspace(tmp_path / "tail.db", Settings(), reviewer="wei")
    records = [record(number, topic=f"主题{number % 70:02}") for number in range(140)]
    made.ingest([write(tmp_path / "tail.jsonl", records)], LoadOptions())
    app = TriageApp(made)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_slices(pilot)
        assert "50 of 70 values" in text_of(app)
        await pilot.press("end")
        await settle(pilot)
        assert "20 more values" in text_of(app)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, SlicesScreen) and slices_of(app).table.count == 70
        assert "70 values" in text_of(app)
    made.close()


async def test_a_reload_moves_no_cursor_and_shows_the_new_numbers(sliced: Workspace, tmp_path: Path) -> None:
    app = TriageApp(sliced)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_slices(pilot, "down")
        here = slices_of(app).table.key
        lines = (tmp_path / "now.jsonl").read_text("utf-8").splitlines()
        extra = json.dumps(record(900, topic="退款与售后"), ensure_ascii=False)
        (tmp_path / "now.jsonl").write_text("\n".join([*lines, extra]) + "\n", "utf-8")
        other = Workspace(sliced.database, Settings(), reviewer="li")
        other.ingest([tmp_path / "now.jsonl"], LoadOptions())
        other.close()
        await settle(pilot, lambda: "98 cases" in text_of(app).splitlines()[0])
        assert slices_of(app).table.key == here
        assert "41" in row_of(app, "退款与售后").split()[1]


async def test_without_cases_or_run_it_stays_calm(tmp_path: Path) -> None:
    empty = Workspace(tmp_path / "none.db", Settings(), reviewer="wei")
    app = TriageApp(empty)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("S")
        await settle(pilot)
        assert isinstance(app.screen, TriageScreen)
    empty.close()
    made = Workspace(tmp_path / "one.db", Settings(), reviewer="wei")
    made.ingest([write(tmp_path / "one.jsonl", [record(1)])], LoadOptions())
    app = TriageApp(made)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("slash", *"id:nobody", "enter")
        await settle(pilot)
        await open_slices(pilot)
        assert "no case matches the filter" in text_of(app)
        await pilot.press("enter", "right", "x", "escape", "escape")
        await settle(pilot)
    made.close()


async def test_a_terminal_too_small_says_so_and_esc_still_leaves(sliced: Workspace) -> None:
    app = TriageApp(sliced)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_slices(pilot)
        await pilot.resize_terminal(50, 12)
        await settle(pilot)
        assert "needs 60x15" in text_of(app)
        await pilot.press("escape")
        await settle(pilot, lambda: isinstance(app.screen, TriageScreen))
