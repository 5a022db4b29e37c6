"""A lock that lives exactly as long as its process: it tells a writer at work from one that was killed."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _take(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class WriterLock:
    """An exclusive lock on a file of its own; the operating system frees it when the process ends, however
    it ends.
    """

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path = path
        self._descriptor: int | None = descriptor

    def release(self) -> None:
        """Free the lock and remove its file; a second call does nothing."""
        if self._descriptor is None:
            return
        if sys.platform != "win32":
            self._remove()
        os.close(self._descriptor)
        self._descriptor = None
        if sys.platform == "win32":
            self._remove()

    def _remove(self) -> None:
        with contextlib.suppress(OSError):
            self._path.unlink()


def lock_path(database: Path, kind: str, pk: int) -> Path:
    """The lock file of one thing being written into `database`: a revision or a view."""
    return database.with_name(f"{database.name}.{kind}{pk}.lock")


def try_lock(path: Path) -> WriterLock | None:
    """The lock at `path`, or None where a living process holds it.

    Raises:
        OSError: the lock file cannot be made.
    """
    descriptor = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        _take(descriptor)
    except (BlockingIOError, PermissionError):
        os.close(descriptor)
        return None
    except OSError:
        os.close(descriptor)
        raise
    return WriterLock(path, descriptor)
