"""`triage themes`: what themes there are, which is in use, what is wrong with theme files."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from triage import paths
from triage.cli.options import format_option
from triage.cli.output import emit, emit_json, say, table
from triage.settings import load_settings
from triage.settings.tell import short


@click.command("themes", short_help="List the colour themes.", epilog="Example: triage --theme triage-light")
@format_option("table", "json")
def themes_command(format: str) -> int:
    """List the colour themes: the shipped ones and those of your own folder, and which is in use."""
    # Imported here because of all commands this alone needs the screen library.
    from triage.ui.theme_list import listed

    settings = load_settings(lenient=True)
    found, errors, why, missing = listed(settings.theme)
    faults = [
        {"file": str(error.path), "line": line, "key": key, "reason": reason}
        for error in errors
        for line, key, reason in error.faults
    ]
    if format == "json":
        rows: list[dict[str, Any]] = [
            {
                "name": one.name,
                "kind": one.kind,
                "file": str(one.path) if one.path else None,
                "in_use": one.in_use,
            }
            for one in found
        ]
        emit_json({"themes": rows, "why": why, "folder": str(paths.theme_dir()), "problems": faults})
    else:
        lines = table(
            ["", "theme", "kind", "file"],
            [[">" if one.in_use else "", one.name, one.kind, _file(one.path)] for one in found],
        )
        emit(lines[0])
        swatches = _swatches([one.theme for one in found])
        for line, swatch in zip(lines[1:], swatches, strict=True):
            emit(line)
            if swatch:
                emit(f"   {swatch}")
        say(f"{why}; your own themes go into {short(paths.theme_dir())}, a .toml file each")
    for fault in faults:
        place = fault["file"] if fault["line"] is None else f"{fault['file']}, line {fault['line']}"
        say("error: " + ": ".join(str(part) for part in (place, fault["key"], fault["reason"]) if part))
    return 1 if faults or missing else 0


def _file(path: Path | None) -> str:
    return "built in" if path is None else short(path)


def _swatches(themes: list[Any]) -> list[str]:
    """A line of each theme's own colours, "" where the terminal shows none."""
    if not sys.stdout.isatty() or "NO_COLOR" in os.environ:
        return ["" for _ in themes]
    from triage.ui.theme_list import painted

    return [painted(theme) for theme in themes]
