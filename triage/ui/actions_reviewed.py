"""The actions of the screen that tells what a review says, and its footer."""

from __future__ import annotations

from triage.ui.actions import Action

REVIEWED: tuple[Action, ...] = (
    Action("reviewed.open", ("enter",), "screen.reviewed_open", "the cases behind the number",
           "reviewed", "move", "cases behind it", "cases"),
    Action("reviewed.sample", ("f",), "screen.reviewed_sample", "the next sample, or all verdicts",
           "reviewed", "look", "samples in turn", "samples"),
    Action("reviewed.copy", ("y",), "screen.reviewed_copy", "copy the report as Markdown", "reviewed", "look",
           "copy as Markdown", "copy"),
    Action("reviewed.filter", ("/",), "screen.narrow", "narrow the list by typing", "reviewed",
           "look", "narrow", aliases=("、", "／")),
    Action("reviewed.pane", ("tab", "shift+tab"), "screen.pane", "between the list and what is told "
           "of the row", "reviewed", "move", palette=False),
    Action("reviewed.back", ("escape",), "screen.step_back", "back by one step", "reviewed", "move",
           "back"),
)  # fmt: skip
REVIEWED_FOOT: tuple[str, ...] = (
    "reviewed.open", "reviewed.sample", "reviewed.copy", "reviewed.filter", "reviewed.back", "help",
)  # fmt: skip
