"""Every action, once: bindings, footer, help, palette and README's key table are drawn from here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct
from textual.binding import Binding
from textual.keys import REPLACED_KEYS, format_key, key_to_character

Where = str
"""Who binds an action: "app", "screen" (the Triage screen), a pane of it, or another screen by its name."""
HEARD: tuple[tuple[Where, ...], ...] = (
    ("list", "screen", "app"),
    ("panels", "screen", "app"),
    ("doors", "screen", "app"),
    ("filter", "screen", "app"),
    ("note",),
    ("runs", "app"),
    ("slices", "app"),
)
"""Places whose keys are heard at one time, nearest first: one key can't do two things there."""
SCREENS: Mapping[str, tuple[Where, ...]] = {
    "triage": ("screen", "list", "panels", "doors", "filter", "note"),
    "runs": ("runs",),
    "slices": ("slices",),
}
"""The places that make up a screen, for its help; "app" is heard in each."""
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
    Action("accept", ("space",), "screen.review('accept')", "accept the suggestion", "screen", "verdict",
           "accept", aliases=("ideographic_space",)),
    Action("undo", ("u",), "screen.review('undo')", "undo my last verdict, note or label", "screen",
           "verdict", "undo"),
    Action("redo", ("U",), "screen.review('redo')", "redo what was undone", "screen", "verdict"),
    Action("defer", ("d",), "screen.review('defer')", "defer: not now; again takes the case up", "screen",
           "verdict"),
    Action("mark", ("x",), "screen.mark('one')", "mark the case: a verdict goes to all marked", "screen",
           "verdict"),
    Action("mark.range", ("X",), "screen.mark('to')", "mark from the last mark to here", "screen", "verdict"),
    Action("mark.all", ("A",), "screen.mark('all')", "mark all shown, or again none", "screen", "verdict"),
    Action("note", ("n",), "screen.ask('note')", "write a note", "screen", "note", "note"),
    Action("labels", ("l",), "screen.ask('labels')", "add or take labels", "screen", "note"),
    Action("note.save", ("ctrl+s",), "save", "save the note", "note", "note",
           palette=False),
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
    Action("open", ("enter",), "open", "open the case", "list", "move", "open", palette=False),
    Action("panels.choose", ("enter",), "choose", "on a number: the cases behind it", "panels", "move",
           "cases behind it", palette=False),
    _step("panels.left", "left", "move(-1, 0)", "the number to the left", "panels"),
    _step("panels.right", "right", "move(1, 0)", "the number to the right", "panels"),
    _step("panels.up", "up", "move(0, -1)", "the number above", "panels"),
    _step("panels.down", "down", "move(0, 1)", "the number below", "panels"),
    Action("doors.open", ("enter",), "open", "on the count of a class: its cases", "doors", "move",
           "its cases", palette=False),
    _step("doors.left", "left", "step(-1)", "the count to the left", "doors"),
    _step("doors.right", "right", "step(1)", "the count to the right", "doors"),
    Action("back", ("escape",), "screen.back", "back: dialog, detail, drill-down, filter", "screen", "move",
           "back"),
    Action("pane", ("tab",), "screen.pane(1)", "next pane", "screen", "move", "next pane"),
    Action("pane.back", ("shift+tab",), "screen.pane(-1)", "previous pane", "screen", "move"),
    Action("flag.next", ("]",), "screen.flag(1)", "next flagged sentence or citation", "screen", "move"),
    Action("flag.previous", ("[",), "screen.flag(-1)", "previous flagged sentence or citation", "screen",
           "move"),
    Action("document", ("o",), "screen.document", "to the cited text and back", "screen", "move"),
    Action("unfold", ("z",), "screen.unfold", "show long texts whole, or fold them", "screen", "move"),
    Action("demo", ("d",), "screen.demo", "first screen: look around in the demo runs", "screen", "run"),
    Action("open.file", ("o",), "screen.ask('open_file')", "open a run file or a folder", "screen", "run"),
    Action("filter.leave", ("enter",), "leave", "in the filter: take the choice, else to the list",
           "filter", "look", palette=False),
    Action("filter.take", ("tab",), "take", "in the filter: take what is offered", "filter", "look",
           palette=False),
    Action("filter.down", ("down",), "choose(1)", "in the filter: choose what is offered, else to the list",
           "filter", "look", palette=False),
    Action("filter.up", ("up",), "choose(-1)", "in the filter: the offer before", "filter", "look",
           palette=False),
    Action("filter.close", ("escape",), "close", "in the filter: offer nothing, else to the list", "filter",
           "look", palette=False),
    Action("filter", ("/",), "screen.filter", "filter", "screen", "look", "filter", aliases=("、", "／")),
    Action("filters", ("F",), "screen.ask('filters')", "filters by name: use, save, remove", "screen",
           "look"),
    Action("goto", (":",), "screen.ask('goto')", "jump to a case by its id or number", "screen", "move",
           aliases=("：",)),
    Action("similar", ("m",), "screen.ask('similar')", "cases with a similar query", "screen", "look"),
    Action("view", ("f",), "screen.view", "next of failing, all, unreviewed, passing", "screen", "look",
           "view"),
    Action("sort", ("s",), "screen.ask('sort')", "sort the list", "screen", "look", "sort"),
    Action("columns", ("c",), "screen.ask('columns')", "choose the list's columns", "screen", "look"),
    Action("k", ("K",), "screen.ask('k')", "change K", "screen", "run"),
    Action("baseline", ("b",), "screen.ask('runs')", "choose the run and its baseline", "screen", "run",
           "runs"),
    Action("runs", ("R",), "screen.ask('runs_screen')", "all runs: numbers, problems, removal", "screen",
           "run", "runs"),
    Action("slices", ("S",), "screen.ask('slices')", "metrics by topic or anything else recorded", "screen",
           "run", "slices"),
    Action("advice", ("a",), "screen.ask('advice')", "what to try first, layer by layer", "screen", "run",
           "what to try first", "advice"),
    Action("open.new", ("O",), "app.open_new", "open the run that has just come", "app", "run"),
    Action("reload", ("r",), "screen.reload", "read the run's file again", "screen", "run"),
    Action("problems", ("p",), "screen.ask('problems')", "records and fields that could not be read",
           "screen", "run"),
    Action("export", ("e",), "screen.ask('export')", "export the list", "screen", "run", "export"),
    Action("copy", ("y",), "screen.ask('copy')", "copy the case; again: a part of it", "screen", "run",
           "copy"),
    Action("copy.id", (), "screen.copy('id')", "copy the case's id", "screen", "run"),
    Action("copy.answer", (), "screen.copy('answer')", "copy the answer", "screen", "run"),
    Action("copy.json", (), "screen.copy('json')", "copy the record as JSON, as it came", "screen", "run"),
    Action("copy.link", (), "screen.copy('link')", "copy the command that opens the case", "screen", "run"),
    Action("runs.open", ("enter",), "screen.runs_open", "show the run's cases", "runs", "run", "open"),
    Action("runs.against", ("b",), "screen.runs_against", "compare the run shown with this one", "runs",
           "run", "compare with it", "compare"),
    Action("runs.default", ("backspace",), "screen.runs_default", "compare with the default baseline again",
           "runs", "run", "default baseline"),
    Action("runs.pin", ("B",), "screen.runs_pin", "pin as its test set's baseline, or unpin",
           "runs", "run", "pin"),
    Action("runs.problems", ("p",), "screen.runs_problems", "what could not be read of the run", "runs",
           "run", "problems"),
    Action("runs.reload", ("r",), "screen.runs_reload", "read the run's file again", "runs", "run"),
    Action("runs.open.file", ("o",), "screen.runs_open_file", "load a run file or a folder", "runs", "run",
           "load a file", "load"),
    Action("runs.remove", ("D", "delete"), "screen.runs_remove", "remove the run: asks first", "runs", "run",
           "remove"),
    Action("runs.filter", ("/",), "screen.runs_filter", "narrow the list by typing", "runs", "look", "narrow",
           aliases=("、", "／")),
    Action("runs.sort", ("s",), "screen.runs_sort", "sort the runs", "runs", "look", "sort"),
    Action("runs.metric", ("t",), "screen.runs_metric", "choose the metric whose trend is drawn", "runs",
           "look", "trend"),
    Action("runs.metric.next", ("right",), "screen.runs_metric_step(1)", "the trend of the next metric",
           "runs", "look", palette=False),
    Action("runs.metric.previous", ("left",), "screen.runs_metric_step(-1)", "the trend of the metric before",
           "runs", "look", palette=False),
    Action("runs.pane", ("tab", "shift+tab"), "screen.runs_pane", "between the list and the run below",
           "runs", "move", palette=False),
    Action("runs.back", ("escape", "R"), "screen.runs_back", "back to the cases", "runs", "move", "cases",
           "back"),
    Action("slices.open", ("enter",), "screen.slices_open", "the cases behind the number", "slices", "run",
           "cases"),
    Action("slices.metric", ("m",), "screen.slices_choose('metric')", "choose the metric", "slices", "look",
           "metric"),
    Action("slices.dimension", ("d",), "screen.slices_choose('dimension')",
           "choose by what the cases are told apart", "slices", "look", "by what", "by"),
    Action("slices.cross", ("x",), "screen.slices_choose('cross')", "cross with a second dimension", "slices",
           "look", "cross"),
    Action("slices.all", ("a",), "screen.slices_all", "all metrics, or one", "slices", "look", "all metrics",
           "all"),
    Action("slices.sort", ("s",), "screen.slices_choose('sort')", "sort the slices", "slices", "look",
           "sort"),
    Action("slices.filter", ("/",), "screen.slices_filter", "narrow the values by typing", "slices", "look",
           "narrow", aliases=("、", "／")),
    Action("slices.right", ("right",), "screen.slices_step(1)", "the next metric, or column", "slices",
           "look", palette=False),
    Action("slices.left", ("left",), "screen.slices_step(-1)", "the metric before, or column", "slices",
           "look", palette=False),
    Action("slices.metric.next", ("]",), "screen.slices_metric(1)", "the next metric", "slices", "look"),
    Action("slices.metric.previous", ("[",), "screen.slices_metric(-1)", "the metric before", "slices",
           "look"),
    Action("slices.back", ("escape", "S"), "screen.slices_back", "back to the cases", "slices", "move",
           "back"),
    Action("reviewer", (), "screen.ask('reviewer')", "change the reviewer's name", "screen", "app"),
    Action("help", ("?",), "app.help", "keys, metrics and the filter language", "app", "app", "help",
           aliases=("？",)),
    Action("palette", ("ctrl+p",), "app.command_palette", "every action by name", "app", "app",
           palette=False),
    Action("theme", ("T",), "app.theme", "choose a theme, seen at once", "app", "app"),
    Action("settings", (), "app.settings", "settings: each, where it is from, what is wrong", "app", "app"),
    Action("redraw", ("ctrl+l",), "app.redraw", "paint the screen anew", "app", "app"),
    Action("suspend", ("ctrl+z",), "app.suspend", "suspend: fg in the shell comes back here", "app", "app"),
    Action("quit", ("q", "ctrl+q"), "app.quit", "quit", "app", "app", "quit"),
)  # fmt: skip
BY_ID: Mapping[str, Action] = {action.id: action for action in ACTIONS}
GROUPS: Mapping[Group, str] = {
    "verdict": "verdicts",
    "note": "notes and labels",
    "move": "moving",
    "look": "filter and view",
    "run": "runs and files",
    "app": "the app",
}


