"""What a user may set: `triage.toml`, or `[tool.triage]` in `pyproject.toml`, over the user's own file.

The later file wins key by key; a table is merged by its keys, a list replaces the earlier list.
"""

from __future__ import annotations

import re
from pathlib import Path

from triage import paths
from triage.settings.model import (
    FALLBACK_PHRASES,
    HIGH_RISK,
    LABELS,
    TOPIC_ALIASES,
    TOPIC_WORDS,
    WATCH,
    SettingError,
    Settings,
)

__all__ = [
    "FALLBACK_PHRASES", "HIGH_RISK", "LABELS", "TOPIC_ALIASES", "TOPIC_WORDS", "WATCH", "SettingError",
    "Settings", "load_settings", "places",
]  # fmt: skip

_NAME = b"triage"
_OURS = re.compile(rb"^\s*\[?\s*tool\s*\.\s*triage\s*[\].=]", re.MULTILINE)


def load_settings(start: Path | None = None, *, lenient: bool = False) -> Settings:
    """The user's settings, with those of the project around `start` (default: here) over them.

    Args:
        start: the folder to look upward from.
        lenient: leave out what can't be used and list it in `problems`, instead of raising.

    Raises:
        SettingError: a file that can't be read or parsed, an unknown key, or a value of the wrong kind;
            it names the file, and the line and key where they are known. Never where `lenient`.
    """
    files = [path for path in places(start) if paths.is_file(path)]
    if not files:
        return Settings()
    # Imported here because most starts find no file, and TOML takes its time.
    from triage.settings.reading import read_files

    return read_files(files, lenient=lenient)


def places(start: Path | None = None) -> list[Path]:
    """The files that may hold settings, lowest first; they need not exist.

    The user's own, and the nearest project file upward from `start`: a `triage.toml`, or a `pyproject.toml`
    that speaks of us. Where there is none, the `triage.toml` that would be found in `start`.
    """
    start = start or Path.cwd()
    own = paths.config_file()
    for folder in paths.upward(start):
        path = folder / "triage.toml"
        if paths.is_file(path):
            return [own, path]
        path = folder / "pyproject.toml"
        if paths.is_file(path) and _speaks_of_us(path):
            return [own, path]
    return [own, start.resolve() / "triage.toml"]


def _speaks_of_us(path: Path) -> bool:
    # Other people's half-written project files are none of our business unless they speak of us.
    try:
        data = path.read_bytes()
    except OSError:
        return False
    if _OURS.search(data) is not None:
        return True
    return _NAME in data and _has_ours(data)


def _has_ours(data: bytes) -> bool:
    """Has a project file that parses our table, written in another way, such as `["tool"."triage"]`?"""
    from triage.settings.toml_text import NotToml, parsed

    try:
        tool = parsed(data.decode("utf-8-sig")).get("tool")
    except (UnicodeDecodeError, NotToml):
        return False
    return isinstance(tool, dict) and _NAME.decode() in tool
