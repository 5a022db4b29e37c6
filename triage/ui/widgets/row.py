"""How one case stands in the list: its columns, and the cells of its row (look.md section 6, "Case row")."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from rich.style import Style
from textual.strip import Strip

from triage.models.case import QUERY_CUT, CaseRow
from triage.models.measure import CLASSES
from triage.plain import cut_left, fit, one_line, preview, width
from triage.ui.palette import Palette
from triage.ui.widgets.line import Part, length, line

ID_LEAST, ID_MOST, WHY, FLAGS = 5, 10, 12, 3
TOPIC_FROM = 60
"""Width of the list from which on it has a topic column where no columns were chosen."""
QUERY_LEAST = 8
"""Cells that chosen columns leave to the query at least."""

NAMES = {
    "retrieval": "retrieval",
    "ranking": "ranking",
    "refusal": "refusal",
    "citation-semantic": "citation",
    "other": "other",
    "not-a-failure": "fine",
    "test-set": "test set",
}
"""Verdicts as they are named on screen."""
_WAS = {
    "retrieval": "retr",
    "ranking": "rank",
    "refusal": "refu",
    "citation-semantic": "cite",
    "not-a-failure": "fine",
}
_WITHOUT_CLASS = {
    "system_error": "error",
    "runner_failed": "run failed",
    "label_conflict": "labels?",
    "insufficient_record": "no record",
}


class Column(Struct, frozen=True):
    """A column between the flags and the query.

    Args:
        key: the field or metric that it shows.
        head: its name over the list.
        cells: its width.
        text: its words for a row, as recorded; they are made plain and cut here.
        right: it holds numbers, which end at the same place.
    """

    key: str
    head: str
    cells: int
    text: Callable[[CaseRow], str]
    right: bool = False

    @property
    def room(self) -> int:
        """Its cells with the gap behind it."""
        return self.cells + (2 if self.right else 1)

    def laid(self, text: str) -> str:
        """A text in the column, with its gap."""
        return fit(text, self.cells, right=self.right) + " " * (self.room - self.cells)


TOPIC = Column("topic", "topic", 8, lambda row: row.topic or "")
LIKENESS = Column(
    "similarity", "like", 4,
    lambda row: "" if row.likeness is None else f"{row.likeness:.2f}".removeprefix("0"), right=True,
)  # fmt: skip
"""How like the query is to that of the case whose similar ones are shown, 0..1."""


class Columns(Struct, frozen=True):
    """Cells of each column: cursor 1, strip 4, gap 2, id, why, flags, more of them, query, 1."""

    cells: int
    id: int
    more: tuple[Column, ...]
    query: int

    @classmethod
    def at(cls, cells: int, longest_id: int, chosen: Sequence[Column] | None = None) -> Columns:
        """The columns of a list `cells` wide whose longest id so far takes `longest_id` cells.

        Of those `chosen` (None = nothing was) as many as leave the query its least.
        """
        ident = min(max(longest_id, ID_LEAST), ID_MOST)
        rest = cells - (7 + ident + WHY + FLAGS + 1)
        more: list[Column] = []
        if chosen is None and cells >= TOPIC_FROM:
            more.append(TOPIC)
            rest -= TOPIC.room
        for column in chosen or ():
            if rest - column.room < QUERY_LEAST:
                break
            more.append(column)
            rest -= column.room
        return cls(cells, ident, tuple(more), max(rest, 0))


class RowState(Struct, frozen=True):
    """What the list knows of a row beside the case: the cursor, its focus, a mark."""

    cursor: bool = False
    focused: bool = False
    marked: bool = False


def judged(row: CaseRow) -> bool:
    """Has a person given a verdict on the case?"""
    return row.review is not None and row.review.verdict is not None


def rests(row: CaseRow) -> bool:
    """Is there nothing to do on the case for now: has it a verdict, or was it put off?"""
    return row.review is not None and (row.review.verdict is not None or row.review.deferred)


def _strip_of(row: CaseRow, ink: Palette, on: str) -> list[Part]:
    parts: list[Part] = []
    first = not rests(row)
    for digit, layer in enumerate(CLASSES, 1):
        state = row.layers.get(layer)
        if state == "fails":
            parts.append((str(digit), ink.fill(layer) if first else ink(f"{layer}", on)))
            first = False
        else:
            parts.append(("." if state == "ok" else " ", ink("muted" if on == "cursor" else "faint", on)))
    return parts


def why(row: CaseRow) -> tuple[str, str, bool]:
    """The words of the `why` column, their role, and whether they stand on a verdict's tint."""
    review = row.review
    rank = f" {row.first_rank}" if row.first_rank and row.first_rank > 1 else ""
    if review is not None and review.verdict is not None:
        if review.disputed:
            return "disputed", review.verdict, True
        name = NAMES[review.verdict]
        return (name + rank if review.verdict == "ranking" else name), review.verdict, True
    if review is not None and review.deferred:
        return "later", "muted", False
    if row.before is not None:
        return f"was {_WAS.get(row.before, NAMES.get(row.before, row.before))}", "muted", False
    if row.reason in _WITHOUT_CLASS and row.failure_class is None:
        return _WITHOUT_CLASS[row.reason], "bad" if row.failing else "muted", False
    if row.failing and row.failure_class is not None:
        name = NAMES[row.failure_class]
        return (f"{name}?{rank}" if row.failure_class == "ranking" else f"{name}?"), row.failure_class, False
    return "", "muted", False


