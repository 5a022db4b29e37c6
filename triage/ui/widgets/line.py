"""A line of a widget from words with roles: so head, footer, rows and notices are painted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from triage.plain import CUT, cut, width
from triage.ui.palette import Palette

Part: TypeAlias = tuple[str, Style]
"""Text that is already safe to print, and how it looks."""
Words: TypeAlias = Sequence[tuple[str, str]]
"""Text with the name of a role ("muted", "bad bold"): how a screen says something to a widget."""


def length(parts: Iterable[Part]) -> int:
    """Cells that the parts take."""
    return sum(width(text) for text, _ in parts)


def clip(parts: Iterable[Part], cells: int) -> list[Part]:
    """The parts cut to at most `cells` cells; a cut one ends in `»`."""
    kept: list[Part] = []
    room = cells
    for text, style in parts:
        size = width(text)
        if size <= room:
            kept.append((text, style))
            room -= size
            continue
        if room > 0:
            kept.append((cut(text, room), style))
        elif kept and not kept[-1][0].endswith(CUT):
            last, last_style = kept[-1]
            kept[-1] = (cut(last + CUT, width(last)), last_style)
        break
    return kept


def line(left: Sequence[Part], right: Sequence[Part], cells: int, ground: Style) -> Strip:
    """A strip of exactly `cells` cells: `left`, a gap, `right`; where both don't fit, `left` is cut."""
    right = clip(right, cells)
    right_size = length(right)
    left = clip(left, cells - right_size)
    gap = cells - right_size - length(left)
    segments = [Segment(text, style) for text, style in left if text]
    if gap > 0:
        segments.append(Segment(" " * gap, ground))
    segments.extend(Segment(text, style) for text, style in right if text)
    return Strip(segments, cells)


def styled(words: Words, ink: Palette, on: str = "bg") -> list[Part]:
    """Words with roles as parts on a ground."""
    return [(text, ink(role, on)) for text, role in words]


def size_of(words: Words) -> int:
    """Cells that the words take."""
    return sum(width(text) for text, _ in words)
