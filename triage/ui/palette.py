"""The colour roles of look.md section 5 as Rich styles, for widgets that draw their own lines.

Fill means "look here", tint "a person decided", colour alone "a machine says", no colour "fine". In 16
colours and without colour the roles come out as look.md section 8 has them: a widget asks for a role alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.style import Style
from textual.color import Color

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual.app import App

ROLES = ("bg", "raised", "cursor", "text", "muted", "faint", "focus", "bad", "good", "ink", "done")
CLASS_KEYS = ("retrieval", "ranking", "refusal", "citation-semantic", "other")
LAYER_DIGITS = {"retrieval": "1", "ranking": "2", "refusal": "3", "citation-semantic": "4", "other": "5"}
LAYER_WORDS = {
    "retrieval": "retrieval", "ranking": "ranking", "refusal": "refusal", "citation-semantic": "citation",
    "other": "other", "not-a-failure": "fine", "test-set": "test set",
}  # fmt: skip
"""A class or verdict as it is called on the screen."""
TINT = {True: 0.20, False: 0.12}
"""How much of a class colour is mixed into bg for a verdict's tint, by whether the theme is dark."""

DARK = {
    "bg": "#0F1419", "raised": "#161D25", "cursor": "#26323F", "text": "#DCE3EA", "muted": "#8E9BA8",
    "faint": "#7C8995", "focus": "#8AB8FF", "bad": "#FF6A50", "good": "#9CC98A", "ink": "#0F1419",
    "done": "#24503B", "retrieval": "#8AB8FF", "ranking": "#FFCB6B", "refusal": "#EC7FC8",
    "citation-semantic": "#7FEBD0", "other": "#B4BEC8",
}  # fmt: skip
LIGHT = {
    "bg": "#FBFAF7", "raised": "#F1EFE9", "cursor": "#DDE6EF", "text": "#1F2730", "muted": "#59636E",
    "faint": "#636C75", "focus": "#0A45B5", "bad": "#7D0F12", "good": "#2C6A2C", "ink": "#FFFFFF",
    "done": "#BFE0C6", "retrieval": "#0A45B5", "ranking": "#875F00", "refusal": "#AB2C86",
    "citation-semantic": "#00755F", "other": "#4A545E",
}  # fmt: skip
ANSI = {
    "bg": "ansi_default", "raised": "ansi_default", "cursor": "ansi_bright_black", "text": "ansi_default",
    "muted": "ansi_default", "faint": "ansi_default", "focus": "ansi_bright_blue", "bad": "ansi_bright_red",
    "good": "ansi_green", "ink": "ansi_black", "done": "ansi_green", "retrieval": "ansi_bright_blue",
    "ranking": "ansi_yellow", "refusal": "ansi_magenta", "citation-semantic": "ansi_cyan",
    "other": "ansi_default",
}  # fmt: skip


_STEPS = (0, 95, 135, 175, 215, 255)


def snapped(colour: Color) -> Color:
    """The nearest of the 256 colours' fixed ones: a cube of 216 and 24 greys.

    Rich goes down by hue, which turns our dark tones teal; by distance they become greys and stay apart.
    """
    red, green, blue = (min(_STEPS, key=lambda step, part=part: abs(step - part)) for part in colour.rgb)  # type: ignore[misc]
    cube = (red, green, blue)

    def far(other: tuple[int, int, int]) -> int:
        return sum((one - part) ** 2 for one, part in zip(other, colour.rgb, strict=True))

    step = min(range(1, 25), key=lambda step: far((10 * step - 2,) * 3))
    if far(cube) < far((10 * step - 2,) * 3):
        return Color(*cube)
    # Of the lightness from which Rich finds that very grey.
    level = round(step * 10.2)
    return Color(level, level, level)


def variable(key: str) -> str:
    """The theme variable of a role or class: `raised`, `cls-citation`."""
    if key not in CLASS_KEYS:
        return key
    return "cls-" + key.removesuffix("-semantic")


def tint_variable(key: str) -> str:
    """The theme variable of a class's tint: `tint-citation`."""
    return "tint-" + key.removesuffix("-semantic")


def mixed(top: Color, ground: Color, share: float) -> Color:
    """`share` (0..1) of `top` mixed into `ground`."""
    return ground.blend(top, share, alpha=1.0)


def contrast(one: Color, other: Color) -> float:
    """The WCAG 2 contrast ratio of two opaque colours, 1..21."""

    def luminance(colour: Color) -> float:
        parts = [channel / 255 for channel in colour.rgb]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


_NONE = Style()
_BOLD = Style(bold=True)
_REVERSE = Style(reverse=True)
_VOICE_OF = {"not-a-failure": "other", "test-set": "other", "citation": "citation-semantic"}


