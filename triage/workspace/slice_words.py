"""A slice's value as a filter text that selects exactly its cases, where there is one. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from triage.models.slices import EMPTY, NOT_RECORDED
from triage.store.filter.dates import stretch
from triage.store.filter.match import number, spec, test, truth
from triage.store.filter.names import topic_words
from triage.store.filter.syntax import Word
from triage.store.slice_values import OBJECT, Held, Values, written
from triage.store.suggest import is_printed, name_text, value_text

if TYPE_CHECKING:
    from datetime import datetime

    from triage.store.filter.fields import Field
    from triage.workspace.slice_bins import Bin

MAX_TEXT = 500
"""Characters of a filter text beyond which nobody would read it: the cases are then chosen by their keys."""
_FAILING = {"true": "is:failing", "false": "is:passing"}


class Words:
    """Filter texts for the values of one dimension.

    A text is given only where it selects the cases of its value and no others: the language folds case, and
    takes `7`, "7" and 7.0 for one.

    Args:
        name: the dimension's name, as typed before `:` where the field has an example of that.
        field: what it stands for.
        values: every value of the cases that are told apart, each number for itself.
        aliases: other words for topics.
    """

    def __init__(self, name: str, field: Field, values: Values, aliases: Mapping[str, str]) -> None:
        self._field, self._values, self._aliases = field, values, aliases
        self._name = name_text(name) if field.example else ""
        self._codes = {held.shown: code for code, held in enumerate(values.held)}

    def of(self, shown: str) -> str | None:
        """The text for a value, given as shown; None where no text can say it."""
        code = self._codes[shown]
        held = self._values.held[code]
        if (self._field.name, self._field.kind) == ("failing", "truth"):
            return _FAILING[held.shown]
        if not self._name:
            return None
        if held.shown == NOT_RECORDED and not held.raws:
            return f"-{self._name}*"
        if held.shown == EMPTY:
            return self._empty(held)
        if held.shown == OBJECT and not held.raws:
            return None
        text = next((raw for _, raw in held.raws if isinstance(raw, str)), held.shown)
        if not is_printed(text) or not self._is_exact(text, code):
            return None
        written_out = self._name + value_text(text)
        return written_out if len(written_out) <= MAX_TEXT else None

    def of_bin(self, one: Bin) -> str | None:
        """The text for a range of numbers; None where texts stand beside them, or a bound can't be typed."""
        if not self._name or (self._field.kind == "key" and self._texts):
            return None
        low, high = written(one.low), written(one.high)
        if float(low) != one.low or float(high) != one.high:
            return None
        return f"{self._name}{low}" if low == high else f"{self._name}[{low} TO {high}]"

    def _empty(self, held: Held) -> str | None:
        if self._field.name == "inferred":
            return f"-{self._name}*"
        says = self._field.kind in ("word", "key", "list") and held.raws and not self._values.empty_lists
        return f'{self._name}""' if says else None

    def _is_exact(self, text: str, code: int) -> bool:
        kind = self._field.kind
        if kind in ("number", "truth"):
            return True
        if kind == "text" or (self._field.name == "reviewer" and text == "@me"):
            return False
        words = topic_words(text, self._aliases) if self._field.name == "topic" else [text]
        found: set[int] = set()
        for word in words:
            found |= self._folded.get(word.casefold(), set())
        if kind != "word":
            found |= self._beyond(text)
            passes = test(spec(Word(text, 1)))
            if not all(passes(raw) for _, raw in self._values.held[code].raws):
                return False
        return found == {code}

    def _beyond(self, text: str) -> set[int]:
        """The values that a text means beside those that it equals: numbers, truth values, dates."""
        out = set()
        as_number, as_truth, as_date = number(text), truth(text), stretch(text)
        if as_number is not None:
            out |= self._numbers.get(as_number, set())
        if as_truth is not None:
            out |= self._truths.get(as_truth, set())
        if as_date is not None:
            out |= {code for begin, code in self._dates if as_date[0] <= begin < as_date[1]}
        return out

    def _by(self, wanted: Callable[[bool, object], object]) -> dict[object, set[int]]:
        out: dict[object, set[int]] = {}
        for code, held in enumerate(self._values.held):
            for is_truth, raw in held.raws:
                key = wanted(is_truth, raw)
                if key is not None:
                    out.setdefault(key, set()).add(code)
        return out

    @cached_property
    def _folded(self) -> dict[object, set[int]]:
        return self._by(lambda _, raw: raw.casefold() if isinstance(raw, str) else None)

    @cached_property
    def _numbers(self) -> dict[object, set[int]]:
        return self._by(lambda is_truth, raw: None if is_truth or isinstance(raw, str) else raw)

    @cached_property
    def _truths(self) -> dict[object, set[int]]:
        return self._by(lambda is_truth, raw: raw if is_truth else None)

    @cached_property
    def _texts(self) -> bool:
        return any(isinstance(raw, str) for held in self._values.held for _, raw in held.raws)

    @cached_property
    def _dates(self) -> Sequence[tuple[datetime, int]]:
        out = []
        for code, held in enumerate(self._values.held):
            for _, raw in held.raws:
                found = stretch(raw) if isinstance(raw, str) else None
                if found is not None:
                    out.append((found[0], code))
        return out
