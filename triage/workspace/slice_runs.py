"""Slices by a key of the run header, which is one within a run: they compare the runs of a test set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from triage.models.query import Scope, SlicePart
from triage.models.slices import NOT_RECORDED, Dimension, SliceRow, SliceTable
from triage.store.slice_sums import Group, added
from triage.store.slice_values import shown
from triage.workspace.slice_table import cost_of, more, row_of

if TYPE_CHECKING:
    from triage.models.run import RunSummary
    from triage.workspace.cases import Place

PREFIX = "run."
_OWN = frozenset(("id", "created_at", "notes", "baseline", "kb_ids", "extra", "dataset.name"))
"""Header keys that tell runs apart without configuring them."""


def header_dimensions(place: Place) -> tuple[Dimension, ...]:
    """The keys that the headers of the test set's runs have, with how many values they have there."""
    seen: dict[str, set[str]] = {}
    for header in _headers(place).values():
        for key, value in header.items():
            seen.setdefault(key, set()).add(value)
    return tuple(
        Dimension(PREFIX + key, f"run: {key.replace('_', ' ')}", "run", len(values))
        for key, values in sorted(seen.items())
    )


def _family(place: Place) -> list[RunSummary]:
    """The loaded runs of the run's test set, itself among them, newest first."""
    runs = place.store.runs()
    family = place.store.run_totals().families(runs)
    return [run for run in runs if family[run.id] == family.get(place.run.id)]


def _headers(place: Place) -> dict[str, dict[str, str]]:
    """Run id -> its header as dotted keys with values as shown, of the runs of one test set."""
    runs = _family(place)
    found = place.store.slices.headers([run.pk for run in runs])
    return {run.id: dict(_flat(found[run.pk])) for run in runs}


def _flat(header: Mapping[str, Any], prefix: str = "") -> Iterable[tuple[str, str]]:
    for key, value in header.items():
        name = prefix + key
        if name == "extra" and isinstance(value, dict):
            yield from _flat(value)
        elif name in _OWN or value is None:
            continue
        elif isinstance(value, dict):
            yield from _flat(value, f"{name}.")
        elif isinstance(value, list):
            yield name, ", ".join(shown(one) for one in value if isinstance(one, (str, int, float)))
        else:
            yield name, shown(value)


class RunSlices:
    """The runs of a test set by a key of their headers, each at its newest revision.

    Args:
        place: finds a scope in the store of the calling thread.
        scope: its filter text holds in every run, and its K, else its run's.
    """

    def __init__(self, place: Callable[[Scope], Place], scope: Scope) -> None:
        self._place, self._scope = place, scope

    def table(self, place: Place, dimension: Dimension, metric: str, most: int) -> SliceTable:
        """A row for each value over the runs that have it."""
        key = dimension.name.removeprefix(PREFIX)
        k = place.scope.k or place.run.k
        by_value: dict[str, list[str]] = {}
        for run, header in _headers(place).items():
            by_value.setdefault(header.get(key, NOT_RECORDED), []).append(run)
        groups: dict[str, Group] = {}
        for value, runs in by_value.items():
            groups[value] = added(self._group(run, k) for run in runs)
        whole = added(groups.values())
        cost = cost_of(metric, whole)
        rows = [
            row_of(SlicePart(dimension.name, value, None, (), tuple(by_value[value])), group, cost)
            for value, group in groups.items()
        ]
        rows.sort(key=lambda row: (row.cost is None, -(row.cost or 0.0), -row.cases, row.value))
        return SliceTable(
            dimension=replace(dimension, values=len(rows)),
            run=place.run.id,
            k=k,
            metric=metric,
            rows=tuple(rows[:most]),
            tail=self._tail(dimension, rows, most, groups, cost),
            whole=row_of(SlicePart(dimension.name, ""), whole, lambda _: None),
            on_results=place.where.on_results,
        )

    def _group(self, run: str, k: int) -> Group:
        found = self._place(replace(self._scope, run=run, k=k))
        summed = found.store.summed(found.run, found.view, found.where)
        return Group(summed.counts.matching, summed.counts.failing, summed.aggregates)

    @staticmethod
    def _tail(
        dimension: Dimension,
        rows: list[SliceRow],
        most: int,
        groups: Mapping[str, Group],
        cost: Callable[[Group], float | None],
    ) -> SliceRow | None:
        rest = rows[most:]
        if not rest:
            return None
        runs = tuple(run for row in rest for run in row.part.runs)
        without = tuple(row.value for row in rows[:most])
        part = SlicePart(dimension.name, more(len(rest)), None, without, runs)
        return row_of(part, added(groups[row.value] for row in rest), cost, len(rest))
