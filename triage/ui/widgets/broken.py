"""Sentences with roles in a pane: broken into lines, or left out whole, never cut within a word of ours."""

from __future__ import annotations

from collections.abc import Sequence

from triage.ui.text import wrap
from triage.ui.widgets.line import Words, size_of


def broken(words: Words, cells: int, lead: int = 0) -> list[Words]:
    """Words in lines of at most `cells` cells.

    Args:
        words: text that is safe to print, with roles.
        cells: of a line; less than 20 beside the label count as 20.
        lead: so many pieces at the start are a label; what follows stands beside it in every line.
    """
    label, body = list(words[:lead]), list(words[lead:])
    beside = size_of(label)
    lines: list[Words] = []
    for start, end in wrap("".join(text for text, _ in body), max(cells - beside, 20)):
        first = [(" " * beside, "faint")] if lines and beside else label
        lines.append([*first, *_between(body, start, end)])
    return lines


def _between(words: Words, start: int, end: int) -> list[tuple[str, str]]:
    """The pieces between two places of the whole text."""
    found: list[tuple[str, str]] = []
    at = 0
    for text, role in words:
        part = text[max(start - at, 0) : max(end - at, 0)]
        if part:
            found.append((part, role))
        at += len(text)
    return found


def whole(words: Sequence[tuple[str, str]], cells: int) -> Words:
    """The first piece, and as many after it as fit whole into `cells` cells beside it."""
    kept = list(words[:1])
    for piece in words[1:]:
        if size_of([*kept, piece]) > cells:
            break
        kept.append(piece)
    return kept
