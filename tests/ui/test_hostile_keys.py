"""What others wrote or pasted, and what goes wrong outside, never reaches the terminal or ends the app."""

from __future__ import annotations

from pathlib import Path

import pytest
from screen_help import HOSTILE, record, settle, text_of, write
from textual.command import CommandPalette
from textual.events import Paste
from textual.widgets import Input, TextArea

from triage.models.query import Scope
from triage.models.run import LoadOptions
from triage.plain import plain
from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.ui.screens.note import NoteBox
from triage.workspace import Workspace


def painted(app: TriageApp) -> str:
    """Every character that goes to the terminal."""
    strips = app.screen._compositor.render_strips()
    return "".join(segment.text for strip in strips for segment in strip)


async def test_a_note_and_labels_from_elsewhere_print_no_control_character(
    app: TriageApp, other: Workspace
) -> None:
    other.note("now", "C01", f"seen {HOSTILE}")
    other.set_labels("now", ["C01"], ["bad\x1b]52;c;AAAA\x07", "\u202eother"])
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("n")
        await settle(pilot, lambda: isinstance(app.screen, NoteBox))
        assert "\x1b" not in painted(app) and "<ESC>]52;c;AAAA<BEL>" in text_of(app)
        await pilot.press("escape")
        await settle(pilot)
        assert not isinstance(app.screen, NoteBox), "nothing was typed, so nothing is asked"
        await pilot.press("l")
        await settle(pilot, lambda: bool(app.screen.query(Input)) and app.screen is not app.triage)
        text = painted(app)
        assert all(plain(sign) == sign for sign in text), [sign for sign in text if plain(sign) != sign]


@pytest.mark.parametrize("key", ["n", "slash", "l", "e", "K", "s", "ctrl+p"])
async def test_what_is_pasted_becomes_plain_in_every_field(app: TriageApp, key: str) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press(key)
        await settle(pilot)
        app.post_message(Paste("x\x1b]52;c;QUFB\x07\u202ey"))
        await settle(pilot, lambda: "QUFB" in text_of(app))
        text = painted(app)
        assert all(plain(sign) == sign for sign in text), [sign for sign in text if plain(sign) != sign]


async def test_seventy_kilobytes_are_pasted_and_told_too_long(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("n")
        await settle(pilot, lambda: isinstance(app.screen, NoteBox))
        app.post_message(Paste("退货政策\n" * 5400))
        await settle(pilot, lambda: len(app.screen.query_one(TextArea).text) > 20_000)
        await pilot.press("ctrl+s")
        await settle(pilot)
        assert "too long for a note" in text_of(app) and isinstance(app.screen, NoteBox)


async def test_the_palette_reads_a_run_id_as_text(workspace: Workspace, tmp_path: Path) -> None:
    write(tmp_path / "odd.jsonl", [record(1)], id="[/] [b]odd[/b]", created_at="2026-11-01T11:00:00Z")
    workspace.ingest([tmp_path / "odd.jsonl"], LoadOptions())
    app = TriageApp(workspace)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+p", *"compare with")
        await settle(pilot, lambda: "compare with [/] [b]odd[/b]" in text_of(app))
        assert isinstance(app.screen, CommandPalette)


@pytest.mark.parametrize(
    ("editor", "said"),
    [("'never closed", "can't be read"), ("no-such-editor-here", "could not be started")],
)
async def test_an_editor_that_cannot_be_started_is_told_and_the_text_stays(
    app: TriageApp, monkeypatch: pytest.MonkeyPatch, editor: str, said: str
) -> None:
    import contextlib

    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", editor)
    resumed = []

    @contextlib.contextmanager
    def suspend():  # type: ignore[no-untyped-def]
        yield
        # As in Textual's own: what is raised inside skips this, and the screen stays dark.
        resumed.append(True)

    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("n")
        await settle(pilot, lambda: isinstance(app.screen, NoteBox))
        await pilot.press(*"abc")
        monkeypatch.setattr(app, "suspend", suspend)
        await pilot.press("ctrl+o")
        await settle(pilot, lambda: said in text_of(app))
        assert app.screen.query_one(TextArea).text == "abc"
        assert resumed == ([True] if "started" in said else [])


async def test_a_run_removed_by_another_process_stays_on_screen_and_is_told(
    app: TriageApp, other: Workspace, tmp_path: Path
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await settle(pilot)
        other.remove(["now"], False)
        await settle(pilot, lambda: "now is no longer in the database" in text_of(app))
        assert app.triage.run_shown.id == "now" and app.triage.cases.row.id == "C01"
        await pilot.press("3")
        await settle(pilot)
        assert other.case_detail(Scope("before"), "C01").row.review is None
        other.ingest([tmp_path / "now.jsonl"], LoadOptions())
        await settle(pilot, lambda: "C01" in text_of(app) and not app.triage.bar.has_error)
        await pilot.press("3")
        await settle(pilot, lambda: other.case_detail(Scope("now"), "C04").row.review is not None)


async def test_the_first_screen_notices_what_another_process_loads(tmp_path: Path) -> None:
    here = Workspace(tmp_path / "t.db", Settings(), reviewer="wei")
    app = TriageApp(here)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot, lambda: "look around in the demo runs" in text_of(app))
        await pilot.pause(0.7)
        there = Workspace(tmp_path / "t.db", Settings(), reviewer="li")
        there.ingest([write(tmp_path / "r.jsonl", [record(1, error="x")])], LoadOptions())
        there.close()
        await settle(pilot, lambda: "1 failing" in text_of(app))
    here.close()


async def test_a_removed_run_is_told_where_the_detail_stands_alone(app: TriageApp, other: Workspace) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        other.remove(["now"], False)
        await settle(pilot, lambda: "now is no longer in the database" in text_of(app).splitlines()[-1])
