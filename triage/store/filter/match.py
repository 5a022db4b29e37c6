"""Tests of a recorded value: what SQLite's own operators can't tell, because they fold case in ASCII alone.

A test travels into SQL as a parameter, as JSON, and is rebuilt on the other side, equal texts once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from triage.store.filter.dates import stretch
from triage.store.filter.syntax import Span, Word

Test = Callable[[Any], bool]

_YES = frozenset(("true", "yes", "1", "是"))
_NO = frozenset(("false", "no", "0", "否"))


def truth(text: str) -> bool | None:
    """The truth value that a word stands for (`true yes 1 是`, `false no 0 否`), None for any other."""
    folded = text.casefold()
    return True if folded in _YES else False if folded in _NO else None


def number(text: str) -> float | None:
    """`text` as a finite number, else None."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if value - value == 0 else None


def spec(value: Word | Span, *, inside: bool = False) -> str:
    """A value as the parameter from which `test` rebuilds it; `inside` lets a wildcard match a part."""
    if isinstance(value, Span):
        low, high = (None if end is None else end.text for end in (value.low, value.high))
        return json.dumps(["range", low, value.include_low, high, value.include_high])
    if value.is_star:
        return json.dumps(["any"])
    if value.pattern is not None:
        return json.dumps(["like", [part.casefold() for part in value.pattern], inside])
    return json.dumps(["is", value.text])


@lru_cache(maxsize=512)
def test(spec: str) -> Test:
    """The test that `spec` describes: of one scalar (text, number, truth value; None never passes)."""
    kind, *rest = json.loads(spec)
    if kind == "any":
        return lambda value: value is not None
    if kind == "like":
        return _like(rest[0], rest[1])
    if kind == "range":
        return _range(*rest)
    return _equal(rest[0])


def _equal(text: str) -> Test:
    folded, as_number, as_truth, as_date = text.casefold(), number(text), truth(text), stretch(text)

    def equal(value: Any) -> bool:
        if isinstance(value, bool):
            return value is as_truth
        if isinstance(value, (int, float)):
            return as_number is not None and value == as_number
        if not isinstance(value, str):
            return False
        if value.casefold() == folded:
            return True
        if as_date is None:
            return False
        other = stretch(value)
        return other is not None and as_date[0] <= other[0] < as_date[1]

    return equal


def _like(pattern: Sequence[str], inside: bool) -> Test:
    matches = wildcard(pattern, inside)

    def like(value: Any) -> bool:
        if isinstance(value, bool) or not isinstance(value, (str, int, float)):
            return False
        return matches(str(value).casefold())

    return like


def wildcard(pattern: Sequence[str], inside: bool) -> Callable[[str], bool]:
    """A matcher of folded texts for a word cut at its wildcards (`syntax.Word.pattern`).

    The stretches between two `*` are looked for one after the other: a text is read once, however many.
    """
    pieces = [[""]]
    for index, part in enumerate(pattern):
        if index % 2 and part == "*":
            pieces.append([""])
        else:
            pieces[-1].append("." if index % 2 else re.escape(part))
    stretches = [re.compile("".join(piece), re.DOTALL) for piece in pieces]
    sizes = [sum(1 for _ in re.sub(r"\\(.)", ".", found.pattern, flags=re.DOTALL)) for found in stretches]
    if inside:
        stretches, sizes = [re.compile(""), *stretches, re.compile("")], [0, *sizes, 0]

    def matches(text: str) -> bool:
        if len(stretches) == 1:
            return stretches[0].fullmatch(text) is not None
        end = len(text) - sizes[-1]
        first = stretches[0].match(text)
        if first is None or end < first.end() or stretches[-1].fullmatch(text, end) is None:
            return False
        at = first.end()
        for middle in stretches[1:-1]:
            found = middle.search(text, at, end)
            if found is None:
                return False
            at = found.end()
        return True

    return matches


@dataclass(frozen=True, slots=True)
class _Bound:
    """An end of a range as text, number and date; what the recorded value can be compared with decides."""

    text: str
    number: float | None
    begin: Any
    end: Any


def _bound(text: str | None) -> _Bound | None:
    if text is None:
        return None
    date = stretch(text, year=True)
    return _Bound(text.casefold(), number(text), *(date or (None, None)))


def _range(low: str | None, include_low: bool, high: str | None, include_high: bool) -> Test:
    bottom, top = _bound(low), _bound(high)

    def within(value: Any) -> bool:
        return (bottom is None or _order(value, bottom) in ((1, 0) if include_low else (1,))) and (
            top is None or _order(value, top) in ((-1, 0) if include_high else (-1,))
        )

    def ranged(value: Any) -> bool:
        if isinstance(value, bool) or not isinstance(value, (str, int, float)):
            return False
        return within(value)

    return ranged


def _order(value: str | int | float, bound: _Bound) -> int | None:
    """-1, 0 or 1 as `value` lies before, in or after `bound`; None where they can't be compared."""
    if not isinstance(value, str):
        return None if bound.number is None else _sign(value, bound.number)
    as_number = number(value)
    if bound.number is not None and as_number is not None:
        return _sign(as_number, bound.number)
    if bound.begin is not None:
        date = stretch(value)
        return None if date is None else -1 if date[0] < bound.begin else int(date[0] >= bound.end)
    return None if bound.number is not None else _sign(value.casefold(), bound.text)


def _sign(value: Any, bound: Any) -> int:
    return int(value > bound) - int(value < bound)


def at_key(value: Any, parts: Sequence[str], passes: Test) -> bool:
    """Does any value at the dotted key pass? A key may itself hold dots; lists count by each element."""
    if isinstance(value, list):
        return (not parts and passes(value)) or any(at_key(element, parts, passes) for element in value)
    if not parts:
        return passes(value)
    if not isinstance(value, dict):
        return False
    name = ""
    for size, part in enumerate(parts, start=1):
        name = part if size == 1 else f"{name}.{part}"
        if name in value and at_key(value[name], parts[size:], passes):
            return True
    return False
