"""The actions of the codebook and of the groups of similar failures, and what their footers show."""

from __future__ import annotations

from collections.abc import Mapping

from triage.ui.actions import Action

CODES: tuple[Action, ...] = (
    Action("codes.open", ("enter",), "screen.codes_open", "the run's cases that bear the label", "codes",
           "run", "cases"),
    Action("codes.define", ("d",), "screen.codes_do('define')", "say what the label means", "codes", "note",
           "define"),
    Action("codes.new", ("n",), "screen.codes_do('new')", "define a new label", "codes", "note", "new"),
    Action("codes.examples", ("x",), "screen.codes_do('examples')", "choose example cases", "codes", "note",
           "examples"),
    Action("codes.rename", ("r",), "screen.codes_do('rename')", "rename the label on every case", "codes",
           "note", "rename"),
    Action("codes.merge", ("m",), "screen.codes_do('merge')", "merge the label into another", "codes", "note",
           "merge"),
    Action("codes.split", ("s",), "screen.codes_do('split')", "split the label: each case gets a new one",
           "codes", "note", "split"),
    Action("codes.forget", ("D", "delete"), "screen.codes_do('forget')",
           "take a label that no case bears out of the book", "codes", "note"),
    Action("codes.undo", ("u",), "screen.codes_do('undo')", "take the newest change of the book back",
           "codes", "note", "undo"),
    Action("codes.history", ("h",), "screen.codes_do('history')", "every change of the book", "codes",
           "look"),
    Action("codes.filter", ("/",), "screen.narrow", "narrow the labels by typing", "codes", "look",
           "narrow", aliases=("、", "／")),
    Action("codes.pane", ("tab", "shift+tab"), "screen.pane", "between the list and the label below",
           "codes", "move", palette=False),
    Action("codes.back", ("escape", "L"), "screen.step_back", "back to the cases", "codes", "move", "back"),
)  # fmt: skip
GROUPS: tuple[Action, ...] = (
    Action("groups.open", ("enter",), "screen.groups_open", "the group's cases, all marked: a verdict judges"
           " them all", "groups", "run", "open, all marked", "open"),
    Action("groups.view", ("f",), "screen.groups_view", "groups with cases left to judge, or all", "groups",
           "look", "view"),
    Action("groups.filter", ("/",), "screen.narrow", "narrow the groups by typing", "groups", "look",
           "narrow", aliases=("、", "／")),
    Action("groups.pane", ("tab", "shift+tab"), "screen.pane", "between the list and the group below",
           "groups", "move", palette=False),
    Action("groups.back", ("escape", "M"), "screen.step_back", "back to the cases", "groups", "move",
           "back"),
)  # fmt: skip
CODED_FEET: Mapping[str, tuple[str, ...]] = {
    "codes": ("codes.open", "codes.define", "codes.examples", "codes.rename", "codes.merge", "codes.split",
              "codes.back", "help", "codes.undo"),
    "groups": ("groups.open", "groups.view", "groups.filter", "groups.back", "help"),
}  # fmt: skip
