"""Theme files: read and checked (product.md "Settings, themes").

A file is TOML: `name`, `dark`, `ansi`, `tint`, `[colors]` (Textual's names), `[roles]`, `[classes]`; a
missing key takes the default theme's value of the same darkness. A wrong one never ends the app: it is told.
"""

from __future__ import annotations

import contextlib
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from textual.color import Color, ColorParseError
from textual.theme import Theme

from triage.errors import TriageError, did_you_mean
from triage.paths import is_folder
from triage.plain import cut
from triage.settings.lines import line_of
from triage.settings.toml_text import NotToml, parsed
from triage.ui.palette import ANSI, CLASS_KEYS, DARK, LIGHT, ROLES, TINT
from triage.ui.themes import COLORS, ThemeFile, built_in, textual_theme

_TOP = ("name", "dark", "ansi", "tint", "colors", "roles", "classes")
_TABLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("colors", tuple(COLORS)), ("roles", ROLES), ("classes", CLASS_KEYS),
)  # fmt: skip
_NAME = 40
"""Most characters of a theme's name."""
_SAID = 40
"""Most cells of a wrong value that is told again."""
ENDINGS = (".toml", ".yaml", ".yml")
"""Endings of the files in a folder of themes that are meant to be themes."""
LARGEST = 1_000_000
"""Bytes above which a file is no theme."""


class ThemeError(TriageError):
    """A theme file that can't be used; `faults` are all that is wrong with it, the first is told.

    Args:
        path: the file.
        faults: (1-based line or None, key or "", reason) each.
    """

    def __init__(self, path: Path, faults: list[tuple[int | None, str, str]]) -> None:
        line, key, reason = faults[0]
        place = f"{path.name}, line {line}" if line is not None else path.name
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        said = ": ".join(part for part in (place, key, reason) if part)
        super().__init__("theme not usable", said + more)
        self.path, self.faults = path, faults


def read_theme(path: Path) -> ThemeFile:
    """Read one theme file.

    Raises:
        ThemeError: naming the file, the line, the key and the reason.
    """
    text, data = _parsed(path)
    faults = [(key, reason) for key, reason in _top(data, path)]
    ansi = data.get("ansi") is True
    dark = data.get("dark") is not False
    tables: dict[str, dict[str, str]] = {}
    for table, known in _TABLES:
        tables[table], found = _table(data.get(table, {}), table, known, ansi)
        faults += found
    if faults:
        raise ThemeError(path, [(line_of(text, key.split(".")), key, reason) for key, reason in faults])
    default = ANSI if ansi else DARK if dark else LIGHT
    return ThemeFile(
        str(data.get("name", path.stem)).strip(),
        dark,
        ansi,
        float(data.get("tint", TINT[dark])),
        {**default, **tables["roles"], **tables["classes"]},
        tables["colors"],
    )


def _parsed(path: Path) -> tuple[str, dict[str, Any]]:
    try:
        found = path.stat()
        if stat.S_ISREG(found.st_mode) and found.st_size > LARGEST:
            raise ThemeError(path, [(None, "", "is too large for a theme")])
        if not stat.S_ISREG(found.st_mode):
            # Reading a pipe would wait for somebody to write into it.
            raise ThemeError(path, [(None, "", "is no file")])
        text = path.read_text("utf-8-sig")
        return text, parsed(text)
    except OSError as error:
        raise ThemeError(path, [(None, "", error.strerror or "can't be read")]) from error
    except UnicodeDecodeError as error:
        raise ThemeError(path, [(None, "", f"is not UTF-8 at byte {error.start + 1}")]) from error
    except NotToml as error:
        line = error.line
        rows = text.split("\n")
        key = re.match(r"\s*([\w-]{1,40})", rows[line - 1] if line is not None and line <= len(rows) else "")
        wanted = "" if path.suffix == ".toml" else "; a theme file is TOML"
        why = f"is no TOML: {error.reason}{wanted}"
        raise ThemeError(path, [(line, key[1] if key else "", why)]) from error


