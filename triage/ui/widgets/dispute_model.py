"""Cases on which readers disagree, in words: a line each, and their readings side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from triage.models.case import CaseRow
from triage.models.reading import Arbitration, Reading
from triage.plain import CUT, cut, one_line, preview, width
from triage.ui.palette import LAYER_WORDS
from triage.ui.text import wrap
from triage.ui.widgets.line import size_of
from triage.ui.widgets.review_model import lasts
from triage.ui.widgets.runs_model import when

Part = tuple[str, str, bool]
"""Text, role, and whether it stands on a verdict's tint."""
View = Literal["disputed", "settled", "both"]
VIEWS: tuple[View, ...] = ("disputed", "settled", "both")
COLUMN, COLUMN_GAP = 26, 3
"""Least cells of a reading among others; cells between two."""


class Dispute(Struct, frozen=True):
    """A case whose readers differ, or differed until `decided`. `readings` are oldest first."""

    row: CaseRow
    readings: tuple[Reading, ...]
    decided: Arbitration | None = None

    @property
    def id(self) -> str:
        """The case's id."""
        return self.row.id

    @property
    def verdicts(self) -> list[str]:
        """What its readers say, each verdict once, oldest first."""
        return list(dict.fromkeys(reading.verdict for reading in self.readings))


def narrowed(disputes: Sequence[Dispute], text: str) -> list[Dispute]:
    """Those whose id, query, readers or verdicts hold every word typed."""
    words = text.casefold().split()
    if not words:
        return list(disputes)

    def holds(one: Dispute) -> bool:
        said = " ".join(
            (one.id, one.row.query, *(f"{it.reviewer} {LAYER_WORDS[it.verdict]}" for it in one.readings))
        ).casefold()
        return all(word in said for word in words)

    return [one for one in disputes if holds(one)]


def next_view(view: View) -> View:
    """The view after this one."""
    return VIEWS[(VIEWS.index(view) + 1) % len(VIEWS)]


def differ(dispute: Dispute) -> str:
    """Who says what, in a sentence: `wei says ranking, li says retrieval`."""
    return ", ".join(f"{one_line(one.reviewer)} says {LAYER_WORDS[one.verdict]}" for one in dispute.readings)


def side_by_side(dispute: Dispute, cells: int, note_lines: int) -> list[list[Part]]:
    """The readings of a case in columns of a pane, as many in a row as have room.

    Args:
        dispute: the case.
        cells: of the pane.
        note_lines: most lines of a note; one that is longer ends in `»`, and stands whole among the notes.
    """
    lines: list[list[Part]] = []
    room = max(cells - 2, COLUMN)
    across = min(max((room + COLUMN_GAP) // (COLUMN + COLUMN_GAP), 1), max(len(dispute.readings), 1))
    column = (room + COLUMN_GAP) // across - COLUMN_GAP
    for at in range(0, len(dispute.readings), across):
        blocks = [_block(one, column, note_lines) for one in dispute.readings[at : at + across]]
        if lines:
            lines.append([])
        for row in range(max(map(len, blocks))):
            line: list[Part] = [(" ", "text", False)]
            for number, block in enumerate(blocks):
                parts = block[row] if row < len(block) else []
                line += _padded(parts, column + (COLUMN_GAP if number < len(blocks) - 1 else 0))
            lines.append(line)
    if dispute.decided is not None:
        lines += [[], *_decided(dispute.decided, room)]
    return lines


def _padded(parts: list[Part], cells: int) -> list[Part]:
    return [*parts, (" " * max(cells - size_of([(text, role) for text, role, _ in parts]), 0), "text", False)]


def _block(reading: Reading, cells: int, note_lines: int) -> list[list[Part]]:
    name = cut(preview(reading.reviewer), max(cells - 14, 8))
    aside = f"  {when(reading.at, with_year=False)}"
    word: list[Part] = [(f" {LAYER_WORDS[reading.verdict]} ", reading.verdict, True)]
    if reading.seconds is not None:
        word.append((f"  in {lasts(reading.seconds)}", "muted", False))
    if reading.stale:
        word.append(("  ~ changed since", "muted", False))
    block: list[list[Part]] = [[(name, "text bold", False), (aside, "faint", False)], word]
    if reading.labels:
        block += [[(line, "muted", False)] for line in _lines(", ".join(reading.labels), cells, 2)]
    if reading.note:
        block += [[(line, "text", False)] for line in _lines(reading.note, cells, note_lines)]
    else:
        block.append([("no note", "faint", False)])
    return block


def _lines(text: str, cells: int, most: int) -> list[str]:
    """A text in at most `most` lines."""
    safe = preview(text[: cells * (most + 1)])
    found = [safe[start:end] for start, end in wrap(safe, cells)]
    if len(found) <= most:
        return found
    last = found[most - 1]
    return [*found[: most - 1], last + CUT if width(last) < cells else cut(f"{last}  ", cells)]


def _decided(decided: Arbitration, cells: int) -> list[list[Part]]:
    head: list[Part] = [
        (" settled ", "text bold", False),
        (f" {LAYER_WORDS[decided.verdict]} ", decided.verdict, True),
        (f"  {cut(preview(decided.reviewer), 16)}  {when(decided.at, with_year=False)}", "faint", False),
    ]
    return [head, *([(f" {line}", "text", False)] for line in _lines(decided.reason, cells - 1, 3))]
