"""What is done to runs from the Runs screen, and from the quick chooser."""

from __future__ import annotations

import json
from pathlib import Path

from runs_help import at, open_runs, row_of, runs_of, shown
from screen_help import HOSTILE, record, settle, text_of, write
from textual.widgets import Static

from triage.models.run import LoadOptions
from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.ui.screens.dialogs import Decide
from triage.ui.screens.runs import RunsScreen
from triage.ui.screens.runs_problems import ProblemsScreen
from triage.ui.screens.triage import TriageScreen
from triage.workspace import Workspace


async def test_enter_shows_the_run_under_the_cursor(many: Workspace) -> None:
    app = TriageApp(many)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_runs(pilot)
        await pilot.press("down", "down", "enter")
        await settle(pilot, lambda: shown(app) == "run-3")
        assert isinstance(app.screen, TriageScreen)


async def test_b_compares_the_run_shown_with_the_one_under_the_cursor_and_backspace_takes_it_back(
    many: Workspace,
) -> None:
    app = TriageApp(many)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_runs(pilot)
        await pilot.press("b")
        await settle(pilot, lambda: "this run is shown: choose another" in text_of(app))
        await pilot.press("down", "down", "b")
        await settle(pilot, lambda: "run-5 is compared with run-3 now" in text_of(app))
        await settle(pilot, lambda: "against" in row_of(app, "run-3"))
        found = many.run_named("run-5")
        assert found is not None and found.baseline == "run-3" and at(app) == "run-3"
        await settle(pilot, lambda: app.triage is not None and app.triage.against is not None
                     and app.triage.against.id == "run-3")  # fmt: skip
        await pilot.press("backspace")
        await settle(pilot, lambda: "run-5 is compared with run-4 by default" in text_of(app))
        await settle(pilot, lambda: "against" in row_of(app, "run-4"))


async def test_a_pin_is_the_default_baseline_of_its_test_set_and_is_taken_back_by_the_same_key(
    many: Workspace,
) -> None:
    app = TriageApp(many)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_runs(pilot)
        await pilot.press("G", "up", "B")
        await settle(pilot, lambda: "are compared with run-0 now" in text_of(app))
        await settle(pilot, lambda: "against" in row_of(app, "run-0"))
        found = many.run_named("run-3")
        assert found is not None and found.baseline == "run-0"
        await pilot.press("B")
        await settle(pilot, lambda: "run-0 is pinned no more" in text_of(app))
        await settle(pilot, lambda: "against" in row_of(app, "run-4"))


async def test_a_removed_run_leaves_its_verdicts_and_the_question_says_so(many: Workspace) -> None:
    many.tag("run-4", ["C00"], "retrieval", note="seen")
    app = TriageApp(many)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_runs(pilot)
        await pilot.press("down", "D")
        await settle(pilot, lambda: "remove run-4?" in text_of(app))
        said = " ".join(str(part.content) for part in app.screen.query(Static))
        assert "1 verdict, 1 note by wei stay" in said
        assert (
            "can't be undone" in said and "y remove it, keep them" in said and "w remove it with them" in said
        )
        await pilot.press("escape")
        await settle(pilot)
        assert many.run_named("run-4") is not None
        await pilot.press("delete")
        await settle(pilot, lambda: isinstance(app.screen, Decide))
        await pilot.press("y")
        await settle(pilot, lambda: "removed run-4; its verdicts and notes are kept" in text_of(app))
        await settle(pilot, lambda: at(app) == "run-3")
        assert many.run_named("run-4") is None and shown(app) == "run-5"
        many.ingest([many.database.parent / "run-4.jsonl"], LoadOptions())
        await settle(pilot, lambda: "run-4 came in" in text_of(app))
        entry = next(one for one in many.run_list.filled() if one.run.id == "run-4")
        assert entry.figures is not None and entry.figures.triaged == 1


async def test_removing_with_reviews_forgets_them(many: Workspace) -> None:
    many.tag("run-4", ["C00"], "retrieval")
    app = TriageApp(many)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_runs(pilot)
        await pilot.press("down", "D")
        await settle(pilot, lambda: isinstance(app.screen, Decide))
        await pilot.press("w")
        await settle(pilot, lambda: many.run_named("run-4") is None)
        await settle(pilot)
        many.ingest([many.database.parent / "run-4.jsonl"], LoadOptions())
        entry = next(one for one in many.run_list.filled() if one.run.id == "run-4")
        assert entry.figures is not None and not entry.figures.verdicts


async def test_when_the_run_shown_is_removed_the_newest_left_is_shown(many: Workspace) -> None:
    app = TriageApp(many)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_runs(pilot)
        await pilot.press("D")
        await settle(pilot, lambda: isinstance(app.screen, Decide))
        await pilot.press("y")
        await settle(pilot, lambda: shown(app) == "run-4")
        await settle(pilot, lambda: at(app) == "run-4")
        await pilot.press("escape")
        await settle(pilot)
        assert "no longer in the database" not in text_of(app)


