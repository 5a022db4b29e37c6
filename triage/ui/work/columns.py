"""The chosen columns on their way to the list: what is read with a page, and how wide the list may be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from triage.plain import one_line
from triage.ui.widgets.cells import columns_of
from triage.ui.widgets.row import FLAGS, ID_MOST, WHY, Columns

if TYPE_CHECKING:
    from triage.ui.screens.triage import TriageScreen

_BESIDE, _WIDE = 100, 116
"""Widths from which on list and detail stand side by side, and share the room by their need."""
_MIDDLE = 40
_DETAIL_LEAST, _QUERY_ROOM = 58, 34


def show(screen: TriageScreen, keys: Sequence[str] | None) -> None:
    """Show these columns, None = as the width has it; what is no column is told."""
    screen.reader.columns = tuple(keys or ())
    if keys is None:
        screen.cases.choose(None)
    else:
        found, unknown = columns_of(keys, _k(screen))
        screen.cases.choose(found)
        if unknown:
            known = "a field of the filter language, a metric's key or record.KEY"
            screen.speech.say(f"no such column: {one_line(', '.join(unknown))}: {known}")
    fit(screen)


def renew(screen: TriageScreen) -> None:
    """Another K: metrics have other names."""
    screen.cases.choose(columns_of(screen.reader.columns, _k(screen))[0])


def fitting(screen: TriageScreen, keys: Sequence[str]) -> int:
    """How many of these columns have room beside the detail."""
    found, _ = columns_of(keys, _k(screen))
    columns = Columns.at(_cells(screen, sum(column.room for column in found)), ID_MOST, found)
    return len(columns.more)


def fit(screen: TriageScreen) -> None:
    """Beside the detail the list takes what its columns need, and leaves the detail its half."""
    pane = screen.query_one("#cases")
    chosen = screen.cases.chosen
    if not chosen or screen.size.width < _BESIDE:
        pane.styles.width = pane.styles.max_width = None
        return
    cells = _cells(screen, sum(column.room for column in chosen))
    pane.styles.width = pane.styles.max_width = cells


def _cells(screen: TriageScreen, columns: int) -> int:
    """Cells of a list whose chosen columns take so many."""
    width = screen.size.width
    if width < _BESIDE:
        return screen.cases.size.width
    usual = min(max(50, width * 42 // 100), 72) if width >= _WIDE else _MIDDLE
    most = max(usual, width - max(_DETAIL_LEAST, width // 2))
    return min(max(usual, 7 + ID_MOST + WHY + FLAGS + 1 + columns + _QUERY_ROOM), most)


def _k(screen: TriageScreen) -> int:
    if screen.view is not None:
        return screen.view.k
    return screen.run_shown.k if screen.run_shown is not None else 3
