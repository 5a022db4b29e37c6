"""What was measured, as a table of ratios: plain for a terminal, or Markdown for the README."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

HEADS = ("what", "median", "p95", "of", "goal", "here")


@dataclass(frozen=True)
class Row:
    """A line: a ratio's median and 95th percentile, of what, the goal, and this machine's figure."""

    what: str
    median: str = ""
    p95: str = ""
    of: str = ""
    goal: str = ""
    here: str = ""

    @property
    def cells(self) -> tuple[str, ...]:
        """The line's cells in the order of `HEADS`."""
        return (self.what, self.median, self.p95, self.of, self.goal, self.here)


def middle(values: Sequence[float]) -> float:
    """The median."""
    return statistics.median(values)


def high(values: Sequence[float]) -> float:
    """The 95th percentile: the smallest value that 95 % of them don't exceed."""
    return sorted(values)[min(len(values) - 1, int(len(values) * 0.95))]


def times(value: float, unit: float) -> str:
    """A ratio in words: `1.32x`."""
    ratio = value / unit
    return f"{ratio:.2f}x" if ratio >= 0.1 else f"{ratio:.3f}x"


def ratio_row(
    what: str, values: Sequence[float], unit: float, of: str, goal: str = "", *, per_ms: bool = False
) -> Row:
    """A row of seconds (`per_ms`: milliseconds) as ratios of `unit`, in the same measure."""
    here = f"{middle(values):.1f} ms" if per_ms else f"{middle(values):.2f} s"
    p95 = times(high(values), unit) if len(values) > 1 else ""
    return Row(what, times(middle(values), unit), p95, of, goal, here)


def printed(rows: Sequence[Row], *, markdown: bool) -> str:
    """The table; columns in which nothing stands are left out."""
    table = [HEADS, *(row.cells for row in rows)]
    kept = [at for at in range(len(HEADS)) if any(line[at] for line in table[1:])]
    lines = [[line[at] for at in kept] for line in table]
    if markdown:
        lines.insert(1, ["---"] * len(kept))
        return "\n".join("| " + " | ".join(line) + " |" for line in lines)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(size) for cell, size in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
