"""Where the caret stands in a filter text, and how a name or a value is written there. Pure.

The place is found by the scanner of the filter language itself, so what is offered is what will be read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from triage.plain import plain
from triage.store.filter.scan import Scan, scan

_CARET = "\uf8ff"
"""Stands for the caret while the text is scanned: a character for private use, which no one types."""
_SIMPLE_NAME = re.compile(r"[^\W\d_][\w.-]*")
_SIMPLE_VALUE = re.compile(r"[\w@][\w.\-/@#+%]*")
_WORD_OPERATORS = frozenset(("AND", "OR", "NOT"))
_SPECIAL = frozenset("\\+-!(){}[]^\"~*?:/&|<>=' ：（）“”")
_REST = re.compile(r"[^\s()（）\"“”:：]*")
_REST_OF_QUOTE = re.compile(r'(?:[^"\\]|\\.)*"?')


class Spot(Struct, frozen=True):
    """What is being typed at the caret.

    `typed` is what stands before the caret, escapes resolved; `start` and `end` are the 0-based characters
    that a choice takes the place of. `field` is the name that a value belongs to, "" for a name.
    """

    kind: Literal["name", "value"]
    typed: str
    start: int
    end: int
    field: str = ""


def spot(text: str, caret: int, known: Callable[[str], bool]) -> Spot | None:
    """What is being typed; None where nothing can be offered (a comparison, a phrase, a lone operator).

    Args:
        text: the filter text as typed.
        caret: the 0-based character before which the caret stands.
        known: tells whether a name before `:` is a field or a key of the run.
    """
    before = text[:caret]
    if _CARET in text:
        return None
    quoted = False
    scanned = scan(before + _CARET, known)
    if not scanned.words or _CARET not in scanned.words[-1].text:
        quoted = True
        scanned = scan(f'{before}{_CARET}"', known)
        if not scanned.words or _CARET not in scanned.words[-1].text:
            return None
    word = scanned.words[-1]
    typed = word.text.split(_CARET)[0]
    field, compared = _around(scanned)
    if compared or (quoted and not field):
        return None
    start = word.column - 1
    if field:
        rest = _REST_OF_QUOTE if quoted else _REST
        end = _end(rest, text, caret) if typed else caret
        return Spot("value", typed, start, end, field)
    if typed in _WORD_OPERATORS:
        return None
    end = _end(_REST, text, caret) if typed else caret
    if typed and text[end : end + 1] in (":", "："):
        end += 1
    return Spot("name", typed, start, end)


def _end(rest: re.Pattern[str], text: str, caret: int) -> int:
    found = rest.match(text, caret)
    return found.end() if found is not None else caret


def _around(scanned: Scan) -> tuple[str, bool]:
    """The field that the last word belongs to, "" = none, and whether it is compared with."""
    names = iter(scanned.names)
    groups: list[str] = []
    field, compared = "", False
    for piece in scanned.pieces[:-1]:
        if piece.startswith("f") and piece.endswith(":"):
            field, compared = next(names), False
        elif piece == "( ":
            groups.append(field or (groups[-1] if groups else ""))
            field = ""
        elif piece == ") ":
            if groups:
                groups.pop()
            field = ""
        elif piece[0] in "<>[{":
            compared = True
        elif piece[0] == "w":
            field, compared = "", False
    return field or (groups[-1] if groups else ""), compared


def name_text(name: str) -> str:
    """A name with its colon, as it is to be typed; "" where it can't be: it holds a control character."""
    if not is_printed(name):
        return ""
    return f"{name}:" if _SIMPLE_NAME.fullmatch(name) else f"{_phrase(name)}:"


def value_text(value: str) -> str:
    """A value as it is to be typed after `name:`.

    A value with control characters, which no field holds, is written with `?` for each of them.
    """
    if not is_printed(value):
        return "".join(map(_bare, value))
    if _SIMPLE_VALUE.fullmatch(value) and value not in _WORD_OPERATORS:
        return value
    return _phrase(value)


def _bare(sign: str) -> str:
    """A character of a value without quotes; a space that is no ordinary one would end it."""
    if not is_printed(sign) or (sign.isspace() and sign != " "):
        return "?"
    return f"\\{sign}" if sign in _SPECIAL else sign


def is_printed(text: str) -> bool:
    """Does a text hold no character that a line can't show as it is?"""
    return "\n" not in text and plain(text) == text


def _phrase(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def taken(text: str, where: Spot, written: str) -> tuple[str, int]:
    """The text with a choice in its place, and where the caret then stands."""
    return text[: where.start] + written + text[where.end :], where.start + len(written)
