"""Where output goes: data to standard output, words about it to standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from triage.plain import cut, fit, one_line, width

if TYPE_CHECKING:
    from rich.console import Console

GAP = "  "


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
) -> list[str]:
    """Lines of columns aligned by cells, so that Chinese stands in line; the last one takes what is left.

    Args:
        heads: column titles; all empty = no title line.
        rows: texts by column, made safe here.
        right: columns whose texts stand at the right.
        indent: before every line.
    """
    cells = [[one_line(text) for text in row] for row in rows]
    lines = [list(heads), *cells] if any(heads) else cells
    if not lines:
        return []
    widths = [max(width(line[column]) for line in lines) for column in range(len(heads))]
    space = room()
    last = len(heads) - 1
    if space is not None:
        taken = len(indent) + sum(widths[:-1]) + len(GAP) * last
        widths[last] = max(8, min(widths[last], space - taken - 1))
    out = []
    for line in lines:
        parts = [fit(text, widths[column], right=column in right) for column, text in enumerate(line)]
        out.append((indent + GAP.join(parts)).rstrip())
    return out


def sentence(*parts: str) -> str:
    """Parts on one line with room between them, empty ones left out; cut on a terminal."""
    line = "   ".join(one_line(part) for part in parts if part)
    space = room()
    return line if space is None else cut(line, space - 1)


def console() -> Console:
    """Rich's idea of standard output, for breaking lines by cells."""
    from rich.console import Console

    return Console(markup=False, highlight=False)
