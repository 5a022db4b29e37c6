"""Text to read, in rows: what stands at the left, and beside it what is wrapped under itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget


class Row(NamedTuple):
    """A paragraph: what stands at its left, and the text that is wrapped beside it."""

    lead: Content
    text: Content
    cells: int


class Paragraphs(Widget):
    """Rows, each wrapped with what follows its first line under the text and not under the lead."""

    def __init__(self, rows: Sequence[Row]) -> None:
        super().__init__(classes="text")
        self._rows = list(rows)
        self._laid: tuple[int, list[Content]] = (0, [])

    def _lines(self, width: int) -> list[Content]:
        if self._laid[0] != width:
            self._laid = width, [line for row in self._rows for line in wrapped(row, width)]
        return self._laid[1]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the lines at this width."""
        return len(self._lines(width))

    def render(self) -> Content:
        """The lines."""
        return Content("\n").join(self._lines(self.content_size.width))


def wrapped(row: Row, width: int) -> list[Content]:
    """The lines of a row at this width."""
    lead = row.lead
    gap = max(row.cells - lead.cell_length, 1 if lead.cell_length and row.text else 0)
    lead = Content.assemble(lead, " " * gap)
    body = row.text.wrap(max(width - lead.cell_length, 20)) if row.text else [Content("")]
    indent = " " * row.cells
    rest = [Content.assemble(indent, line.rstrip()) for line in body[1:]]
    return [Content.assemble(lead, body[0].rstrip()), *rest]
