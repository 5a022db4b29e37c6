"""Themes: the roles of look.md as Textual themes; `theme_files.py` reads the files that say others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field
from textual.color import Color
from textual.theme import Theme

from triage.errors import UsageError, did_you_mean
from triage.ui.palette import (
    ANSI,
    CLASS_KEYS,
    DARK,
    LIGHT,
    ROLES,
    TINT,
    mixed,
    snapped,
    tint_variable,
    variable,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

DARK_NAME, LIGHT_NAME, ANSI_NAME = "triage-dark", "triage-light", "triage-ansi"
COLORS = {
    "primary": "focus", "secondary": "muted", "warning": "ranking", "error": "bad", "success": "good",
    "accent": "focus", "foreground": "text", "background": "bg", "surface": "raised", "panel": "cursor",
    "boost": "raised",
}  # fmt: skip
"""Textual's colour names, with the role whose value each takes where the file does not say."""
FEW_COLOURS = ("standard", "windows", None)
"""Rich's names of the colour systems with fewer than 256 colours."""


class ThemeFile(Struct, frozen=True):
    """A theme as read. `colours` has every role and class, `colors` those Textual names the file sets.

    `tint` (0..1) is how much of a class's colour is mixed into bg under a person's verdict.
    """

    name: str
    dark: bool = True
    ansi: bool = False
    tint: float = TINT[True]
    colours: dict[str, str] = field(default_factory=dict)
    colors: dict[str, str] = field(default_factory=dict)


def textual_theme(theme: ThemeFile, color_system: str | None = "truecolor") -> Theme:
    """A Textual theme with our variables: `$raised`, `$cls-retrieval`, `$tint-retrieval` and so on.

    In 256 colours each colour is the nearest that such a terminal has.
    """
    few = color_system == "256" and not theme.ansi
    own = {key: snapped(Color.parse(value)).hex if few else value for key, value in theme.colours.items()}
    variables = {variable(key): own[key] for key in (*ROLES, *CLASS_KEYS)}
    ground = Color.parse(own["bg"])
    for key in CLASS_KEYS:
        tint = own["bg"] if theme.ansi else mixed(Color.parse(own[key]), ground, theme.tint).hex
        variables[tint_variable(key)] = tint
    variables |= _textual_variables(own)
    said = {key: snapped(Color.parse(value)).hex if few else value for key, value in theme.colors.items()}
    colors = {name: said.get(name, own[role]) for name, role in COLORS.items()}
    return Theme(name=theme.name, dark=theme.dark, ansi=theme.ansi, variables=variables, **colors)  # type: ignore[arg-type]


def _textual_variables(own: dict[str, str]) -> dict[str, str]:
    """Textual's own variables from our roles, so that its inputs, lists and scrollbars look like ours."""
    cursor, text, muted, focus = own["cursor"], own["text"], own["muted"], own["focus"]
    return {
        "text-muted": muted,
        "text-disabled": own["faint"],
        "block-cursor-foreground": text,
        "block-cursor-background": cursor,
        "block-cursor-blurred-foreground": text,
        "block-cursor-blurred-background": cursor,
        "input-cursor-foreground": own["ink"],
        "input-cursor-background": text if text != "ansi_default" else focus,
        "input-selection-background": cursor,
        "input-selection-foreground": text,
        "scrollbar": cursor if cursor != "ansi_bright_black" else focus,
        "scrollbar-hover": muted if muted != "ansi_default" else focus,
        "scrollbar-active": focus,
        "scrollbar-background": own["raised"],
        "scrollbar-background-hover": own["raised"],
        "scrollbar-background-active": own["raised"],
        "scrollbar-corner-color": own["raised"],
        "ansi-background": own["bg"],
        "ansi-foreground": own["text"],
        "border": focus,
        "border-blurred": own["raised"],
        "footer-key-foreground": focus,
        "footer-background": own["raised"],
        "footer-description-foreground": muted,
    }


def built_in(color_system: str | None = "truecolor") -> list[Theme]:
    """The themes that need no file: dark (the default), light, and 16 colours."""
    return [
        textual_theme(ThemeFile(DARK_NAME, True, False, TINT[True], DARK), color_system),
        textual_theme(ThemeFile(LIGHT_NAME, False, False, TINT[False], LIGHT), color_system),
        textual_theme(ThemeFile(ANSI_NAME, True, True, TINT[True], ANSI), color_system),
    ]


def theme_variable_defaults() -> dict[str, str]:
    """For `App.get_theme_variable_defaults`: our variables under a theme that is not ours."""
    return {
        key: value for key, value in built_in()[0].variables.items() if not key.startswith(("text", "border"))
    }


def is_path(word: str) -> bool:
    """Does a theme's name rather name a file? `./x`, `x.toml`."""
    return "/" in word or "\\" in word or word.endswith((".toml", ".yaml", ".yml"))


def no_such_theme(name: str, known: Iterable[str]) -> UsageError:
    """The error for a name that is no theme's, with the nearest that is."""
    names = sorted(known)
    return UsageError("no such theme", name, did_you_mean(name, names, "one of " + ", ".join(names)))


def no_such_file(path: Path) -> UsageError:
    """The error for a theme file that is not there."""
    return UsageError("no such theme file", str(path), "triage themes lists the themes there are")


def choose(asked: str | None, saved: str | None, known: Iterable[str], color_system: str | None) -> str:
    """The name of the theme to start with.

    Args:
        asked: the theme of an option or setting; it wins even in few colours.
        saved: the theme of the last sitting, which may have been in another terminal.
        known: the names there are.
        color_system: `console.color_system`; fewer than 256 colours choose the 16-colour theme.

    Raises:
        UsageError: `asked` is not known; the message names the nearest that is.
    """
    names = set(known)
    if asked is not None:
        if asked not in names:
            raise no_such_theme(asked, names)
        return asked
    if color_system in FEW_COLOURS:
        return ANSI_NAME
    return saved if saved in names and saved is not None else DARK_NAME
