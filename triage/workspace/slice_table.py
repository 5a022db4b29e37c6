"""A table of slices out of counted cases."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from triage.metrics.registry import BY_KEY, combine, combine_all
from triage.models.query import SlicePart
from triage.models.slices import FAILING, SMALL, Dimension, SliceRow, SliceTable
from triage.store.slice_sums import Base, Group, Grouping
from triage.store.slice_values import Values
from triage.store.slices import Told
from triage.workspace.slice_bins import Bin
from triage.workspace.slice_words import Words

if TYPE_CHECKING:
    from triage.workspace.cases import Place


class TellsApart(Struct, frozen=True):
    """Cases by their keys, in file order, and of each dimension asked for the values that tell them apart."""

    keys: array[int]
    values: tuple[Values, ...]


def more(values: int) -> str:
    """How a tail of so many values is called."""
    return f"{values} more {'value' if values == 1 else 'values'}"


class By(Struct, frozen=True):
    """The cases of a scope by one dimension: its values (numbers in their ranges), and their texts."""

    dimension: Dimension
    told: Told
    values: Values
    words: Words
    ranges: tuple[Bin, ...] = ()

    @property
    def on_results(self) -> bool:
        """Does the dimension speak of results?"""
        return self.told.field.on_results

    @property
    def described(self) -> Dimension:
        """The dimension with the number of its values."""
        return replace(self.dimension, values=len(self.values.held), binned=bool(self.ranges))

    def part(self, code: int) -> SlicePart:
        """What a value says of its cases, by its number."""
        shown = self.values.held[code].shown
        if code < len(self.ranges):
            return SlicePart(self.dimension.name, shown, self.words.of_bin(self.ranges[code]))
        return SlicePart(self.dimension.name, shown, self.words.of(shown))

    def tail(self, kept: Collection[int]) -> SlicePart:
        """What the values that are not kept say of their cases."""
        shown = tuple(held.shown for code, held in enumerate(self.values.held) if code in kept)
        return SlicePart(self.dimension.name, more(len(self.values.held) - len(kept)), None, shown)

    def codes(self, part: SlicePart) -> set[int]:
        """The numbers of the values that a part speaks of."""
        if part.without:
            return {code for code, held in enumerate(self.values.held) if held.shown not in part.without}
        return {code for code, held in enumerate(self.values.held) if held.shown == part.value}

    def folded(self, kept: Sequence[int]) -> tuple[list[tuple[int, ...]], int]:
        """Of each form the places of its values among those kept, else the place after them: the tail's; and
        how many places there are.
        """
        places = {code: place for place, code in enumerate(kept)}
        tail = len(kept)
        members = [
            tuple(dict.fromkeys(places.get(code, tail) for code in codes)) for codes in self.values.members
        ]
        return members, tail + (len(kept) < len(self.values.held))


def value_of(metric: str, group: Group) -> float | None:
    """A metric's value over a group, or its share of failing cases; None where it has none."""
    if metric == FAILING:
        return group.failing / group.cases if group.cases else None
    if BY_KEY[metric].derived:
        return combine_all(group.aggregates)[metric].value
    found = group.aggregates.get(metric)
    return None if found is None else combine(metric, found).value


def cost_of(metric: str, whole: Group) -> Callable[[Group], float | None]:
    """What a part costs the whole (`SliceRow.cost`)."""
    now = value_of(metric, whole)
    sign = 1 if metric != FAILING and BY_KEY[metric].higher_is_better else -1

    def cost(part: Group) -> float | None:
        if now is None or value_of(metric, part) is None:
            return None
        rest = value_of(metric, whole.without(part))
        return None if rest is None else sign * (rest - now)

    return cost


def costliest(base: Base, by: By, metric: str, most: int) -> list[int]:
    """The numbers of the values that stand in rows of their own: all where there are at most `most`, else
    those that cost the whole most, more cases first among equals.
    """
    count = len(by.values.held)
    if count <= most:
        return list(range(count))
    better_high = metric != FAILING and BY_KEY[metric].higher_is_better
    # A derived metric has no value a case: what fails stands for it where not all values can be added up.
    key = FAILING if metric == FAILING or BY_KEY[metric].derived else metric
    members = [(*codes, count) for codes in by.values.members]
    *ranks, whole = base.ranked(Grouping(by.values.forms, members, count + 1), key)

    def order(code: int) -> tuple[float, int, str]:
        one = ranks[code]
        rest = whole.weight - one.weight
        lift = 0.0
        if rest > 0 and one.weight and whole.weight:
            lift = (whole.total - one.total) / rest - whole.total / whole.weight
        return (-lift if better_high else lift), -one.cases, by.values.held[code].shown

    return sorted(range(count), key=order)[:most]


class Asked(Struct, frozen=True):
    """A table that is to be made: the values that stand alone in it, and its cases in groups."""

    by: By
    kept: list[int]
    grouping: Grouping

    @classmethod
    def of(cls, base: Base, by: By, metric: str, most: int) -> Asked:
        """The groups of a table: the kept values, the tail where there is one, all cases."""
        kept = costliest(base, by, metric, most)
        members, count = by.folded(kept)
        grouping = Grouping(by.values.forms, [(*found, count) for found in members], count + 1)
        return cls(by, kept, grouping)


def tabled(
    place: Place, asked: Asked, found: Sequence[Group], metric: str, theirs: Sequence[Group] | None
) -> SliceTable:
    """The table of one dimension from its groups; `theirs` are the baseline's of the kept values and of all
    cases, where there is one to compare with.
    """
    by, kept = asked.by, asked.kept
    *groups, whole = found
    cost = cost_of(metric, whole)
    rows = []
    for at, code in enumerate(kept):
        row = row_of(by.part(code), groups[at], cost)
        rows.append(row if theirs is None else _beside(row, theirs[at]))
    rows.sort(key=lambda row: (row.cost is None, -(row.cost or 0.0), -row.cases, row.value))
    tail = None
    if len(groups) > len(kept):
        tail = row_of(by.tail(set(kept)), groups[-1], cost, len(by.values.held) - len(kept))
    total = row_of(SlicePart(by.dimension.name, ""), whole, lambda _: None)
    return SliceTable(
        dimension=by.described,
        run=place.run.id,
        k=place.scope.k or place.run.k,
        metric=metric,
        rows=tuple(rows),
        tail=tail,
        whole=total if theirs is None else _beside(total, theirs[-1]),
        baseline=place.run.baseline if theirs is not None else None,
        on_results=by.on_results or place.where.on_results,
        lists=by.values.lists,
        checking=not place.store.slices.checked(place.view),
    )


def alike(asked: Asked, values: Values) -> Grouping:
    """Another run's cases by the kept values of a table, and all of them as the last group."""
    wanted = {asked.by.values.held[code].shown: at for at, code in enumerate(asked.kept)}
    places = [wanted.get(held.shown) for held in values.held]
    members = []
    for codes in values.members:
        found = (places[code] for code in codes)
        members.append((*dict.fromkeys(at for at in found if at is not None), len(wanted)))
    return Grouping(values.forms, members, len(wanted) + 1)


def row_of(part: SlicePart, group: Group, cost: Callable[[Group], float | None], folded: int = 0) -> SliceRow:
    """A group as a row."""
    return SliceRow(
        part=part,
        cases=group.cases,
        failing=group.failing,
        metrics=combine_all(group.aggregates),
        cost=cost(group),
        small=group.cases < SMALL,
        folded=folded,
    )


def _beside(row: SliceRow, theirs: Group) -> SliceRow:
    return replace(row, base=combine_all(theirs.aggregates), base_cases=theirs.cases)
