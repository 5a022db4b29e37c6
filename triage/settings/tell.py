"""The settings in effect as words: their values, and where each is from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from triage.errors import FilterError, UsageError
from triage.settings.kinds import toml
from triage.settings.lines import line_of
from triage.settings.model import PROJECT, Settings

DEFAULT = "default"


def said(value: Any) -> str:
    """A value on one line, as TOML would have it; "" for what is not set."""
    if value is None or (isinstance(value, Mapping | tuple) and not value):
        return ""
    return toml(value)


def origin(settings: Settings, name: str) -> str:
    """The files that a setting is from, "default" where none speaks of it."""
    files = settings.origins.get(name, ())
    return ", ".join(short(path) for path in files) or DEFAULT


def placed(settings: Settings, key: tuple[str, ...], reason: str) -> str:
    """What is wrong with a setting that was read, with its file and line where they are known."""
    name = ".".join(key)
    for path in reversed(settings.origins.get(key[0], ())):
        prefix = PROJECT if path.name == "pyproject.toml" else ()
        try:
            text = path.read_text("utf-8-sig")
        except (OSError, UnicodeDecodeError):
            continue
        for parts in (key, (key[0], *".".join(key[1:]).split("."))):
            line = line_of(text, (*prefix, *parts), whole=True)
            if line is not None:
                return f"{path}, line {line}: {name}: {reason}"
    return f"{name}: {reason}"


def wrong_rule(settings: Settings, rule: str, error: FilterError) -> UsageError:
    """The error for a must-review rule that is no filter, with its file and line where they are known."""
    reason = ", ".join(part for part in (error.title, error.message) if part)
    said = f"{rule}: {reason}"
    if rule in settings.must_review:
        said = placed(settings, ("must_review",), said)
    return UsageError("a must-review rule is no filter", said, error.hint or "correct must_review")


def short(path: Path) -> str:
    """A path as seen from here, or with `~` for the home folder."""
    home, here = Path.home(), Path.cwd()
    if path.is_relative_to(here):
        return path.relative_to(here).as_posix()
    return f"~/{path.relative_to(home).as_posix()}" if path.is_relative_to(home) else str(path)
