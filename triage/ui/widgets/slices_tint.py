"""Grounds by degree for the Slices screen: a role's colour mixed into the ground, as far as text is readable.

In 16 colours and without colour a degree is a manner of the text instead: plain, bold or coloured, filled.
"""

from __future__ import annotations

from functools import lru_cache

from rich.style import Style
from textual.color import Color

from triage.ui.palette import Palette, contrast, mixed

STEPS = 5
"""Degrees above none."""
MOST, LEAST = 0.55, 0.10
"""Greatest and least share of the role's colour in a ground."""
READABLE = 4.5
"""Least contrast of text on a ground (WCAG 2 AA)."""


@lru_cache(maxsize=64)
def _shares(colour: Color, ground: Color, text: Color) -> tuple[float, ...]:
    """The share of `colour` at each degree, so that `text` is readable on all of them."""
    top = MOST
    while top > LEAST and contrast(text, mixed(colour, ground, top)) < READABLE:
        top -= 0.02
    return tuple(LEAST + (top - LEAST) * step / (STEPS - 1) for step in range(STEPS))


def degree(share: float) -> int:
    """0..1 as one of 0..STEPS; whatever is more than nothing is at least 1."""
    return 0 if share <= 1e-9 else min(int(share * STEPS) + 1, STEPS)


def tinted(ink: Palette, role: str, step: int, voice: str = "text", on: str = "bg") -> Style:
    """Text in a voice on the ground of a degree (0..STEPS) of a role's colour."""
    if step <= 0:
        return ink(voice, on)
    if ink.colourless or ink.ansi:
        if role == "other":
            # Fine is neither bold nor filled: in no colour at all it would stand for what is not.
            return ink(voice, on)
        if step >= STEPS - 1:
            return ink.fill(role, bold=not ink.ansi)
        return ink(f"{role} bold" if step >= 2 else voice, on)
    ground = ink.colours[on]
    share = _shares(ink.colours[role], ground, ink.colours["text"])[step - 1]
    return ink(voice) + Style(bgcolor=mixed(ink.colours[role], ground, share).rich_color)
