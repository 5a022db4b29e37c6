"""Every number is a door, and every screen without cases says what to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from screen_help import record, settle, text_of, write

from triage.models.query import Drill
from triage.models.run import LoadOptions
from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.workspace import Workspace


async def test_enter_on_a_metric_goes_worse_then_scope_then_missing_and_esc_leads_out(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        app.triage.panels.focus()
        await settle(pilot)
        lines = text_of(app).splitlines()
        assert "tells" in lines[1] and "8/10" in lines[7]
        seen, said = [], []
        for _ in range(4):
            await pilot.press("enter")
            await settle(pilot)
            drill = app.triage.selection.scope.drill
            seen.append((drill.metric, drill.part, len(app.triage.cases.keys)))
            said.append(text_of(app).splitlines()[7].split("  ")[-1].strip())
        assert seen == [("hit", "worse", 2), ("hit", "scope", 10), ("hit", "missing", 0), ("hit", "worse", 2)]
        # What is drilled into stands beside the metric that has the focus.
        assert said == ["Hit@3 worse 2 of 10", "Hit@3 in scope 10 of 10", "Hit@3 missing 0 of 10", said[0]]
        await pilot.press("escape")
        await settle(pilot)
        assert app.triage.selection.scope.drill is None and len(app.triage.cases.keys) == 5


async def test_a_class_count_is_a_door_by_keyboard(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("shift+tab", "right", "enter")
        await settle(pilot)
        assert app.triage.selection.scope.drill == Drill(failure_class="ranking")
        assert [app.triage.cases.row.id, len(app.triage.cases.keys)] == ["C02", 1]
        assert "ranking 1 of 10" in text_of(app)


async def test_tab_goes_round_the_panes_and_the_footer_follows(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        seen = []
        for _ in range(5):
            seen.append(type(app.focused).__name__)
            await pilot.press("tab")
            await pilot.pause()
        assert seen == ["CaseList", "CaseDetail", "MetricPanels", "Doors", "CaseList"]


async def test_first_screen_has_three_ways_on(tmp_path: Path) -> None:
    nothing = Workspace(tmp_path / "none.db", Settings(), reviewer="wei")
    app = TriageApp(nothing)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        text = text_of(app)
        assert all(words in text for words in ("d  look around", "o  open a run file", "?  what a run file"))
        assert not (tmp_path / "none.db").exists()
        await pilot.press("question_mark")
        await settle(pilot)
        assert "A run file is one evaluation run" in text_of(app)
        await pilot.press("escape", "o", *str(tmp_path / "nowhere"), "enter")
        await settle(pilot)
        assert "there is no" in text_of(app)
        await pilot.press("escape")
        path = write(tmp_path / "r.jsonl", [record(1, error="x"), record(2)])
        await pilot.press("o", *str(path), "enter")
        await settle(pilot, lambda: app.triage.view is not None and app.triage.cases.row is not None)
        assert "1 failing" in text_of(app) and app.focused is app.triage.cases


async def test_d_shows_the_demo_on_a_database_of_its_own(tmp_path: Path) -> None:
    app = TriageApp(Workspace(tmp_path / "none.db", Settings(), reviewer="wei"))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("d")
        await settle(pilot, lambda: app.triage is not None and app.triage.cases.row is not None, 30)
        await settle(pilot)
        assert "wei demo" in text_of(app) and not (tmp_path / "none.db").exists()
        kept = Path(app.workspace.database)
        assert kept.exists()
    assert not kept.exists()


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
async def test_a_run_in_which_nothing_fails_looks_deliberate(tmp_path: Path, size: tuple[int, int]) -> None:
    made = Workspace(tmp_path / "t.db", Settings(), reviewer="wei")
    app = TriageApp(made, paths=[write(tmp_path / "good.jsonl", [record(1), record(2)])])
    async with app.run_test(size=size) as pilot:
        await settle(pilot, lambda: app.triage.view is not None)
        await settle(pilot)
        text = text_of(app)
        assert "nothing fails in 2 cases" in text and "f shows all" in text and "0 failing" in text
        await pilot.press("f")
        await settle(pilot)
        assert len(app.triage.cases.keys) == 2


@pytest.mark.parametrize(
    "fields",
    [
        {"passed": False},
        {"answer": "hm"},
        {"scores": {"faithfulness": 1}},
        {"turns": [{"user": "a"}], "query": None},
    ],
)
async def test_a_run_that_records_next_to_nothing_opens(tmp_path: Path, fields: dict[str, object]) -> None:
    made = Workspace(tmp_path / "t.db", Settings(), reviewer="wei")
    bare = {"id": "only", "query": "q"} | fields
    app = TriageApp(made, paths=[write(tmp_path / "bare.jsonl", [bare])])
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot, lambda: app.triage.view is not None)
        await pilot.press("f")
        await settle(pilot)
        assert "only" in text_of(app) and "bug in triage" not in text_of(app)


async def test_a_file_that_can_not_be_read_is_told_with_its_reason(tmp_path: Path) -> None:
    made = Workspace(tmp_path / "t.db", Settings(), reviewer="wei")
    (tmp_path / "broken.jsonl").write_text("{]\n", "utf-8")
    app = TriageApp(made, paths=[tmp_path / "broken.jsonl"])
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await settle(pilot)
        assert "broken.jsonl" in text_of(app)
        assert app.triage.stage.where() == "first"


async def test_rejected_records_are_told_and_listed(tmp_path: Path) -> None:
    made = Workspace(tmp_path / "t.db", Settings(), reviewer="wei")
    path = write(tmp_path / "r.jsonl", [record(1, error="x"), record(1), {"id": "q"}])
    app = TriageApp(made, paths=[path])
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot, lambda: app.triage.cases.row is not None)
        assert "2 of 3 rejected" in text_of(app)
        await pilot.press("p")
        await settle(pilot)
        assert text_of(app).count(" rejected ") == 3 and "line 3" in text_of(app)


async def test_all_tagged_is_said_and_esc_leads_to_all_cases(app: TriageApp, workspace: Workspace) -> None:
    workspace.tag("now", ["C01", "C04"], "retrieval")
    workspace.tag("now", ["C02", "C06"], "ranking")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("G", "5")
        await settle(pilot, lambda: "as suggested" in text_of(app))
        text = text_of(app)
        assert "all 5 failing cases are tagged" in text and "5 of 5 triaged" in text
        assert "3 as suggested, 2 decided otherwise, 0 disputed" in text
        await pilot.press("u")
        await settle(pilot)
        assert "4 of 5 triaged" in text_of(app) and "all 5 failing" not in text_of(app)
        await pilot.press("5")
        await settle(pilot, lambda: "all 5 failing" in text_of(app))
        await pilot.press("escape")
        await settle(pilot)
        assert len(app.triage.cases.keys) == 10 and app.focused is app.triage.cases


async def test_another_k_is_measured_and_shown(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("K")
        await settle(pilot)
        await pilot.press("backspace", *"zero", "enter")
        await settle(pilot)
        assert "K is a whole number" in text_of(app)
        await pilot.press(*["backspace"] * 4, "1", "enter")
        await settle(pilot, lambda: app.triage.view.k == 1)
        assert "Hit@1" in text_of(app)


async def test_the_baseline_and_the_run_are_chosen_by_key(
    app: TriageApp, workspace: Workspace, tmp_path: Path
) -> None:
    write(
        tmp_path / "third.jsonl", [record(1, error="x")], created_at="2026-10-01T10:00:00Z", kb_version="kb0"
    )
    workspace.ingest([tmp_path / "third.jsonl"], LoadOptions())
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "against kb1" in text_of(app)
        await pilot.press("b")
        await settle(pilot, lambda: app.screen is not app.triage)
        await settle(pilot)
        await pilot.press("down", "enter")
        await settle(pilot)
        await settle(pilot, lambda: "against kb0" in text_of(app))
        await pilot.press("b")
        await settle(pilot, lambda: app.screen is not app.triage)
        await settle(pilot)
        await pilot.press("up", "o")
        await settle(pilot, lambda: app.triage.run_shown.id == "before")
        assert app.triage.cases.row is not None
