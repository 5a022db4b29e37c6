"""What a sample would hold, stratum by stratum: so many of so many cases, and what they have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from triage.models.slices import NOT_RECORDED
from triage.plain import fit, one_line, width
from triage.ui.palette import CLASS_KEYS, LAYER_WORDS, colours
from triage.ui.widgets.line import Words, line, size_of, styled

if TYPE_CHECKING:
    from triage.models.sample import Drawn, Stratum

CLASS = "class"
_MUST = "must"
_LONGEST = 28
"""Most cells of a dimension's column."""
_GAP = 2
"""Cells between two columns of strata, beside those behind each value."""
_LEAST = 2
"""Rows of strata below which their number alone is told."""


def value_of(name: str, value: str) -> tuple[str, str]:
    """A stratum's value as it is called here, and its role."""
    if name != CLASS:
        return one_line(value), "muted" if value == NOT_RECORDED else "text"
    if value == NOT_RECORDED:
        return "no class", "muted"
    return LAYER_WORDS.get(value, one_line(value)), value if value in CLASS_KEYS else "text"


def rows_of(drawn: Drawn) -> tuple[Words, list[Words]]:
    """The header and a row a stratum, what must be reviewed first."""
    names = list(dict.fromkeys(name for stratum in drawn.strata for name in stratum.key))
    if not drawn.strata:
        return (), []
    count = max(width(str(stratum.allocated)) for stratum in drawn.strata)
    size = max(width(str(stratum.size)) for stratum in drawn.strata)
    musts = any(stratum.must for stratum in drawn.strata)
    cells = [[value_of(name, stratum.key.get(name, "")) for name in names] for stratum in drawn.strata]
    wide = [
        min(max(width(one_line(name)), *(width(row[at][0]) for row in cells)), _LONGEST)
        for at, name in enumerate(names)
    ]
    lead = fit("drawn", count + size + 4 + 2)
    head = [(lead, "muted"), (fit(_MUST if musts else "", len(_MUST) + 2) if musts else "", "muted")]
    head += [(fit(one_line(name), wide[at] + 2), "muted") for at, name in enumerate(names)]

    def row(stratum: Stratum, values: list[tuple[str, str]]) -> Words:
        none = not stratum.allocated
        said: list[tuple[str, str]] = [
            (fit(str(stratum.allocated), count, right=True), "muted" if none else "text bold"),
            (f" of {fit(str(stratum.size), size, right=True)}  ", "muted"),
        ]
        if musts:
            said.append((fit(_MUST if stratum.must else "", len(_MUST) + 2), "focus"))
        said += [
            (fit(text, wide[at] + 2), "muted" if none else role) for at, (text, role) in enumerate(values)
        ]
        return said

    return head, [row(stratum, values) for stratum, values in zip(drawn.strata, cells, strict=True)]


class StrataPane(Widget):
    """The strata as far as there is room; the last line tells how many more there are."""

    DEFAULT_CSS = "StrataPane { height: 1fr; width: 1fr; }"

    drawn: reactive[Drawn | None] = reactive(None)

    def watch_drawn(self) -> None:
        """Lay the table out once, however often it is painted."""
        self._lines = self._laid()

    def on_resize(self) -> None:
        """Another height holds other rows."""
        self._lines = self._laid()
        self.refresh()

    def _laid(self) -> list[Words]:
        if self.drawn is None:
            return []
        head, rows = rows_of(self.drawn)
        room = self.size.height - 1
        if room < _LEAST:
            return [[(f"{len(rows)} {'stratum' if len(rows) == 1 else 'strata'}", "muted")]] if rows else []
        cells = max((size_of(row) for row in (head, *rows)), default=0) + _GAP
        columns = 1 if len(rows) <= room else max(1, (self.size.width + _GAP) // cells)
        places = room * columns
        if len(rows) > places:
            left = len(rows) - places + 1
            rows = [
                *rows[: places - 1],
                [(f"and {left} more {'stratum' if left == 1 else 'strata'}", "muted")],
            ]
        tall = min(room, len(rows))
        lines: list[Words] = []
        for at in range(-1, tall):
            parts: list[tuple[str, str]] = []
            for column in range(columns):
                place = column * tall + at
                words = head if at < 0 else rows[place] if place < len(rows) else ()
                if column * tall < len(rows):
                    parts += [*words, (" " * (cells - size_of(words)), "text")]
            lines.append(parts)
        return lines

    def render_line(self, y: int) -> Strip:
        """One line of the table."""
        ink = colours(self.app)
        lines: list[Words] = getattr(self, "_lines", [])
        words = lines[y] if y < len(lines) else ()
        return line(styled(words, ink, "raised"), (), self.size.width, ink("text", "raised"))
