"""Sums over groups of cases: every metric's counts, and the sums of those that are more than a share.

A case's bits are known by its pattern. The counts that a pattern adds to stand side by side in one long
integer, a lane each, so that adding up a hundred counts is one addition (as `totals` does with masks, for one
group of cases).
"""

from __future__ import annotations

import struct
from array import array
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cached_property
from operator import itemgetter

from msgspec import Struct

from triage.models.measure import Aggregate
from triage.store.columns import MetricColumn

LANE = 32
"""Bits of a count; no run has as many cases."""
FEW = 20_000
"""Different rows of summed numbers up to which cases keep the number of their row."""
_COUNTS = 5
"""Counts of a metric: it has a value, is missing, was inferred, makes it worse, is 1."""

Masks = tuple[int, int, int, int, int, bool]
"""Of a pattern the bits missing, inferred, worse, have and ones, and whether its cases fail."""


class Group(Struct, frozen=True):
    """What some cases add up to."""

    cases: int
    failing: int
    aggregates: Mapping[str, Aggregate]

    def without(self, part: Group) -> Group:
        """What is left once a part's cases are taken away."""
        rest = {
            key: _less(whole, part.aggregates[key]) if key in part.aggregates else whole
            for key, whole in self.aggregates.items()
        }
        return Group(self.cases - part.cases, self.failing - part.failing, rest)


def added(groups: Iterable[Group]) -> Group:
    """What groups without a case in common add up to together."""
    cases = failing = 0
    aggregates: dict[str, Aggregate] = {}
    for group in groups:
        cases += group.cases
        failing += group.failing
        for key, one in group.aggregates.items():
            before = aggregates.get(key)
            aggregates[key] = one if before is None else _more(before, one)
    return Group(cases, failing, aggregates)


def _more(one: Aggregate, other: Aggregate) -> Aggregate:
    return Aggregate(
        total=one.total + other.total,
        count=one.count + other.count,
        weight=one.weight + other.weight,
        missing=one.missing + other.missing,
        inferred=one.inferred + other.inferred,
        worst=one.worst + other.worst,
    )


class Rank(Struct, frozen=True):
    """How many cases a group has, and of one metric the sum of its values and of what they are divided by."""

    cases: int
    total: float
    weight: float


def _less(whole: Aggregate, part: Aggregate) -> Aggregate:
    count = whole.count - part.count
    return Aggregate(
        total=whole.total - part.total if count else 0.0,
        count=count,
        weight=whole.weight - part.weight if count else 0.0,
        missing=whole.missing - part.missing,
        inferred=whole.inferred - part.inferred,
        worst=whole.worst - part.worst,
    )


class Grouping:
    """Cases in groups, in the order of a `Base`; a case can be in several, or in none.

    Args:
        forms: a number a case.
        members: the groups of the cases with each of these numbers.
        count: how many groups there are.
    """

    def __init__(self, forms: array[int], members: Iterable[tuple[int, ...]], count: int) -> None:
        # Forms whose cases are in the same groups are counted as one.
        numbers: dict[tuple[int, ...], int] = {}
        of_form = [numbers.setdefault(one, len(numbers)) for one in members]
        self.forms = array("i", map(of_form.__getitem__, forms))
        self.members = list(numbers)
        self.count = count

    @cached_property
    def _order(self) -> Callable[[Sequence[float]], Sequence[float]]:
        """Puts a column's numbers so that those of a form stand together: its sum is then one call."""
        order = sorted(range(len(self.forms)), key=self.forms.__getitem__)
        # One place alone would give the number and no tuple of it.
        return itemgetter(*order) if len(order) > 1 else tuple

    @cached_property
    def _sizes(self) -> list[tuple[int, int]]:
        return sorted(Counter(self.forms).items())

    def summed(self, values: Sequence[float]) -> list[float]:
        """The sum of the values, one a case, over each group."""
        out = [0.0] * self.count
        ordered, begin = self._order(values), 0
        for form, cases in self._sizes:
            total = sum(ordered[begin : begin + cases])
            begin += cases
            for group in self.members[form]:
                out[group] += total
        return out


