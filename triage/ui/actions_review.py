"""The actions of the screens of a review, and what their footers show."""

from __future__ import annotations

from collections.abc import Mapping

from triage.ui.actions import Action
from triage.ui.actions_agreement import AGREEMENT, AGREEMENT_FOOT
from triage.ui.actions_codes import CODED_FEET, CODES, GROUPS
from triage.ui.actions_judges import JUDGES, JUDGES_FOOT
from triage.ui.actions_reading import READ_FOOT, READING, READING_FOOT, READING_SAYS, READING_SHARES
from triage.ui.actions_reviewed import REVIEWED, REVIEWED_FOOT

_HOME: tuple[Action, ...] = (
    Action("review.open", ("enter",), "screen.review_read(False)", "read the sample, one case at a time",
           "review", "run", "read"),
    Action("review.blind", ("b",), "screen.review_read(True)", "read it blind: nothing that the machine says",
           "review", "run", "read blind", "blind"),
    Action("review.new", ("n",), "screen.review_new", "draw a new sample", "review", "run", "new sample",
           "new"),
    Action("review.disputes", ("d",), "screen.review_over('disputes')", "what readers disagree on: settle it",
           "review", "run", "disputes"),
    Action("review.agreement", ("a",), "screen.review_over('agreement')", "how well readers agree", "review",
           "run", "agreement", "agree"),
    Action("review.judges", ("J",), "screen.review_over('judges')", "what judges' scores are worth", "review",
           "run", "judges"),
    Action("review.report", ("t",), "screen.review_over('report')", "what the reading says of the run",
           "review", "run", "report"),
    Action("review.remove", ("D", "delete"), "screen.review_remove", "remove the sample: asks first",
           "review", "run", "remove"),
    Action("review.filter", ("/",), "screen.narrow", "narrow the list by typing", "review", "look",
           "narrow", aliases=("、", "／")),
    Action("review.pane", ("tab", "shift+tab"), "screen.pane", "between the list and the sample below",
           "review", "move", palette=False),
    Action("review.back", ("escape", "V"), "screen.step_back", "back to the cases", "review", "move",
           "back"),
)  # fmt: skip
_DISPUTES: tuple[Action, ...] = (
    Action("disputes.open", ("enter",), "screen.disputes_open", "the case, with what each reader says",
           "disputes", "move", "open the case", "open"),
    Action("disputes.view", ("f",), "screen.disputes_view", "next of disputed, settled, both", "disputes",
           "look", "view"),
    Action("disputes.filter", ("/",), "screen.narrow", "narrow the list by typing", "disputes",
           "look", "narrow", aliases=("、", "／")),
    Action("disputes.pane", ("tab", "shift+tab"), "screen.pane", "between the list and the case",
           "disputes", "move", palette=False),
    Action("disputes.cases", ("c",), "screen.disputes_cases", "these cases in the case list", "disputes",
           "look", "case list", "list"),
    Action("disputes.back", ("escape",), "screen.step_back", "back by one step", "disputes", "move",
           "back"),
)  # fmt: skip
REVIEW: tuple[Action, ...] = (*_HOME, *_DISPUTES, *READING, *AGREEMENT, *JUDGES, *REVIEWED, *CODES, *GROUPS)
SHARED: Mapping[str, tuple[str, ...]] = {
    "reading": READING_SHARES,
    "disputes": ("verdict.retrieval", "verdict.ranking", "verdict.refusal", "verdict.citation-semantic",
                 "verdict.other", "verdict.test-set", "verdict.not-a-failure", "undo", "next", "previous",
                 "flag.next", "flag.previous", "document", "unfold"),
}  # fmt: skip
"""Screen -> ids of the actions of the Triage screen that it does as well, under the same keys."""
SAID: Mapping[str, Mapping[str, str]] = {
    "reading": READING_SAYS,
    "disputes": {f"verdict.{verdict}": f"decide: {says}" for verdict, says in (
        ("retrieval", "retrieval"), ("ranking", "ranking"), ("refusal", "refusal"),
        ("citation-semantic", "citation-semantic"), ("other", "another failure"),
        ("test-set", "the test set is wrong"), ("not-a-failure", "not a failure"))}
    | {"undo": "take my last decision back", "next": "next case in dispute",
       "previous": "previous case in dispute"},
}  # fmt: skip
"""Screen -> what some of these do there in words of their own."""
FEET: Mapping[str, tuple[str, ...]] = {
    **CODED_FEET,
    "review": ("review.open", "review.new", "review.disputes", "review.agreement", "review.report",
               "review.judges", "review.back", "help"),
    "reading": READING_FOOT,
    "read": READ_FOOT,
    "disputes": ("disputes.open", "disputes.back", "help", "undo"),
    "agreement": AGREEMENT_FOOT,
    "judges": JUDGES_FOOT,
    "reviewed": REVIEWED_FOOT,
}  # fmt: skip
"""Place -> ids of the actions in its footer, the first ones where there is little room."""
OF_A_ROW = frozenset({
    "review.open", "disputes.open", "agreement.open", "agreement.cases", "agreement.pane", "judges.open",
    "judges.missed", "judges.alarms", "reviewed.open", "codes.open", "codes.define", "codes.examples",
    "codes.rename", "codes.merge", "codes.split", "groups.open",
})  # fmt: skip
"""Ids of the actions on the row under the cursor: a footer leaves them out where there is none."""
