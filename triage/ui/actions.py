"""What an action is, and those of the Triage screen and of the app."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Where = str
"""Who binds an action: "app", "screen" (the Triage screen), a pane of it, or another screen by its name."""
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


CASES: tuple[Action, ...] = (
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
    Action("review", ("V",), "screen.ask('review')", "review: samples, disputes, agreement", "screen",
           "run", "review"),
    Action("codes", ("L",), "screen.ask('codes')", "the codebook: labels and what they mean", "screen",
           "run", "codebook"),
    Action("groups", ("M",), "screen.ask('groups')", "similar failures as groups, to be judged at once",
           "screen", "run", "groups"),
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
)  # fmt: skip
"""On the Triage screen."""

APP: tuple[Action, ...] = (
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
"""Anywhere."""
