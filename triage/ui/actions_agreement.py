"""The actions of the Agreement screen."""

from __future__ import annotations

from triage.ui.actions import Action

AGREEMENT: tuple[Action, ...] = (
    Action("agreement.open", ("enter",), "screen.agreement_open(True)",
           "the cases on which they differ; in the table those of the cell", "agreement", "run", "cases"),
    Action("agreement.cases", ("c",), "screen.agreement_open(False)", "all cases of the row", "agreement",
           "run", "all of them", "all"),
    Action("agreement.part", ("f",), "screen.agreement_part(1)",
           "next of pairs, classes, readers, suggestions", "agreement", "look", "next part", "part"),
    Action("agreement.right", ("right",), "screen.agreement_step(1)",
           "the next part; in the table the column to the right", "agreement", "look", palette=False),
    Action("agreement.left", ("left",), "screen.agreement_step(-1)",
           "the part before; in the table the column to the left", "agreement", "look", palette=False),
    Action("agreement.pane", ("tab", "shift+tab"), "screen.pane",
           "between the list and the table below", "agreement", "move", "table"),
    Action("agreement.disputes", ("d",), "screen.agreement_disputes", "what is in dispute: settle it",
           "agreement", "run", "disputes"),
    Action("agreement.whole", ("s",), "screen.whole", "the sample alone, or the whole run",
           "agreement", "look", "sample or run", "sample"),
    Action("agreement.filter", ("/",), "screen.narrow", "narrow the list by typing", "agreement",
           "look", "narrow", aliases=("、", "／")),
    Action("agreement.back", ("escape",), "screen.step_back", "back by one step", "agreement", "move",
           "back"),
)  # fmt: skip
AGREEMENT_FOOT = ("agreement.open", "agreement.part", "agreement.pane", "agreement.cases",
                  "agreement.disputes", "agreement.whole", "agreement.back", "help")  # fmt: skip
"""What its footer shows, the first ones where there is little room."""
