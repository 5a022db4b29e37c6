"""Lines of a strip: a label at the left, and beside it what is told."""

from __future__ import annotations

from collections.abc import Iterator

from triage.plain import fit, one_line
from triage.ui.text import wrap
from triage.ui.widgets.line import Words

GUTTER = 11
"""Cells of the labels, with the blank before them."""
LINE_MOST = 96
"""Cells of a line of text beside its label: longer ones are hard to read."""


def labelled(label: str, words: Words, gutter: int = GUTTER) -> Words:
    """Words beside a label ("" = under the one above) in a gutter of so many cells."""
    return [(f" {fit(label, gutter - 1)}", "faint"), *words]


def wrapped(
    label: str, text: str, role: str, cells: int, *, gutter: int = GUTTER, most: int = LINE_MOST
) -> Iterator[Words]:
    """A text in lines beside its label.

    Args:
        text: as it was recorded or written: it is made safe here.
        role: of the text.
        cells: of the whole line, `gutter` of which are the label's; the text has at least 10.
        most: cells of the text in a line.
    """
    safe = one_line(text)
    for at, (start, end) in enumerate(wrap(safe, max(min(cells - gutter - 2, most), 10))):
        yield labelled("" if at else label, [(safe[start:end], role)], gutter)
