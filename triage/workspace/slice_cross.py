"""Two dimensions crossed, out of counted cases."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from triage.metrics.registry import BY_KEY, combine, combine_all
from triage.models.measure import MetricValue
from triage.models.query import SlicePart
from triage.models.slices import FAILING, NOT_RECORDED, SMALL, CrossCell, CrossHead, CrossTable
from triage.store.slice_sums import Base, Group, Grouping
from triage.workspace.slice_table import By, cost_of

if TYPE_CHECKING:
    from triage.workspace.cases import Place


def crossed(place: Place, base: Base, by: tuple[By, By], metric: str, most: tuple[int, int]) -> CrossTable:
    """One metric by two dimensions: rows by the first, columns by the second."""
    kept = [_heads(one, limit) for one, limit in zip(by, most, strict=True)]
    (rows, row_count), (columns, column_count) = (
        one.folded(keep) for one, keep in zip(by, kept, strict=True)
    )
    # Both forms of a case as one, so that the cases are gone through once.
    pairs: dict[tuple[int, int], int] = {}
    forms = array("i")
    for pair in zip(by[0].values.forms, by[1].values.forms, strict=True):
        forms.append(pairs.setdefault(pair, len(pairs)))
    across = row_count * column_count
    whole_at = across + row_count + column_count
    members = []
    for left, right in pairs:
        cells = [row * column_count + column for row in rows[left] for column in columns[right]]
        sides = [across + row for row in rows[left]]
        tops = [across + row_count + column for column in columns[right]]
        members.append((*cells, *sides, *tops, whole_at))
    only = _behind(metric)
    [groups] = base.groups([Grouping(forms, members, whole_at + 1)], only)
    whole = groups[whole_at]
    cost = cost_of(metric, whole)
    row_parts, column_parts = (_parts(one, keep) for one, keep in zip(by, kept, strict=True))

    def cell(row: int, column: int) -> CrossCell | None:
        group = groups[row * column_count + column]
        if not group.cases:
            return None
        return CrossCell(
            parts=(row_parts[row], column_parts[column]),
            cases=group.cases,
            failing=group.failing,
            value=_value(metric, group),
            cost=cost(group),
            small=group.cases < SMALL,
        )

    def heads(parts: Sequence[SlicePart], start: int, one: By, keep: Sequence[int]) -> tuple[CrossHead, ...]:
        folded = len(one.values.held) - len(keep)
        return tuple(
            _head(part, groups[start + at], metric, folded if at == len(keep) else 0)
            for at, part in enumerate(parts)
        )

    return CrossTable(
        rows_by=by[0].described,
        columns_by=by[1].described,
        run=place.run.id,
        k=place.scope.k or place.run.k,
        metric=metric,
        rows=heads(row_parts, across, by[0], kept[0]),
        columns=heads(column_parts, across + row_count, by[1], kept[1]),
        cells=tuple(tuple(cell(row, column) for column in range(column_count)) for row in range(row_count)),
        whole=_head(SlicePart("", ""), whole, metric, 0),
        on_results=place.where.on_results or any(one.on_results for one in by),
        checking=not place.store.slices.checked(place.view),
    )


def _heads(by: By, most: int) -> list[int]:
    """The numbers of the values that stand alone: those of most cases; numbers then in their own order, and
    "not recorded" last, since what is known stands out then.
    """
    held = by.values.held
    cases: Counter[int] = Counter()
    for form, count in Counter(by.values.forms).items():
        for code in by.values.members[form]:
            cases[code] += count
    kept = sorted(range(len(held)), key=lambda code: (-cases[code], held[code].shown))[:most]
    if any(held[code].numbers for code in kept):
        kept.sort(key=lambda code: (not held[code].numbers, min(held[code].numbers, default=0.0)))
    return sorted(kept, key=lambda code: held[code].shown == NOT_RECORDED)


def _parts(by: By, kept: Sequence[int]) -> list[SlicePart]:
    parts = [by.part(code) for code in kept]
    return parts if len(kept) == len(by.values.held) else [*parts, by.tail(set(kept))]


def _behind(metric: str) -> frozenset[str]:
    """The metrics whose sums a value rests on; a derived one's are shares, which are counted anyway."""
    return frozenset() if metric == FAILING or BY_KEY[metric].derived else frozenset((metric,))


def _head(part: SlicePart, group: Group, metric: str, folded: int) -> CrossHead:
    return CrossHead(part, group.cases, group.failing, _value(metric, group), folded)


def _value(metric: str, group: Group) -> MetricValue | None:
    if metric == FAILING:
        return None
    if BY_KEY[metric].derived:
        return combine_all(group.aggregates)[metric]
    found = group.aggregates.get(metric)
    return combine(metric, found) if found is not None else combine_all({})[metric]