_Row = tuple[float | None, ...]


class _Numbers(dict[_Row, int]):
    """Numbers rows from 0 on, in the order in which they come."""

    def __missing__(self, row: _Row) -> int:
        self[row] = found = len(self)
        return found


class Sums:
    """The numbers of each case that are summed, if it has any: of each metric that is more than a share
    its value, of a micro metric its numerator and its denominator.

    Ranks and scores of a few grades make few different rows: then a case keeps the number of its row, and
    what is summed is summed a row. Where rows are many, each column is kept as it is.

    Args:
        keys: how many columns each metric has, in their order.
    """

    def __init__(self, keys: Mapping[str, int]) -> None:
        self._places: array[int] = array("i")
        self._rows: _Numbers | None = _Numbers()
        self._columns: list[array[float]] = []
        self.at: dict[str, tuple[int, ...]] = {}
        start = 0
        for key, count in keys.items():
            self.at[key] = tuple(range(start, start + count))
            start += count
        self.count = start

    def extend(self, columns_: Sequence[Sequence[float | None]]) -> None:
        """The next cases' numbers, a sequence a column."""
        if self._rows is None:
            for column, some in zip(self._columns, columns_, strict=True):
                column.extend([value or 0.0 for value in some])
            return
        self._places.extend(map(self._rows.__getitem__, zip(*columns_, strict=True)))
        if len(self._rows) > FEW:
            self._columns = [array("d", self.column(at)) for at in range(self.count)]
            self._rows, self._places = None, array("i")

    def column(self, at: int) -> list[float]:
        """The numbers of one column, a case each, 0 where it has none."""
        if self._rows is None:
            return list(self._columns[at])
        values = [row[at] or 0.0 for row in self._rows]
        return list(map(values.__getitem__, self._places))

    @property
    def values(self) -> int:
        """How many numbers are held."""
        return sum(map(len, self._columns)) + len(self._places) // 2

    def of(self, groupings: Sequence[Grouping], keys: Sequence[str]) -> list[dict[str, list[list[float]]]]:
        """Of each grouping each metric's columns summed over each group."""
        out: list[dict[str, list[list[float]]]] = [{} for _ in groupings]
        left = []
        for one, found in zip(groupings, out, strict=True):
            if self._rows is not None and len(self._rows) * len(one.members) < len(self._places):
                found.update(self._by_row(one, self._rows, keys))
            else:
                left.append((one, found))
        for key in keys if left else ():
            for at in self.at[key]:
                # One column after the other: its numbers are then made once for all groupings.
                values = self.column(at)
                for one, found in left:
                    found.setdefault(key, []).append(one.summed(values))
        return out

    def _by_row(
        self, grouping: Grouping, rows: Iterable[_Row], keys: Sequence[str]
    ) -> dict[str, list[list[float]]]:
        every = list(rows)
        sums = [[0.0] * grouping.count for _ in range(self.count)]
        for (form, place), cases in Counter(zip(grouping.forms, self._places, strict=True)).items():
            row = every[place]
            for group in grouping.members[form]:
                for at, value in enumerate(row):
                    if value:
                        sums[at][group] += cases * value
        return {key: [sums[at] for at in self.at[key]] for key in keys}


