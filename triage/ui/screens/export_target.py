"""Where an export goes: names to propose, names to complete, and what stands at a path already."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from msgspec import Struct

from triage.errors import UsageError
from triage.workspace.exporting import ENDINGS, ExportFormat, named_format

State = Literal["new", "file", "folder", "no folder", "unusable"]
LISTED = 2000
"""Most names of a folder that are looked at."""


class Target(Struct, frozen=True):
    """A path as it stands now.

    `size` is that of a file that is there, in bytes; `free` a path beside it that is free; `missing` the
    highest folder that is not there; `why` what makes the path unusable.
    """

    path: Path
    state: State
    size: int = 0
    free: Path | None = None
    missing: Path | None = None
    why: str = ""


class Names(Struct, frozen=True):
    """What a typed path can be completed to: whole texts, folders first and with a slash at their end."""

    text: str
    found: tuple[str, ...]
    target: Target | None = None

    @property
    def longest(self) -> str:
        """What all of them begin with."""
        low, high = min(self.found, default=self.text), max(self.found, default=self.text)
        same = (at for at, (one, other) in enumerate(zip(low, high, strict=False)) if one != other)
        return low[: next(same, min(len(low), len(high)))]


def path_of(text: str) -> Path:
    """The absolute path of a typed one; `~` is a home, other paths begin at the working directory.

    Raises:
        ValueError: there is no such home, or no path can have such a name.
    """
    if "\0" in text:
        raise ValueError("a name can't hold NUL")
    try:
        return Path(os.path.abspath(Path(text).expanduser()))  # noqa: PTH100
    except RuntimeError as error:
        raise ValueError(str(error)) from error


def shown(path: Path) -> str:
    """A path as a person would type it: within the working directory, within home, or whole."""
    for base, lead in ((Path.cwd(), ""), (Path.home(), "~/")):
        if path.is_relative_to(base):
            rest = str(path.relative_to(base))
            return lead + ("" if rest == "." else rest)
    return str(path)


def file_name(run: str, part: str, format: ExportFormat) -> str:
    """`kb42-tagged.csv`; what file systems or shells read otherwise becomes a dash."""
    stem = "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in run)[:60].strip(".-")
    return f"{stem or 'run'}-{part}{ENDINGS[format]}"


def with_ending(text: str, format: ExportFormat) -> str:
    """The typed path with the format's ending, in place of another format's."""
    path = Path(text)
    if not path.name or text.endswith(("/", os.sep)):
        return text
    try:
        now = named_format(path)
        if now == format:
            return text
        stem = text if now is None else text[: -len(path.suffix)]
    except UsageError:
        stem = text[: -len(path.suffix)]
    return stem + ENDINGS[format]


def free_name(path: Path) -> Path | None:
    """`name-2.csv` beside a file that is there, or the first number that is free."""
    for number in range(2, 1000):
        other = path.with_name(f"{path.stem}-{number}{path.suffix}")
        if not other.exists():
            return other
    return None


def looked_at(text: str) -> Target:
    """What stands at a typed path. Asks the file system."""
    try:
        path = path_of(text)
    except ValueError as error:
        return Target(Path(text.replace("\0", "")), "unusable", why=str(error))
    try:
        if path.is_dir():
            return Target(path, "folder")
        if path.exists():
            return Target(path, "file", size=path.stat().st_size, free=free_name(path))
        if path.parent.is_dir():
            return Target(path, "new")
        above = path.parent
        missing = above
        while not above.exists() and above != above.parent:
            missing, above = above, above.parent
        if not above.is_dir():
            return Target(path, "unusable", why=f"{above.name} is a file, not a folder")
        return Target(path, "no folder", missing=missing)
    except OSError as error:
        return Target(path, "unusable", why=error.strerror or str(error))


def _entries(folder: Path, start: str) -> Iterable[tuple[bool, str]]:
    with os.scandir(folder) as entries:
        for count, entry in enumerate(entries):
            if count >= LISTED:
                return
            if entry.name.startswith(start) and (start.startswith(".") or not entry.name.startswith(".")):
                yield not entry.is_dir(), entry.name


def names(text: str) -> Names:
    """What a typed path can be completed to, and what stands at it. Asks the file system."""
    target = looked_at(text) if text else None
    lead, start = text[: text.rfind("/") + 1], text[text.rfind("/") + 1 :]
    if text == "~":
        return Names(text, ("~/",), target)
    try:
        entries = sorted(_entries(path_of(lead or "."), start))
    except (OSError, ValueError):
        return Names(text, (), target)
    return Names(text, tuple(f"{lead}{name}{'' if is_file else '/'}" for is_file, name in entries), target)
