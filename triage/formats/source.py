"""A run file as bytes: opened with care, unzipped where its content is zipped."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import stat
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO, NamedTuple, cast

from triage.errors import TriageError

HEAD = 256 * 1024
"""Bytes that are looked at to tell a file's shape."""
DAMAGED = (EOFError, gzip.BadGzipFile, zlib.error)
"""What reading zipped data raises where it is cut off or spoilt."""
_BUFFER = 256 * 1024
_PIECE = 1024 * 1024
BOM = b"\xef\xbb\xbf"


class RunFileError(TriageError):
    """A file that holds no run, or can't be read at all; the database and the other files are fine."""

    def reason(self, *paths: Path) -> str:
        """Why, in one line without the names of the file, which stand beside it."""
        names = {"", *map(str, paths)}
        said = ": ".join(part for part in (self.title, self.message) if part not in names)
        for path in paths:
            said = said.replace(f"{path}: ", "")
        return f"{said} ({self.hint})" if self.hint else said


def open_file(path: Path) -> io.BufferedIOBase:
    """A regular file, open for reading.

    Raises:
        RunFileError: no such file, a folder, no permission, or nothing that can be read twice.
    """
    try:
        # Asked before opening, because opening a pipe waits for somebody to write into it.
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise RunFileError("not a regular file", str(path), "save it to a file first")
        file = cast("io.BufferedReader", path.open("rb", buffering=_BUFFER))
    except FileNotFoundError:
        raise RunFileError("no such file", str(path), "check the path") from None
    except IsADirectoryError:
        raise RunFileError("a folder, not a file", str(path), "name a file in it") from None
    except PermissionError:
        raise RunFileError("no permission to read", str(path), "change the file's permissions") from None
    except OSError as error:
        raise RunFileError("the file can't be read", f"{path}: {error.strerror}") from None
    return file


class Digest(NamedTuple):
    """A file's bytes as stored: their SHA-256 and number, that of the first ones where asked for, and the
    modification time before they were read: who writes meanwhile makes the file another one.
    """

    sha256: str
    size: int
    mtime_ns: int
    begins: str | None


def digest(path: Path, tell: Callable[[], None], first: int = 0) -> Digest:
    """SHA-256 of a file's bytes as stored.

    Args:
        path: the file.
        tell: called after each megabyte; it may stop the work by raising.
        first: tell the SHA-256 of so many first bytes too.

    Raises:
        RunFileError: the file can't be opened or read.
    """
    sha256 = hashlib.sha256()
    size, begins = 0, None
    with open_file(path) as file:
        try:
            mtime_ns = os.fstat(file.fileno()).st_mtime_ns
            while piece := file.read(min(_PIECE, first - size) if size < first else _PIECE):
                sha256.update(piece)
                size += len(piece)
                if size == first:
                    begins = sha256.hexdigest()
                tell()
            return Digest(sha256.hexdigest(), size, mtime_ns, begins)
        except OSError as error:
            raise RunFileError("the file can't be read", f"{path}: {error.strerror}") from None


class Source:
    """A run file's content.

    Attributes:
        stream: the unzipped bytes; `rewind` starts it again.
        total_bytes: the file's size as stored.

    Raises:
        RunFileError: the file can't be opened, or is UTF-16.
    """

    def __init__(self, path: Path) -> None:
        self._file = open_file(path)
        self.total_bytes = os.fstat(self._file.fileno()).st_size
        self._done = 0
        self.stream: io.BufferedIOBase = self._file
        zipped = self._file.read(2) == b"\x1f\x8b"
        self._file.seek(0)
        if zipped:
            self.stream = gzip.GzipFile(fileobj=cast("IO[bytes]", self._file))
        begins = self.look(2)[0]
        # JSON begins with a character that takes one byte in UTF-8, and beside a zero in the wider encodings.
        if begins in (b"\xff\xfe", b"\xfe\xff") or (len(begins) == 2 and begins.count(0) == 1):
            self.close()
            raise RunFileError("not UTF-8", f"{path} looks like UTF-16 or UTF-32", "save it as UTF-8")

    def look(self, limit: int = HEAD) -> tuple[bytes, bool]:
        """The first bytes, at most `limit`, without a byte-order mark, and whether they are all; rewinds."""
        pieces: list[bytes] = []
        size = 0
        try:
            while size < limit:
                piece = self.stream.read1(limit - size)
                if not piece:
                    break
                pieces.append(piece)
                size += len(piece)
        except DAMAGED:
            # Told when the records are read; what came before the damage is still good.
            size = min(size, limit - 1)
        self.rewind()
        return b"".join(pieces).removeprefix(BOM), size < limit

    @property
    def done_bytes(self) -> int:
        """How many of the stored bytes have been read."""
        if not self._file.closed:
            self._done = min(self._file.tell(), self.total_bytes)
        return self._done

    def rewind(self) -> None:
        """Start the stream again."""
        self.stream.seek(0)

    def close(self) -> None:
        """Let go of the file; `done_bytes` stays as it is."""
        self._done = self.done_bytes
        self._file.close()
