"""A file that is there whole, or as it was before."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterable
from pathlib import Path

from triage.errors import TriageError


def _mode(target: Path) -> int:
    """The permission bits the file has, or would get from a plain `open`."""
    try:
        return stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def write_whole(target: Path, chunks: Iterable[bytes]) -> None:
    """Write `chunks` to `target`, which takes the old file's place only when everything is on disk.

    A device or a pipe is written straight. Whatever `chunks` raises leaves `target` as it was.

    Raises:
        TriageError: the folder is not there, `target` is a folder, or the file can't be written.
    """
    # The name of a pipe that is open, as /dev/stdout, leads nowhere once it is followed.
    place = target if target.exists() and not target.is_file() else Path(os.path.realpath(target))
    if place.is_dir():
        raise TriageError("can't write the export", f"{target} is a folder", "name a file in it")
    if not place.parent.is_dir():
        raise TriageError("can't write the export", f"no folder {target.parent}", "make it first")
    try:
        if place.exists() and not place.is_file():
            with place.open("wb") as stream:
                stream.writelines(chunks)
            return
        handle, name = tempfile.mkstemp(prefix=f".{place.name[:40]}.", suffix=".tmp", dir=place.parent)
    except OSError as error:
        raise TriageError("can't write the export", str(target), error.strerror or str(error)) from error
    draft = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.writelines(chunks)
            stream.flush()
            os.fsync(stream.fileno())
        draft.chmod(_mode(place))
        draft.replace(place)
    except OSError as error:
        raise TriageError("can't write the export", str(target), error.strerror or str(error)) from error
    finally:
        draft.unlink(missing_ok=True)
