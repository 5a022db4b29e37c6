"""The pool of disputed cases as a list, and the readings of the one under the cursor, side by side."""

from __future__ import annotations

from collections.abc import Sequence

from textual.geometry import Size
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from triage.plain import cut_left, fit, one_line, preview, width
from triage.ui.palette import LAYER_WORDS, Palette, colours
from triage.ui.widgets.cursor_list import CursorList
from triage.ui.widgets.dispute_model import Dispute, side_by_side
from triage.ui.widgets.dispute_model import Part as Said
from triage.ui.widgets.line import Part, line

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


class DisputeHead(Widget):
    """The header line over the list."""

    DEFAULT_CSS = "DisputeHead { height: 1; width: 1fr; }"

    disputes: reactive[Sequence[Dispute]] = reactive(())
    lit: reactive[bool] = reactive(True)

    def render_line(self, y: int) -> Strip:
        """The row."""
        ink, cells = colours(self.app), self.size.width
        voice = ink("text" if self.lit else "faint", "raised")
        ids = max(_ids(self.disputes), ID_LEAST)
        text = f" {fit('case', ids)}  {fit(' readers say', _room(cells))}  query"
        return line([(text, voice)], [], cells, voice)


class DisputeList(CursorList):
    """One line a case: what its readers say, or how it was settled. The cursor stays on its case."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.disputes: Sequence[Dispute] = ()

    @property
    def count(self) -> int:
        """How many cases are shown."""
        return len(self.disputes)

    @property
    def dispute(self) -> Dispute | None:
        """The case under the cursor."""
        return self.disputes[self.position] if self.position < len(self.disputes) else None

    def show(self, disputes: Sequence[Dispute], keep: str | None = None) -> None:
        """Show others; the cursor goes to the case `keep`, else stays on its own or where that stood."""
        old = self.dispute
        wanted = keep if keep is not None else old.id if old is not None else None
        place = next((at for at, one in enumerate(disputes) if one.id == wanted), None)
        self.disputes = disputes
        self.changed(self.position if place is None else place)

    def paint(self, position: int, cells: int, *, cursor: bool, ink: Palette) -> Strip:
        """The case's row; a settled one rests. The query is the last thing in it."""
        one = self.disputes[position]
        on = "cursor" if cursor else "bg"
        ground = ink("text", on)
        settled = one.decided is not None
        mark: Part = (" ", ground)
        if cursor:
            mark = (">", ink.fill("focus") if self.has_focus else ground)
        voice = ink("muted" if settled else "text", on)
        ids = max(_ids(self.disputes), ID_LEAST)
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
