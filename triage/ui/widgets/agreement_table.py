"""The list of the Agreement screen: a line a pair, a class, a reader or a rule, under its header."""

from __future__ import annotations

from triage.ui.widgets.agreement_model import Row
from triage.ui.widgets.figure_list import FigureHead, FigureList


class AgreementHead(FigureHead):
    """The header line over the list."""


class AgreementList(FigureList[Row]):
    """One line a row; the cursor stays on its row."""