NO_KEY = "no_key"
"""A key that no terminal sends: it holds the place of an action without a key, so that it can get one."""
ALIAS, ANYWHERE = ":alias", ":anywhere"
"""Endings of a binding's id: its full-width forms, and the keys that work from inside a field too."""


_ANYWHERE = ("quit", "suspend")
"""Actions that a key which writes nothing does from inside a field too."""


_HYPHENED = {"fullwidth_hyphen_minus": "\uff0d"}
"""A name of a key from which its character's own name does not follow."""


def character_of(key: str) -> str:
    """The character that a key writes, "" = none; Textual has none for short names such as `slash`."""
    named = key_to_character(key) or _HYPHENED.get(key)
    return named or (key_to_character(REPLACED_KEYS[key]) or "" if key in REPLACED_KEYS else "")


def typed(key: str) -> bool:
    """Does the key write a character, so that a field keeps it for itself?"""
    return (character_of(key) or "\n").isprintable()


def binding_id(action: Action, key: str) -> str:
    """The id under which Textual rebinds this key of an action."""
    return action.id + (ANYWHERE if action.id in _ANYWHERE and not typed(key) else "")


def binding_keys(action: Action) -> dict[str, list[str]]:
    """Textual's binding ids of an action -> its keys under each; one without a key can be given one."""
    idents = (action.id, action.id + ANYWHERE) if action.id in _ANYWHERE else (action.id,)
    made = {ident: [key for key in action.keys if binding_id(action, key) == ident] for ident in idents}
    return {ident: keys or [NO_KEY] for ident, keys in made.items()}


