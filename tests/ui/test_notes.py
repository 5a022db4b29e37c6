"""Notes, labels, dialogs, copies, and the ways out: nothing typed is lost."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from screen_help import HOSTILE, settle, text_of
from textual.widgets import Input, TextArea

from triage.models.query import Scope
from triage.ui.app import TriageApp
from triage.ui.screens.note import NoteBox
from triage.workspace import Workspace


def note_of(workspace: Workspace, case: str) -> str:
    review = workspace.case_detail(Scope("now"), case).row.review
    return review.note if review is not None else ""


async def test_every_key_typed_into_a_note_is_text(app: TriageApp, workspace: Workspace) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("n")
        await settle(pilot, lambda: isinstance(app.screen, NoteBox))
        for letter in "quit 123 jk/? tag x":
            await pilot.press("space" if letter == " " else letter)
        await pilot.press("enter", "d", "ctrl+s")
        await settle(pilot)
        assert note_of(workspace, "C01") == "quit 123 jk/? tag x\nd"
        assert app.triage.cases.row.id == "C01" and app.triage.cases.row.review.verdict is None
        assert "C01 noted" in text_of(app)
        await pilot.press("u")
        await settle(pilot)
        assert note_of(workspace, "C01") == ""


async def test_the_caret_moves_by_characters_in_chinese_text(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("n")
        await settle(pilot, lambda: isinstance(app.screen, NoteBox))
        await pilot.press(*"退货政策ABC", "left", "left", "left", "X")
        assert app.screen.query_one(TextArea).text == "退货政策XABC"


async def test_esc_asks_and_y_saves(app: TriageApp, workspace: Workspace) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("n")
        await settle(pilot, lambda: isinstance(app.screen, NoteBox))
        await pilot.press(*"abc", "escape")
        await settle(pilot)
        assert "save? y save" in text_of(app)
        await pilot.press("escape", *"d", "escape", "y")
        await settle(pilot)
        assert note_of(workspace, "C01") == "abcd" and workspace.draft("now", "C01") is None


@pytest.mark.parametrize("way_out", [("escape", "n"), ("ctrl+q", "q"), ("ctrl+c", "escape", "n")])
async def test_a_draft_survives_every_way_out(
    app: TriageApp, workspace: Workspace, way_out: tuple[str, ...]
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("n")
        await settle(pilot, lambda: isinstance(app.screen, NoteBox))
        await pilot.press(*"half a thou")
        for key in way_out:
            await pilot.press(key)
            if app._exit:
                break
            await settle(pilot)
    assert workspace.draft("now", "C01") == "half a thou" and note_of(workspace, "C01") == ""
    again = TriageApp(workspace)
    async with again.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("n")
        await settle(pilot, lambda: isinstance(again.screen, NoteBox))
        assert again.screen.query_one(TextArea).text == "half a thou" and "your draft is back" in text_of(
            again
        )


async def test_a_draft_is_on_disk_while_it_is_typed(app: TriageApp, workspace: Workspace) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("n")
        await settle(pilot, lambda: isinstance(app.screen, NoteBox))
        await pilot.press(*"typed")
        await settle(pilot, lambda: workspace.draft("now", "C01") == "typed", 3)


async def test_quitting_asks_while_a_draft_is_open(app: TriageApp, workspace: Workspace) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("n")
        await settle(pilot, lambda: isinstance(app.screen, NoteBox))
        await pilot.press(*"words", "ctrl+q")
        await settle(pilot)
        assert "is not saved" in text_of(app)
        await pilot.press("escape")
        await settle(pilot)
        assert app.screen.query_one(TextArea).text == "words"
        await pilot.press("ctrl+q")
        await settle(pilot)
        await pilot.press("s")
        await settle(pilot, lambda: app._exit)
    assert note_of(workspace, "C01") == "words" and app.return_value == 0


async def test_the_note_opens_in_the_editor_and_comes_back(
    app: TriageApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import contextlib

    script = tmp_path / "edit.py"
    script.write_text(
        "import sys, pathlib; p = pathlib.Path(sys.argv[1]); p.write_text(p.read_text() + ' 改过')\n"
    )
    monkeypatch.setenv("VISUAL", f"{sys.executable} {script}")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("n")
        await settle(pilot, lambda: isinstance(app.screen, NoteBox))
        await pilot.press(*"a")
        monkeypatch.setattr(app, "suspend", contextlib.nullcontext)
        await pilot.press("ctrl+o")
        await settle(pilot)
        assert app.screen.query_one(TextArea).text == "a 改过"
        monkeypatch.setenv("VISUAL", "no-such-editor-anywhere")
        await pilot.press("ctrl+o")
        await settle(pilot)
        assert "could not be started" in text_of(app)


async def test_a_note_that_is_too_long_stays_in_the_box(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("n")
        await settle(pilot, lambda: isinstance(app.screen, NoteBox))
        app.screen.query_one(TextArea).text = "长" * 30_000
        await pilot.press("ctrl+s")
        await settle(pilot)
        assert isinstance(app.screen, NoteBox) and "too long" in text_of(app)


async def test_labels_are_set_and_undone(app: TriageApp, workspace: Workspace) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("l")
        await settle(pilot, lambda: app.screen is not app.triage)
        assert "[ ] stale-doc" in text_of(app)
        await pilot.press(*"stale-doc,routing", "enter", "enter")
        await settle(pilot, lambda: "C01 labelled +stale-doc +routing" in text_of(app))
        assert workspace.case_detail(Scope("now"), "C01").row.review.labels == ("stale-doc", "routing")


async def test_a_copy_says_truthfully_what_it_did(app: TriageApp, monkeypatch: pytest.MonkeyPatch) -> None:
    from triage import paths

    sent: list[str] = []
    monkeypatch.setattr(app, "copy_to_clipboard", sent.append)
    async with app.run_test(size=(200, 40)) as pilot:
        await settle(pilot)
        await pilot.press("f", "y")
        await settle(pilot)
        await settle(pilot, lambda: "OSC 52" in text_of(app))
        copied = paths.state_file().parent / "copied.txt"
        assert copied.read_text("utf-8") == sent[0] and "copied.txt" in text_of(app)
        app.triage.cases.move_to(
            list(app.triage.cases.keys).index(app.triage.workspace.case_key(Scope("now"), "C03"))
        )
        await settle(pilot)
        await pilot.press("y")
        await settle(pilot, lambda: len(sent) == 2)
        assert "\x1b" not in sent[1] and "\u202e" not in sent[1] and "[/INST]" in sent[1]


async def test_the_reviewer_can_be_changed_and_verdicts_bear_the_name(
    app: TriageApp, workspace: Workspace
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await app.run_action("screen.ask('reviewer')")
        await settle(pilot)
        app.screen.query_one(Input).value = "ana [b]"
        await pilot.press("enter")
        await settle(pilot)
        assert "ana [b]" in text_of(app).splitlines()[0]
        await pilot.press("1")
        await settle(pilot)
        assert workspace.case_detail(Scope("now"), "C01").row.review.reviewer == "ana [b]"


async def test_q_and_ctrl_q_quit_and_ctrl_c_only_says_how(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+c")
        await settle(pilot)
        assert "q quits" in text_of(app)
        await pilot.press("q")
        await settle(pilot, lambda: app._exit)
    assert app.return_value == 0


async def test_what_is_pressed_before_quitting_is_on_disk(app: TriageApp, workspace: Workspace) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("1", "2", "3", "q")
        await settle(pilot, lambda: app._exit)
    rows = workspace.case_rows(Scope("now"), list(workspace.case_keys(Scope("now"))))
    assert sum(row.review is not None for row in rows) == 3


async def test_a_hostile_case_is_shown_as_written_everywhere(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("f", "G")
        await settle(pilot)
        for _ in range(10):
            await pilot.press("k", "tab", "tab", "tab", "tab")
            text = text_of(app)
            assert "\x1b" not in text and "\x07" not in text and "\u202e" not in text
            await settle(pilot)
        await pilot.press("slash", *HOSTILE.replace("\n", "").replace("\t", "").replace("\x1b", ""), "enter")
        await settle(pilot)
        await pilot.press("escape", "question_mark")
        await settle(pilot)
        assert "\x1b" not in text_of(app)
