"""Who reviews: `--reviewer`, `$TRIAGE_REVIEWER`, the settings, git's user name, the login."""

from __future__ import annotations

import getpass
import os
import re
from collections.abc import Iterator
from pathlib import Path

from triage.plain import one_line

_SECTION = re.compile(r"\[\s*([A-Za-z0-9.-]+)\s*(\"[^\"]*\")?\s*\]")
_INCLUDES = 4
"""Files that may include one another before we stop following."""


def reviewer_name(given: str | None, setting: str | None, start: Path | None = None) -> str:
    """The reviewer's name, never empty.

    Git's configuration files are read, not asked of git: a start must not wait for another program.
    """
    for name in (given, os.environ.get("TRIAGE_REVIEWER"), setting):
        if name and name.strip():
            return name.strip()
    return git_user_name(start or Path.cwd()) or _login()


def _login() -> str:
    try:
        return getpass.getuser() or "reviewer"
    except (KeyError, OSError, ImportError):
        return "reviewer"


def git_user_name(start: Path) -> str | None:
    """`user.name` as git would find it from `start`: the repository's, the user's, the machine's."""
    for path in _git_files(start):
        name = _user_name(path, _INCLUDES)
        if name:
            return one_line(name)
    return None


def _git_files(start: Path) -> Iterator[Path]:
    for folder in (start, *start.parents):
        place = folder / ".git"
        if place.is_dir():
            yield place / "config"
            break
        if place.is_file():
            yield from _worktree(place)
            break
    home = Path(os.environ.get("HOME") or os.environ.get("USERPROFILE") or os.devnull)
    yield Path(os.environ.get("GIT_CONFIG_GLOBAL") or home / ".gitconfig")
    yield Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config") / "git" / "config"
    yield Path(os.environ.get("GIT_CONFIG_SYSTEM") or "/etc/gitconfig")


def _worktree(place: Path) -> Iterator[Path]:
    """The configuration of a linked worktree or a submodule, whose `.git` is a file that points to it."""
    said = _text(place).partition("gitdir:")[2].strip()
    if said:
        folder = (place.parent / said).resolve()
        common = _text(folder / "commondir").strip()
        yield (folder / common if common else folder) / "config"


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _user_name(path: Path, depth: int) -> str | None:
    found: str | None = None
    section = ""
    for line in _text(path).splitlines():
        line = line.strip()
        head = _SECTION.match(line)
        if head:
            section = head[1].lower() + (head[2] or "")
            line = line[head.end() :].strip()
        key, sign, value = line.partition("=")
        if not sign or line.startswith(("#", ";")):
            continue
        if section == "user" and key.strip().lower() == "name":
            found = _value(value) or found
        elif section == "include" and key.strip().lower() == "path" and depth:
            other = path.parent / os.path.expanduser(_value(value))  # noqa: PTH111 - keeps `~` where there is no home
            found = _user_name(other, depth - 1) or found
    return found


def _value(text: str) -> str:
    """A git configuration value without its quotes, escapes and comment."""
    out: list[str] = []
    quoted = escaped = False
    for character in text.strip():
        if escaped:
            out.append({"n": "\n", "t": "\t"}.get(character, character))
            escaped = False
        elif character == "\\":
            escaped = True
        elif character == '"':
            quoted = not quoted
        elif character in "#;" and not quoted:
            break
        else:
            out.append(character)
    return "".join(out).strip()
