"""Many cases at once: marks, batches that ask, labels, cases put off."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from screen_help import HOSTILE, MISS, record, settle, text_of, write
from textual.widgets import Input

from triage.models.query import Scope
from triage.ui.app import TriageApp
from triage.ui.screens.dialogs import Decide
from triage.ui.screens.labels import LabelsDialog
from triage.workspace import Workspace


def verdicts(workspace: Workspace, run: str = "now") -> dict[str, str]:
    scope = Scope(run)
    rows = workspace.case_rows(scope, workspace.case_keys(scope))
    return {row.id: row.review.verdict for row in rows if row.review and row.review.verdict}


def labels(workspace: Workspace, case: str) -> tuple[str, ...]:
    review = workspace.case_detail(Scope("now"), case).row.review
    return review.labels if review is not None else ()


def marked(app: TriageApp) -> set[str]:
    cases = app.triage.cases
    return {row.id for row in cases.rows_here() if row.pk in cases.marked}


def dialog_is(app: TriageApp, kind: type) -> Callable[[], bool]:
    return lambda: isinstance(app.screen, kind)


@pytest.fixture
def sixty(workspace: Workspace, tmp_path: Path) -> Workspace:
    """A newer run of sixty failing cases."""
    records = [record(number, **MISS) for number in range(1, 61)]
    workspace.ingest([write(tmp_path / "sixty.jsonl", records, created_at="2026-11-03T10:00:00Z")])
    return workspace


async def test_marks_stay_with_their_run_and_that_they_are_let_go_is_said(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("x", "x")
        app.triage.selection.open_run("before")
        await settle(pilot, lambda: app.triage.selection.scope.run == "before")
        assert not app.triage.cases.marked
        await settle(pilot, lambda: "2 marks in now let go" in text_of(app))


async def test_a_range_is_marked_from_the_last_mark_or_from_the_start_and_all_shown_by_one_key(
    app: TriageApp,
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("j", "X")
        assert marked(app) == {"C01", "C04"} and app.triage.cases.row.id == "C04"
        await pilot.press("escape", "j", "x", "j", "X")
        assert marked(app) == {"C02", "C06", "C08"}
        await pilot.press("A")
        await settle(pilot)
        assert len(app.triage.cases.marked) == 5 and "5 marked" in text_of(app)
        await pilot.press("A")
        await settle(pilot)
        assert not app.triage.cases.marked and "marked" not in text_of(app)


async def test_marks_stay_through_sort_view_and_filter_and_say_how_many_are_not_shown(
    app: TriageApp, workspace: Workspace
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("x", "x")
        app.triage.selection.change(sort="-id")
        await settle(pilot)
        assert marked(app) == {"C01", "C04"}
        app.triage.selection.text("id:C04 OR id:C02")
        await settle(pilot, lambda: len(app.triage.cases.keys) == 2)
        await settle(pilot)
        assert "2 marked, 1 not shown" in text_of(app)
        await pilot.press("1")
        await settle(pilot, lambda: "2 cases tagged retrieval, 1 of them not shown   u undo" in text_of(app))
        assert verdicts(workspace) == {"C01": "retrieval", "C04": "retrieval"}


async def test_the_filter_finds_what_is_marked_in_list_and_panels(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("x", "x")
        app.triage.selection.text("is:marked")
        await settle(pilot, lambda: len(app.triage.cases.keys) == 2)
        await settle(pilot)
        assert app.triage.view.matching == 2 and app.triage.view.classes["retrieval"] == 2


async def test_marks_follow_their_cases_into_a_new_revision_and_go_with_the_run(
    app: TriageApp, workspace: Workspace, tmp_path: Path
) -> None:
    from screen_help import ten

    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("x", "x", "x")
        write(
            tmp_path / "now.jsonl",
            [one for one in reversed(ten()) if one["id"] != "C02"],
            created_at="2026-11-02T10:00:00Z",
            kb_version="kb2",
        )
        workspace.ingest([tmp_path / "now.jsonl"])
        await settle(pilot, lambda: app.triage.run_shown.revision == 2)
        await settle(pilot, lambda: "1 marked case no longer in the file" in text_of(app))
        assert marked(app) == {"C01", "C04"}
        await pilot.press("3")
        await settle(pilot, lambda: "2 cases tagged refusal" in text_of(app))
        await pilot.press("x")
        await app.run_action("screen.go('run', 'before')", app.triage)
        await settle(pilot, lambda: app.triage.run_shown.id == "before")
        assert not app.triage.cases.marked


async def test_a_key_on_more_than_fifty_cases_asks_once_and_undo_takes_the_whole_back(
    sixty: Workspace,
) -> None:
    app = TriageApp(sixty)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("j", "A", "2")
        await settle(pilot, dialog_is(app, Decide))
        assert "tag 60 cases ranking?" in text_of(app)
        await pilot.press("escape")
        await settle(pilot)
        assert verdicts(sixty, "sixty") == {} and len(app.triage.cases.marked) == 60
        await pilot.press("2")
        await settle(pilot, dialog_is(app, Decide))
        await pilot.press("y")
        await settle(pilot, lambda: "60 cases tagged ranking" in text_of(app))
        assert set(verdicts(sixty, "sixty").values()) == {"ranking"} and not app.triage.cases.marked
        await pilot.press("u")
        await settle(pilot, lambda: "undone: 60 cases" in text_of(app))
        assert verdicts(sixty, "sixty") == {} and app.triage.cases.row.id == "C02"


async def test_space_on_marked_cases_accepts_each_ones_own_and_a_batch_is_not_undone_over_somebody_elses(
    app: TriageApp, workspace: Workspace, other: Workspace
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("A", "space")
        await settle(pilot, lambda: "4 cases tagged as suggested; nothing to accept on C08" in text_of(app))
        assert verdicts(workspace) == {
            "C01": "retrieval",
            "C04": "retrieval",
            "C02": "ranking",
            "C06": "citation-semantic",
        }
        other.tag("now", ["C02"], "other")
        await pilot.press("u")
        await settle(pilot, lambda: "cannot undo: C02 was changed by li since" in text_of(app))
        assert len(verdicts(workspace)) == 4


async def test_labels_of_many_are_added_and_taken_and_the_rest_stays(
    app: TriageApp, workspace: Workspace
) -> None:
    workspace.set_labels("now", ["C01", "C04"], ["stale-doc"])
    workspace.set_labels("now", ["C02"], ["路由错误", "prompt"])
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("x", "x", "x", "l")
        await settle(pilot, dialog_is(app, LabelsDialog))
        shown = text_of(app)
        assert "labels of 3 cases" in shown and "[-] stale-doc" in shown and "on 2 of 3" in shown
        assert "[-] 路由错误" in shown and "[ ] missing-doc" in shown
        app.screen.query_one(Input).value = "路由"
        await pilot.press("enter")
        app.screen.query_one(Input).value = "新词"
        await settle(pilot)
        assert "a new label" in text_of(app)
        await pilot.press("enter", *"stale", "space", "space")
        await settle(pilot)
        assert "[ ] stale-doc" in text_of(app) and "to be taken away" in text_of(app)
        assert "enter saves 3 changes" in text_of(app)
        await pilot.press("enter")
        await settle(pilot, lambda: "3 cases labelled" in text_of(app))
        assert labels(workspace, "C01") == ("路由错误", "新词") and not app.triage.cases.marked
        assert labels(workspace, "C02") == ("路由错误", "prompt", "新词")
        await pilot.press("u")
        await settle(pilot, lambda: "undone: 3 cases" in text_of(app))
        assert labels(workspace, "C04") == ("stale-doc",)


async def test_escape_clears_what_is_typed_then_leaves_the_labels_alone(
    app: TriageApp, workspace: Workspace
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("l")
        await settle(pilot, dialog_is(app, LabelsDialog))
        await pilot.press("space", *"a|b")
        assert app.screen.at is None and "can't hold |" in text_of(app)
        await pilot.press("escape")
        assert isinstance(app.screen, LabelsDialog) and app.screen.typed == ""
        await pilot.press("escape")
        await settle(pilot)
        assert app.screen is app.triage and labels(workspace, "C01") == ()


async def test_hostile_labels_are_shown_as_they_are_and_harmless(app: TriageApp, other: Workspace) -> None:
    other.set_labels("now", ["C01"], [HOSTILE, "[/]", "长" * 60])
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("l")
        await settle(pilot, dialog_is(app, LabelsDialog))
        shown = text_of(app)
        assert "[x] [/] " in shown and "\x1b" not in shown and "长»" in shown
        await pilot.press("space", "down", "space", "enter")
        await settle(pilot, lambda: app.screen is app.triage)
        assert "\x1b" not in text_of(app)


async def test_a_deferred_case_says_later_and_comes_when_no_other_is_left(
    app: TriageApp, workspace: Workspace
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("d")
        await settle(pilot, lambda: "C01 deferred   u undo" in text_of(app))
        assert app.triage.cases.row.id == "C04" and "C01   later " in text_of(app)
        await pilot.press("1", "2", "4", "5")
        await settle(pilot, lambda: len(verdicts(workspace)) == 4)
        await settle(pilot)
        assert app.triage.cases.row.id == "C01"
        await settle(pilot, lambda: app.triage.detail.detail.row.id == "C01")
        await settle(pilot)
        assert " deferred " in text_of(app)
        await pilot.press("d")
        await settle(pilot, lambda: "C01 no longer deferred" in text_of(app))
        assert "C01   retrieval?" in text_of(app) and app.triage.cases.row.id == "C01"
        await pilot.press("u")
        await settle(pilot, lambda: "undone: C01 is deferred" in text_of(app))
        app.triage.selection.text("is:deferred")
        await settle(pilot, lambda: len(app.triage.cases.keys) == 1)


async def test_a_judged_case_is_not_put_off_and_marked_ones_are_at_once(
    app: TriageApp, workspace: Workspace
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("1", "k", "d")
        await settle(pilot, lambda: "C01: judged already, nothing to put off" in text_of(app))
        await pilot.press("A", "d")
        await settle(pilot, lambda: "4 cases deferred; 1 case judged" in text_of(app))
        assert len(workspace.case_keys(Scope("now", text="is:deferred"))) == 4


async def test_cases_put_off_far_down_are_skipped_by_the_search_too(
    sixty: Workspace, tmp_path: Path, workspace: Workspace
) -> None:
    records = [record(number, **MISS) for number in range(1, 401)]
    sixty.ingest([write(tmp_path / "many.jsonl", records, created_at="2026-11-04T10:00:00Z")])
    ids = [one["id"] for one in records]
    sixty.tag("many", ids[1:300], "other")
    sixty.bulk.defer("many", ids[300:399])
    app = TriageApp(sixty)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("1")
        await settle(pilot, lambda: app.triage.cases.row is not None and app.triage.cases.row.id == "C400")
        await pilot.press("1")
        await settle(pilot, lambda: app.triage.cases.row is not None and app.triage.cases.row.id == "C301")


async def test_a_setting_that_stays_holds_for_batches(app: TriageApp, workspace: Workspace) -> None:
    workspace.settings = replace(workspace.settings, advance=False)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("A", "1")
        await settle(pilot, lambda: len(verdicts(workspace)) == 5)
        assert app.triage.cases.row.id == "C01"


def test_a_hundred_thousand_keys_are_marked_without_a_row(app: Any) -> None:
    from array import array

    from triage.ui.widgets.marks import Marks

    marks, keys = Marks(), array("q", range(100_000))
    marks.all(keys)
    assert len(marks) == 100_000
    marks.shown_in(keys[:10])
    assert marks.hidden == 99_990
    marks.all(keys)
    assert not marks and marks.hidden == 0
    marks.toggle(7)
    marks.reach(keys, 3)
    assert marks.keys == {3, 4, 5, 6, 7}
    marks.toggle(4)
    marks.move({3: 103, 5: 105})
    assert marks.keys == {103, 105} and marks.last is None
