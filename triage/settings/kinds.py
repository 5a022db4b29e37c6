"""The kinds of values that settings take: how each is checked, and written as TOML."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from math import inf
from typing import Any, NamedTuple

from triage.errors import did_you_mean

MOST = 2**31
"""Numbers from here on are mistakes, and more than the clock and the database can hold."""


class Fault(NamedTuple):
    """A part of a value that can't be used: where inside a table, () = the value as a whole, and why."""

    inside: tuple[str, ...]
    reason: str


Reader = Callable[[Any], tuple[Any, list[Fault]]]
"""TOML value -> what of it can be used (None = nothing), and what can't."""


class Kind(NamedTuple):
    """A kind of value: what is wanted, in words, and its reader."""

    wants: str
    read: Reader


def _kind(wants: str, make: Callable[[Any], Any]) -> Kind:
    """A kind of which a value is right or wrong as a whole; `make` returns None for a wrong one."""

    def read(value: Any) -> tuple[Any, list[Fault]]:
        made = make(value)
        return made, [Fault((), f"{wants} is wanted")] if made is None else []

    return Kind(wants, read)


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def _share(value: Any) -> float | None:
    number = _number(value)
    return number if number is not None and 0 <= number <= 1 else None


def _count(value: Any) -> int | None:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return value if whole and 0 <= value < MOST else None


def _seconds(value: Any) -> float | None:
    number = _number(value)
    return number if number is not None and 0 < number < MOST else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _texts(value: Any) -> tuple[str, ...] | None:
    if isinstance(value, list) and all(isinstance(item, str) and item.strip() for item in value):
        return tuple(value)
    return None


def _keys(value: Any) -> str | None:
    """Keys joined by commas."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ",".join("comma" if item.strip() == "," else item for item in value)
    return None


def _entries(wants: str, make: Callable[[Any], Any], item: str, *, dotted: bool = False) -> Kind:
    """A table whose entries are right or wrong one by one; `dotted`: nested tables are dotted names."""

    def read(value: Any) -> tuple[Any, list[Fault]]:
        if not isinstance(value, dict):
            return None, [Fault((), f"{wants} is wanted")]
        good: dict[str, Any] = {}
        faults: list[Fault] = []
        flat(value, (), good, faults)
        return good, faults

    def flat(
        table: Mapping[str, Any], inside: tuple[str, ...], good: dict[str, Any], faults: list[Fault]
    ) -> None:
        for name, entry in table.items():
            place = (*inside, name)
            if dotted and isinstance(entry, dict):
                flat(entry, place, good, faults)
            elif (made := make(entry)) is None:
                faults.append(Fault(place, f"{item} is wanted"))
            else:
                good[".".join(place)] = made

    return Kind(wants, read)


TEXT = _kind("a text", _text)
TEXTS = _kind("a list of texts", _texts)
FLAG = _kind("true or false", lambda value: value if isinstance(value, bool) else None)
SHARE = _kind("a number from 0 to 1", _share)
COUNT = _kind("a whole number, 0 or more", _count)
ONE_OR_MORE = _kind("a whole number, 1 or more", lambda value: _count(value) or None)
SHARES = _entries("a table of numbers from 0 to 1", _share, "a number from 0 to 1")
SECONDS = _kind("a number above 0", _seconds)
TABLE = _kind("a table", lambda value: dict(value) if isinstance(value, dict) else None)
NAMES = _entries("a table of texts", _text, "a text")
DOTTED = _entries("a table of texts", _text, "a text", dotted=True)
WORDS = _entries("a table of lists", _texts, "a list of texts")
KEYS = _entries("a table of keys", _keys, "a text or a list of texts", dotted=True)


def numbers(ranges: Mapping[str, tuple[float, float]]) -> Kind:
    """A table of numbers with known names, each within its bounds, both included."""

    def read(value: Any) -> tuple[Any, list[Fault]]:
        if not isinstance(value, dict):
            return None, [Fault((), "a table of numbers is wanted")]
        good: dict[str, float] = {}
        faults: list[Fault] = []
        for name, entry in value.items():
            low, high = ranges.get(name, (0.0, 0.0))
            number = _number(entry)
            if name not in ranges:
                faults.append(Fault((name,), f"one of {', '.join(ranges)} is wanted"))
            elif number is None or not low <= number <= high:
                faults.append(Fault((name,), f"a number from {low:g} to {high:g} is wanted"))
            else:
                good[name] = number
        return good, faults

    return Kind("a table of numbers", read)


def shares(names: Iterable[str]) -> Kind:
    """A table of numbers from 0 to 1 with known names; the fault of another one names the nearest."""
    known = tuple(names)

    def read(value: Any) -> tuple[Any, list[Fault]]:
        good, faults = SHARES.read(value)
        for name in [name for name in good or () if name not in known]:
            del good[name]
            hint = did_you_mean(name, known, "the README's table of rules has their reasons")
            faults.append(Fault((name,), f"no rule has this reason: {hint}"))
        return good, faults

    return Kind(SHARES.wants, read)


def one_of(*words: str) -> Kind:
    """One of some words."""
    return _kind(f"one of {', '.join(words)}", lambda value: value if value in words else None)


_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_key(name: str) -> str:
    """A name as a TOML key, quoted where it must be."""
    return name if _BARE.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def toml(value: Any) -> str:
    """A value as TOML on one line."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{toml_key(key)} = {toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, tuple | list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return str(value)
