"""What goes with a reading: labels and a note set beside the case, before its verdict."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Any

import pytest
from reading_help import draw, open_reading, press
from screen_help import settle, text_of
from textual.pilot import Pilot

from triage.errors import Busy
from triage.models.query import Scope
from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.ui.screens.labels import LabelsDialog
from triage.ui.screens.note import NoteBox
from triage.ui.screens.reading import ReadingScreen
from triage.ui.work.ending import rescued
from triage.ui.work.reading_queue import Beside
from triage.workspace import Workspace


async def set_label(pilot: Pilot[Any], app: TriageApp, begins: str) -> None:
    """Set the label that is offered for what is typed."""
    await press(pilot, app, "l")
    await settle(pilot, lambda: isinstance(app.screen, LabelsDialog))
    await pilot.press(*begins, "enter", "enter")
    await settle(pilot, lambda: isinstance(app.screen, ReadingScreen))


async def write_note(pilot: Pilot[Any], app: TriageApp, *keys: str) -> None:
    """Press keys in the note's box, the last of which closes it."""
    await press(pilot, app, "n")
    await settle(pilot, lambda: isinstance(app.screen, NoteBox))
    await pilot.press(*keys)
    await settle(pilot, lambda: isinstance(app.screen, ReadingScreen))


async def test_labels_and_note_go_with_the_verdict_and_not_before(
    app: TriageApp, workspace: Workspace, other: Workspace
) -> None:
    order = draw(workspace)
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await open_reading(pilot, app)
        await set_label(pilot, app, "stale")
        await write_note(pilot, app, *"why not", "ctrl+s")
        await pilot.pause()
        text = text_of(app)
        assert "labels" in text and "stale-doc" in text and "why not" in text
        assert other.case_detail(Scope("now"), order[0]).row.review is None
        await press(pilot, app, "1")
        given = workspace.queue.readings("now", [order[0]])[order[0]][0]
        assert (given.labels, given.note) == (("stale-doc",), "why not")
        assert workspace.draft("now", order[0]) is None
        assert screen.hand.beside.labels == () and screen.hand.beside.note == ""
        assert "why not" not in text_of(app)


async def test_undo_brings_the_case_back_with_what_went_with_it(app: TriageApp, workspace: Workspace) -> None:
    order = draw(workspace)
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await open_reading(pilot, app)
        await write_note(pilot, app, *"one", "ctrl+s")
        await press(pilot, app, "1")
        await press(pilot, app, "u")
        assert screen.hand.handed is not None and screen.hand.handed.case_id == order[0]
        assert screen.hand.beside.note == "one" and "0 of 4 read" in text_of(app)
        assert order[0] not in workspace.queue.readings("now", [order[0]])
        await press(pilot, app, "u")
        assert "nothing to undo" in text_of(app)
        assert screen.hand.handed is not None and screen.hand.handed.case_id == order[0]


async def test_labels_set_before_a_pause_are_there_again(app: TriageApp, workspace: Workspace) -> None:
    draw(workspace)
    async with app.run_test(size=(100, 30)) as pilot:
        await open_reading(pilot, app)
        await set_label(pilot, app, "routing")
        await pilot.press("escape")
        await settle(pilot, lambda: app.screen is app.triage)
        screen = await open_reading(pilot, app)
        assert screen.hand.beside.labels == ("routing",)


async def test_a_note_goes_with_a_verdict_that_is_given_while_its_draft_is_still_being_written(
    app: TriageApp, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = draw(workspace)
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await open_reading(pilot, app)
        save, free = workspace.save_draft, threading.Event()

        def slow(*args: str) -> None:
            free.wait(20)
            save(*args)

        monkeypatch.setattr(workspace, "save_draft", slow)
        await pilot.press("n", *"why", "ctrl+s")
        await settle(pilot, lambda: app.screen is screen)
        await press(pilot, app, "1")
        free.set()
        await settle(pilot, lambda: not [one for one in app.workers if not one.is_finished])
        (given,) = workspace.queue.readings("now", [order[0]])[order[0]]
        assert (given.verdict, given.note) == ("retrieval", "why")
        assert workspace.draft("now", order[0]) is None


async def test_labels_of_a_case_are_there_again_after_an_undo_in_between(
    app: TriageApp, workspace: Workspace
) -> None:
    order = draw(workspace)
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await open_reading(pilot, app)
        await press(pilot, app, "1")
        assert screen.hand.case_id == order[1]
        screen.set_beside(order[1], Beside(("routing",), "half a note"))
        await press(pilot, app, "u")
        assert screen.hand.case_id == order[0] and screen.hand.beside.labels == ()
        await press(pilot, app, "2")
        assert screen.hand.case_id == order[1] and screen.hand.beside == Beside(("routing",), "half a note")


async def test_a_draft_that_was_not_saved_stays_a_draft_when_the_verdict_is_given(
    app: TriageApp, workspace: Workspace
) -> None:
    order = draw(workspace)
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await open_reading(pilot, app)
        await write_note(pilot, app, *"half", "escape", "n")
        assert screen.hand.beside.note == ""
        await press(pilot, app, "1")
        assert workspace.queue.readings("now", [order[0]])[order[0]][0].note == ""
        assert workspace.draft("now", order[0]) == "half"


async def test_labels_that_were_set_come_back_in_another_sitting(
    app: TriageApp, workspace: Workspace, database: Path
) -> None:
    order = draw(workspace)
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await open_reading(pilot, app)
        await press(pilot, app, "l")
        await settle(pilot, lambda: isinstance(app.screen, LabelsDialog))
        await pilot.press("n", "e", "w", "space", "enter")
        await settle(pilot, lambda: screen.hand.beside.labels == ("new",))
        await settle(pilot, lambda: workspace.queue.beside("now", order[0]) == ("new",))
    again = Workspace(database, Settings(), reviewer="wei")
    later = TriageApp(again)
    async with later.run_test(size=(120, 36)) as pilot:
        screen = await open_reading(pilot, later)
        assert screen.hand.beside.labels == ("new",)
        await press(pilot, later, "1")
        assert again.queue.readings("now", [order[0]])[order[0]][0].labels == ("new",)
        assert again.queue.beside("now", order[0]) == ()
    again.close()


async def test_what_could_never_be_written_is_put_into_a_file_with_all_that_was_said(
    app: TriageApp, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = draw(workspace)

    def busy(*args: object, **named: object) -> object:
        raise Busy("the database is busy", "x", "wait")

    async with app.run_test(size=(120, 36)) as pilot:
        screen = await open_reading(pilot, app)
        screen.set_beside(order[0], Beside(("order", "old page"), "why"))
        monkeypatch.setattr(workspace.queue, "give", busy)
        monkeypatch.setattr(workspace, "save_draft", busy)
        await pilot.press("1")
        await settle(pilot, lambda: "not written yet, kept" in text_of(app))
        app.unkept["C01 of now"], app.unkept["C01 of before"] = "a", "b"
    (said,) = [one for one in rescued(app, again=False) if "entries" in one]
    (place,) = re.findall(r"(/\S+)", said)
    text = Path(place).read_text("utf-8")
    assert f"{order[0]} of now: retrieval, order, old page\nwhy" in text
    assert "C01 of now\na" in text and "C01 of before\nb" in text
