"""What was expected beside what was there: rows in columns, one below the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from triage.plain import fit, preview, width
from triage.ui.text import short
from triage.ui.widgets.detail.answer import compact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triage.ui.widgets.detail.page import Page

_GAP, _NAME, _LEAST = 2, 20, 8
_READ = 400
"""Characters of a value that are looked at for the width of its column."""


def text_of(value: Any) -> str:
    """A JSON value as it is shown: a text as it is, everything else as JSON."""
    return value if isinstance(value, str) else compact(value)


def typed(value: Any) -> str:
    """A value that looks like another one and is of another type: the text "7" and the number 7."""
    return compact(value)


class Row(Struct, frozen=True):
    """A name with its expected and its actual value; None = there is none.

    `word` says what is the matter, in the role `role`; an empty one means that nothing is.
    """

    name: str
    expected: str | None
    actual: str | None
    word: str = ""
    role: str = "muted"


class _Columns(Struct, frozen=True):
    words: int
    named: int
    left: int
    right: int


def aligned(page: Page, rows: Sequence[Row], name: str, *, words: int, indent: int = 0) -> None:
    """A small table: the word, the name, expected and actual.

    Args:
        page: where it is written.
        rows: at least one.
        name: the heading of the names.
        words: cells of the words' column.
        indent: cells before it.
    """
    named = min(max(width(preview(row.name)) for row in rows), _NAME)
    named = max(named, len(name)) + _GAP
    room = page.text - indent - words - named - _GAP
    left = max(len("expected"), *(_cells(row.expected) for row in rows))
    right = max(len("actual"), *(_cells(row.actual) for row in rows))
    if left + right > room:
        # The shorter column keeps what it needs, the other takes the rest.
        half = max(room // 2, _LEAST)
        left = left if left <= half else max(room - right, half)
    columns = _Columns(words, named, left, max(room - left, _LEAST))
    page.row([(f"{'':{words}}{name:<{named}}{'expected':<{left + _GAP}}actual", "faint")], indent)
    for row in rows:
        _row(page, row, columns, indent)


def _cells(value: str | None) -> int:
    return 1 if value is None else width(preview(value[:_READ]))


def _row(page: Page, row: Row, columns: _Columns, indent: int) -> None:
    line = [(f"{row.word:<{columns.words}}", row.role)]
    line.append((fit(short(row.name, columns.named - _GAP), columns.named), "muted"))
    long = _cells(row.expected) > columns.left or _cells(row.actual) > columns.right
    page.folded = page.folded or long
    if long and page.unfolded:
        page.row(line, indent)
        for label, value in (("expected  ", row.expected), ("actual    ", row.actual)):
            text = "-" if value is None else value
            page.labelled([(label, "faint")], text, "text", indent=indent + columns.words)
        return
    wrong = bool(row.word)
    expected = "-" if row.expected is None else short(row.expected, columns.left)
    actual = "-" if row.actual is None else short(row.actual, columns.right)
    line.append((fit(expected, columns.left + _GAP), "text" if wrong else "muted"))
    line.append((actual, row.role if wrong else "muted"))
    page.row(line, indent)
