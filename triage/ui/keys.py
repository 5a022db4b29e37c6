"""Every action, once: bindings, footer, help, palette and README's key table are drawn from here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct
from textual.binding import Binding
from textual.keys import format_key

Where = Literal["app", "screen", "list", "panels", "doors", "note"]
Group = Literal["verdict", "move", "look", "note", "run", "app"]


class Action(Struct, frozen=True):
    """Something a key does.

    Args:
        id: the name under which settings rebind it.
        keys: Textual key names or single characters, the first is the one shown.
        run: the Textual action.
        says: what it does, for palette, help and README.
        foot: the footer's words, wide; "" = never in the footer.
        short: the footer's words where it is narrow; "" = as `foot`.
        where: who binds it.
        aliases: full-width forms of the key, as a Chinese input method sends them.
        palette: stands in the command palette.
    """

    id: str
    keys: tuple[str, ...]
    run: str
    says: str
    where: Where
    group: Group
    foot: str = ""
    short: str = ""
    aliases: tuple[str, ...] = ()
    palette: bool = True


def _verdict(key: str, alias: str, verdict: str, says: str, foot: str, short: str = "") -> Action:
    run = f"screen.verdict('{verdict}')"
    return Action(f"verdict.{verdict}", (key,), run, says, "screen", "verdict", foot, short, (alias,))


def _step(ident: str, key: str, run: str, says: str, where: Where) -> Action:
    return Action(ident, (key,), run, says, where, "move", palette=False)


ACTIONS: tuple[Action, ...] = (
    _verdict("1", "１", "retrieval", "tag: retrieval", "retrieval", "retr"),
    _verdict("2", "２", "ranking", "tag: ranking", "ranking", "rank"),
    _verdict("3", "３", "refusal", "tag: refusal", "refusal", "refu"),
    _verdict("4", "４", "citation-semantic", "tag: citation-semantic", "citation", "cite"),
    _verdict("5", "５", "other", "tag: another failure", "other"),
    _verdict("9", "９", "test-set", "tag: the test set is wrong", ""),
    _verdict("0", "０", "not-a-failure", "tag: not a failure", "fine"),
    Action("clear", ("backspace",), "screen.review('clear')", "take the verdict back", "screen", "verdict"),
    Action(
        "accept",
        ("space",),
        "screen.review('accept')",
        "accept the suggestion",
        "screen",
        "verdict",
        "accept",
        aliases=("ideographic_space",),
    ),
    Action(
        "undo",
        ("u",),
        "screen.review('undo')",
        "undo my last verdict, note or label",
        "screen",
        "verdict",
        "undo",
    ),
    Action("redo", ("U",), "screen.review('redo')", "redo what was undone", "screen", "verdict"),
    Action("mark", ("x",), "screen.mark", "mark the case: a verdict goes to all marked", "screen", "verdict"),
    Action("note", ("n",), "screen.ask('note')", "write a note", "screen", "note", "note"),
    Action("labels", ("l",), "screen.ask('labels')", "set labels", "screen", "note"),
    Action(
        "note.save", ("ctrl+s",), "save", "save the note (also esc, then y)", "note", "note", palette=False
    ),
    Action("note.editor", ("ctrl+o",), "editor", "write the note in $EDITOR", "note", "note", palette=False),
    _step("down", "down", "down", "next row", "list"),
    _step("up", "up", "up", "previous row", "list"),
    Action("next", ("j",), "screen.cursor(1)", "next case", "screen", "move"),
    Action("previous", ("k",), "screen.cursor(-1)", "previous case", "screen", "move"),
    Action("first", ("g",), "screen.edge(False)", "first case", "screen", "move"),
    Action("last", ("G",), "screen.edge(True)", "last case", "screen", "move"),
    _step("page.down", "pagedown", "page(1)", "a page down", "list"),
    _step("page.up", "pageup", "page(-1)", "a page up", "list"),
    _step("home", "home", "edge(False)", "first row", "list"),
    _step("end", "end", "edge(True)", "last row", "list"),
    Action(
        "open",
        ("enter",),
        "open",
        "open the case",
        "list",
        "move",
        "open",
        palette=False,
    ),
    Action(
        "panels.choose",
        ("enter",),
        "choose",
        "on a number: the cases behind it",
        "panels",
        "move",
        "cases behind it",
        palette=False,
    ),
    _step("panels.left", "left", "move(-1, 0)", "the number to the left", "panels"),
    _step("panels.right", "right", "move(1, 0)", "the number to the right", "panels"),
    _step("panels.up", "up", "move(0, -1)", "the number above", "panels"),
    _step("panels.down", "down", "move(0, 1)", "the number below", "panels"),
    Action(
        "doors.open",
        ("enter",),
        "open",
        "on the count of a class: its cases",
        "doors",
        "move",
        "its cases",
        palette=False,
    ),
    _step("doors.left", "left", "step(-1)", "the count to the left", "doors"),
    _step("doors.right", "right", "step(1)", "the count to the right", "doors"),
    Action(
        "back",
        ("escape",),
        "screen.back",
        "back: dialog, detail, drill-down, filter",
        "screen",
        "move",
        "back",
    ),
    Action("pane", ("tab",), "screen.pane(1)", "next pane", "screen", "move", "next pane"),
    Action("pane.back", ("shift+tab",), "screen.pane(-1)", "previous pane", "screen", "move"),
    Action("flag.next", ("]",), "screen.flag(1)", "next flagged sentence or citation", "screen", "move"),
    Action(
        "flag.previous", ("[",), "screen.flag(-1)", "previous flagged sentence or citation", "screen", "move"
    ),
    Action(
        "document", ("o",), "screen.document", "from a citation to its document and back", "screen", "move"
    ),
    Action("unfold", ("z",), "screen.unfold", "show long texts whole, or fold them", "screen", "move"),
    Action("demo", ("d",), "screen.demo", "first screen: look around in the demo runs", "screen", "run"),
    Action(
        "open.file",
        ("o",),
        "screen.ask('open_file')",
        "open a run file or a folder",
        "screen",
        "run",
    ),
    Action("filter", ("/",), "screen.filter", "filter", "screen", "look", "filter", aliases=("、", "／")),
    Action(
        "view",
        ("f",),
        "screen.view",
        "next of failing, all, unreviewed, passing",
        "screen",
        "look",
        "view",
    ),
    Action("sort", ("s",), "screen.ask('sort')", "sort the list", "screen", "look", "sort"),
    Action("k", ("K",), "screen.ask('k')", "change K", "screen", "run"),
    Action(
        "baseline", ("b",), "screen.ask('runs')", "choose the run and its baseline", "screen", "run", "runs"
    ),
    Action("reload", ("r",), "screen.reload", "read the run's file again", "screen", "run"),
    Action(
        "problems",
        ("p",),
        "screen.ask('problems')",
        "records and fields that could not be read",
        "screen",
        "run",
    ),
    Action("export", ("e",), "screen.ask('export')", "export the list", "screen", "run", "export"),
    Action("copy", ("y",), "screen.ask('copy')", "copy the case as text", "screen", "run", "copy"),
    Action("reviewer", (), "screen.ask('reviewer')", "change the reviewer's name", "screen", "app"),
    Action(
        "help",
        ("?",),
        "app.help",
        "keys, metrics and the filter language",
        "app",
        "app",
        "help",
        aliases=("？",),
    ),
    Action(
        "palette", ("ctrl+p",), "app.command_palette", "every action by name", "app", "app", palette=False
    ),
    Action("quit", ("q", "ctrl+q"), "app.quit", "quit", "app", "app", "quit"),
)
BY_ID: Mapping[str, Action] = {action.id: action for action in ACTIONS}
GROUPS: Mapping[Group, str] = {
    "verdict": "verdicts",
    "note": "notes and labels",
    "move": "moving",
    "look": "filter and view",
    "run": "runs and files",
    "app": "the app",
}


def bindings(where: Where) -> list[Binding]:
    """Textual bindings of what `where` binds; an alias has no id, so rebinding the key leaves it alone."""
    made: list[Binding] = []
    for action in ACTIONS:
        if action.where != where:
            continue
        for key in action.keys:
            # Quitting by ctrl+q works from inside an input too, a letter does not.
            made.append(
                Binding(key, action.run, action.says, show=False, id=action.id, priority=key == "ctrl+q")
            )
        made.extend(Binding(alias, action.run, show=False, system=True) for alias in action.aliases)
    return made


_SHOWN = {
    "ideographic_space": "full-width space",
    "escape": "esc",
    "space": "space",
    "pagedown": "pgdn",
    "pageup": "pgup",
}


def shown(key: str) -> str:
    """A key as it is written for people: `esc`, `ctrl+s`, `/`."""
    if key in _SHOWN or len(key) == 1:
        return _SHOWN.get(key, key)
    *modifiers, last = key.split("+")
    named = _SHOWN.get(last) or (
        last if last in {"enter", "tab", "up", "down", "left", "right", "home", "end", "backspace"} else ""
    )
    return "+".join([*modifiers, named or format_key(last)])


def keys_of(action: Action, keymap: Mapping[str, str]) -> tuple[str, ...]:
    """Keys of an action under the user's `keymap` (id -> keys joined by commas), written for people."""
    raw = keymap.get(action.id)
    keys: Iterable[str] = [key.strip() for key in raw.split(",")] if raw else action.keys
    return tuple(shown(key) for key in keys)


def key_table() -> str:
    """README's table of keys, as Markdown."""
    lines = ["| key | does |", "| --- | --- |"]
    for action in ACTIONS:
        keys = " ".join(f"`{key}`" for key in keys_of(action, {})) or "(palette)"
        lines.append(f"| {keys} | {action.says} |")
    return "\n".join(lines)