async def test_after_the_last_run_is_removed_both_screens_say_how_to_go_on(tmp_path: Path) -> None:
    made = Workspace(tmp_path / "t.db", Settings(), reviewer="wei")
    made.ingest([write(tmp_path / "one.jsonl", [record(1)])], LoadOptions())
    app = TriageApp(made)
    async with app.run_test(size=(100, 30)) as pilot:
        await open_runs(pilot)
        await pilot.press("D")
        await settle(pilot, lambda: isinstance(app.screen, Decide))
        await pilot.press("y")
        await settle(pilot, lambda: "no runs are loaded" in text_of(app))
        assert "o loads a run file or a folder" in text_of(app)
        await pilot.press("escape")
        await settle(pilot, lambda: "look around in the demo runs" in text_of(app))
        # Nothing of the run that was shown is left in the head.
        assert "failing" not in text_of(app) and "triaged" not in text_of(app)
        await pilot.press("R")
        await settle(pilot, lambda: "no runs are loaded" in text_of(app))
        await pilot.press("o")
        await settle(pilot, lambda: not isinstance(app.screen, RunsScreen))
        await pilot.press(*str(tmp_path / "one.jsonl"), "enter")
        await settle(pilot, lambda: isinstance(app.screen, RunsScreen) and at(app) == "one")
    made.close()


async def test_a_file_that_has_gone_is_told_and_reading_it_again_says_why_not(many: Workspace) -> None:
    (many.database.parent / "run-4.jsonl").unlink()
    app = TriageApp(many)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_runs(pilot)
        await pilot.press("down", "down", "down")
        assert "no file" not in text_of(app).splitlines()[4], "what it is to the run shown goes before"
        await pilot.press("up", "up")
        await settle(pilot)
        assert "file is gone" in text_of(app)
        await pilot.press("r")
        await settle(pilot, lambda: "error:" in text_of(app))
        assert "not loaded" in text_of(app)
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, RunsScreen) and "error:" not in text_of(app)


async def test_a_file_is_read_again_as_it_was_read_the_first_time(tmp_path: Path) -> None:
    made = Workspace(tmp_path / "t.db", Settings(), reviewer="wei")
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps({"nr": "a", "frage": "how"}) + "\n", "utf-8")
    made.ingest([path], LoadOptions(mapping={"id": "nr", "query": "frage"}))
    app = TriageApp(made)
    async with app.run_test(size=(100, 30)) as pilot:
        await open_runs(pilot)
        await pilot.press("r")
        await settle(pilot, lambda: "the file is as it was loaded" in text_of(app))
        path.write_text("".join(json.dumps({"nr": nr, "frage": "how"}) + "\n" for nr in "abc"), "utf-8")
        await pilot.press("r")
        await settle(pilot, lambda: "3 records of 1 file" in text_of(app))
        await settle(pilot, lambda: runs_of(app).model.lines[0].records == "3")
    made.close()


async def test_problems_are_read_line_by_line_and_narrowed(tmp_path: Path) -> None:
    made = Workspace(tmp_path / "t.db", Settings(), reviewer="wei")
    path = write(tmp_path / "r.jsonl", [record(1), record(2, retrieved=HOSTILE), record(3)])
    path.write_text(path.read_text("utf-8") + '{"id": "x", \x1b[31m broken 坏\n' * 2000, "utf-8")
    made.ingest([path], LoadOptions())
    app = TriageApp(made)
    async with app.run_test(size=(100, 30)) as pilot:
        await open_runs(pilot)
        assert "2000 of 2003 records rejected" in text_of(app)
        await pilot.press("p")
        await settle(pilot, lambda: isinstance(app.screen, ProblemsScreen))
        await settle(pilot)
        assert "2000 rejected" in text_of(app) and "1 field not recorded" in text_of(app)
        await pilot.press("G")
        await settle(pilot)
        assert "line 2004" in text_of(app) and "the record was left out" in text_of(app)
        await pilot.press("slash", *"retrieved", "enter")
        await settle(pilot)
        text = text_of(app)
        assert "line 3" in text and "retrieved counts as not recorded" in text
        assert "\x1b" not in text and "\x07" not in text
        await pilot.press("escape", "escape")
        await settle(pilot)
        assert isinstance(app.screen, RunsScreen)
    made.close()


async def test_the_quick_chooser_compares_opens_and_leads_to_the_screen(many: Workspace) -> None:
    app = TriageApp(many)
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await pilot.press("b")
        await settle(pilot, lambda: app.screen is not app.triage)
        assert "runs: run-5 against run-4" in text_of(app) and "客服测试集 v3" in text_of(app)
        await pilot.press("j", "enter")
        await settle(pilot, lambda: app.triage is not None and app.triage.against is not None
                     and app.triage.against.id == "run-3")  # fmt: skip
        await pilot.press("b")
        await settle(pilot, lambda: app.screen is not app.triage)
        await pilot.press("R")
        await settle(pilot, lambda: isinstance(app.screen, RunsScreen))