class Palette:
    """Rich styles by role, made once each.

    `palette("bad bold", "raised")` is a voice (a role, class or verdict, with manners) on a ground; without
    one the ground below shows through. `ansi` = the terminal's 16 colours, `colourless` = NO_COLOR.
    """

    def __init__(self, variables: Mapping[str, str], *, dark: bool, ansi: bool, colourless: bool) -> None:
        """`variables` are a theme's; a missing one takes the default's.

        Raises:
            textual.color.ColorParseError: one of them is no colour.
        """
        default = ANSI if ansi else DARK if dark else LIGHT
        self.dark, self.ansi, self.colourless = dark, ansi, colourless
        self.colours = {
            key: Color.parse(variables.get(variable(key), default[key])) for key in (*ROLES, *CLASS_KEYS)
        }
        self._tints = {
            key: Color.parse(variables[tint_variable(key)])
            if tint_variable(key) in variables
            else mixed(self.colours[key], self.colours["bg"], TINT[dark])
            for key in CLASS_KEYS
        }
        self._made: dict[tuple[str, str], Style] = {}

    def __call__(self, words: str, on: str = "") -> Style:
        """The style of a role with manners ("muted", "ranking bold", "faint italic"), on a ground or none."""
        key = (words, on)
        if (style := self._made.get(key)) is None:
            role, *manners = words.split()
            style = self._voice(self._read(role, on)) + (self.ground(on) if on else _NONE)
            if manners:
                style += Style.parse(" ".join(manners))
            self._made[key] = style
        return style

    def _read(self, role: str, on: str) -> str:
        # Of 16 colours none but the text's is sure to be read on the cursor's grey: digit and word tell.
        return "text" if self.ansi and on == "cursor" else role

    def _voice(self, role: str) -> Style:
        if self.colourless:
            return _BOLD if role == "bad" else _NONE
        return Style(color=self.colours[_VOICE_OF.get(role, role)].rich_color)

    def ground(self, role: str) -> Style:
        """A background alone; `done` brings the ink that is readable on it."""
        if role == "done" and (self.colourless or self.ansi):
            return _REVERSE if self.colourless else self._filled("done", bold=False)
        if self.colourless:
            return _NONE
        ink = self.colours["text"].rich_color if role == "done" else None
        return Style(color=ink, bgcolor=self.colours[role].rich_color)

    def _filled(self, role: str, *, bold: bool) -> Style:
        colour = self.colours[_VOICE_OF.get(role, role)]
        # The terminal's own text colour can't be named as a ground, so there a fill is its reverse.
        if self.colourless or colour.ansi == -1:
            return _REVERSE + _BOLD if bold else _REVERSE
        return Style(color=self.colours["ink"].rich_color, bgcolor=colour.rich_color, bold=bold or None)

    def fill(self, role: str, *, bold: bool = True) -> Style:
        """Ink on the colour: look here."""
        key = ("fill" if bold else "fill plain", role)
        if (style := self._made.get(key)) is None:
            style = self._made[key] = self._filled(role, bold=bold)
        return style

    @property
    def chip(self) -> Style:
        """Ink on text: the head's name and the risk chip, which have no hue."""
        key = ("chip", "")
        if (style := self._made.get(key)) is None:
            style = self._made[key] = self._filled("text", bold=False)
        return style

    def tint(self, role: str, on: str = "bg") -> Style:
        """The soft ground of a verdict, with its colour; in 16 colours that alone, as it stands on `on`."""
        key = ("tint", f"{role} {on}")
        if (style := self._made.get(key)) is None:
            style = self._voice(self._read(role, on))
            if not self.colourless and not self.ansi:
                style += Style(bgcolor=self._tints[_VOICE_OF.get(role, role)].rich_color)
            self._made[key] = style
        return style


_OWN = (*map(variable, (*ROLES, *CLASS_KEYS)), *map(tint_variable, CLASS_KEYS))
_palettes: dict[tuple[object, ...], Palette] = {}
_last: tuple[object, bool, Palette] | None = None


def colours(app: App[object]) -> Palette:
    """The palette of the app's current theme, in as many colours as there are."""
    global _last
    theme = app.current_theme
    # Every line that is painted asks, and nearly always for the same one.
    if _last is not None and _last[0] is theme and _last[1] == app.no_color:
        return _last[2]
    own = tuple(theme.variables.get(name) for name in _OWN)
    key = (theme.dark, theme.ansi, app.no_color, own)
    if (palette := _palettes.get(key)) is None:
        # A theme that is not ours may use such a name for something else.
        known = theme.variables if variable(CLASS_KEYS[0]) in theme.variables else {}
        palette = Palette(known, dark=theme.dark, ansi=theme.ansi, colourless=app.no_color)
        _palettes[key] = palette
    _last = theme, app.no_color, palette
    return palette
