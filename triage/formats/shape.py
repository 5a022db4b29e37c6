"""What kind of JSON a file holds, told from its first bytes alone, whatever it is called."""

from __future__ import annotations

import re
from collections.abc import Set
from typing import Literal

Shape = Literal["lines", "values", "object"]
"""`lines`: a record a line; `values`: lists of records or records one after the other, pretty-printed or not;
`object`: one object that holds the list of records."""

_OUTSIDE = re.compile(r'["{}\[\]]')
# No JSON string goes on over a line's end, so a quote that is missing spoils its own line only.
_INSIDE = re.compile(r'["\\\n]')
_CLOSERS = re.compile(r"[}\]][}\],\s]*$")
_LINE_TAIL = 200
_VALUE_AFTER_KEY = re.compile(r"\s*:\s*(\S)")
RECORD_KEYS = frozenset({"id", "query", "turns", "case_id"})
"""Keys that tell a record from an object that holds records."""


class Brackets:
    """Follows brackets and strings through JSON text that comes in pieces.

    Attributes:
        open: the brackets that are open, outermost first.
        in_string: the text so far ends inside a string.
        keys: the outermost object's keys so far, each with the first character of its value, where asked for.
    """

    def __init__(self, *, keys: bool = False) -> None:
        self.open: list[str] = []
        self.in_string = False
        self.keys: dict[str, str] = {}
        self._want_keys = keys
        self._string_start = 0
        self._escaped = False

    def feed(self, text: str, start: int = 0, end: int | None = None) -> int:
        """Read on from `start`. Returns the offset after the bracket that closes the value, or -1."""
        end = len(text) if end is None else end
        place = self._string_start = start
        while True:
            if self._escaped and place < end:
                self._escaped = False
                place += 1
            match = (_INSIDE if self.in_string else _OUTSIDE).search(text, place, end)
            if match is None:
                return -1
            place = match.end()
            sign = match.group()
            if self.in_string:
                if sign == "\\":
                    self._escaped = True
                elif sign == "\n":
                    self.in_string = False
                    place = self._line_tail(text, place)
                else:
                    self.in_string = False
                    if self._want_keys and len(self.open) == 1:
                        self._key(text, place, end)
            elif sign == '"':
                self.in_string = True
                self._string_start = place
            elif sign in "{[":
                self.open.append(sign)
            else:
                if self.open:
                    self.open.pop()
                if not self.open:
                    return place

    def _line_tail(self, text: str, place: int) -> int:
        """Where to read on after a string without an end: at brackets that close the line, if any."""
        newline = place - 1
        tail = _CLOSERS.search(text, max(self._string_start, newline - _LINE_TAIL), newline)
        return tail.start() if tail else place

    def _key(self, text: str, place: int, end: int) -> None:
        found = _VALUE_AFTER_KEY.match(text, place, end)
        if found and self.open == ["{"]:
            self.keys[text[self._string_start : place - 1]] = found.group(1)


def shape_of(head: bytes, whole: bool, record_keys: Set[str] = RECORD_KEYS) -> Shape | None:
    """The shape of a file, None where more of it is needed to tell.

    Args:
        head: its first bytes, without a byte-order mark.
        whole: `head` is the whole file.
        record_keys: keys of which an object that is a record has one.
    """
    text = head.decode("utf-8", "replace").lstrip()
    if text.startswith("["):
        return "values"
    if not text.startswith("{"):
        return "lines"
    line_end = text.find("\n")
    line_end = len(text) if line_end < 0 else line_end
    brackets = Brackets(keys=True)
    end = brackets.feed(text, 0, line_end)
    if end >= 0:
        behind, below = text[end:line_end].strip(), text[line_end:].strip()
        if behind.startswith("{"):
            return "values"
        alone = whole and not behind and not below
        return "object" if alone and _holds_cases(brackets.keys, record_keys) else "lines"
    if brackets.keys.get("cases") == "[":
        return "object"
    if line_end == len(text) and not whole:
        if brackets.keys.keys() <= {"run"}:
            return None
        return "object" if _holds_cases(brackets.keys, record_keys) else "lines"
    if brackets.in_string or not text[line_end:].strip():
        return "lines"
    if text[line_end:].lstrip().startswith("{") and not _wants_object(brackets, text[:line_end]):
        return "lines"
    if brackets.feed(text, line_end) < 0 and not whole and brackets.keys.keys() <= {"run"}:
        return None
    return "object" if _holds_cases(brackets.keys, record_keys) else "values"


def _wants_object(brackets: Brackets, line: str) -> bool:
    """May an object follow this line? Not where it stops between two keys."""
    last = line.rstrip()[-1:]
    return last in ("[", ":") or (last == "," and brackets.open[-1:] == ["["])


def _holds_cases(keys: dict[str, str], record_keys: Set[str]) -> bool:
    """Does an object with these keys hold the records, rather than being one?"""
    if keys.get("cases") == "[":
        return True
    return record_keys.isdisjoint(keys) and any(key != "run" for key in keys)