def _why_parts(row: CaseRow, ink: Palette, on: str) -> list[Part]:
    words, role, tinted = why(row)
    if tinted:
        inside = f" {words} "
        return [(inside, ink.ground(on) + ink.tint(role, on)), (" " * (WHY - width(inside)), ink("text", on))]
    return [(fit(f" {words}", WHY), ink(role, on))]


def paint(row: CaseRow, columns: Columns, state: RowState, ink: Palette) -> Strip:
    """The row as exactly `columns.cells` cells.

    The query is the last thing in it; all that comes from a record is made plain and cut by cells.
    """
    on = "cursor" if state.cursor else "bg"
    open_ = row.failing and not rests(row)
    voice = "text" if open_ else "muted"
    ground = ink("text", on)
    if state.cursor:
        head = (">", ink.fill("focus") if state.focused else ink("text", on))
        if state.marked:
            head = ("*", head[1])
    else:
        head = ("*" if state.marked else " ", ink("text bold", on))
    ident = ink("text bold" if state.cursor else voice, on)
    review = row.review
    parts: list[Part] = [head, *_strip_of(row, ink, on), ("  ", ground)]
    parts.append((fit(cut_left(one_line(row.id), columns.id), columns.id), ident))
    parts.extend(_why_parts(row, ink, on))
    parts.append(("!" if row.high_risk else " ", ink("text bold", on)))
    parts.append(("~ " if review is not None and review.stale else "  ", ink("text", on)))
    parts.extend(
        (column.laid(preview(column.text(row)[:QUERY_CUT])), ink("muted", on)) for column in columns.more
    )
    parts.append((fit(preview(row.query), columns.query), ink(voice, on)))
    return line(parts, [], columns.cells, ground)


def heading(columns: Columns, focused: bool, sorted_by: tuple[str, str], ink: Palette) -> Strip:
    """The list's header line: `1234  case  why  query`; the focused pane's is in the voice `text`.

    `sorted_by` is the order in words, and in short for where these don't fit.
    """
    on = "raised"
    voice: Style = ink("text" if focused else "faint", on)
    parts: list[Part] = [(" ", voice)]
    parts.extend((str(digit), ink(f"{layer} bold", on)) for digit, layer in enumerate(CLASSES, 1))
    parts.append((f"  {fit('case', columns.id)} {fit('why', WHY - 1)}{' ' * FLAGS}", voice))
    parts.extend((column.laid(column.head), voice) for column in columns.more)
    long, short = sorted_by
    room = columns.cells - length(parts) - 3 - len("query")
    order = next((words for words in (f"by {long}", f"by {short}") if width(words) <= room), short)
    # An order that leaves no room for both tells more than the name of what is plainly a query.
    parts.append(("query" if width(order) <= room else "", voice))
    right: list[Part] = [(f"  {order} ", ink("faint", on))] if short else []
    return line(parts, right, columns.cells, voice)