def bindings(where: Where) -> list[Binding]:
    """Textual bindings of what `where` binds."""
    made: list[Binding] = []
    for action in ACTIONS:
        if action.where != where:
            continue
        for ident, keys in binding_keys(action).items():
            priority = ident.endswith(ANYWHERE)
            made.extend(
                Binding(key, action.run, action.says, show=False, id=ident, priority=priority) for key in keys
            )
        for alias in action.aliases:
            made.append(Binding(alias, action.run, show=False, system=True, id=action.id + ALIAS))
    return made


def same_keys(**runs: str) -> list[Binding]:
    """Bindings of actions that do something of their own elsewhere: id (`_` for `.`) -> Textual action."""
    made: list[Binding] = []
    for name, run in runs.items():
        action = BY_ID[name.replace("_", ".")]
        made.extend(
            Binding(key, run, show=False, id=action.id)
            for key in action.keys
            if typed(key) or action.id not in _ANYWHERE
        )
        made.extend(Binding(alias, run, show=False, id=action.id + ALIAS) for alias in action.aliases)
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
    if typed(key):
        return character_of(key)
    *modifiers, last = key.split("+")
    named = _SHOWN.get(last) or (
        last if last in {"enter", "tab", "up", "down", "left", "right", "home", "end", "backspace"} else ""
    )
    return "+".join([*modifiers, named or format_key(last)])


