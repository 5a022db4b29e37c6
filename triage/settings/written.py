"""The settings file that says everything: each setting, commented out, with its default."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from triage.plain import width
from triage.settings.kinds import toml, toml_key
from triage.settings.table import SETTINGS

WIDTH = 100
_HEAD = (
    "Settings of triage. Lines that begin with ## explain; a line that begins with # holds a default: take "
    "the # away and change it. Where a project has a triage.toml, or [tool.triage] in its pyproject.toml, "
    "that one wins, key by key. `triage settings` prints what is in effect and where each came from."
)


def default_file(actions: Iterable[tuple[str, str, str]] = ()) -> str:
    """The commented default file; with one # taken from each line that has just one, it gives the defaults.

    Args:
        actions: id, keys joined by commas and meaning of every action, for the list under `keys`.
    """
    lines = list(_prose(_HEAD))
    for setting in SETTINGS:
        lines += ["", *_prose(f"{setting.name}: {setting.kind.wants}. {setting.says}")]
        if setting.holds != "at once":
            lines.append(f"## A change holds from {setting.holds} on.")
        default = setting.default
        if setting.name == "keys":
            lines += [*_actions(actions)]
        elif isinstance(default, Mapping) and default:
            lines += [
                line
                for name, value in default.items()
                for line in _line(f"{setting.name}.{toml_key(name)}", value)
            ]
        elif default not in (None, (), {}):
            lines += _line(setting.name, default)
        if default in (None, (), {}) and setting.example:
            lines.append(f"## Example: {setting.example}")
    return "\n".join(lines) + "\n"


def _prose(text: str) -> Iterator[str]:
    return (f"## {line}" for line in textwrap.wrap(text, WIDTH - 3))


def _line(name: str, value: Any) -> Iterator[str]:
    one = f"#{name} = {toml(value)}"
    if len(one) <= WIDTH or not isinstance(value, tuple):
        yield one
        return
    yield f"#{name} = ["
    line = "#   "
    for item in map(toml, value):
        if width(line) + width(item) + 2 > WIDTH and line.strip("# "):
            yield line
            line = "#   "
        line += f" {item},"
    yield line
    yield "#]"


def _actions(actions: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    for ident, keys, says in actions:
        yield f"#keys.{toml_key(ident)} = {toml(keys)}".ljust(42) + f"  # {says}"
