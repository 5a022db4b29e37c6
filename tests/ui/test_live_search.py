"""A search that takes its time never holds the keys, and gives way to the next one."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from screen_help import settle, text_of, write

from triage.errors import Stopped
from triage.models.query import First, Scope
from triage.models.run import LoadOptions, Progress
from triage.store.search import LEAST
from triage.ui.app import TriageApp
from triage.ui.work import marking, speech
from triage.workspace import Workspace, indexing


def many(count: int) -> list[dict[str, object]]:
    return [
        {"id": f"C{number:05}", "query": f"第{number}个退货问题", "answer": "七天内可退" * 8, "passed": False}
        for number in range(count)
    ]


def test_a_long_question_is_given_up_when_it_is_called_off(workspace: Workspace, tmp_path: Path) -> None:
    workspace.ingest([write(tmp_path / "many.jsonl", many(3000))], LoadOptions())
    scope = Scope("many", text="evidence:nowhere*at*all")
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return True

    with pytest.raises(Stopped), workspace.stoppable(stop):
        workspace.case_keys(scope)
    assert asked
    assert list(workspace.case_keys(scope)) == []


async def test_the_newer_filter_interrupts_the_older_one(
    workspace: Workspace, app: TriageApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speech, "SEARCHES", 0.02)
    real, stopped, started = workspace.case_keys, threading.Event(), threading.Event()

    def slow(scope: Scope, *rest: object) -> object:
        if scope.text != "slow":
            return real(scope, *rest)  # type: ignore[arg-type]
        started.set()
        called_off = workspace._stores._local.stopped
        while not called_off():
            time.sleep(0.005)
        stopped.set()
        raise Stopped

    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        monkeypatch.setattr(workspace, "case_keys", slow)
        await pilot.press("slash", *"slow")
        await settle(pilot, started.is_set)
        await settle(pilot, lambda: "searching" in text_of(app))
        await pilot.press("escape", "down")
        assert app.triage is not None and app.triage.cases.position == 1
        await pilot.press("escape")
        await settle(pilot)
        assert stopped.is_set()
        assert app.triage.selection.scope is not None and app.triage.selection.scope.text == ""
        assert "searching" not in text_of(app)


async def test_the_first_cases_of_a_long_search_are_shown_before_the_others(
    workspace: Workspace, app: TriageApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.ingest([write(tmp_path / "many.jsonl", many(600), created_at="2026-11-05")], LoadOptions())
    goes_on, real = threading.Event(), workspace.case_keys

    def slow(scope: Scope, marked: frozenset[int], first: First | None = None) -> object:
        if scope.text == "" or first is not None:
            return real(scope, marked, first)
        while not goes_on.wait(0.005):
            if workspace._stores._local.stopped():
                raise Stopped
        return real(scope, marked, first)

    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        screen = app.triage
        assert screen is not None
        monkeypatch.setattr(workspace, "case_keys", slow)
        await pilot.press("slash", *"answer:七天")
        await settle(pilot, lambda: "256+ of 600" in text_of(app))
        await pilot.press("escape", "down", "down")
        here = screen.cases.pk
        goes_on.set()
        await settle(pilot)
        assert "600 of 600" in text_of(app)
        assert screen.cases.pk == here


async def test_all_are_marked_only_when_the_search_has_found_all_and_no_verdict_goes_elsewhere_meanwhile(
    workspace: Workspace, app: TriageApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(marking, "HOLDS", 0.05)
    workspace.ingest([write(tmp_path / "many.jsonl", many(600), created_at="2026-11-05")], LoadOptions())
    goes_on, real = threading.Event(), workspace.case_keys

    def slow(scope: Scope, marked: frozenset[int], first: First | None = None) -> object:
        if scope.text == "" or first is not None:
            return real(scope, marked, first)
        while not goes_on.wait(0.005):
            if workspace._stores._local.stopped():
                raise Stopped
        return real(scope, marked, first)

    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        screen = app.triage
        assert screen is not None
        monkeypatch.setattr(workspace, "case_keys", slow)
        await pilot.press("slash", *"answer:七天")
        await settle(pilot, lambda: "256+ of 600" in text_of(app))
        await pilot.press("enter", "A")
        await settle(pilot, lambda: "all are marked when the search is through" in text_of(app))
        await pilot.press("1", "space")
        assert not screen.cases.marked and not screen.writer.waiting
        await pilot.press("escape")
        assert screen.marking is not None and not screen.marking.waits
        await pilot.press("A")
        goes_on.set()
        await settle(pilot, lambda: bool(screen.cases.marked))
        assert len(screen.cases.marked) == 600
        await pilot.press("A")
        assert not screen.cases.marked
    assert not real(Scope("many", text="is:tagged"), frozenset())


async def test_marking_all_right_after_another_view_waits_for_that_view(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        screen = app.triage
        assert screen is not None
        failing = len(screen.cases.keys)
        screen.action_view()
        screen.action_mark("all")
        assert not screen.cases.marked
        await settle(pilot, lambda: bool(screen.cases.marked))
        assert len(screen.cases.marked) == len(screen.cases.keys) != failing


def test_the_first_keys_are_the_first_of_all(workspace: Workspace) -> None:
    for scope in (
        Scope("now", view="failing", sort=""), Scope("now", sort=""), Scope("now", sort="file"),
        Scope("now", sort="-file"), Scope("now", sort="", text="question"), Scope("now", text="C0", sort=""),
    ):  # fmt: skip
        every = list(workspace.case_keys(scope))
        for count in (1, 3, 100):
            assert list(workspace.case_keys(scope, frozenset(), First(count))) == every[:count]
        if len(every) > 3:
            kept, lost = First(3, (every[1],)), First(3, (every[3],))
            assert list(workspace.case_keys(scope, frozenset(), kept)) == every[:3]
            assert list(workspace.case_keys(scope, frozenset(), lost)) == []
    assert list(workspace.case_keys(Scope("now", sort="id"), frozenset(), First(3))) == []


async def test_the_index_is_built_while_the_run_is_used(
    workspace: Workspace, app: TriageApp, tmp_path: Path
) -> None:
    workspace.ingest([write(tmp_path / "large.jsonl", many(LEAST), created_at="2026-11-05")], LoadOptions())
    assert workspace.indexing.waiting() == ["large"]
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        screen = app.triage
        assert screen is not None
        screen.index()
        await pilot.press("down", "1")
        await settle(pilot, lambda: not workspace.indexing.waiting(), seconds=30)
        await settle(pilot)
        await pilot.press("slash", *"个退", "enter")
        await settle(pilot, lambda: len(screen.cases.keys) == LEAST)
    assert screen.view is not None


def test_building_stops_when_it_is_called_off_and_goes_on_later(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.ingest([write(tmp_path / "many.jsonl", many(1200))], LoadOptions())
    monkeypatch.setattr(indexing, "_TELLS", 0)
    cancel, told = threading.Event(), []

    def tell(progress: Progress) -> None:
        told.append((progress.path, progress.records, progress.total_bytes, progress.stage))
        cancel.set()

    assert not workspace.indexing.build(tell, cancel, least=1000)
    assert told == [("many", 250, 1200, "indexing")]
    assert workspace.indexing.build(least=1000)
    assert workspace.indexing.waiting(1000) == []
    assert len(workspace.case_keys(Scope("many", text="退货"))) == 1200
