"""The header line of the case list: `1234  case  why  query`."""

from __future__ import annotations

from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from triage.ui.palette import colours
from triage.ui.widgets.row import Columns, heading


class ListHead(Widget):
    """One row over the list, in the list's columns; its voice tells whether the list has the keys."""

    DEFAULT_CSS = "ListHead { height: 1; width: 1fr; }"

    columns: reactive[Columns] = reactive(Columns.at(50, 0))
    lit: reactive[bool] = reactive(True)
    sorted_by: reactive[tuple[str, str]] = reactive(("", ""))
    """The order in words, and in short."""

    def render_line(self, y: int) -> Strip:
        """The row."""
        return heading(self.columns, self.lit, self.sorted_by, colours(self.app))
