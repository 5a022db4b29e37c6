"""What to try first: the dialog behind its key, and the cases it opens."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len
from screen_help import HOSTILE, MISS, record, settle, text_of, write

from triage.models.run import LoadOptions
from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.ui.screens.advice import AdviceDialog
from triage.ui.screens.triage import TriageScreen
from triage.workspace import Workspace

SIZES = [(80, 24), (100, 30), (120, 40)]


def triage(app: TriageApp) -> TriageScreen:
    """The screen under the dialog."""
    assert app.triage is not None
    return app.triage


def said(app: TriageApp) -> str:
    """What stands on the screen, as one line; nothing of what is told elsewhere than in the dialog."""
    return " ".join(text_of(app).split()) if isinstance(app.screen, AdviceDialog) else ""


@pytest.mark.parametrize("size", SIZES)
async def test_its_key_tells_what_falls_short_layer_by_layer(app: TriageApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await pilot.press("a")
        await settle(pilot, lambda: "Hit@3 low" in said(app))
        shown = text_of(app)
        assert all(cell_len(row) == size[0] for row in shown.splitlines())
        rows = shown.splitlines()
        at = [
            next(n for n, row in enumerate(rows) if words in row) for words in ("Hit@3 low", "no citation,")
        ]
        assert at == sorted(at)
        assert "retrieval" in rows[at[0]] and rows[at[0]].rstrip(" .").find("2 cases") > 0
        # The first line's numbers, what to try and what to watch, and the filter that opens its cases.
        assert ".800 8/10, reference .85" in shown
        assert "try first" in shown
        assert "MRR and faithfulness" in shown
        assert "hit:0" in shown
        assert "no pass marks" in said(app)


async def test_enter_opens_the_cases_behind_a_line_and_esc_leads_back(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("a")
        await settle(pilot, lambda: "Hit@3 low" in said(app))
        await pilot.press("enter")
        await settle(pilot)
        screen = triage(app)
        assert screen.bar.text == "hit:0"
        assert len(screen.cases.keys) == 2
        assert "C01" in text_of(app) and "C04" in text_of(app)
        await pilot.press("escape")
        await settle(pilot)
        assert screen.bar.text == ""


async def test_esc_brings_back_the_view_and_the_filter_that_were_there(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        screen = triage(app)
        screen.selection.text("id:C0*")
        screen.selection.drill_metric("hit")
        await settle(pilot)
        before, keys = screen.selection.scope, screen.cases.keys
        await pilot.press("a")
        await settle(pilot, lambda: "Hit@3 low" in said(app))
        await pilot.press("enter")
        await settle(pilot)
        assert screen.selection.scope != before
        await pilot.press("escape")
        await settle(pilot)
        assert (screen.selection.scope, screen.cases.keys) == (before, keys)
        assert screen.bar.text == "id:C0*"
        # A filter that was changed since is the user's own: esc clears it, in the view as it is.
        await pilot.press("a")
        await settle(pilot, lambda: "Hit@3 low" in said(app))
        await pilot.press("enter")
        await settle(pilot)
        screen.selection.text("id:C04")
        await settle(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert (screen.bar.text, screen.selection.scope.view) == ("", "all")  # type: ignore[union-attr]


async def test_down_chooses_another_line(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("a")
        await settle(pilot, lambda: "Hit@3 low" in said(app))
        await pilot.press("down", "enter")
        await settle(pilot)
        assert triage(app).bar.text not in ("", "hit:0")


async def test_advice_speaks_of_the_cases_under_the_filter(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        triage(app).selection.text("id:C01")
        await settle(pilot)
        await pilot.press("a")
        await settle(pilot, lambda: "Hit@3 low" in said(app))
        assert "1 of 10 cases" in text_of(app)
        await pilot.press("enter")
        await settle(pilot)
        assert triage(app).bar.text == "(id:C01) hit:0"
        assert triage(app).view is not None
        assert triage(app).view.matching == 1


async def test_a_run_that_falls_short_of_nothing_is_not_called_fine(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "good.db", Settings(), reviewer="wei")
    write(tmp_path / "good.jsonl", [record(number) for number in range(1, 4)])
    workspace.ingest([tmp_path / "good.jsonl"], LoadOptions())
    app = TriageApp(workspace)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("a")
        await settle(pilot, lambda: "no pass mark" in said(app))
        shown = said(app)
        assert "Not recorded, so nothing is told of: generation" in shown
        await pilot.press("enter", "escape")
        await settle(pilot)
        assert not isinstance(app.screen, AdviceDialog)
    workspace.close()


async def test_hostile_records_and_filters_stay_text(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "bad.db", Settings(), reviewer="wei")
    cases = [record(number, topic=HOSTILE, query=HOSTILE) | MISS for number in range(1, 4)]
    write(tmp_path / "bad.jsonl", cases)
    workspace.ingest([tmp_path / "bad.jsonl"], LoadOptions())
    app = TriageApp(workspace)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        triage(app).selection.text('"[/INST]"')
        await settle(pilot)
        await pilot.press("a")
        await settle(pilot, lambda: "Hit@3 low" in said(app))
        shown = text_of(app)
        assert "[/INST]" in shown
        assert "\x1b" not in shown
        await pilot.press("enter")
        await settle(pilot)
        view = triage(app).view
        assert view is not None
        assert view.matching == 3
    workspace.close()


async def test_the_palette_and_the_footer_of_the_numbers_name_it(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        triage(app).panels.focus()
        await settle(pilot)
        assert "a what to try first" in text_of(app).splitlines()[-1]
        await pilot.press("ctrl+p")
        await settle(pilot)
        await pilot.press(*"layer by layer")
        await settle(pilot, lambda: "what to try first, layer by layer" in text_of(app))
