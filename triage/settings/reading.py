"""Settings files read, checked and laid over one another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from triage.errors import did_you_mean
from triage.settings.lines import line_of
from triage.settings.model import FALLBACK_PHRASES, PROJECT, SettingError, Settings
from triage.settings.table import BY_NAME
from triage.settings.toml_text import NotToml, parsed

_UNUSABLE = "a setting can't be used"


def read_files(files: Iterable[Path], *, lenient: bool) -> Settings:
    """The settings of files, lowest first; a `pyproject.toml` has ours in `[tool.triage]`.

    Raises:
        SettingError: the first thing that can't be used; never where `lenient`: then they are `problems`.
    """
    settings = Settings()
    problems: list[SettingError] = []
    for path in files:
        try:
            text, table = _parsed(path)
        except SettingError as error:
            problems.append(error)
            continue
        prefix = PROJECT if path.name == "pyproject.toml" else ()
        for name in prefix:
            table = table.get(name, {})
            if not isinstance(table, dict):
                key, line = ".".join(prefix), line_of(text, prefix)
                problems.append(SettingError(_UNUSABLE, path, line, key, "a table is wanted"))
                table = {}
        settings, found = _over(settings, table, path, text, prefix)
        problems += found
        if problems and not lenient:
            break
    if problems and not lenient:
        raise problems[0]
    return replace(settings, problems=tuple(problems))


def _parsed(path: Path) -> tuple[str, dict[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise SettingError(
            "settings are not UTF-8", path, line, "", f"byte {error.start + 1}", "save the file as UTF-8"
        ) from None
    except OSError as error:
        raise SettingError("settings can't be read", path, None, "", error.strerror or str(error)) from None
    try:
        return text, parsed(text)
    except NotToml as error:
        hint = "mend that line, or move the file away"
        raise SettingError("settings don't parse", path, error.line, "", error.reason, hint) from None


def _over(
    settings: Settings, table: Mapping[str, Any], path: Path, text: str, prefix: tuple[str, ...]
) -> tuple[Settings, list[SettingError]]:
    """`settings` with the values of a parsed file laid over them, and what of it can't be used."""
    problems: list[SettingError] = []

    def wrong(title: str, inside: tuple[str, ...], reason: str, hint: str = "") -> None:
        line = line_of(text, (*prefix, *inside))
        problems.append(SettingError(title, path, line, ".".join(inside), reason, hint))

    changes: dict[str, Any] = {}
    origins = dict(settings.origins)
    for name, value in table.items():
        setting = BY_NAME.get(name)
        if setting is None:
            hint = did_you_mean(name, BY_NAME, "triage settings lists them all")
            if name == PROJECT[0]:
                hint = "here the settings stand without [tool.triage]"
            wrong("unknown setting", (name,), "", hint)
            continue
        read, faults = setting.kind.read(value)
        for fault in faults:
            wrong(_UNUSABLE, (name, *fault.inside), fault.reason)
        if read is None:
            continue
        if isinstance(read, dict):
            read = {**setting.of(settings), **read}
        changes[setting.attribute] = read
        origins[name] = (*origins.get(name, ()), path) if isinstance(read, dict) else (path,)
    # The user's phrases stand beside ours, or alone where ours are switched off.
    ours = FALLBACK_PHRASES if changes.get("builtin_fallbacks", settings.builtin_fallbacks) else ()
    before = (phrase for phrase in settings.fallback_phrases if phrase not in FALLBACK_PHRASES)
    theirs = changes.get("fallback_phrases") or before
    changes["fallback_phrases"] = tuple(dict.fromkeys((*ours, *theirs)))
    return replace(settings, **changes, sources=(*settings.sources, path), origins=origins), problems
