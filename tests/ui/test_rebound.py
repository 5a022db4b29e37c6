"""Every action on another key: each works and is named wherever keys are named, and no old one is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from screen_help import MISS, record, settle, text_of, write
from textual.widgets import Input

from triage.models.run import LoadOptions
from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.ui.keymap import key_named, keyboard
from triage.ui.keys import ACTIONS, BY_ID, SCREENS, keys_of, shown
from triage.ui.screens.help import HelpScreen
from triage.ui.screens.note import NoteBox
from triage.ui.screens.theme import ThemeDialog
from triage.ui.widgets.filter_bar import Doors
from triage.ui.widgets.paragraphs import Paragraphs
from triage.workspace import Workspace

LETTERS = "абвгдежзийклмнопрстуфхцчшщъыьэюяαβγδεζηθικλμνξοπρστυφχψωАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ"
SIGNS = "ԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐ"
"""Keys of the screens over the Triage screen, none of which clashes with one of the app's."""
IN_FIELDS = {
    "back": "f1", "palette": "f2", "quit": "f3", "filter.close": "f4", "runs.back": "f5", "slices.back": "f6",
    "note.save": "f8", "note.editor": "f9", "filter.leave": "f10", "filter.take": "f11", "filter.down": "f12",
    "filter.up": "ctrl+g",
}  # fmt: skip


def everything() -> dict[str, str]:
    """A new key for every action: letters that no default has, and keys that write nothing inside fields."""
    made = dict(IN_FIELDS)
    over = {place for name, places in SCREENS.items() if name != "triage" for place in places}
    for turn, where in enumerate(("screen", *sorted(over))):
        rest = [action.id for action in ACTIONS if action.id not in made]
        there = over if where == "screen" else {where}
        mine = [ident for ident in rest if (BY_ID[ident].where in there) == (where != "screen")]
        # Turned a little for each screen, so that what is said alike on two of them has two keys.
        letters = SIGNS[turn:] + SIGNS[:turn]
        made |= dict(zip(mine, LETTERS if where == "screen" else letters, strict=False))
    assert len(made) == len(ACTIONS)
    return made


NEW = everything()


def key(ident: str) -> str:
    return shown(NEW[ident])


@pytest.fixture
def rebound(workspace: Workspace) -> TriageApp:
    workspace.settings = Settings(keys=NEW)
    return TriageApp(workspace)


def footer(app: TriageApp) -> str:
    return text_of(app).splitlines()[-1]


def named(line: str, words: Mapping[str, str]) -> None:
    """Each of these words stands in the line beside its new key, and beside no default one."""
    for ident, said in words.items():
        assert re.search(rf"(^|\s){re.escape(key(ident))}\s+{re.escape(said)}", line), (ident, line)
        for old in keys_of(BY_ID[ident], {}):
            assert not re.search(rf"(^|\s){re.escape(old)}\s+{re.escape(said)}", line), (ident, line)


def heard(app: TriageApp, *places: str) -> Iterator[str]:
    """Ids of what is bound here and now in these places, each on its new key alone."""
    found = {bound: active.binding for bound, active in app.screen.active_bindings.items()}
    for action in ACTIONS:
        if action.where in places:
            mine = [
                one for one, binding in found.items() if binding.id and binding.id.split(":")[0] == action.id
            ]
            assert set(mine) - {key_named(f"{NEW[action.id]}")} <= {"no_key"}, action.id
            if mine:
                yield action.id


def test_nothing_of_it_clashes() -> None:
    made = keyboard(NEW)
    assert made.problems == []
    assert all(keys_of(action, made.changed) == (key(action.id),) for action in ACTIONS)


async def test_the_loop_goes_on_new_keys_and_says_so(rebound: TriageApp) -> None:
    app = rebound
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert app.preferences.problems == []
        named(
            footer(app),
            {
                "verdict.retrieval": "retrieval", "verdict.ranking": "ranking", "verdict.refusal": "refusal",
                "verdict.citation-semantic": "citation", "verdict.other": "other",
                "verdict.not-a-failure": "fine", "accept": "accept retrieval", "note": "note", "undo": "undo",
                "help": "help",
            },
        )  # fmt: skip
        named(text_of(app), {"view": "shows all"})
        assert f" {key('filter')} type to filter" in text_of(app)
        await pilot.press("1", "u", "f", "j", "x", "space", "down", "question_mark", "q", "slash", "escape")
        await settle(pilot)
        assert app.screen is app.triage and app.triage.cases.position == 0
        assert "failing 5 of 10" in text_of(app) and "0 of 5 triaged" in text_of(app)
        await pilot.press(NEW["verdict.ranking"])
        await settle(pilot, lambda: "1 of 5 triaged" in text_of(app))
        named(text_of(app), {"undo": "undo"})
        await pilot.press(NEW["undo"])
        await settle(pilot, lambda: "0 of 5 triaged" in text_of(app))
        named(text_of(app), {"redo": "redo"})
        await pilot.press(NEW["redo"])
        await settle(pilot, lambda: "1 of 5 triaged" in text_of(app))
        await pilot.press(NEW["first"], NEW["down"], NEW["next"], NEW["up"])
        assert app.triage.cases.position == 1
        await pilot.press(NEW["last"])
        assert app.triage.cases.position == 4
        await pilot.press(NEW["mark"])
        await settle(pilot, lambda: "1 marked" in text_of(app))
        await pilot.press(NEW["view"])
        await settle(pilot, lambda: "all 10 of 10" in text_of(app))
        await pilot.press(NEW["quit"])
        await settle(pilot, lambda: app._exit)


