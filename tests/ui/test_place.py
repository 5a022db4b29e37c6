"""The reviewer's place is kept: by filters, sorts, views, sizes, other people and failures."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest
from screen_help import HOSTILE, record, settle, text_of, write

from triage.models.query import Scope
from triage.models.run import LoadOptions
from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.workspace import Workspace


async def test_a_filter_is_looked_for_after_a_moment_and_keeps_the_case(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("j", "j")
        assert app.triage.cases.row.id == "C02"
        await pilot.press("slash", *"topic:refund")
        await settle(pilot, lambda: app.triage.selection.scope.text == "topic:refund")
        await settle(pilot)
        assert [app.triage.cases.row_at(0).id, len(app.triage.cases.keys)] == ["C02", 1]
        assert "failing 1 of 10" in text_of(app) and "9 outside the filter" in text_of(app)
        await pilot.press("enter", "escape")
        await settle(pilot)
        assert app.triage.selection.scope.text == "" and app.triage.bar.text == ""
        assert app.triage.cases.row.id == "C02" and len(app.triage.cases.keys) == 5


async def test_where_the_case_is_filtered_out_its_nearest_neighbour_is_selected(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("j", "j")
        await pilot.press("slash", *"-id:C02", "enter")
        await settle(pilot)
        assert app.triage.cases.row.id == "C06"


async def test_a_filter_that_does_not_parse_says_where_and_leaves_the_list(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("slash", *"topic:refund AND (", "enter")
        await settle(pilot)
        assert "column" in text_of(app) and len(app.triage.cases.keys) == 5
        await pilot.press("escape")
        await settle(pilot)
        assert "column" not in text_of(app) and app.triage.bar.text == ""


async def test_an_empty_list_says_why_and_which_key_fills_it(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("slash", *"topic:refund zebra", "enter")
        await settle(pilot)
        await settle(pilot)
        text = text_of(app)
        assert "no case matches" in text and "zebra cut most" in text and "esc clears the filter" in text


async def test_views_come_round_and_say_what_they_hide(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        seen = []
        for _ in range(4):
            seen.append((app.triage.selection.scope.view, len(app.triage.cases.keys)))
            await pilot.press("f")
            await settle(pilot)
        assert seen == [("failing", 5), ("all", 10), ("unreviewed", 10), ("passing", 5)]
        assert "5 passing not shown: f shows all" in text_of(app)


async def test_sorting_keeps_the_case_and_turns_round(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("j")
        for order in ("id", "-id"):
            await pilot.press("s")
            await settle(pilot)
            await pilot.press("down") if order == "id" else None
            await pilot.press("down") if order == "id" else None
            await pilot.press("enter")
            await settle(pilot, lambda order=order: app.triage.selection.scope.sort == order)
            await settle(pilot)
            assert app.triage.cases.row.id == "C04"
        assert app.triage.cases.row_at(0).id == "C08" and "by -id" in text_of(app)


async def test_resizing_keeps_the_case_and_below_60x15_says_so(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("j", "j", "j")
        for size in (
            (10, 3),
            (1, 1),
            (59, 40),
            (80, 14),
            (80, 24),
            (100, 30),
            (60, 15),
            (200, 60),
            (120, 40),
        ):
            await pilot.resize_terminal(*size)
            await settle(pilot)
            assert app.triage.has_class("-tiny") == (size[0] < 60 or size[1] < 15)
            assert app.triage.cases.row.id == "C06"
        await pilot.resize_terminal(40, 10)
        await settle(pilot)
        assert "needs 60x15" in text_of(app)
        await pilot.resize_terminal(120, 40)
        await settle(pilot)
        assert "C06" in text_of(app)


async def test_narrow_the_detail_takes_the_lists_place_and_esc_gives_it_back(app: TriageApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "seven days" not in text_of(app)
        await pilot.press("enter")
        await settle(pilot)
        text = text_of(app)
        assert "asked" in text and "1 of 5" in text and "type to filter" not in text
        await pilot.press("1")
        await settle(pilot)
        assert app.triage.reading and app.triage.detail.detail.row.id == "C04"
        assert "C01 tagged retrieval" in text_of(app).splitlines()[-1]
        await pilot.press("escape")
        await settle(pilot)
        assert not app.triage.reading and app.focused is app.triage.cases


async def test_the_detail_waits_until_the_cursor_rests(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        for _ in range(3):
            app.triage.action_cursor(1)
            await asyncio.sleep(0.02)
            # The first step after a rest is drawn at once, those that follow it wait.
            assert app.triage.detail.detail.row.id in ("C01", "C04")
        await settle(pilot, lambda: app.triage.detail.detail.row.id == "C06")


async def test_a_verdict_from_elsewhere_is_seen_within_a_second_and_moves_nothing(
    app: TriageApp, other: Workspace
) -> None:
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("j", "j")
        await settle(pilot)
        other.tag("now", ["C01"], "other")
        await settle(pilot, lambda: "1 of 5 triaged" in text_of(app), 1.2)
        await settle(pilot, lambda: "li tagged C01 other" in text_of(app), 1)
        assert app.triage.cases.row.id == "C02"
        other.tag("now", ["C02"], "retrieval")
        await settle(pilot, lambda: "2 of 5 triaged" in text_of(app), 1.2)
        assert app.triage.cases.row.id == "C02" and app.triage.cases.row.review.reviewer == "li"


async def test_undo_refuses_where_somebody_has_changed_the_case_since(
    app: TriageApp, other: Workspace
) -> None:
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("1")
        await settle(pilot)
        other.tag("now", ["C01"], "other")
        await pilot.press("u")
        await settle(pilot)
        text = text_of(app)
        assert "changed" in text or "since" in text
        await settle(pilot, lambda: app.triage.cases.row_at(0).review.disputed)


async def test_a_verdict_that_can_not_be_written_is_told_kept_and_written_later(
    app: TriageApp, database: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    from triage.errors import Busy

    real, blocked = workspace.tag, [True]

    def tag(*given: object, **named: object) -> object:
        if blocked[0]:
            raise Busy("the database is busy", str(database), "close the other program")
        return real(*given, **named)

    monkeypatch.setattr(workspace, "tag", tag)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("1", "2")
        await settle(pilot, lambda: "busy" in text_of(app))
        assert "2 not written" in text_of(app) and "kept and tried again" in text_of(app)
        assert "0 of 5 triaged" in text_of(app)
        blocked[0] = False
        await settle(pilot, lambda: "2 of 5 triaged" in text_of(app), 6)
        assert "not written" not in text_of(app).splitlines()[0]


async def test_the_screen_answers_while_another_process_holds_the_database(
    app: TriageApp, database: Path
) -> None:
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        lock = sqlite3.connect(database, isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        await pilot.press("1")
        await pilot.press("j")
        assert app.triage.cases.row.id == "C02" and "0 of 5 triaged" in text_of(app)
        lock.execute("ROLLBACK")
        lock.close()
        await settle(pilot, lambda: "1 of 5 triaged" in text_of(app), 10)


async def test_a_long_list_pages_and_finds_the_next_case_beyond_what_is_read(tmp_path: Path) -> None:
    made = Workspace(tmp_path / "t.db", Settings(), reviewer="wei")
    many = [
        record(number, id=f"case-{number:05}", query=f"第{number}个问题 {HOSTILE}", error="x")
        for number in range(3000)
    ]
    write(tmp_path / "many.jsonl", many)
    made.ingest([tmp_path / "many.jsonl"], LoadOptions())
    made.tag("many", [f"case-{number:05}" for number in range(1, 2500)], "other")
    app = TriageApp(made)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        cases = app.triage.cases
        await pilot.press("1")
        await settle(pilot, lambda: cases.position == 2500)
        await settle(pilot)
        assert "e-02500" in text_of(app) and cases.row.id == "case-02500"
        await pilot.press("G")
        await settle(pilot)
        assert cases.row.id == "case-02999"
        await pilot.press("home", "pagedown", "pagedown")
        await settle(pilot)
        assert cases.row.id == "case-00032" or cases.position > 20
        assert len(cases._pages) <= 48
    made.close()


async def test_a_cursor_key_paints_two_rows_and_scrolls_by_half_a_page(tmp_path: Path) -> None:
    made = Workspace(tmp_path / "t.db", Settings(), reviewer="wei")
    write(tmp_path / "many.jsonl", [record(number, id=f"{number}", error="x") for number in range(300)])
    made.ingest([tmp_path / "many.jsonl"], LoadOptions())
    app = TriageApp(made)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        cases = app.triage.cases
        painted: list[int] = []
        real = cases.render_line
        cases.render_line = lambda y: painted.append(y) or real(y)  # type: ignore[method-assign]
        await pilot.press("down")
        await pilot.pause()
        assert sorted(painted) == [0, 1]
        tops = []
        for _ in range(40):
            await pilot.press("down")
            tops.append(cases.scroll_offset.y)
        assert len(set(tops)) <= 5
        rows = {row.id for row in made.case_rows(Scope("many"), list(cases.keys)[:5])}
        assert rows
    made.close()
