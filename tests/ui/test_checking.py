"""Sentences of a large run are checked beside the app: it says so, and nothing moves at the end of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from screen_help import HOSTILE, MISS, record, settle, text_of, write

from triage.ingest import load as loading
from triage.models.query import Scope
from triage.models.run import LoadOptions
from triage.models.sentences import CHECK_METRICS
from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.ui.screens import triage as screen
from triage.ui.widgets.panel_model import explain, reduce
from triage.workspace import Workspace

WRONG = {"answer": "退款 9 days [S1]", "retrieved": [{"id": "KB-1", "text": "seven days, or 7 days"}]}
CASES = 300


def cases() -> list[dict[str, Any]]:
    """Every third case misses; of the others every tenth says a number that its source does not have."""
    made = [record(number, answer="It takes 7 days. [S1]") for number in range(CASES)]
    for number, one in enumerate(made):
        one["retrieved"] = [{"id": "KB-1", "text": "It takes 7 days."}]
        one |= MISS if number % 3 == 0 else WRONG if number % 10 == 1 else {}
    made[3] |= {"query": HOSTILE, "answer": HOSTILE + " [S1]"}
    return made


@pytest.fixture
def unchecked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    """A run as the app loads a large one; the check begins when it is told to."""
    monkeypatch.setattr(loading, "SMALL", 0)
    monkeypatch.setattr(screen, "INDEX_AFTER", 3600.0)
    made = Workspace(tmp_path / "triage.db", Settings(), reviewer="wei")
    made.ingest([write(tmp_path / "now.jsonl", cases())], LoadOptions(), aside=True)
    yield made
    made.close()


def support(app: TriageApp) -> Any:
    view = app.triage.view
    return None if view is None else view.metrics["citation_support"].value


async def test_cells_say_checking_until_the_numbers_are_there(unchecked: Workspace) -> None:
    app = TriageApp(unchecked)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "checking" in text_of(app) and support(app) is None
        app.triage.index()
        await settle(pilot, lambda: support(app) is not None, 40)
        await settle(pilot, lambda: "checking" not in text_of(app))
        assert not app.triage.view.checking
    assert unchecked.checking.waiting() == []


def test_a_panel_keeps_the_place_of_what_is_checked(unchecked: Workspace) -> None:
    view = unchecked.run_view(Scope("now"))
    figures = [one for panel in reduce(view).panels if panel.name == "citation" for one in panel.figures]
    waits = {one.key for one in figures if one.said == "checking"}
    assert waits == CHECK_METRICS
    assert all("checking" in explain(view, key) for key in CHECK_METRICS)
    order = [one.key for one in figures]
    assert unchecked.checking.build()
    done = unchecked.run_view(Scope("now"))
    after = [one for panel in reduce(done).panels if panel.name == "citation" for one in panel.figures]
    assert [one.key for one in after] == order
    assert not [one for one in after if one.said == "checking"]
    assert "checking" not in explain(done, "citation_support")


async def test_nothing_moves_when_the_numbers_come(unchecked: Workspace) -> None:
    app = TriageApp(unchecked)
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        listed = app.triage.cases
        await pilot.press(*"jjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjj", "x", "j", "x", "j", "j")
        await settle(pilot)
        case, shown = listed.row.id, len(listed.keys)
        from_top = listed.position - listed.scroll_offset.y
        marked = set(listed.marked.keys)
        assert len(marked) == 2
        await pilot.press("n", *"half a note")
        app.triage.index()
        await settle(pilot, lambda: app.triage.view is not None and not app.triage.view.checking, 40)
        await settle(pilot, lambda: len(listed.keys) > shown)
        assert "half a note" in text_of(app)
        assert listed.row.id == case
        assert listed.position - listed.scroll_offset.y == from_top
        assert set(listed.marked.keys) == marked
        await pilot.press("ctrl+s")
        await settle(pilot, lambda: listed.row.review is not None)
    failing = unchecked.case_keys(Scope("now", text="is:failing", sort=""))
    assert list(listed.keys) == list(failing)
    assert unchecked.case_detail(Scope("now"), case).row.review.note == "half a note"


async def test_a_list_of_what_the_check_finds_fills_when_it_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "SMALL", 0)
    monkeypatch.setattr(screen, "INDEX_AFTER", 3600.0)
    made = Workspace(tmp_path / "triage.db", Settings(), reviewer="wei")
    made.ingest([write(tmp_path / "now.jsonl", cases())], LoadOptions(), aside=True)
    app = TriageApp(made)
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await pilot.press("slash", *"check:unsupported suggestion:citation-semantic", "enter")
        await settle(pilot)
        assert len(app.triage.cases.keys) == 0
        app.triage.index()
        await settle(pilot, lambda: len(app.triage.cases.keys) == 20, 40)
        await settle(pilot, lambda: app.triage.cases.row is not None)
        await pilot.press("1")
        await settle(pilot, lambda: app.triage.view.reviewed == 1)
    assert len(made.case_keys(Scope("now", text="verdict:retrieval mismatch:duration"))) == 1
    made.close()


async def test_an_app_that_ends_leaves_the_rest_for_the_next_day(unchecked: Workspace) -> None:
    app = TriageApp(unchecked)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.triage.index()
        await pilot.pause(0.05)
    assert unchecked.run_view(Scope("now")).failing >= CASES // 3
    again = TriageApp(unchecked)
    async with again.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        again.triage.index()
        await settle(pilot, lambda: support(again) is not None, 40)
    assert unchecked.upkeep.check().faults == ()


async def test_a_large_file_that_comes_while_the_app_is_open_is_checked_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "SMALL", 0)
    monkeypatch.setattr(screen, "INDEX_AFTER", 0.05)
    made = Workspace(tmp_path / "triage.db", Settings(), reviewer="wei")
    path = write(tmp_path / "now.jsonl", cases()[:40])
    app = TriageApp(made, paths=[path])
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot, lambda: support(app) is not None, 40)
        assert made.checking.waiting() == []
        write(path, cases()[:60])
        app.triage.action_reload()
        await settle(pilot, lambda: app.triage.view is not None and app.triage.view.cases == 60, 20)
        await settle(pilot, lambda: not app.triage.view.checking and support(app) is not None, 40)
    assert made.checking.waiting() == []
    made.close()
