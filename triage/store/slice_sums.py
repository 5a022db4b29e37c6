"""Sums over groups of cases: every metric's counts, and the sums of those that are more than a share.

A case's bits are known by its pattern. The counts that a pattern adds to stand side by side in one long
integer, a lane each, so that adding up a hundred counts is one addition (as `totals` does with masks, for one
group of cases).
"""

from __future__ import annotations

import struct
from array import array
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
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

    def groups(
        self,
        forms: Sequence[int],
        members: Sequence[Iterable[int]],
        count: int,
        only: Container[str] | None = None,
    ) -> list[Group]:
        """What the cases of each of `count` groups add up to.

        Args:
            forms: a number a case.
            members: the groups of the cases with each of these numbers.
            only: metrics whose sums are wanted; None = all. The others' counts are right all the same.
        """
        counts = [0] * count
        for (form, pattern), cases in Counter(zip(forms, self.patterns, strict=True)).items():
            lanes = self._lanes[pattern] * cases
            for group in members[form]:
                counts[group] += lanes
        totals: dict[str, list[list[float]]] = {}
        by_form = self._sums_by_form(forms, only)
        for key, columns in by_form.items():
            totals[key] = [[0.0] * len(columns) for _ in range(count)]
            for at, sums in enumerate(columns):
                for form, total in sums.items():
                    for group in members[form]:
                        totals[key][group][at] += total
        return [
            self._group(found, {key: totals[key][group] for key in totals})
            for group, found in enumerate(counts)
        ]

    def ranked(
        self, forms: Sequence[int], members: Sequence[Iterable[int]], count: int, key: str
    ) -> list[Rank]:
        """Of each of `count` groups what tells its cost for one metric: `groups`, where they are too many.

        A key that is no stored metric's stands for the share of failing cases.
        """
        metric = next((one for one in self.metrics if one.key == key), None)
        found = [[0, 0.0, 0.0] for _ in range(count)]
        for (form, pattern), cases in Counter(zip(forms, self.patterns, strict=True)).items():
            mask = self.masks[pattern]
            if metric is None:
                weight, total = cases, cases * mask[5]
            else:
                weight = cases if mask[3] & metric.mask else 0
                total = cases if mask[4] & metric.mask else 0
            for group in members[form]:
                one = found[group]
                one[0] += cases
                one[1] += total
                one[2] += weight
        if metric is not None and not metric.is_share:
            for one in found:
                one[1] = 0.0
                one[2] = 0.0 if metric.micro else one[2]
            for at, sums in enumerate(self._sums_by_form(forms, {key}).get(key, ())):
                for form, value in sums.items():
                    for group in members[form]:
                        found[group][1 + at] += value
        return [Rank(int(cases), total, weight) for cases, total, weight in found]

    def _sums_by_form(
        self, forms: Sequence[int], only: Container[str] | None
    ) -> dict[str, list[dict[int, float]]]:
        wanted = {key: columns for key, columns in self.sums.items() if only is None or key in only}
        if not wanted or not forms:
            return {}
        # Once the cases of a form stand together, its sum is one call.
        order = sorted(range(len(forms)), key=forms.__getitem__)
        sizes = sorted(Counter(forms).items())
        # One index alone would give the item and no tuple of it.
        gathered = itemgetter(*order) if len(order) > 1 else None
        out: dict[str, list[dict[int, float]]] = {}
        for key, columns in wanted.items():
            out[key] = []
            for column in columns:
                values = column if gathered is None else gathered(column)
                sums, begin = {}, 0
                for form, cases in sizes:
                    sums[form] = float(sum(values[begin : begin + cases]))
                    begin += cases
                out[key].append(sums)
        return out

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
