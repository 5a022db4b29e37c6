"""JSON text of any length through a window: values are cut out one by one, in flat memory."""

from __future__ import annotations

import codecs
import json
import re
from io import BufferedIOBase

from triage.formats.shape import Brackets

CHUNK = 1 << 19
LIMIT = 1 << 27
"""Characters that a single value may have; beyond them the end of a broken one is not looked for."""

_BLANK = re.compile(r"[ \t\r\n]*")
_SCALAR = re.compile(r"[^\s,\[\]{}:\"]+")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_DECODER = json.JSONDecoder()


class Cut(Exception):
    """The text ended, or went on beyond reason, in the middle of a value."""


class Window:
    """JSON text that is read forward only. Bytes that are not UTF-8 become lone surrogates.

    Args:
        stream: the bytes.
    """

    def __init__(self, stream: BufferedIOBase) -> None:
        self._stream = stream
        self._decode = codecs.getincrementaldecoder("utf-8-sig")("surrogateescape").decode
        self._text = ""
        self._place = 0
        self._ended = False

    def _more(self) -> bool:
        """Read on; the text before the place is let go, so offsets into `_text` shift by the old place."""
        if self._ended:
            return False
        piece = self._stream.read(CHUNK)
        self._ended = not piece
        self._text = self._text[self._place :] + self._decode(piece, self._ended)
        self._place = 0
        return True

    def peek(self) -> str:
        """The next character that is not blank, still to be taken; "" at the end."""
        while True:
            match = _BLANK.match(self._text, self._place)
            self._place = match.end() if match else self._place
            if self._place < len(self._text):
                return self._text[self._place]
            if not self._more():
                return ""

    def take(self) -> None:
        """Go past the character that `peek` showed."""
        self._place += 1

    def value(self) -> str:
        """The text of the value at the next character, gone past; a broken value comes as it is.

        Raises:
            Cut: the value has no end.
        """
        first = self.peek()
        if first in ("{", "["):
            try:
                _, end = _DECODER.raw_decode(self._text, self._place)
            except (ValueError, RecursionError):
                return self._by_brackets()
            return self._until(end)
        return self._string() if first == '"' else self._scalar()

    def _until(self, end: int) -> str:
        raw = self._text[self._place : end]
        self._place = end
        return raw

    def _by_brackets(self) -> str:
        """A value that is broken, or goes on beyond the window: its end is where its brackets close."""
        brackets = Brackets()
        seen = 0
        while True:
            end = brackets.feed(self._text, self._place + seen)
            if end >= 0:
                return self._until(end)
            seen = len(self._text) - self._place
            if seen > LIMIT or not self._more():
                self._place = len(self._text)
                raise Cut

    def _string(self) -> str:
        while True:
            match = _STRING.match(self._text, self._place)
            if match:
                return self._until(match.end())
            seen = len(self._text) - self._place
            if seen > LIMIT or not self._more():
                self._place = len(self._text)
                raise Cut

    def _scalar(self) -> str:
        while True:
            match = _SCALAR.match(self._text, self._place)
            end = match.end() if match else self._place + 1
            if end < len(self._text) or not self._more():
                return self._until(end)

    def skip(self, depth: int = 0) -> None:
        """Go past a value, or with `depth` out of that many brackets, keeping none of it.

        Raises:
            Cut: it has no end.
        """
        if not depth and self.peek() not in ("{", "["):
            self.value()
            return
        brackets = Brackets()
        brackets.open = ["["] * depth
        while (end := brackets.feed(self._text, self._place)) < 0:
            self._place = len(self._text)
            if not self._more():
                raise Cut
        self._place = end

    def skip_to(self, signs: str) -> None:
        """Go to the next of `signs`, or to the end."""
        while (character := self.peek()) and character not in signs:
            self._place += 1
