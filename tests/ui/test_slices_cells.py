"""Slices: a click on a crossed cell, what is not recorded, few colours, sentences that are still checked."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from screen_help import record, settle, text_of, write
from slices_help import choose, loaded, open_slices, slices_of
from textual.pilot import Pilot

from triage.ingest import load as loading
from triage.models.query import Scope
from triage.models.run import LoadOptions
from triage.models.sentences import CHECK_METRICS
from triage.models.slices import Dimension
from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.ui.palette import Palette, colours
from triage.ui.screens import triage as screen
from triage.ui.screens.dialogs import Choose
from triage.ui.screens.slices import SlicesScreen
from triage.ui.screens.triage import TriageScreen
from triage.ui.widgets.slices_grid import columns_at, grid
from triage.ui.widgets.slices_model import Order, Question, named, one
from triage.ui.widgets.slices_strip import SliceStrip
from triage.ui.widgets.slices_table import GridSheet, HeatSheet, OneSheet, SliceHead, SliceList
from triage.ui.widgets.slices_tint import STEPS, tinted
from triage.ui.work.slices_showing import had
from triage.workspace import Workspace


@pytest.fixture
def sliced(tmp_path: Path) -> Iterator[Workspace]:
    made = loaded(tmp_path)
    yield made
    made.close()


def heat_of(app: TriageApp) -> HeatSheet:
    sheet = slices_of(app).table.sheet
    assert isinstance(sheet, HeatSheet)
    return sheet


async def click(pilot: Pilot[Any], word: str, row: int) -> None:
    """Click in the column under a word of the header, on a row of the table."""
    place = slices_of(pilot.app).query_one(SliceHead).region
    heading = text_of(pilot.app).splitlines()[place.y]
    await pilot.click(SliceList, offset=(heading.index(word) + len(word) - 1, row))
    await settle(pilot)


async def test_a_click_on_a_crossed_cell_selects_it_and_another_opens_it(sliced: Workspace) -> None:
    app = TriageApp(sliced)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_slices(pilot)
        await choose(pilot, "x", "difficulty")
        sheet = heat_of(app)
        for row, column in ((1, 1), (1, 0), (0, 1)):
            await click(pilot, sheet.model.columns[column], row)
            assert (slices_of(app).table.position, heat_of(app).model.column) == (row, column)
            told = slices_of(app).query_one(SliceStrip).told
            assert told is not None and told.cell == heat_of(app).cell(row)
        assert app.triage.left is not None and app.triage.left.column == 1
        cell = heat_of(app).cell(0)
        await click(pilot, sheet.model.columns[1], 0)
        await settle(pilot, lambda: isinstance(app.screen, TriageScreen))
        assert cell is not None and len(sliced.case_keys(app.triage.selection.scope)) == cell.cases


def test_not_recorded_stands_last_of_two_crossed_dimensions(tmp_path: Path) -> None:
    made = Workspace(tmp_path / "triage.db", Settings(), reviewer="wei")
    some = [{"conflict": {"resolved": True, "correct": True}}, {"conflict": {"resolved": False}}, {}, {}, {}]
    made.ingest([write(tmp_path / "few.jsonl", [record(at) | one for at, one in enumerate(some)])])
    table = made.slicing.cross(Scope("few"), "conflict.resolved", "conflict.correct")
    assert [head.part.value for head in table.rows] == ["false", "true", "(not recorded)"]
    assert [head.part.value for head in table.columns] == ["true", "(not recorded)"]
    made.close()


async def test_d_opens_the_dimensions_as_soon_as_they_are_read(
    sliced: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, read = threading.Event(), sliced.slicing.dimensions

    def slowly(scope: Scope) -> tuple[Dimension, ...]:
        there.wait(10)
        return read(scope)

    monkeypatch.setattr(sliced.slicing, "dimensions", slowly)
    app = TriageApp(sliced)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("S")
        await settle(pilot, lambda: isinstance(app.screen, SlicesScreen) and bool(slices_of(app).answer))
        await pilot.press("d", "d", "down")
        await settle(pilot, lambda: "the list opens then" in text_of(app))
        assert slices_of(app).table.position == 1
        there.set()
        await settle(pilot, lambda: isinstance(app.screen, Choose))
        await pilot.press("escape")
        await settle(pilot, lambda: isinstance(app.screen, SlicesScreen))
        await settle(pilot)
        assert isinstance(app.screen, SlicesScreen)


async def test_what_compares_runs_is_not_crossed_but_stands_alone(sliced: Workspace) -> None:
    app = TriageApp(sliced)
    async with app.run_test(size=(100, 30)) as pilot:
        await open_slices(pilot)
        await choose(pilot, "x", "difficulty")
        await choose(pilot, "d", "run: kb")
        screen = slices_of(app)
        assert (screen.question.by, screen.question.mode) == ("run.kb_version", "one")
        assert screen.answer is not None and "error" not in text_of(app)
        assert {line.row.value for line in screen.table.sheet.model.lines} == {"kb1", "kb2"}
        await choose(pilot, "x", "route")
        assert (screen.question.by, screen.question.cross) == ("expected_route", "route")
        asked = Question("run.kb_version", "failing", "cross", "topic")
        assert had(asked, screen.dimensions) == {"mode": "one"}


@pytest.mark.parametrize("cells", [80, 120])
def test_a_hundred_thousand_cases_are_not_cut(sliced: Workspace, cells: int) -> None:
    table = sliced.slicing.table(Scope("now"), "topic", "hit")
    large = replace(table, whole=replace(table.whole, cases=1_234_567))
    ink = Palette({}, dark=True, ansi=False, colourless=False)
    for sheet in (OneSheet(one(large, "hit", Order()), ""), GridSheet(grid(large, "hit", Order(), cells))):
        line = sheet.whole(cells, ink)
        assert " 1234567 " in line.text and line.cell_length == cells


@pytest.mark.parametrize("value", [" ", "\n\n", "\u3000", "\t"])
def test_a_value_of_blanks_alone_is_seen(value: str) -> None:
    shown = named(value)
    assert len(shown) > 2 and shown[0] == shown[-1] == '"' and shown.isprintable()
    assert named("refund now") == "refund now"


def test_no_metric_is_marked_as_chosen_where_failing_cases_are(sliced: Workspace) -> None:
    table = sliced.slicing.table(Scope("now"), "topic")
    model = grid(table, "failing", Order(), 120)
    assert model.metric is None
    assert columns_at(120, model, 0).first == 0
    chosen = grid(table, "mrr", Order(), 120).metric
    assert chosen is not None and chosen.key == "mrr"


async def test_a_slice_tells_how_many_cases_however_long_its_names_are(tmp_path: Path) -> None:
    made = Workspace(tmp_path / "triage.db", Settings(), reviewer="wei")
    name = "a_key_with_a_very_long_name"
    records = [record(at) | {name: "退款" * 40, f"{name}_2": "值" * 80} for at in range(3)]
    made.ingest([write(tmp_path / "long.jsonl", records)])
    app = TriageApp(made)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_slices(pilot)
        await choose(pilot, "d", "very")
        await choose(pilot, "x", "very")
        line = next(line for line in text_of(app).splitlines() if "none failing" in line)
        assert "  3 cases  none failing" in line and line.rstrip().endswith(" 1 of 1")
    made.close()


@pytest.mark.parametrize("mode", ["none", "ansi"])
async def test_in_few_colours_only_what_should_not_be_is_filled(
    sliced: Workspace, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    if mode == "none":
        monkeypatch.setenv("NO_COLOR", "1")
    app = TriageApp(sliced, theme="triage-ansi" if mode == "ansi" else None)
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        ink = colours(app)
        assert tinted(ink, "other", STEPS) == ink("text", "bg")
        assert tinted(ink, "bad", STEPS) == ink.fill("bad", bold=mode == "none")


@pytest.fixture
def unchecked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    """Two runs of large files: their sentences are checked when that is asked for."""
    monkeypatch.setattr(loading, "SMALL", 0)
    monkeypatch.setattr(screen, "INDEX_AFTER", 3600.0)
    made = Workspace(tmp_path / "triage.db", Settings(), reviewer="wei")
    records = [record(at, topic="refund" if at % 2 else "发票") for at in range(20)]
    old = write(tmp_path / "old.jsonl", records, created_at="2026-11-01T10:00:00Z")
    new = write(tmp_path / "new.jsonl", records, created_at="2026-11-02T10:00:00Z")
    made.ingest([old, new], LoadOptions(), aside=True)
    yield made
    made.close()


async def test_a_number_that_waits_for_the_sentence_check_says_so(unchecked: Workspace) -> None:
    app = TriageApp(unchecked)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_slices(pilot)
        await choose(pilot, "m", "rule-checked")
        lines = text_of(app).splitlines()
        assert all("checking" in line for line in lines if line[1:].startswith(("refund", "发票", "whole")))
        assert "checking: its sentences are still being read" in "\n".join(lines)
        await pilot.press("a")
        await settle(pilot)
        assert {one.key for one in slices_of(app).metrics} >= CHECK_METRICS
        slices_of(app).change(by="check", mode="one")
        await settle(pilot)
        assert "checking: the sentences of the answers are still being read" in text_of(app)
        assert unchecked.checking.build()
        await settle(pilot, lambda: "checking" not in text_of(app), 20)
        assert "supported" in text_of(app)


def test_what_the_baselines_check_says_is_not_kept_from_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Workspace(tmp_path / "triage.db", Settings(), reviewer="wei")
    records = [record(at) for at in range(20)]
    monkeypatch.setattr(loading, "SMALL", 0)
    old = write(tmp_path / "old.jsonl", records, created_at="2026-11-01T10:00:00Z")
    made.ingest([old], LoadOptions(), aside=True)
    new = write(tmp_path / "new.jsonl", records, created_at="2026-11-02T10:00:00Z")
    made.ingest([new], LoadOptions())

    def values() -> tuple[float | None, float | None]:
        row = made.slicing.table(Scope("new"), "topic").rows[0]
        return row.metrics["citation_support"].value, row.base["citation_support"].value

    assert values() == (1.0, None)
    assert made.checking.build()
    assert values() == (1.0, 1.0)
    made.close()
