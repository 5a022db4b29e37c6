"""The list of the Judges screen under its header, and over it the question and what it comes to."""

from __future__ import annotations

from collections.abc import Mapping

from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from triage.models.judging import JudgeReport
from triage.ui.palette import colours
from triage.ui.widgets.figure_list import FigureHead, FigureList
from triage.ui.widgets.judges_model import PARTS, Part, Row, asked, counts, fitted, summary
from triage.ui.widgets.line import Words, length, line, styled


class JudgesTop(Widget):
    """Two rows: what is held against what, and what it comes to beside the parts."""

    DEFAULT_CSS = "JudgesTop { height: 2; width: 1fr; }"

    found: reactive[JudgeReport | None] = reactive(None)
    part: reactive[Part] = reactive("thresholds")

    def __init__(self, keys: Mapping[str, str]) -> None:
        """`keys` are the keys shown by action id."""
        super().__init__()
        self._keys = keys

    def render_line(self, y: int) -> Strip:
        """A row."""
        ink, cells = colours(self.app), self.size.width
        ground = ink("text", "bg")
        found = self.found
        if found is None:
            return Strip.blank(cells, ground)
        if y == 0:
            return line(styled(fitted(asked(found, self._keys), cells), ink), [], cells, ground)
        right = styled(self._parts(found), ink)
        left = styled(fitted(summary(found), cells - length(right) - 2), ink)
        return line(left, right, cells, ground)

    def _parts(self, found: JudgeReport) -> Words:
        many = counts(found)
        words: list[tuple[str, str]] = [(f"{self._keys['judges.part']} ", "focus bold")]
        for part in PARTS:
            shown = part if self.size.width >= 100 else part.split()[0]
            words += [(shown, "text bold" if part == self.part else "muted"), (f" {many[part]}", "faint"),
                      ("  ", "text")]  # fmt: skip
        return [*words[:-1], (" ", "text")]


class JudgeHead(FigureHead):
    """The header line over the list."""


class JudgeList(FigureList[Row]):
    """One line a row; the cursor stays on its row."""
