"""`triage settings`: what is set, where each is from, what is wrong; and a file that explains them all."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import click

from triage import paths
from triage.cli.options import format_option
from triage.cli.output import emit, emit_json, say, table
from triage.errors import TriageError
from triage.settings import SettingError, Settings, load_settings, places
from triage.settings.table import SETTINGS
from triage.settings.tell import DEFAULT, origin, placed, said

WRONG = 2
"""Exit code where something in the files can't be used."""


@click.command(
    "settings",
    short_help="Print the settings, or write a file of them.",
    epilog="Example: triage settings --write",
)
@click.option(
    "--write", is_flag=True, help="Write your settings file: every setting, explained, commented out."
)
@click.option(
    "--path",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --write: to FILE, such as ./triage.toml for a project.",
)
@click.option("--force", is_flag=True, help="With --write: also over a file that is there.")
@format_option("table", "json")
def settings_command(write: bool, path: Path | None, force: bool, format: str) -> int:
    """Print the settings in effect and the file each is from, or write a file that explains them all."""
    if write:
        return _write(path or paths.config_file(), force=force)
    settings = load_settings(lenient=True)
    problems = [*map(str, settings.problems), *_keys(settings)]
    if format == "json":
        emit_json(_shape(settings, problems))
    else:
        heads = ["setting", "from", "value"]
        rows = [
            [setting.name, origin(settings, setting.name), _value(settings, setting.name)]
            for setting in SETTINGS
        ]
        for line in table(heads, rows):
            emit(line)
        files = ", ".join(map(str, settings.sources)) or f"none yet; {places()[0]} would be read"
        say(f"files: {files}")
    for problem in problems:
        say(f"error: {problem}")
    return WRONG if problems else 0


def _value(settings: Settings, name: str) -> str:
    """The value in words; the reviewer's also where it is not from a file."""
    setting = next(setting for setting in SETTINGS if setting.name == name)
    if name == "reviewer":
        from triage.workspace.reviewer import reviewer_name

        found = reviewer_name(None, settings.reviewer)
        if os.environ.get("TRIAGE_REVIEWER", "").strip():
            return f"{json.dumps(found, ensure_ascii=False)} ($TRIAGE_REVIEWER)"
        return json.dumps(found, ensure_ascii=False) if settings.reviewer else f"{found} (git or login)"
    return said(setting.of(settings))


def _keys(settings: Settings) -> list[str]:
    """What is wrong with `[keys]`, with file and line."""
    if not settings.keys:
        return []
    from triage.ui.keymap import keyboard

    problems = keyboard(settings.keys).problems
    return [placed(settings, ("keys", told.ident), told.reason) for told in problems]


def _shape(settings: Settings, problems: list[str]) -> dict[str, Any]:
    known = {str(error): error for error in settings.problems}
    return {
        "files": [str(path) for path in settings.sources],
        "places": [str(path) for path in places()],
        "settings": {
            setting.name: {
                "value": setting.of(settings),
                "default": setting.default,
                "from": [str(path) for path in settings.origins.get(setting.name, ())] or [DEFAULT],
                "holds": setting.holds,
            }
            for setting in SETTINGS
        },
        "problems": [_problem(problem, known.get(problem)) for problem in problems],
    }


def _problem(text: str, error: SettingError | None) -> dict[str, Any]:
    if error is None:
        key, _, reason = text.partition(": ")
        return {"file": None, "line": None, "key": key, "reason": reason, "hint": ""}
    return {
        "file": str(error.path), "line": error.line, "key": error.key, "reason": error.reason or error.title,
        "hint": error.hint,
    }  # fmt: skip


def _write(path: Path, *, force: bool) -> int:
    from triage.settings.written import default_file
    from triage.ui.keys import ACTIONS

    text = default_file(
        (action.id, ", ".join(_name(key) for key in action.keys), action.says) for action in ACTIONS
    )
    if path.exists() and not force:
        hint = "--force writes it anew, --path FILE writes another"
        raise TriageError("there is a settings file already", str(path), hint)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise TriageError("can't write the settings", str(path), error.strerror or str(error)) from error
    say(f"wrote {path}: every setting, commented out; take a # away to change one")
    return 0


def _name(key: str) -> str:
    """A key as the settings take it: a comma is a word there."""
    return "comma" if key == "," else key
