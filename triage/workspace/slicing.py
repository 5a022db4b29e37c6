"""Metrics by the values of a dimension, or of two crossed, and the cases behind each number."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from triage.errors import UsageError, did_you_mean
from triage.metrics.registry import BY_KEY
from triage.models.query import Drill, Scope, SlicePart
from triage.models.slices import FAILING, MOST_ROWS, CrossTable, Dimension, SliceTable
from triage.workspace.cases import Place
from triage.workspace.slice_bins import bins, in_bins
from triage.workspace.slice_cross import crossed
from triage.workspace.slice_names import kind_of, order_of, title_of
from triage.workspace.slice_runs import RunSlices, header_dimensions
from triage.workspace.slice_table import Asked, By, TellsApart, alike, tabled
from triage.workspace.slice_words import Words

if TYPE_CHECKING:
    from triage.settings import Settings
    from triage.store.slice_sums import Base, Group

Answer = TypeVar("Answer")

KEPT = 96
"""Tables and values that are kept, the last ones asked for."""
HELD = 16_000_000
"""Numbers of cases that are kept, over all that is kept: 128 MB at most."""
MOST_NAMED = 60
"""Dimensions that are named where one is not known."""
ACROSS = (40, 12)
"""Rows and columns of a cross table; further values are summed."""


class Slicing:
    """Answers for the Slices screen and `report --by`; blocking, from any thread.

    An answer is kept until a case, a measure or, where it speaks of them, a review changes.

    Args:
        place: finds a scope in the store of the calling thread, the Place of a run's whole filter text.
        settings: the user's settings as they are now.
    """

    def __init__(self, place: Callable[[Scope], Place], settings: Callable[[], Settings]) -> None:
        self._place, self._settings = place, settings
        self._lock = threading.Lock()
        self._answers: OrderedDict[tuple[object, ...], object] = OrderedDict()
        self._sizes: dict[tuple[object, ...], int] = {}

    # which dimensions there are

    def dimensions(self, scope: Scope) -> tuple[Dimension, ...]:
        """What tells the run's cases apart, and what tells the runs of its test set apart.

        Those that somebody is likely to ask for come first. `values` counts over the whole run, whatever the
        filter.

        Raises:
            TriageError: no such run.
        """
        place = self._found(replace(scope, text=""))

        def ask() -> tuple[Dimension, ...]:
            counts = place.store.slices.differing(place.run, place.view)
            found = []
            for name, count in counts.items():
                one = self._named(place, name)
                if one is not None:
                    found.append(replace(one, values=count))
            return tuple(sorted(found, key=order_of))

        own = self._kept(("dimensions", self._stamp(place), place.store.lookups.stamp()), ask)
        return (*own, *header_dimensions(place))

    def has(self, scope: Scope, name: str) -> bool:
        """Is there a dimension of this name?"""
        return self._known(self._found(replace(scope, text="")), name) is not None

    def dimension(self, scope: Scope, name: str) -> Dimension:
        """A dimension by its name: a field, a metric, a key of the records' own, a key of the run header.

        Raises:
            UsageError: there is none of this name; the hint names a near one.
            TriageError: no such run.
        """
        return self._dimension(self._found(replace(scope, text="")), name)

    def _dimension(self, place: Place, name: str) -> Dimension:
        found = self._known(place, name)
        if found is None:
            known = [one.name for one in self.dimensions(Scope(place.run.id, k=place.scope.k))]
            near = did_you_mean(name, known, "")
            some = ", ".join(known[:MOST_NAMED]) + (", ..." if len(known) > MOST_NAMED else "")
            raise UsageError("no such dimension", name, " ".join(filter(None, (near, f"there are {some}"))))
        return found

    def _known(self, place: Place, name: str) -> Dimension | None:
        found = self._named(place, name)
        if found is None:
            found = next((one for one in header_dimensions(place) if one.name in (name, f"run.{name}")), None)
        return found

    def _named(self, place: Place, name: str) -> Dimension | None:
        told = place.store.slices.told(place.run.pk, name)
        return None if told is None else Dimension(name, title_of(name), kind_of(told.field))

    # tables

    def table(self, scope: Scope, name: str, metric: str = FAILING, most: int = MOST_ROWS) -> SliceTable:
        """All metrics by one dimension, over the cases that pass the scope's filter text.

        Args:
            scope: its run, k, text and literal count.
            name: the dimension's name.
            metric: a metric's key, or `FAILING`: what costs are of, and the order is by.
            most: values that stand in rows of their own, >= 1.

        Raises:
            UsageError: no such dimension or metric.
            FilterError: the filter text does not parse.
            TriageError: no such run.
        """
        return self.tables(scope, [name], metric, most)[0]

    def tables(
        self, scope: Scope, names: Sequence[str], metric: str = FAILING, most: int = MOST_ROWS
    ) -> list[SliceTable]:
        """`table` of several dimensions, with the cases read once for all of them; raises as `table` does."""
        _check_metric(metric)
        place = self._found(scope)
        chosen = [self._dimension(place, name) for name in names]
        keys = {
            one.name: ("table", self._data(place, [one]), self._base_stamp(place), one.name, metric, most)
            for one in chosen
            if one.kind != "run"
        }
        found = {name: self._answer(key) for name, key in keys.items()}
        missing = [one for one in chosen if one.kind != "run" and found[one.name] is None]
        for one, table in zip(missing, self._tabled(place, missing, metric, most), strict=True):
            found[one.name] = self._keep(keys[one.name], table, 0)
        runs = RunSlices(self._found, scope)
        tables = [
            runs.table(place, one, metric, most) if one.kind == "run" else found[one.name] for one in chosen
        ]
        return [table for table in tables if isinstance(table, SliceTable)]

    def _tabled(
        self, place: Place, dimensions: Sequence[Dimension], metric: str, most: int
    ) -> list[SliceTable]:
        if not dimensions:
            return []
        base = self._base(place)
        asked = [Asked.of(base, by, metric, most) for by in self._counted(place, dimensions)]
        groups = base.groups([one.grouping for one in asked])
        theirs = self._theirs(place, asked)
        return [
            tabled(place, one, found, metric, other)
            for one, found, other in zip(asked, groups, theirs, strict=True)
        ]

    def _theirs(self, place: Place, asked: Sequence[Asked]) -> list[list[Group] | None]:
        """What the baseline's cases of the same slices add up to; None where nothing is to be compared."""
        out: list[list[Group] | None] = [None] * len(asked)
        other = None if place.where.on_results else self._base_place(place)
        if other is None:
            return out
        slices = other.store.slices
        tolds = [
            None if one.by.on_results else slices.told(other.run.pk, one.by.dimension.name) for one in asked
        ]
        same = [
            (at, told)
            for at, told in enumerate(tolds)
            if told is not None and told.field.kind == asked[at].by.told.field.kind
        ]
        read = slices.values(other.run, other.view, other.where, [told.source for _, told in same])
        groupings = []
        for (at, _), values in zip(same, read, strict=True):
            ranges = asked[at].by.ranges
            groupings.append(alike(asked[at], in_bins(values, ranges) if ranges else values))
        for (at, _), groups in zip(same, self._base(other).groups(groupings), strict=True):
            out[at] = groups
        return out

    def cross(
        self,
        scope: Scope,
        rows_by: str,
        columns_by: str,
        metric: str = FAILING,
        most: tuple[int, int] = ACROSS,
    ) -> CrossTable:
        """One metric by two dimensions of the cases; `most` are the rows and columns that stand alone.

        Raises:
            UsageError: no such dimension or metric, or a dimension of kind "run", which compares runs.
            FilterError: the filter text does not parse.
            TriageError: no such run.
        """
        _check_metric(metric)
        place = self._found(scope)
        chosen = [self._dimension(place, name) for name in (rows_by, columns_by)]
        for one in chosen:
            if one.kind == "run":
                raise UsageError(
                    "a run header's key cannot be crossed", one.name, "it compares runs by itself"
                )
        rows, columns = self._counted(place, chosen)
        key = ("cross", self._data(place, chosen), rows_by, columns_by, metric, most)
        return self._kept(key, lambda: crossed(place, self._base(place), (rows, columns), metric, most))

    # the cases themselves

    def told_apart(self, scope: Scope, names: Sequence[str]) -> TellsApart:
        """Of each case that passes the scope's filter text its values by several dimensions, as a table shows
        them (numbers in their ranges).

        Raises:
            UsageError: no such dimension, or one of kind "run".
            FilterError: the filter text does not parse.
            TriageError: no such run.
        """
        place = self._found(scope)
        chosen = [self._dimension(place, name) for name in names]
        for one in chosen:
            if one.kind == "run":
                raise UsageError("a run header's key tells no cases apart", one.name, "it is one for all")
        keys = self._base(place).keys
        return TellsApart(keys, tuple(by.values for by in self._counted(place, chosen)))

    # the cases behind a number

    def opened(self, scope: Scope, *parts: SlicePart) -> Scope:
        """Exactly the cases of a row (its part), of a cell (its two parts) or of a tail, under the scope's
        filter text.

        The parts' texts are put to the filter text where they say it, else the scope drills down to them.
        Of a dimension of runs it is the newest run with the value.

        Raises:
            FilterError: the scope's filter text does not parse.
            TriageError: no such run.
        """
        runs = next((part.runs for part in parts if part.runs), ())
        if runs:
            return replace(scope, run=runs[0], drill=None)
        drilled = replace(scope, drill=Drill(slice=parts), view="all")
        texts = [part.query for part in parts]
        if scope.literal or None in texts:
            return drilled
        before = f"({scope.text.strip()})" if scope.text.strip() else ""
        text = " ".join(filter(None, (before, *texts)))
        said = replace(scope, text=text, drill=None, view="all")
        try:
            place = self._place(said)
        except UsageError:
            return drilled
        # A text that is taken literally means something else in brackets.
        wanted = self._place(drilled)
        counts = [
            found.store.count(found.run, found.view, found.scope, found.where) for found in (place, wanted)
        ]
        return said if counts[0] == counts[1] else drilled

    def chosen(self, scope: Scope) -> Scope:
        """The scope with the keys of the sliced cases that it asks for; none where a value is gone."""
        if scope.drill is None or not scope.drill.slice:
            return scope
        place, parts = self._found(scope), scope.drill.slice
        named = [self._known(place, part.dimension) for part in parts]
        dimensions = [one for one in named if one is not None and one.kind != "run"]
        keys: tuple[int, ...] = ()
        if len(dimensions) == len(parts):
            key = ("keys", self._data(place, dimensions), parts)
            keys = self._kept(key, lambda: self._keys(place, dimensions, parts), len)
        return replace(scope, drill=replace(scope.drill, keys=keys))

    def _keys(
        self, place: Place, dimensions: Sequence[Dimension], parts: Sequence[SlicePart]
    ) -> tuple[int, ...]:
        """The keys of the cases that have each of the parts, in file order."""
        every = self._base(place).keys
        passing = set(every)
        for by, part in zip(self._counted(place, dimensions), parts, strict=True):
            codes = by.codes(part)
            wanted = [not codes.isdisjoint(members) for members in by.values.members]
            passing &= {key for key, form in zip(every, by.values.forms, strict=True) if wanted[form]}
        return tuple(sorted(passing))

    # what is read once

    def _found(self, scope: Scope) -> Place:
        return self._place(replace(scope, view="all", drill=None, sort="file"))

    def _stamp(self, place: Place) -> tuple[object, ...]:
        slices = place.store.slices
        return (*slices.stamp(place.view), slices.checked(place.view), place.run.pk, place.run.records)

    def _data(self, place: Place, dimensions: Sequence[Dimension]) -> tuple[object, ...]:
        """What an answer rests on: another value, and it is asked anew."""
        where = place.where
        of_reviews = (
            any(one.kind == "review" for one in dimensions)
            or where.needs_reviews
            or "reviews_now" in where.sql
            or "sample_cases" in where.sql
        )
        stamp = place.store.lookups.stamp() if of_reviews else (0, "")
        return (self._stamp(place), where.sql, where.params, stamp)

    def _base_place(self, place: Place) -> Place | None:
        baseline = place.run.baseline
        if baseline is None or place.store.run(baseline) is None:
            return None
        return self._found(replace(place.scope, run=baseline, k=place.scope.k or place.run.k))

    def _base_stamp(self, place: Place) -> tuple[object, ...]:
        other = None if place.where.on_results else self._base_place(place)
        return () if other is None else (other.run.id, *self._stamp(other))

    def _base(self, place: Place) -> Base:
        return self._kept(
            ("base", self._data(place, ())),
            lambda: place.store.slices.base(place.run, place.view, place.where),
            lambda found: found.values,
        )

    def _counted(self, place: Place, dimensions: Sequence[Dimension]) -> list[By]:
        """The cases by each dimension's values; what is not kept is read in one go."""
        keys = {one.name: ("values", self._data(place, [one]), one.name) for one in dimensions}
        kept = {name: kept for name, key in keys.items() if (kept := self._answer(key)) is not None}
        missing = [one for one in dict.fromkeys(dimensions) if one.name not in kept]
        if missing:
            slices = place.store.slices
            tolds = [slices.told(place.run.pk, one.name) for one in missing]
            sources = [told.source for told in tolds if told is not None]
            read = slices.values(place.run, place.view, place.where, sources)
            aliases = self._settings().topic_aliases
            for one, told, values in zip(missing, tolds, read, strict=True):
                assert told is not None
                words = Words(one.name, told.field, values, aliases)
                ranges = bins(values) if told.field.kind in ("number", "key") else ()
                by = By(one, told, in_bins(values, ranges) if ranges else values, words, ranges)
                kept[one.name] = self._keep(keys[one.name], by, len(values.forms) // 2 + 8 * len(values.held))
        found = [kept[one.name] for one in dimensions]
        return [by for by in found if isinstance(by, By)]

    def _answer(self, key: tuple[object, ...]) -> object:
        """What is kept for a key, None where nothing is."""
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
            return self._answers.get(key)

    def _kept(
        self, key: tuple[object, ...], ask: Callable[[], Answer], size: Callable[[Answer], int] = lambda _: 0
    ) -> Answer:
        found = self._answer(key)
        if found is not None:
            return found  # type: ignore[return-value]
        answer = ask()
        return self._keep(key, answer, size(answer))

    def _keep(self, key: tuple[object, ...], answer: Answer, size: int) -> Answer:
        with self._lock:
            self._answers[key] = answer
            self._sizes[key] = size
            self._answers.move_to_end(key)
            while len(self._answers) > KEPT or sum(self._sizes.values()) > HELD:
                oldest, _ = self._answers.popitem(last=False)
                del self._sizes[oldest]
        return answer


def _check_metric(metric: str) -> None:
    if metric != FAILING and metric not in BY_KEY:
        hint = did_you_mean(metric, BY_KEY, "see triage report for the names")
        raise UsageError("no such metric", metric, hint)
