"""The themes there are, for the command that lists them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from triage import paths
from triage.ui import themes
from triage.ui.palette import CLASS_KEYS, LAYER_DIGITS, Palette
from triage.ui.theme_files import ThemeError, read_theme, read_themes
from triage.ui.themes import ThemeFile
from triage.ui.work.memory import Memory


class Listed(NamedTuple):
    """A theme: its name, kind, file (None = built in), and whether the app would use it."""

    name: str
    kind: str
    path: Path | None
    in_use: bool
    theme: ThemeFile


class Themes(NamedTuple):
    """Every theme by name, files that can't be used, which is in use and why; is a wrong one set?"""

    rows: list[Listed]
    errors: list[ThemeError]
    why: str
    missing: bool


def listed(setting: str | None) -> Themes:
    """What themes there are.

    Args:
        setting: the theme of the settings, a name or a file.
    """
    folders = [path for path in (paths.bundled("themes"), paths.theme_dir()) if paths.is_folder(path)]
    found, errors = read_themes(folders)
    if setting is not None and themes.is_path(setting) and paths.is_file(path := paths.typed(setting)):
        try:
            theme = read_theme(path)
        except ThemeError as error:
            errors.append(error)
        else:
            found[theme.name] = (path, theme)
            setting = theme.name
    color_system = Console(force_terminal=True).color_system if "NO_COLOR" not in os.environ else "truecolor"
    saved = Memory(paths.state_file()).theme
    wanted = setting if setting in found else None
    in_use = themes.choose(wanted, saved, found, color_system)
    why = f"{in_use} is in use"
    if wanted is not None:
        why += ", as the settings say"
    elif setting is not None:
        why += f": the settings say {setting}, which is no theme"
    elif color_system in themes.FEW_COLOURS:
        why += ", as this terminal has few colours"
    elif saved == in_use:
        why += ", chosen last in the app"
    else:
        why += ", the default"
    rows = [
        Listed(name, kind_of(theme), path, name == in_use, theme)
        for name, (path, theme) in sorted(found.items())
    ]
    return Themes(rows, errors, why, setting is not None and wanted is None)


def kind_of(theme: ThemeFile) -> str:
    """`dark`, `light`, or `16 colours`."""
    return "16 colours" if theme.ansi else "dark" if theme.dark else "light"


def painted(theme: ThemeFile) -> str:
    """A line of the theme's colours on its ground, with the terminal's own codes."""
    made = themes.textual_theme(theme)
    ink = Palette(made.variables, dark=theme.dark, ansi=theme.ansi, colourless=False)
    text = Text(" ", style=ink("text", "bg"), end="")
    for key in CLASS_KEYS[:4]:
        text.append(f" {LAYER_DIGITS[key]} ", ink.fill(key))
    text.append(" ", ink("text", "bg"))
    text.append(" ranking ", ink.tint("ranking"))
    for role, words in (("bad bold", "2 worse"), ("good", "1 better"), ("text", "text"), ("muted", "muted")):
        text.append(f" {words} ", ink(role, "bg"))
    console = Console(width=200)
    with console.capture() as capture:
        console.print(text)
    return capture.get().rstrip("\n")
