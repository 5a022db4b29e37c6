"""Whether a run file is whole, or its writer is still at it: told from its end, without reading records."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import BinaryIO

import msgspec

from triage.models.loads import loads

TAIL = 8 << 20
"""Longest last line that is looked at."""
LARGEST = 16 << 20
"""Bytes up to which a document is looked through; of a longer one only its last character is looked at."""
_HEAD = 256 << 10
_PIECE = 1 << 20
_ZIPPED = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_BLANK = b" \t\r\n"
_CLOSES = {b"[": b"]", b"{": b"}"}
_RAW = msgspec.json.Decoder(msgspec.Raw)


def is_whole(path: Path) -> bool:
    """Does the last line parse, the document close, the zipped stream end? An empty file is not whole.

    Raises:
        OSError: the file can't be read.
    """
    with path.open("rb") as file:
        if file.read(2) == _ZIPPED:
            file.seek(0)
            return _stream_ends(file)
        file.seek(0)
        head = file.read(_HEAD).removeprefix(_BOM).lstrip(_BLANK)
        size = file.seek(0, 2)
        if not head:
            return False
        first, newline, _ = head.partition(b"\n")
        if head.startswith(b"{") and newline and _parses(first):
            return _parses(_last_line(file, size))
        if size <= LARGEST:
            file.seek(0)
            text = file.read().removeprefix(_BOM).strip(_BLANK)
            if _parses(text):
                return True
            # Lines of which the first is broken, or very long, are told by the last one. In a document that
            # stops half way a line may parse too, and says nothing.
            return not _stops(text) and not text.startswith(b"[") and _parses(_last_line(file, size))
        return _last_line(file, size)[-1:] == _CLOSES.get(head[:1])


def is_own_export(path: Path) -> bool:
    """Is it a list that this program has exported? Following a folder, nobody means it as a run."""
    # Imported here because the rest of this module needs no records.
    from triage.formats.record import is_export

    try:
        # A pipe would keep whoever opens it waiting.
        if not path.is_file():
            return False
        with path.open("rb") as file:
            data = loads(file.readline(TAIL).decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(data, dict) and is_export(data)


def _stops(text: bytes) -> bool:
    """Does the JSON text end before its value does?"""
    try:
        _RAW.decode(text)
    except msgspec.DecodeError as error:
        return "truncated" in str(error)
    return False


def _parses(text: bytes) -> bool:
    """Is the text one JSON value, and nothing more?"""
    if not text:
        return False
    try:
        _RAW.decode(text)
    except msgspec.DecodeError as error:
        if "truncated" in str(error):
            return False
    else:
        return True
    # NaN and numbers beyond measure are read by us, and by nobody strict.
    try:
        loads(text.decode("utf-8"))
    except (ValueError, RecursionError):
        return False
    return True


def _last_line(file: BinaryIO, size: int) -> bytes:
    """The last line that is not blank, without its end; its tail where it is longer than `TAIL`."""
    have = b""
    at = size
    while at > 0 and len(have) < TAIL:
        step = min(_PIECE if have else 64 << 10, at)
        at -= step
        file.seek(at)
        have = file.read(step) + have
        text = have.rstrip(_BLANK)
        newline = text.rfind(b"\n")
        if newline >= 0:
            return text[newline + 1 :].strip(_BLANK)
    return have.strip(_BLANK)


def _stream_ends(file: BinaryIO) -> bool:
    """Are all members of the zipped stream closed?"""
    member = zlib.decompressobj(wbits=31)
    empty = True
    try:
        while piece := file.read(_PIECE):
            while piece:
                if member.eof:
                    member = zlib.decompressobj(wbits=31)
                empty = not member.decompress(piece, _PIECE) and empty
                piece = member.unused_data.lstrip(b"\0") if member.eof else member.unconsumed_tail
    except zlib.error:
        return False
    return member.eof and not empty
