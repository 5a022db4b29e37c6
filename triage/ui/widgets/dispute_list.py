"""The pool of disputed cases as a list, and the readings of the one under the cursor, side by side."""

from __future__ import annotations

from collections.abc import Sequence

from textual.geometry import Size
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from triage.plain import cut_left, fit, one_line, preview, width
from triage.ui.palette import LAYER_WORDS, Palette, colours
from triage.ui.widgets.dispute_model import Dispute, side_by_side
from triage.ui.widgets.dispute_model import Part as Said
from triage.ui.widgets.line import Part, line
from triage.ui.widgets.row_list import RowHead, RowList, cursor_mark

ID_LEAST, ID_MOST = 5, 10
SAID, SAID_NARROW = 25, 23
"""Cells of what the readers say; where the list has less than `WIDE` cells."""
WIDE = 48
NOTES = ((36, 5), (28, 3), (0, 2))
"""Least rows of the terminal, and lines of a note."""


def _room(cells: int) -> int:
    return SAID if cells >= WIDE else SAID_NARROW


def _ids(disputes: Sequence[Dispute]) -> int:
    return min(max((width(one_line(one.id)) for one in disputes), default=0), ID_MOST)


class DisputeHead(RowHead):
    """The header line over the list."""

    def titles(self, cells: int) -> str:
        """The columns' titles in a line of so many cells."""
        ids = max(_ids(self.rows), ID_LEAST)
        return f" {fit('case', ids)}  {fit(' readers say', _room(cells))}  query"


class DisputeList(RowList[Dispute]):
    """One line a case: what its readers say, or how it was settled. The cursor stays on its case."""

    def key_of(self, row: Dispute) -> str:
        """The case's id."""
        return row.id

    def paint(self, position: int, cells: int, *, cursor: bool, ink: Palette) -> Strip:
        """The case's row; a settled one rests. The query is the last thing in it."""
        one = self.rows[position]
        on = "cursor" if cursor else "bg"
        ground = ink("text", on)
        settled = one.decided is not None
        mark = cursor_mark(cursor, self.has_focus, ink)
        voice = ink("muted" if settled else "text", on)
        ids = max(_ids(self.rows), ID_LEAST)
        ident = ink("text bold", on) if cursor else voice
        parts: list[Part] = [mark, (fit(cut_left(one_line(one.id), ids), ids), ident), ("  ", ground)]
        parts += _said(one, _room(cells), ink, on)
        parts.append(("! " if one.row.high_risk else "  ", ink("text bold", on)))
        query = fit(preview(one.row.query), max(cells - sum(width(text) for text, _ in parts), 0))
        return line([*parts, (query, voice)], [], cells, ground)


def _said(one: Dispute, cells: int, ink: Palette, on: str) -> list[Part]:
    """The verdicts on their tints, as many as fit; what was decided alone on a settled case."""
    if one.decided is not None:
        word = f" {LAYER_WORDS[one.decided.verdict]} "
        left = cells - width(word)
        return [
            (word, ink.ground(on) + ink.tint(one.decided.verdict, on)),
            (fit(" settled", left), ink("muted", on)),
        ]
    parts: list[Part] = []
    verdicts, room = one.verdicts, cells
    for number, verdict in enumerate(verdicts):
        word = f" {LAYER_WORDS[verdict]} "
        rest = len(verdicts) - number - 1
        if width(word) + (1 if parts else 0) > room - (3 if rest else 0) and parts:
            more = f" +{rest + 1}"
            parts.append((more, ink("muted", on)))
            room -= width(more)
            break
        if parts:
            parts.append((" ", ink("text", on)))
            room -= 1
        parts.append((word, ink.ground(on) + ink.tint(verdict, on)))
        room -= width(word)
    return [*parts, (" " * max(room, 0), ink("text", on))]


class Readings(Widget):
    """What each reader says of a case: verdict, labels, note and time, side by side."""

    DEFAULT_CSS = "Readings { width: 1fr; height: auto; background: $raised; }"

    dispute: reactive[Dispute | None] = reactive(None, layout=True)

    def _lines(self, cells: int) -> list[list[Said]]:
        if self.dispute is None:
            return []
        rows = self.screen.size.height
        most = next(most for least, most in NOTES if rows >= least)
        lines: list[list[Said]] = []
        # Where many have read a case, a line of each note is better than some of the readers alone.
        for notes in range(most, 0, -1):
            lines = side_by_side(self.dispute, cells, notes)
            if len(lines) + 2 <= rows // 2:
                break
        return lines

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """A blank line, the readings, a blank line."""
        return 1 + len(self._lines(width)) + 1 if self.dispute is not None else 0

    def render_line(self, y: int) -> Strip:
        """The row."""
        ink, cells = colours(self.app), self.size.width
        ground = ink("text", "raised")
        lines = self._lines(cells)
        said = lines[y - 1] if 0 < y <= len(lines) else []
        parts = [
            (text, ink.ground("raised") + ink.tint(role, "raised") if tinted else ink(role, "raised"))
            for text, role, tinted in said
        ]
        return line(parts, [(" ", ground)], cells, ground)
