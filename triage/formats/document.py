"""Records out of JSON that is no record a line: lists, objects that hold a list, values in a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BufferedIOBase
from typing import Any, NamedTuple

from triage.formats.parse import Broken, parse
from triage.formats.source import RunFileError
from triage.formats.window import Cut, Window


class Found(NamedTuple):
    """A record's JSON text at its place: physical line (JSONL) or 1-based number (JSON).

    `raw` are a line's bytes, or text; None: it could not be cut out or decoded, `reason` says why.
    """

    place: int
    raw: str | bytes | None
    reason: str = ""


_KINDS = {"{": "an object", '"': "a text", "n": "null", "t": "true", "f": "false"}
CUT_OFF = "the file ends in the middle of this record"
_NOT_UTF8 = "not UTF-8"


def found(place: int, raw: str) -> Found:
    """A text from the window, refused where its bytes were not UTF-8."""
    if raw.isascii():
        return Found(place, raw)
    try:
        raw.encode("utf-8")
    except UnicodeEncodeError as error:
        code = ord(raw[error.start])
        what = f"byte 0x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else "a surrogate"
        return Found(place, None, f"{_NOT_UTF8}: {what} at character {error.start + 1}")
    return Found(place, raw)


def values(stream: BufferedIOBase, warn: Callable[[str], None]) -> Iterator[Found]:
    """Records in lists or one after the other; elements of lists at the top count as records."""
    window = Window(stream)
    number = 0
    lists = 0
    while first := window.peek():
        if first == "[":
            window.take()
            lists += 1
            if lists == 2:
                warn("several lists stand one after the other: all are read")
            for item in _items(window, number, warn):
                number = item.place
                yield item
            continue
        number += 1
        yield _one(window, number)


def _one(window: Window, number: int) -> Found:
    try:
        return found(number, window.value())
    except Cut:
        return Found(number, None, CUT_OFF)


def _items(window: Window, number: int, warn: Callable[[str], None]) -> Iterator[Found]:
    """The elements of a list whose opening bracket was taken."""
    while True:
        first = window.peek()
        if first == "]":
            window.take()
            return
        if first == ",":
            window.take()
            continue
        if not first:
            warn("the list of records is not closed: the file may be cut off")
            return
        number += 1
        if first in "}:":
            window.skip_to("{]")
            yield Found(number, None, f"broken JSON: {first!r} stands where a record should begin")
            continue
        yield _one(window, number)


class ObjectFile:
    """An object that holds the list of records, `{"run": {...}, "cases": [...]}` in any order.

    Args:
        open_stream: gives the bytes from the start; called again to read another list than `cases`.
        warn: takes sentences to tell.

    Attributes:
        header: the object under `run`, once it was met.
        taken: the key whose list is read.
    """

    def __init__(self, open_stream: Callable[[], BufferedIOBase], warn: Callable[[str], None]) -> None:
        self._open = open_stream
        self._warn = warn
        self._lists: dict[str, bool] = {}
        self._cases = ""
        self.header: Any = None
        self.taken: str | None = None

    def __iter__(self) -> Iterator[Found]:
        """The records.

        Raises:
            RunFileError: no list of records, or several.
        """
        yield from self._walk("cases")
        if self.taken is not None:
            return
        candidates = [key for key, holds_objects in self._lists.items() if holds_objects]
        if len(candidates) > 1:
            raise RunFileError(
                "no list of cases",
                "several lists could be meant: " + ", ".join(candidates),
                "name the list of records `cases`",
            )
        if not candidates and self._cases:
            is_what = _KINDS.get(self._cases, "a number or a word")
            raise RunFileError(
                "no list of cases", f"`cases` is {is_what}", "write the records as a list there"
            )
        if candidates:
            self._warn(f"no `cases`: the records are read from `{candidates[0]}`")
            yield from self._walk(candidates[0])

    def _walk(self, wanted: str) -> Iterator[Found]:
        window = Window(self._open())
        window.peek()
        window.take()
        try:
            while (first := window.peek()) and first != "}":
                if first == ",":
                    window.take()
                    continue
                key = self._key(window)
                if key is None:
                    self._warn("broken JSON between the keys of the file's object: the rest is not read")
                    return
                yield from self._value(window, key, wanted)
            if not first:
                self._warn("the file's object is not closed: the file may be cut off")
                return
        except Cut:
            self._warn("the file ends in the middle of a value: it may be cut off")
            return
        window.take()
        if window.peek():
            self._warn("what stands behind the file's object is not read")

    @staticmethod
    def _key(window: Window) -> str | None:
        if window.peek() != '"':
            return None
        raw = window.value()
        if window.peek() != ":":
            return None
        window.take()
        try:
            key = parse(raw)
        except Broken:
            return None
        return key if isinstance(key, str) else None

    def _value(self, window: Window, key: str, wanted: str) -> Iterator[Found]:
        first = window.peek()
        if key == "cases" and first != "[":
            self._cases = first
        if key == "run" and first != "[" and self.header is None:
            try:
                self.header = parse(window.value())
            except Broken as error:
                self._warn(f"the run header is not read: {error}")
        elif key == wanted and first == "[":
            window.take()
            self.taken = key
            yield from _items(window, 0, self._warn)
        elif first == "[":
            window.take()
            self._lists[key] = window.peek() == "{"
            window.skip(depth=1)
        else:
            window.skip()
