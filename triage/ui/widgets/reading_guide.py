"""The guide beside the case that is read: each verdict's key, name and meaning, and what goes with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from triage.models.guide import GUIDE, ORDER, Meaning
from triage.plain import cut, fit, width
from triage.ui.palette import LAYER_WORDS, Palette, colours
from triage.ui.text import short, wrap
from triage.ui.widgets.line import Part, length, line

if TYPE_CHECKING:
    from triage.models.verdict import Verdict

COLUMNS = 2
_INDENT, _NAME, _NOTE = 3, 10, 3
"""Cells before a meaning, cells of a verdict's name in a row, and most lines of the note."""
Row = list[Part]
_SHORT = {
    "retrieval": "retr", "ranking": "rank", "refusal": "refu", "citation": "cite", "other": "other",
    "test set": "set", "fine": "fine",
}  # fmt: skip
"""Names where even one row has no room for them."""


class Told(Struct, frozen=True):
    """What the guide follows: the verdict that the accepting key gives (None = none is suggested, or it is
    hidden), the labels and the note that go with the verdict.
    """

    suggested: Verdict | None = None
    labels: tuple[str, ...] = ()
    note: str = ""


class ReadingGuide(Widget):
    """A pane of its own, or a few rows of two columns where it is `flat`."""

    DEFAULT_CSS = "ReadingGuide { background: $bg; }"

    told: reactive[Told] = reactive(Told())
    flat: reactive[bool] = reactive(False)

    def __init__(self, keys: Mapping[str, str]) -> None:
        """`keys` are the keys shown by action id."""
        super().__init__()
        self._keys = keys

    def render_line(self, y: int) -> Strip:
        """The line `y`."""
        cells, rows = self.size.width, self.size.height
        ink = colours(self.app)
        made = flat if self.flat else tall
        lines = made(self.told, self._keys, ink, cells, rows)
        ground = ink("text", "bg")
        return line(lines[y] if y < len(lines) else [], [], cells, ground)


def _sign(meaning: Meaning, keys: Mapping[str, str], ink: Palette) -> Row:
    """Key and name, as the footer has them."""
    verdict = meaning.verdict
    key = keys[f"verdict.{verdict}"]
    return [
        (f" {cut(key, 9)} ", ink(f"{verdict} bold", "bg")),
        (LAYER_WORDS[verdict], ink(f"{verdict} bold", "bg")),
    ]


def _beside(told: Told, keys: Mapping[str, str], ink: Palette, cells: int, most: int) -> list[Row]:
    """Labels and note as they will go with the verdict: behind their names, else in `most` rows below."""
    key, name, text = ink("focus bold", "bg"), ink("faint", "bg"), ink("text", "bg")
    room = max(cells - _INDENT - 1, 8)
    rows: list[Row] = []
    for ident, value in (("labels", ", ".join(told.labels)), ("note", told.note)):
        head: Row = [(f" {keys[ident]} ", key), (f"{ident} ", name)]
        left = max(cells - length(head) - 1, 2)
        said = short(value, max(room * most, left))
        if not value:
            rows.append([*head, ("none", name)])
        elif width(said) <= left or not most:
            rows.append([*head, (cut(said, left), text)])
        else:
            lines = list(wrap(said, room))[:most]
            rows += [head, *([(" " * _INDENT, text), (said[start:end], text)] for start, end in lines)]
    return rows


def tall(told: Told, keys: Mapping[str, str], ink: Palette, cells: int, rows: int) -> list[Row]:
    """The guide as a pane: meanings in sentences with blank lines between, less of that where it is low."""
    room = max(cells - _INDENT - 2, 8)
    whole = {
        meaning.verdict: [meaning.says[start:end] for start, end in wrap(meaning.says, room)]
        for meaning in GUIDE
    }
    brief = {meaning.verdict: [cut(meaning.short, room)] for meaning in GUIDE}
    none: dict[Verdict, list[str]] = {meaning.verdict: [] for meaning in GUIDE}
    made: list[Row] = []
    for said, gap in ((whole, 1), (whole, 0), (brief, 1), (brief, 0), (none, 0)):
        for most in (_NOTE, 1, 0):
            made = _meanings(told, keys, ink, said, gap)
            made += _beside(told, keys, ink, cells, most)
            if len(made) <= rows:
                return made
    return made[:rows]


def _meanings(
    told: Told, keys: Mapping[str, str], ink: Palette, said: Mapping[Verdict, list[str]], gap: int
) -> list[Row]:
    made: list[Row] = [[(f" {ORDER}", ink("faint", "bg"))], *([[]] * gap)]
    for meaning in GUIDE:
        made.append(_sign(meaning, keys, ink))
        if meaning.verdict == told.suggested:
            made[-1] += [("?  ", ink(meaning.verdict, "bg")), (keys["accept"], ink("focus bold", "bg"))]
        made += [[(" " * _INDENT + text, ink("muted", "bg"))] for text in said[meaning.verdict]]
        made += [[]] * gap
    return made if gap else [*made, []]


def flat(told: Told, keys: Mapping[str, str], ink: Palette, cells: int, rows: int) -> list[Row]:
    """The guide as rows: two verdicts in a row with their meaning in short; in one row the names alone."""
    ground = ink("text", "bg")
    if rows < (len(GUIDE) + 1) // COLUMNS:
        names = [_sign(meaning, keys, ink) for meaning in GUIDE]
        if sum(length(name) + 1 for name in names) > cells:
            names = [[key, (_SHORT[word], style)] for key, (word, style) in names]
        return [[part for name in names for part in (*name, (" ", ground))]]
    column = cells // COLUMNS
    made: list[Row] = []
    high = (len(GUIDE) + 1) // COLUMNS
    for at in range(high):
        row = _cell(GUIDE[at], told, keys, ink, column)
        if at + high < len(GUIDE):
            row += _cell(GUIDE[at + high], told, keys, ink, cells - column)
        else:
            row += _last(told, keys, ink, cells - column)
        made.append(row)
    return made


def _cell(meaning: Meaning, told: Told, keys: Mapping[str, str], ink: Palette, cells: int) -> Row:
    (key, style), (name, voice) = _sign(meaning, keys, ink)
    ask = "?" if meaning.verdict == told.suggested else ""
    room = max(cells - width(key) - _NAME, 0)
    return [
        (key, style),
        (fit(name + ask, _NAME), voice),
        (fit(f" {meaning.short}", room), ink("muted", "bg")),
    ]


def _last(told: Told, keys: Mapping[str, str], ink: Palette, cells: int) -> Row:
    """Labels and note in one cell: the texts themselves stand in the dialogs."""
    key, name, text = ink("focus bold", "bg"), ink("faint", "bg"), ink("text", "bg")
    labels = short(", ".join(told.labels), max(cells - 24, 4)) or "none"
    note = "written" if told.note else "none"
    return [
        (f" {keys['labels']} ", key), ("labels ", name), (labels, text if told.labels else name),
        (f"  {keys['note']} ", key), ("note ", name), (note, text if told.note else name),
    ]  # fmt: skip