async def test_every_pane_and_screen_hears_each_new_key_and_no_old_one(rebound: TriageApp) -> None:
    app = rebound
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        everywhere = {action.id for action in ACTIONS if action.where in ("screen", "app")}
        assert everywhere - set(heard(app, "screen", "app")) <= {"demo", "open.new"}
        for pane, where in ((app.triage.cases, "list"), (app.triage.panels, "panels")):
            pane.focus()
            await pilot.pause()
            assert set(heard(app, where)) == {action.id for action in ACTIONS if action.where == where}
        named(footer(app), {"panels.choose": "cases behind it", "pane": "next pane", "back": "list"})
        app.triage.detail.focus()
        await pilot.pause()
        assert {"down", "up", "page.down", "page.up", "home", "end"} <= set(heard(app, "list"))
        await pilot.press(NEW["flag.next"])
        await settle(pilot, lambda: f"{key('document')} shows the cited text" in text_of(app))
        app.triage.query_one(Doors).focus()
        await pilot.pause()
        assert set(heard(app, "doors")) == {action.id for action in ACTIONS if action.where == "doors"}
        named(footer(app), {"doors.open": "its cases", "pane": "next pane", "back": "list"})
        await pilot.press(NEW["filter"])
        assert set(heard(app, "filter")) == {action.id for action in ACTIONS if action.where == "filter"}
        named(footer(app), {"filter.leave": "to the list, the text stays"})
        await pilot.press(*"id:C02", NEW["filter.leave"])
        await settle(pilot, lambda: not isinstance(app.focused, Input) and "failing 1 of 10" in text_of(app))
        named(text_of(app), {"back": "clears it"})
        await pilot.press(NEW["back"])
        await settle(pilot, lambda: "failing 5 of 10" in text_of(app))
        await pilot.press(NEW["runs"])
        await settle(pilot, lambda: app.screen is not app.triage)
        await pilot.pause()
        assert set(heard(app, "runs")) == {action.id for action in ACTIONS if action.where == "runs"}
        named(footer(app), {"runs.open": "open", "runs.sort": "sort", "help": "help"})
        await pilot.press(NEW["runs.back"])
        await settle(pilot, lambda: app.screen is app.triage)


async def test_dialogs_name_the_new_keys_and_hear_them(rebound: TriageApp) -> None:
    app = rebound
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press(NEW["note"])
        await settle(pilot, lambda: isinstance(app.screen, NoteBox))
        assert set(heard(app, "note")) == {"note.save", "note.editor"}
        assert "f8 saves   f1, then y saves   f9 opens $EDITOR" in text_of(app)
        await pilot.press(*"late", "escape")
        assert isinstance(app.screen, NoteBox) and not app.screen.has_class("-asking")
        await pilot.press(NEW["back"])
        await settle(pilot, lambda: "f1 go on writing" in text_of(app))
        await pilot.press(NEW["back"], NEW["note.save"])
        await settle(pilot, lambda: app.screen is app.triage and "late" in text_of(app))
        for ident in (
            "sort",
            "labels",
            "export",
            "baseline",
            "filters",
            "goto",
            "columns",
            "k",
            "open.file",
        ):
            await pilot.press(NEW[ident])
            await settle(pilot, lambda: app.screen is not app.triage and app.screen.is_mounted)
            await settle(pilot, lambda: bool(app.screen.query("#hint")))
            await pilot.pause(0.05)
            hint = " ".join(str(one.render()) for one in app.screen.query("#hint"))
            assert "f1" in hint and not re.search(r"\besc\b", hint), (ident, hint)
            await pilot.press("escape")
            assert app.screen is not app.triage, ident
            await pilot.press(NEW["back"])
            await settle(pilot, lambda: app.screen is app.triage)
        await pilot.press(NEW["problems"])
        await settle(pilot, lambda: "problems of now" in text_of(app))
        named(footer(app), {"runs.filter": "narrow", "runs.back": "back"})
        await pilot.press("escape", "q", NEW["runs.back"])
        await settle(pilot, lambda: app.screen is app.triage)
        await pilot.press(NEW["theme"])
        await settle(pilot, lambda: isinstance(app.screen, ThemeDialog))
        await settle(pilot, lambda: "f1 back to triage-dark" in text_of(app))
        await pilot.press(NEW["next"])
        await settle(pilot, lambda: app.theme == "triage-light")
        await pilot.press(NEW["back"])
        await settle(pilot, lambda: app.theme == "triage-dark")


