"""Numbers with many values, in ranges with honest bounds. Pure."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from triage.store.slice_values import Held, Values, written

MOST_BINS = 8
"""Ranges of a number; with so many values or fewer each stands alone."""


class Bin(Struct, frozen=True):
    """A range of numbers, both ends recorded in some case and in it."""

    low: float
    high: float

    @property
    def shown(self) -> str:
        """`120..249`, or the number where it is only one."""
        return written(self.low) if self.low == self.high else f"{written(self.low)}..{written(self.high)}"


def bins(values: Values) -> tuple[Bin, ...]:
    """Ranges of about as many cases each, by the quantiles; () where the values need none.

    Equal numbers are never parted, so a range of a frequent number holds more cases. The bounds of a range
    are its smallest and its greatest recorded number: nothing lies between two ranges.
    """
    numbers = {min(held.numbers): code for code, held in enumerate(values.held) if held.numbers}
    if len(numbers) <= MOST_BINS:
        return ()
    cases = _cases(values)
    ordered = sorted(numbers)
    upto, total = [], 0
    for number in ordered:
        total += cases[numbers[number]]
        upto.append(total)
    # A range begins with the number at which a further eighth of the cases begins.
    begins = {bisect_right(upto, total * step // MOST_BINS) for step in range(MOST_BINS)}
    starts = sorted(begins)
    ends = [*starts[1:], len(ordered)]
    return tuple(Bin(ordered[start], ordered[end - 1]) for start, end in zip(starts, ends, strict=True))


def _cases(values: Values) -> Counter[int]:
    out: Counter[int] = Counter()
    for form, cases in Counter(values.forms).items():
        for code in values.members[form]:
            out[code] += cases
    return out


def in_bins(values: Values, ranges: Sequence[Bin]) -> Values:
    """The values with each number as the range that holds it; one that none holds is no value at all."""
    # As they are: a large integer has no float of its own.
    highs = [one.high for one in ranges]
    raws: list[set[tuple[bool, str | float | bool]]] = [set() for _ in ranges]
    others: list[Held] = []
    places: dict[int, int | None] = {}
    for code, held in enumerate(values.held):
        if held.numbers:
            number = min(held.numbers)
            at = bisect_left(highs, number)
            inside = at < len(ranges) and ranges[at].low <= number
            places[code] = at if inside else None
            if inside:
                raws[at] |= held.raws
        else:
            places[code] = len(ranges) + len(others)
            others.append(held)
    members = []
    for codes in values.members:
        found = (places[code] for code in codes)
        members.append(tuple(dict.fromkeys(place for place in found if place is not None)))
    ranged = [Held(one.shown, frozenset(found)) for one, found in zip(ranges, raws, strict=True)]
    return Values(values.forms, members, [*ranged, *others])
