"""A file that is there whole, or as it was before."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from triage.errors import TriageError


def _mode(target: Path) -> int:
    """The permission bits the file has, or would get from a plain `open`."""
    try:
        return stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _folders_to_make(folder: Path) -> list[Path]:
    """The folders that are missing, the lowest first."""
    missing = []
    while not folder.exists() and folder != folder.parent:
        missing.append(folder)
        folder = folder.parent
    return missing


def write_whole(
    target: Path, chunks: Iterable[bytes], *, overwrite: bool = True, make_folder: bool = False
) -> int:
    """Write `chunks` to `target`, which takes the old file's place only when everything is on disk.

    A device or a pipe is written straight. Whatever `chunks` raises leaves `target` as it was, and no folder
    behind that was made for it.

    Args:
        target: the file.
        chunks: its content.
        overwrite: take the place of a file that is there.
        make_folder: make the folders above it that are missing.

    Returns:
        How many bytes were written.

    Raises:
        TriageError: the folder is not there, `target` is a folder or there already, or the file can't be
            written.
    """
    made: list[Path] = []
    try:
        # The name of a pipe that is open, as /dev/stdout, leads nowhere once it is followed.
        place = target if target.exists() and not target.is_file() else Path(os.path.realpath(target))
        if place.is_dir():
            raise TriageError("can't write the export", f"{target} is a folder", "name a file in it")
        if not place.parent.is_dir():
            if not make_folder:
                raise TriageError("can't write the export", f"no folder {target.parent}", "make it first")
            made = _folders_to_make(place.parent)
            place.parent.mkdir(parents=True, exist_ok=True)
        if place.exists() and not place.is_file():
            with place.open("wb") as stream:
                return _count(stream, chunks)
        return _through_draft(target, place, chunks, overwrite)
    except BaseException as error:
        for folder in made:
            with contextlib.suppress(OSError):
                folder.rmdir()
        if isinstance(error, OSError):
            raise TriageError("can't write the export", str(target), error.strerror or str(error)) from error
        raise


def _count(stream: BinaryIO, chunks: Iterable[bytes]) -> int:
    return sum(stream.write(chunk) for chunk in chunks)


def _through_draft(target: Path, place: Path, chunks: Iterable[bytes], overwrite: bool) -> int:
    taken = TriageError("can't write the export", f"{target} is there already", "give another name")
    if not overwrite and place.exists():
        raise taken
    handle, name = tempfile.mkstemp(prefix=f".{place.name[:40]}.", suffix=".tmp", dir=place.parent)
    draft = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            size = _count(stream, chunks)
            stream.flush()
            os.fsync(stream.fileno())
        draft.chmod(_mode(place))
        if not overwrite and place.exists():
            raise taken
        draft.replace(place)
    finally:
        draft.unlink(missing_ok=True)
    return size
