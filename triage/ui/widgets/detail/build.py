"""The detail of a case as a page, its sections in their fixed order (look.md section 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.ui.widgets.detail.answer import answered, asked, earlier
from triage.ui.widgets.detail.evidence import evidence
from triage.ui.widgets.detail.head import trail
from triage.ui.widgets.detail.judged import gold, scores
from triage.ui.widgets.detail.page import Chosen, Hidden, Page
from triage.ui.widgets.detail.plan import plan
from triage.ui.widgets.detail.story import before, facts, notes, other, problems, verdicts, why
from triage.ui.widgets.detail.tools import tools
from triage.ui.widgets.detail.turns import turns

if TYPE_CHECKING:
    from triage.models.case import CaseDetail
    from triage.ui.palette import Palette

SECTIONS = (
    earlier, asked, answered, evidence, gold, scores, turns, plan, tools, why, before, verdicts, notes,
    facts, other, problems,
)  # fmt: skip
JUDGING = (scores, why, before, other, problems)
"""What the machine says of the case, and keys of the record that may say it: left out where it is hidden."""


def build(
    detail: CaseDetail,
    ink: Palette,
    width: int,
    *,
    unfolded: bool = False,
    chosen: Chosen | None = None,
    unfold: str = "z",
    hidden: Hidden = "nothing",
) -> Page:
    """Everything below the head.

    Args:
        detail: the case.
        ink: the colours.
        width: cells of the pane.
        unfolded: show long texts and lists whole.
        chosen: the citation that the keyboard has selected.
        unfold: the key that unfolds.
        hidden: what is left out; `unseen` has taken it from `detail` before.
    """
    page = Page(detail, ink, width, unfolded, chosen or Chosen(), unfold=unfold, hidden=hidden)
    if hidden == "machine":
        page.lines.append([])
    else:
        trail(page)
    for section in SECTIONS:
        if hidden != "machine" or section not in JUDGING:
            section(page)
    return page