def _top(data: dict[str, Any], path: Path) -> Iterator[tuple[str, str]]:
    """What is wrong with the keys outside the tables."""
    name, tint = data.get("name", path.stem), data.get("tint", 0)
    if not isinstance(name, str) or not name.strip() or len(name) > _NAME or not name.isprintable():
        yield "name", "must be a word of 1 to 40 characters"
    for key in ("dark", "ansi"):
        if not isinstance(data.get(key, True), bool):
            yield key, f"must be true or false, is {_said(data[key])}"
    if isinstance(tint, bool) or not isinstance(tint, int | float) or not 0 <= tint <= 1:
        yield "tint", f"must be a number from 0 to 1, is {_said(tint)}"
    for key in data:
        if key not in _TOP:
            yield key, f"is no key of a theme: {did_you_mean(key, _TOP, 'one of ' + ', '.join(_TOP))}"


def _table(
    values: Any, table: str, known: tuple[str, ...], ansi: bool
) -> tuple[dict[str, str], list[tuple[str, str]]]:
    if not isinstance(values, dict):
        return {}, [(table, "must be a table")]
    good: dict[str, str] = {}
    faults: list[tuple[str, str]] = []
    for key, value in values.items():
        if key not in known:
            hint = did_you_mean(key, known, "one of " + ", ".join(known))
            faults.append((f"{table}.{key}", f"is not known: {hint}"))
        elif reason := _colour_fault(value, ansi):
            faults.append((f"{table}.{key}", reason))
        else:
            good[key] = value
    return good, faults


def _said(value: Any) -> str:
    return cut(repr(value), _SAID)


def _colour_fault(value: Any, ansi: bool) -> str:
    """Why `value` can't be a colour of a theme; "" if it can."""
    wanted = 'colours are written "#RRGGBB"'
    if not isinstance(value, str):
        return f"{_said(value)} is no colour: {wanted}"
    try:
        colour = Color.parse(value)
    except ColorParseError:
        return f"{_said(value)} is no colour: {wanted}"
    if colour.ansi is not None and not ansi:
        return f"{_said(value)} needs ansi = true"
    return "" if colour.a == 1 else f"{_said(value)} must be opaque"


def theme_paths(places: Iterable[Path]) -> Iterator[Path]:
    """The theme files of `places`: a folder's by name, a file as it is.

    Themes of other programs are in the folder too: reading them tells that a theme file is TOML.
    """
    for place in places:
        if is_folder(place):
            # A folder that may not be looked into has nothing for us.
            with contextlib.suppress(OSError):
                yield from sorted(path for path in place.iterdir() if path.suffix in ENDINGS)
        else:
            yield place


def read_themes(places: Iterable[Path]) -> tuple[dict[str, tuple[Path, ThemeFile]], list[ThemeError]]:
    """Name -> file and theme of every usable file; of one name the last wins. And what is not usable."""
    found: dict[str, tuple[Path, ThemeFile]] = {}
    errors: list[ThemeError] = []
    for path in theme_paths(places):
        try:
            theme = read_theme(path)
        except ThemeError as error:
            errors.append(error)
        else:
            found[theme.name] = (path, theme)
    return found, errors


def load_themes(
    places: Iterable[Path], color_system: str | None = "truecolor"
) -> tuple[list[Theme], list[ThemeError]]:
    """The built-in themes and those in `places` (files, or folders of `*.toml`); of one name the last wins.

    A file that can't be used is left out and comes back as an error to show. `color_system` is the console's:
    with "256" the themes are made of those colours.
    """
    found, errors = read_themes(places)
    themes = {theme.name: theme for theme in built_in(color_system)}
    themes |= {name: textual_theme(theme, color_system) for name, (_, theme) in found.items()}
    return list(themes.values()), errors