class Base:
    """The cases that pass a filter, in file order, with what is counted of them.

    Args:
        metrics: the stored ones.
        keys: the cases' primary keys.
        patterns: a number a case, an index of `masks`.
        masks: what each pattern stands for.
        sums: what is summed of them.
    """

    def __init__(
        self,
        metrics: Sequence[MetricColumn],
        keys: array[int],
        patterns: array[int],
        masks: Sequence[Masks],
        sums: Sums,
    ) -> None:
        self.metrics, self.keys, self.patterns, self.masks = metrics, keys, patterns, masks
        self.sums = sums
        self._lanes = [_lanes(metrics, mask) for mask in masks]
        self._size = 2 + _COUNTS * len(metrics)

    @property
    def values(self) -> int:
        """How many numbers are held."""
        return 2 * len(self.keys) + self.sums.values

    def groups(self, wanted: Sequence[Grouping], only: Container[str] | None = None) -> list[list[Group]]:
        """What the cases of each group add up to, of several groupings of the same cases.

        `only` are the metrics whose sums are wanted, None = all; the others' counts are right all the same.
        """
        counts = [[0] * one.count for one in wanted]
        for one, found in zip(wanted, counts, strict=True):
            for (form, pattern), cases in Counter(zip(one.forms, self.patterns, strict=True)).items():
                lanes = self._lanes[pattern] * cases
                for group in one.members[form]:
                    found[group] += lanes
        totals = self.sums.of(wanted, [key for key in self.sums.at if only is None or key in only])
        return [
            [
                self._group(lanes, {key: [sums[group] for sums in each] for key, each in found_.items()})
                for group, lanes in enumerate(found)
            ]
            for found, found_ in zip(counts, totals, strict=True)
        ]

    def ranked(self, grouping: Grouping, key: str) -> list[Rank]:
        """Of each group what tells its cost for one metric: `groups`, where they are too many.

        A key that is no stored metric's stands for the share of failing cases.
        """
        metric = next((one for one in self.metrics if one.key == key), None)
        found = [[0, 0.0, 0.0] for _ in range(grouping.count)]
        for (form, pattern), cases in Counter(zip(grouping.forms, self.patterns, strict=True)).items():
            mask = self.masks[pattern]
            if metric is None:
                weight, total = cases, cases * mask[5]
            else:
                weight = cases if mask[3] & metric.mask else 0
                total = cases if mask[4] & metric.mask else 0
            for group in grouping.members[form]:
                one = found[group]
                one[0] += cases
                one[1] += total
                one[2] += weight
        if metric is not None and not metric.is_share:
            columns_ = [grouping.summed(self.sums.column(at)) for at in self.sums.at.get(key, ())]
            for group, one in enumerate(found):
                one[1] = columns_[0][group] if columns_ else 0.0
                if metric.micro:
                    one[2] = columns_[1][group] if columns_ else 0.0
        return [Rank(int(cases), total, weight) for cases, total, weight in found]

    def _group(self, lanes: int, totals: Mapping[str, Sequence[float]]) -> Group:
        bytes_ = lanes.to_bytes(self._size * LANE // 8, "little")
        cases, failing, *counts = struct.unpack(f"<{self._size}I", bytes_)
        aggregates = {}
        for at, metric in enumerate(self.metrics):
            have, missing, inferred, worse, ones = counts[_COUNTS * at : _COUNTS * (at + 1)]
            sums = totals.get(metric.key, (0.0,))
            aggregates[metric.key] = Aggregate(
                total=float(ones) if metric.is_share else sums[0],
                count=have,
                weight=(sums[1] if len(sums) > 1 else 0.0) if metric.micro else float(have),
                missing=missing,
                inferred=inferred,
                worst=worse,
            )
        return Group(cases, failing, aggregates)


def _lanes(metrics: Sequence[MetricColumn], mask: Masks) -> int:
    missing, inferred, worse, have, ones, fails = mask
    lanes = 1 | (int(fails) << LANE)
    for at, metric in enumerate(metrics):
        bit, place = metric.mask, LANE * (2 + _COUNTS * at)
        if have & bit:
            lanes |= 1 << place
            for step, bits in enumerate((inferred, worse, ones), start=2):
                if bits & bit:
                    lanes |= 1 << (place + LANE * step)
        elif missing & bit:
            lanes |= 1 << (place + LANE)
    return lanes
