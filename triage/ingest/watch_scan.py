"""What stands in followed folders at one moment."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct, field

from triage.ingest.discover import is_run_file, walk


class Stamp(NamedTuple):
    """What tells one state of a file from another. Bytes and nanoseconds."""

    size: int
    mtime_ns: int
    changed_ns: int
    inode: int
    device: int


def stamp_of(path: str) -> Stamp | None:
    """A file's stamp; None where there is no such file."""
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return Stamp(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_dev)


class Place(Struct, frozen=True):
    """A folder or a file to follow.

    Args:
        path: it need not exist.
        deep: with the folders inside it.
        old: files that are there already are new too, unless they are known as loaded.
    """

    path: Path
    deep: bool = True
    old: bool = True

    def holds(self, path: Path) -> bool:
        """Is what stands at `path` followed with this place?"""
        mine, path = self.path.absolute(), path.absolute()
        if self.deep or path == mine:
            return path.is_relative_to(mine)
        return path.parent == mine and not path.is_dir()


class Scan(Struct):
    """What was found.

    Args:
        stamps: path -> stamp of every run file.
        files: paths that are followed by name.
        walked: folders whose run files are followed.
        watched: these, and folders in which something followed may appear.
        of_interest: paths a change of which may change all this.
        passed_over: files that were there before and are not to be told.
        absent: places that are not there.
        identity: changes where listening has to begin anew.
        seconds: what the scan took.
    """

    stamps: dict[str, Stamp] = field(default_factory=dict)
    files: set[str] = field(default_factory=set)
    walked: set[str] = field(default_factory=set)
    watched: set[str] = field(default_factory=set)
    of_interest: set[str] = field(default_factory=set)
    passed_over: set[str] = field(default_factory=set)
    absent: tuple[Path, ...] = ()
    identity: frozenset[tuple[str, int, int]] = frozenset()
    seconds: float = 0.0


def scan(places: Sequence[Place]) -> Scan:
    """Look at every place."""
    began = time.monotonic()
    found = Scan()
    absent: list[Path] = []
    for place in places:
        path = place.path.absolute()
        if path.is_dir():
            _folder(path, place, found)
        elif path.exists():
            _file(str(path), place, found)
            found.files.add(str(path))
            found.watched.add(str(path.parent))
        else:
            absent.append(place.path)
            _expect(path, found)
    found.absent = tuple(absent)
    found.of_interest |= found.watched | found.files
    found.identity = frozenset(_identity(path) for path in found.watched)
    found.seconds = time.monotonic() - began
    return found


def _folder(path: Path, place: Place, found: Scan) -> None:
    inside = walk(path) if place.deep else [(path, _names(path))]
    for folder, names in inside:
        found.walked.add(str(folder))
        found.watched.add(str(folder))
        for name in names:
            _file(str(folder / name), place, found)


def _names(folder: Path) -> list[str]:
    try:
        return sorted(one.name for one in folder.iterdir() if is_run_file(one.name))
    except OSError:
        return []


def _file(path: str, place: Place, found: Scan) -> None:
    stamp = stamp_of(path)
    if stamp is not None:
        found.stamps[path] = stamp
        if not place.old:
            found.passed_over.add(path)


def _expect(path: Path, found: Scan) -> None:
    """Something is to come at `path`: listen where its first missing part will appear."""
    above = path
    while not above.is_dir() and above != above.parent:
        found.of_interest.add(str(above))
        above = above.parent
    found.watched.add(str(above))


def _identity(path: str) -> tuple[str, int, int]:
    stamp = stamp_of(path)
    return (path, 0, 0) if stamp is None else (path, stamp.inode, stamp.device)
