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


class Base:
    """The cases that pass a filter, in file order, with what is counted of them.

    Args:
        metrics: the stored ones.
        keys: the cases' primary keys.
        patterns: a number a case, an index of `masks`.
        masks: what each pattern stands for.
        sums: of each metric that is more than a share its value a case, 0 where it has none; of a micro
            metric numerator and denominator.
    """

    def __init__(
        self,
        metrics: Sequence[MetricColumn],
        keys: array[int],
        patterns: array[int],
        masks: Sequence[Masks],
        sums: Mapping[str, tuple[array[float], ...]],
    ) -> None:
        self.metrics, self.keys, self.patterns, self.masks = metrics, keys, patterns, masks
        self.sums = sums
        self._lanes = [_lanes(metrics, mask) for mask in masks]
        self._size = 2 + _COUNTS * len(metrics)

    @property
    def values(self) -> int:
        """How many numbers are held."""
        return len(self.keys) * (2 + sum(len(columns) for columns in self.sums.values()))

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
        totals: list[dict[str, list[list[float]]]] = [{} for _ in wanted]
        for key, columns_ in self.sums.items():
            if only is None or key in only:
                # One column after the other, as a list: its numbers are then made once for all groupings.
                for values in map(list, columns_):
                    for one, found_ in zip(wanted, totals, strict=True):
                        found_.setdefault(key, []).append(one.summed(values))
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
            columns_ = [grouping.summed(list(column)) for column in self.sums.get(key, ())]
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
