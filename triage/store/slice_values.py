"""The values by which cases are told apart: how a dimension's are read, and which cases have which.

Values are kept as few as they are: each case holds the number of a form, a form the numbers of its values,
so that whatever is counted is counted once a form. A list has a form with several values.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.json import decode

from triage.models.slices import EMPTY, NOT_RECORDED

Reading = Literal["scalar", "truth", "list", "labels", "key"]
Raw = str | float | bool
OBJECT = "(object)"
"""A value that is an object with keys of its own, which are dimensions themselves."""


class Source(Struct, frozen=True):
    """Where a dimension's values stand.

    Args:
        column: an SQL expression over the aliases c, m, p, r; of a key the object that has it.
        reading: how the column is understood: as it is, 0 or 1 as a truth value, a JSON list, a JSON list
            whose absence and emptiness are one, or the value at a dotted key of a JSON object.
        key: the dotted key.
    """

    column: str
    reading: Reading = "scalar"
    key: str = ""


class Held(Struct, frozen=True):
    """One value: as shown, and the recorded values that are shown so (7 and "7"; none of "not recorded")."""

    shown: str
    raws: frozenset[tuple[bool, Raw]] = frozenset()

    @property
    def numbers(self) -> list[float]:
        """Its recorded values that are numbers."""
        return [raw for is_truth, raw in self.raws if not is_truth and not isinstance(raw, str)]


class Values(Struct, frozen=True):
    """Which cases have which values.

    `forms` has a number a case, in the order in which the cases were read; `members` the values of each form,
    `held` what they are. `empty_lists` tells that an empty list is among what is shown as empty.
    """

    forms: array[int]
    members: list[tuple[int, ...]]
    held: list[Held]
    empty_lists: bool = False

    @property
    def lists(self) -> bool:
        """Can a case have several values?"""
        return any(len(codes) > 1 for codes in self.members)


def shown(raw: Raw) -> str:
    """A recorded value as a slice shows it: `true`, a number as short as it can be, a text as written.

    A text that reads as one of our own words stands in quotes.
    """
    if isinstance(raw, bool):
        return "true" if raw else "false"
    if isinstance(raw, str):
        if not raw:
            return EMPTY
        return json.dumps(raw) if raw in (EMPTY, NOT_RECORDED, OBJECT) else raw
    return written(raw)


def written(number: float) -> str:
    """A number as short as it can be without becoming another."""
    if isinstance(number, int):
        return str(number)
    short = f"{number or 0.0:g}"
    return short if float(short) == number else repr(number).removesuffix(".0")


class _Numbers(dict[Any, int]):
    """Numbers things from 0 on, in the order in which they come."""

    def __missing__(self, key: Any) -> int:
        self[key] = found = len(self)
        return found


class Reader:
    """Takes the values of one source, a portion of the cases after the other."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._forms: array[int] = array("i")
        self._seen: _Numbers = _Numbers()
        self._parts = parts = tuple(source.key.split("."))
        self._single = _Single()
        # With each part the names that begin with it and hold dots, which an object may have as well.
        self._steps = [
            (part, frozenset(".".join(parts[at:end]) for end in range(at + 2, len(parts) + 1)))
            for at, part in enumerate(parts)
        ]

    def take(self, column: Iterable[Any]) -> None:
        """The next cases' values of the source's column."""
        self._forms.extend(map(self._seen.__getitem__, column))

    def take_keyed(self, column: Iterable[str], documents: Mapping[str, Any]) -> None:
        """The next cases' JSON texts, of a source with a key; `documents` has each of them read."""
        forms = {text: self._seen[self._at_key(found)] for text, found in documents.items()}
        self._forms.extend(map(forms.__getitem__, column))

    def values(self) -> Values:
        """What was taken."""
        codes = _Numbers()
        raws: list[set[tuple[bool, Raw]]] = []
        members = []
        empty_lists = False
        for form in self._seen:
            several = []
            for text, raw in self._of_form(form):
                code = codes[text]
                if code == len(raws):
                    raws.append(set())
                if raw is not None:
                    raws[code].add((isinstance(raw, bool), raw))
                empty_lists = empty_lists or (raw is None and text == EMPTY)
                several.append(code)
            members.append(tuple(dict.fromkeys(several)))
        held = [Held(text, frozenset(found)) for text, found in zip(codes, raws, strict=True)]
        return Values(self._forms, members, held, empty_lists)

    def _of_form(self, form: Any) -> Iterator[tuple[str, Raw | None]]:
        reading = self.source.reading
        if reading == "key":
            for is_truth, raw in form:
                yield _pair(bool(raw) if is_truth else raw)
        elif form is None or (reading == "labels" and form == "[]"):
            yield NOT_RECORDED, None
        elif reading == "truth":
            yield _pair(bool(form))
        elif reading == "scalar":
            yield _pair(form)
        else:
            found = read_json(form)
            if found is None:
                yield NOT_RECORDED, None
            elif not found:
                yield EMPTY, None
            else:
                yield from (_pair(one if isinstance(one, str) else str(one)) for one in found)

    def _at_key(self, document: Any) -> tuple[tuple[bool, Any], ...]:
        """The form of what stands at the key: most often one value, behind one object after the other."""
        value = document
        for part, longer in self._steps:
            if type(value) is not dict or not longer.isdisjoint(value):
                break
            value = value.get(part)
        else:
            kind = type(value)
            if kind is str or kind is bool or kind is int or kind is float or value is None:
                return self._single[kind is bool, value]
        return _gathered(document, self._parts)


