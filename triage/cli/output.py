"""Where output goes: data to standard output, words about it to standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

from triage.plain import fit, one_line, width

GAP = "  "
PAUSE = "   "
LEAST = 8
"""Cells that a cut column of text keeps."""
LEAST_WHOLE = 24
"""Cells that a column of text keeps which is broken over several lines."""
LEAST_TITLE = 5
"""Cells that a cut title above numbers keeps."""


def say(text: str) -> None:
    """One line on standard error."""
    print(f"triage: {one_line(text)}", file=sys.stderr)


def emit(text: str) -> None:
    """A line of data on standard output."""
    sys.stdout.write(text + "\n")


def emit_json(value: Any) -> None:
    """`value` as JSON on standard output."""
    from triage.models.shapes import dump

    emit(dump(value, indent=2))


def emit_jsonl(value: Any) -> None:
    """`value` as one line of JSON, whatever its text holds."""
    from triage.models.shapes import dump

    line = dump(value)
    for end in ("\u2028", "\u2029"):
        line = line.replace(end, f"\\u{ord(end):04x}")
    emit(line)


def room() -> int | None:
    """Cells of a line on standard output; None where it is no terminal and nothing need be cut."""
    if not sys.stdout.isatty():
        return None
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns
    except OSError:
        return 80


def table(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    right: frozenset[int] = frozenset(),
    indent: str = "",
    spare: Sequence[int] = (),
    whole: bool = False,
) -> list[str]:
    """Lines of columns aligned by cells, so that Chinese stands in line; the last one takes what is left.

    On a terminal too narrow for them the `spare` columns go, and the titles above numbers are cut.

    Args:
        heads: column titles; all empty = no title line.
        rows: texts by column, made safe here.
        right: columns whose texts stand at the right.
        indent: before every line.
        spare: columns that may be left out, the first to go first.
        whole: the last column is broken over several lines and not cut.
    """
    cells = [[one_line(text) for text in row] for row in rows]
    lines = [list(heads), *cells] if any(heads) else cells
    if not lines:
        return []
    widths = [max(width(line[column]) for line in lines) for column in range(len(heads))]
    space = room()
    last = len(heads) - 1
    if space is not None:
        free = space - len(indent) - len(GAP) * last - 1
        floors = list(widths)
        for column in right:
            numbers = max((width(line[column]) for line in cells), default=0)
            floors[column] = max(numbers, min(widths[column], LEAST_TITLE))
        if last not in right:
            floors[last] = min(floors[last], LEAST_WHOLE if whole else LEAST)
        if sum(floors) > free and spare:
            gone = spare[0]
            kept = [column for column in range(len(heads)) if column != gone]
            return table(
                [heads[column] for column in kept],
                [[line[column] for column in kept] for line in cells],
                right=frozenset(kept.index(column) for column in right if column != gone),
                indent=indent,
                spare=[kept.index(column) for column in spare[1:]],
                whole=whole,
            )
        widths[last] = min(widths[last], max(floors[last], free - sum(widths[:-1])))
        widths = _narrowed(widths, floors, free)
    out = []
    for line in lines:
        pieces = broken(line[last], widths[last]) if whole and space is not None else [line[last]]
        for at, piece in enumerate(pieces):
            texts = [*([""] * last if at else line[:last]), piece]
            parts = [fit(text, widths[column], right=column in right) for column, text in enumerate(texts)]
            out.append((indent + GAP.join(parts)).rstrip())
    return out


def _narrowed(widths: Sequence[int], floors: Sequence[int], free: int) -> list[int]:
    """Widths of columns that fit into `free` cells, the widest made narrower first, none below its floor.

    Where the floors do not fit either all stay: a line that breaks tells more than one cut everywhere.
    """
    made = list(widths)
    if sum(floors) > free:
        return made
    while sum(made) > free:
        loose = [column for column, wide in enumerate(made) if wide > floors[column]]
        made[max(loose, key=made.__getitem__)] -= 1
    return made


def sentence(*parts: str) -> str:
    """Parts with room between them, empty ones left out; on a terminal too narrow for them a line each."""
    said = [one_line(part) for part in parts if part]
    line = PAUSE.join(said)
    space = room()
    if space is None or width(line) < space:
        return line
    lines = said[:1]
    for part in said[1:]:
        joined = lines[-1] + PAUSE + part
        if width(joined) < space:
            lines[-1] = joined
        else:
            lines.append(f"  {part}")
    return "\n".join(lines)


def broken(line: str, cells: int) -> list[str]:
    """A line broken between words into lines of so many cells; one line at least."""
    # Imported here because only a terminal has an edge.
    from rich.console import Console
    from rich.text import Text

    lines = Text(line).wrap(Console(markup=False, highlight=False), max(cells, LEAST))
    return [part.plain for part in lines] or [""]
