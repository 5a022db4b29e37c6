"""Theme files: read, checked, and made into Textual themes (product.md "Settings, themes").

A file is TOML: `name`, `dark`, `ansi`, `[colors]` (Textual's names), `[roles]`, `[classes]`; a missing key
takes the default theme's value of the same darkness. A wrong one never ends the app: it is told.
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from textual.color import Color, ColorParseError
from textual.theme import Theme

from triage.errors import TriageError
from triage.ui.palette import ANSI, CLASS_KEYS, DARK, LIGHT, ROLES, TINT, mixed, snapped, variable

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
    """A theme as read. `colours` has every role and class, `colors` those Textual names the file sets."""

    name: str
    dark: bool = True
    ansi: bool = False
    colours: dict[str, str] = field(default_factory=dict)
    colors: dict[str, str] = field(default_factory=dict)


def read_theme(path: Path) -> ThemeFile:
    """Read one theme file.

    Raises:
        TriageError: naming the file, the key and the reason.
    """

    def wrong(key: str, reason: str) -> TriageError:
        place = f"{path.name}: {key}: {reason}" if key else f"{path.name}: {reason}"
        return TriageError("theme not usable", place, 'colours are written "#RRGGBB"' if key else "")

    try:
        data: dict[str, Any] = tomllib.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise wrong("", error.strerror or "can't be read") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise wrong("", f"is no TOML: {error}") from error
    name, dark, ansi = data.get("name", path.stem), data.get("dark", True), data.get("ansi", False)
    if not isinstance(name, str) or not name.strip():
        raise wrong("name", "must be a word")
    for key, value in (("dark", dark), ("ansi", ansi)):
        if not isinstance(value, bool):
            raise wrong(key, f"must be true or false, is {value!r}")
    faults: list[tuple[str, str]] = []
    for key in data:
        if key not in ("name", "dark", "ansi", "colors", "roles", "classes"):
            faults.append((key, "is no key of a theme"))
    tables: dict[str, dict[str, str]] = {}
    for table, known in (("colors", tuple(COLORS)), ("roles", ROLES), ("classes", CLASS_KEYS)):
        tables[table], found = _table(data.get(table, {}), table, known, ansi)
        faults += found
    if faults:
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        raise wrong(faults[0][0], faults[0][1] + more)
    default = ANSI if ansi else DARK if dark else LIGHT
    return ThemeFile(
        name.strip(), dark, ansi, {**default, **tables["roles"], **tables["classes"]}, tables["colors"]
    )


def _table(
    values: Any, table: str, known: tuple[str, ...], ansi: bool
) -> tuple[dict[str, str], list[tuple[str, str]]]:
    if not isinstance(values, dict):
        return {}, [(table, "must be a table")]
    good: dict[str, str] = {}
    faults: list[tuple[str, str]] = []
    for key, value in values.items():
        if key not in known:
            faults.append((f"{table}.{key}", "is not known; one of " + ", ".join(known)))
        elif reason := _colour_fault(value, ansi):
            faults.append((f"{table}.{key}", reason))
        else:
            good[key] = value
    return good, faults


def _colour_fault(value: Any, ansi: bool) -> str:
    """Why `value` can't be a colour of a theme; "" if it can."""
    if not isinstance(value, str):
        return f"{value!r} is no colour"
    try:
        colour = Color.parse(value)
    except ColorParseError:
        return f"{value!r} is no colour"
    if colour.ansi is not None and not ansi:
        return f"{value!r} needs ansi = true"
    return "" if colour.a == 1 else f"{value!r} must be opaque"


def textual_theme(theme: ThemeFile, color_system: str | None = "truecolor") -> Theme:
    """A Textual theme with our variables: `$raised`, `$cls-retrieval`, `$tint-retrieval` and so on.

    In 256 colours each colour is the nearest that such a terminal has.
    """
    few = color_system == "256" and not theme.ansi
    own = {key: snapped(Color.parse(value)).hex if few else value for key, value in theme.colours.items()}
    variables = {variable(key): own[key] for key in (*ROLES, *CLASS_KEYS)}
    ground = Color.parse(own["bg"])
    for key in CLASS_KEYS:
        tint = own["bg"] if theme.ansi else mixed(Color.parse(own[key]), ground, TINT[theme.dark]).hex
        variables[variable(key).replace("cls-", "tint-")] = tint
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
        textual_theme(ThemeFile(DARK_NAME, True, False, DARK), color_system),
        textual_theme(ThemeFile(LIGHT_NAME, False, False, LIGHT), color_system),
        textual_theme(ThemeFile(ANSI_NAME, True, True, ANSI), color_system),
    ]


def theme_variable_defaults() -> dict[str, str]:
    """For `App.get_theme_variable_defaults`: our variables under a theme that is not ours."""
    return {
        key: value for key, value in built_in()[0].variables.items() if not key.startswith(("text", "border"))
    }


def load_themes(
    places: Iterable[Path], color_system: str | None = "truecolor"
) -> tuple[list[Theme], list[TriageError]]:
    """The built-in themes and those in `places` (files, or folders of `*.toml`); of one name the last wins.

    A file that can't be used is left out and comes back as an error to show. `color_system` is the console's:
    with "256" the themes are made of those colours.
    """
    themes = {theme.name: theme for theme in built_in(color_system)}
    errors: list[TriageError] = []
    for place in places:
        for path in sorted(place.glob("*.toml")) if place.is_dir() else [place]:
            try:
                theme = textual_theme(read_theme(path), color_system)
            except TriageError as error:
                errors.append(error)
            else:
                themes[theme.name] = theme
    return list(themes.values()), errors


def choose(asked: str | None, saved: str | None, known: Iterable[str], color_system: str | None) -> str:
    """The name of the theme to start with.

    Args:
        asked: the theme of an option or setting; it wins even in few colours.
        saved: the theme of the last sitting, which may have been in another terminal.
        known: the names there are.
        color_system: `console.color_system`; fewer than 256 colours choose the 16-colour theme.

    Raises:
        TriageError: `asked` is not known; the message names those that are.
    """
    names = set(known)
    if asked is not None:
        if asked not in names:
            raise TriageError("no such theme", asked, "one of " + ", ".join(sorted(names)))
        return asked
    if color_system in FEW_COLOURS:
        return ANSI_NAME
    return saved if saved in names and saved is not None else DARK_NAME