class _Single(dict[tuple[bool, Any], tuple[tuple[bool, Any], ...]]):
    """The form of each lone value, made once."""

    def __missing__(self, key: tuple[bool, Any]) -> tuple[tuple[bool, Any], ...]:
        self[key] = form = (key,)
        return form


def _gathered(document: Any, parts: Sequence[str]) -> tuple[tuple[bool, Any], ...]:
    found: list[Any] = []
    gather(document, parts, found)
    scalars = [one for one in found if one is not None and not isinstance(one, (list, dict))]
    if scalars:
        return tuple(dict.fromkeys((isinstance(one, bool), one) for one in scalars))
    if any(isinstance(one, dict) for one in found):
        return ((False, _OBJECT),)
    return ((False, _EMPTY_LIST),) if any(one is not None for one in found) else ((False, None),)


_OBJECT = ("object",)
_EMPTY_LIST = ("list",)


def read_json(text: str) -> Any:
    """The value of a JSON text, None where it can't be read: what a filter then finds nothing in."""
    try:
        return decode(text)
    except (ValueError, RecursionError):
        # What only the standard library reads: lone surrogates, numbers beyond all bounds.
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return None


def _pair(raw: Any) -> tuple[str, Raw | None]:
    if raw is None:
        return NOT_RECORDED, None
    if isinstance(raw, tuple):
        return (OBJECT if raw == _OBJECT else EMPTY), None
    return shown(raw), raw


def gather(value: Any, parts: Sequence[str], found: list[Any]) -> None:
    """Add every value at a dotted key to `found`, as the filter looks for it: a key may itself hold dots,
    and a list counts by each element, beside itself.
    """
    if isinstance(value, list):
        if not parts:
            found.append(value)
        for element in value:
            gather(element, parts, found)
    elif not parts:
        found.append(value)
    elif isinstance(value, dict):
        name = ""
        for size, part in enumerate(parts, start=1):
            name = part if size == 1 else f"{name}.{part}"
            if name in value:
                gather(value[name], parts[size:], found)


def gather_names(value: Any, found: dict[str, set[str]], most: int, prefix: str = "") -> None:
    """Add the values of an object's keys, as shown, to those seen at their dotted names; `most` + 1 each."""
    if isinstance(value, dict):
        for key, item in value.items():
            gather_names(item, found, most, f"{prefix}.{key}" if prefix else key)
    elif isinstance(value, list):
        if not value and prefix:
            found.setdefault(prefix, set()).add(EMPTY)
        for element in value:
            gather_names(element, found, most, prefix)
    elif value is not None and prefix:
        seen = found.setdefault(prefix, set())
        if len(seen) <= most:
            seen.add(shown(value))
