"""The actions of the Judges screen."""

from __future__ import annotations

from triage.ui.actions import Action

JUDGES: tuple[Action, ...] = (
    Action("judges.open", ("enter",), "screen.judges_open('wrong')",
           "the cases behind the row: where judge and people differ", "judges", "run", "cases"),
    Action("judges.missed", ("m",), "screen.judges_open('missed')", "bad answers that the judge calls good",
           "judges", "run", "missed"),
    Action("judges.alarms", ("x",), "screen.judges_open('alarms')", "good answers that the judge calls bad",
           "judges", "run", "false alarms", "alarms"),
    Action("judges.part", ("f",), "screen.judges_part(1)", "next of thresholds, where it fails, people, "
           "judges", "judges", "look", "next part", "part"),
    Action("judges.right", ("right",), "screen.judges_part(1)", "the next part", "judges", "look",
           palette=False),
    Action("judges.left", ("left",), "screen.judges_part(-1)", "the part before", "judges", "look",
           palette=False),
    Action("judges.score", ("c",), "screen.judges_choose('score')", "choose the judge's score", "judges",
           "look", "judge"),
    Action("judges.people", ("p",), "screen.judges_choose('people')",
           "hold it against verdicts, or a number of the records", "judges", "look", "people"),
    Action("judges.ratings", ("r",), "screen.judges_choose('ratings')",
           "where the records have each person's own number", "judges", "look", "raters"),
    Action("judges.second", ("o",), "screen.judges_choose('second')", "another score to hold it against",
           "judges", "look", "other judge", "other"),
    Action("judges.good", ("t",), "screen.judges_choose('good')", "people's number from which on it is good",
           "judges", "look", "good from"),
    Action("judges.whole", ("s",), "screen.whole", "the sample alone, or the whole run", "judges",
           "look", "sample or run", "sample"),
    Action("judges.pane", ("tab", "shift+tab"), "screen.pane", "between the list and what is told",
           "judges", "move", palette=False),
    Action("judges.filter", ("/",), "screen.narrow", "narrow the list by typing", "judges", "look",
           "narrow", aliases=("、", "／")),
    Action("judges.back", ("escape",), "screen.step_back", "back by one step", "judges", "move", "back"),
)  # fmt: skip
JUDGES_FOOT = ("judges.open", "judges.part", "judges.whole", "judges.missed", "judges.alarms", "judges.good",
               "judges.back", "help")  # fmt: skip
"""What its footer shows; the keys of what is held against what stand in the head."""
