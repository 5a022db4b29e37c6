"""Keys typed while a dialog is still being opened are meant for the dialog."""

from __future__ import annotations

import threading

import pytest
from screen_help import settle
from textual.events import Key
from textual.widgets import TextArea

from triage.models.query import Scope
from triage.ui.app import TriageApp
from triage.ui.screens.dialogs import Choose
from triage.ui.screens.labels import LabelsDialog
from triage.ui.screens.note import NoteBox
from triage.ui.work import verdicts
from triage.workspace import Workspace


async def test_a_note_begun_at_once_is_text_and_no_verdict(
    app: TriageApp, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = threading.Event()
    real = workspace.draft

    def slow(run: str, case: str) -> str | None:
        held.wait(10)
        return real(run, case)

    monkeypatch.setattr(workspace, "draft", slow)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        case = app.triage.cases.pk
        await pilot.press("n", *"1 quit?", "2", "j")
        held.set()
        await settle(pilot, lambda: isinstance(app.screen, NoteBox))
        await settle(pilot, lambda: app.screen.query_one(TextArea).text == "1 quit?2j")
        await pilot.press("x")
        assert app.screen.query_one(TextArea).text == "1 quit?2jx"
        await pilot.press("ctrl+s")
        await settle(pilot)
        assert app.triage.cases.pk == case
        assert workspace.case_keys(Scope("now", text="is:tagged")) == workspace.case_keys(
            Scope("now", text="id:none")
        )


async def test_a_dialog_that_does_not_open_gives_the_keys_back(
    app: TriageApp, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        row = app.triage.cases.position
        # There is nothing to ask where no case is under the cursor.
        monkeypatch.setattr(type(app.triage.cases), "row", property(lambda self: None))
        await pilot.press("n", "j")
        monkeypatch.undo()
        await settle(pilot, lambda: app.triage.cases.position == row + 1)


def type_at_once(app: TriageApp, *keys: str) -> None:
    """Keys as a script sends them: none waits for what the one before has changed."""
    for key in keys:
        app.post_message(Key(key, {"space": " ", "slash": "/"}.get(key, key if len(key) == 1 else None)))


async def test_a_label_typed_at_once_is_that_label_and_not_what_the_list_showed_before(
    app: TriageApp, workspace: Workspace
) -> None:
    workspace.bulk.change_labels("now", ["C02"], ["routing"], [])
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("l")
        await settle(pilot, lambda: isinstance(app.screen, LabelsDialog))
        type_at_once(app, *"奇怪", "space", *"new", ",", *"rout", "space", "enter")
        await settle(pilot, lambda: app.screen is app.triage and not app.triage.writer.waiting)
    review = workspace.case_detail(Scope("now"), "C01").row.review
    assert review is not None and set(review.labels) == {"奇怪", "new", "routing"}


async def test_arrows_typed_at_once_step_through_what_the_typing_left(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("s")
        await settle(pilot, lambda: isinstance(app.screen, Choose))
        type_at_once(app, *"review", "down", "enter")
        await settle(pilot, lambda: app.screen is app.triage)
        assert app.triage.selection.scope is not None and app.triage.selection.scope.sort == "reviewer"


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
async def test_a_filter_typed_at_once_is_text_from_its_first_letter_on(
    app: TriageApp, workspace: Workspace, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        screen = app.triage
        # Something is said in the field's place, and on the narrow screen a case is read.
        screen.speech.say("something was written")
        if size[0] == 80:
            await pilot.press("enter")
        await settle(pilot)
        type_at_once(app, "slash", *"topic:refund", "enter", "f")
        await settle(pilot, lambda: len(screen.cases.keys) == 1)
        scope = screen.selection.scope
        assert scope is not None and (scope.text, scope.view) == ("topic:refund", "all")
        assert app.screen is screen and not screen.writer.waiting
    assert not workspace.case_keys(Scope("now", text="is:tagged"))


async def test_the_answer_to_a_question_typed_at_once_is_its_answer(
    app: TriageApp, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verdicts, "ASKS_FROM", 3)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        type_at_once(app, "A", "1", "y")
        await settle(pilot, lambda: len(workspace.case_keys(Scope("now", text="is:tagged"))) == 5)
        await settle(pilot)
        assert app.screen is app.triage and not app.triage.cases.marked