def keys_of(action: Action, keymap: Mapping[str, str]) -> tuple[str, ...]:
    """Keys of an action under the user's `keymap` (id -> keys joined by commas), written for people."""
    raw = keymap.get(action.id)
    keys: Iterable[str] = action.keys if raw is None else filter(None, raw.split(","))
    return tuple(shown(key.strip()) for key in keys)


def aliases_of(action: Action, keymap: Mapping[str, str]) -> tuple[str, ...]:
    """The full-width forms of its keys, written for people."""
    raw = keymap.get(action.id + ALIAS)
    aliases: Iterable[str] = action.aliases if raw is None else filter(None, raw.split(","))
    return tuple(shown(alias) for alias in aliases)


def shown_key(ident: str, keymap: Mapping[str, str]) -> str:
    """The key that is named for an action; what has none is in the palette, so that one's key."""
    return next(iter(keys_of(BY_ID[ident], keymap) or keys_of(BY_ID["palette"], keymap)))


def shown_keys(keymap: Mapping[str, str]) -> dict[str, str]:
    """Action id -> the key that is named for it."""
    return {action.id: shown_key(action.id, keymap) for action in ACTIONS}


_IN_HINT = re.compile(r"\{([a-z.]+)\}|(?:^|(?<=   )|(?<= or ))esc\b")


def keyed(hint: str, keymap: Mapping[str, str]) -> str:
    """A hint with the keys as the user has them: for `{note.save}`, and for an `esc` that begins an item."""
    keys = shown_keys(keymap)
    return _IN_HINT.sub(lambda found: keys.get(found[1] or "back", found[0]), hint)


def key_table() -> str:
    """README's table of keys, as Markdown: by group and screen, each with the id that rebinds it."""
    lines = ["| key | does | id |", "| --- | --- | --- |"]
    for name, places in SCREENS.items():
        here = [
            action for action in ACTIONS if action.where in (*places, *(("app",) if name == "triage" else ()))
        ]
        parts = GROUPS.items() if name == "triage" else [(None, f"on the {name.capitalize()} screen")]
        for group, title in parts:
            lines.append(f"| **{title}** | | |")
            for action in here:
                if group in (None, action.group):
                    keys = " ".join(f"`{key}`" for key in keys_of(action, {})) or "(palette)"
                    lines.append(f"| {keys} | {action.says} | `{action.id}` |")
    return "\n".join(lines)