async def test_the_slices_screen_hears_each_new_key_and_no_old_one(rebound: TriageApp) -> None:
    app = rebound
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press(NEW["slices"])
        await settle(pilot, lambda: app.screen is not app.triage)
        await settle(pilot)
        assert set(heard(app, "slices")) == {action.id for action in ACTIONS if action.where == "slices"}
        named(footer(app), {"slices.open": "cases", "slices.metric": "metric", "help": "help"})
        assert f" {key('slices.metric')} Hit@3" in text_of(app)
        await pilot.press("escape", "S")
        assert app.screen is not app.triage
        await pilot.press(NEW["slices.back"])
        await settle(pilot, lambda: app.screen is app.triage)


@pytest.mark.parametrize("screen", ["triage", "runs"])
async def test_help_tells_the_new_keys_alone(rebound: TriageApp, screen: str) -> None:
    app = rebound
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        if screen == "runs":
            await pilot.press(NEW["runs"])
            await settle(pilot, lambda: app.screen is not app.triage)
        await pilot.press(NEW["help"])
        await settle(pilot, lambda: isinstance(app.screen, HelpScreen))
        await pilot.pause()
        lines = [line for part in app.screen.query(Paragraphs) for line in part.render().plain.splitlines()]
        places = (*SCREENS[screen], "app")
        for action in ACTIONS:
            row = f"  {key(action.id):<10}{action.says}"[:50]
            assert any(line.startswith(row) for line in lines) == (action.where in places), action.id
        for words in ("how do I", f"is in the palette, {key('palette')}"):
            assert any(words in line for line in lines)
        assert f"{key('back')} back" in footer(app)
        tasks = "\n".join(lines[: lines.index("")] if "" in lines else lines[:20])
        if screen == "triage":
            for ident in (
                "filter",
                "filter.leave",
                "view",
                "back",
                "pane",
                "open",
                "accept",
                "undo",
                "export",
            ):
                assert re.search(rf"(^|\s){key(ident)}\b", tasks), ident
        assert not re.search(r"\b(esc|enter|tab|space|ctrl\+p)\b", tasks)
        await pilot.press(NEW["back"])
        await settle(pilot, lambda: not isinstance(app.screen, HelpScreen))


async def test_the_first_screen_names_the_new_keys(database: Path) -> None:
    empty = Workspace(database, Settings(keys=NEW), reviewer="wei")
    app = TriageApp(empty)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot, lambda: "look around" in text_of(app))
        named(
            text_of(app),
            {
                "demo": "look around in the demo runs", "open.file": "open a run file or a folder of them",
                "help": "what a run file looks like", "quit": "quit",
            },
        )  # fmt: skip
        assert "demo" in set(heard(app, "screen"))
        await pilot.press(NEW["open.file"])
        await settle(pilot, lambda: app.screen is not app.triage)
    empty.close()


async def test_when_all_is_tagged_the_new_keys_are_named(database: Path, tmp_path: Path) -> None:
    small = Workspace(database, Settings(keys=NEW), reviewer="wei")
    small.ingest([write(tmp_path / "one.jsonl", [record(1, **MISS), record(2)])], LoadOptions())
    app = TriageApp(small)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press(NEW["accept"])
        await settle(pilot, lambda: "the failing case is tagged" in text_of(app))
        named(
            text_of(app),
            {"export": "export the list", "back": "all 2 cases", "undo": "undo", "baseline": "another run"},
        )
    small.close()


async def test_two_keys_do_one_thing_and_the_first_is_named(workspace: Workspace) -> None:
    workspace.settings = Settings(keys={"undo": "w,ctrl+u", "verdict.ranking": "2, r", "reload": "ctrl+r"})
    app = TriageApp(workspace)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        for pressed in ("r", "2"):
            await pilot.press(pressed)
            await settle(pilot, lambda: "1 of 5 triaged" in text_of(app))
            assert "w undo" in text_of(app)
            await pilot.press("ctrl+u" if pressed == "r" else "w")
            await settle(pilot, lambda: "0 of 5 triaged" in text_of(app))
