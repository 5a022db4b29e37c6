"""What is asked of a run's cases: the panels, the list, one of them whole."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import asdict, replace

from triage.errors import TriageError
from triage.models.case import QUERY_CUT, CaseDetail, CaseProblem, CaseRow, RunView
from triage.models.measure import Diagnosis
from triage.models.query import Scope
from triage.models.run import RunSummary
from triage.store.filter import FilterContext, Where, compile_filter

if TYPE_CHECKING:
    from triage.ingest import StoredReader
    from triage.settings import Settings
    from triage.store import Store

PAGE = 500
"""Cases read at a time where all are wanted."""


class Place(Struct, frozen=True):
    """A scope found in a store: its run, the measures at its K, its filter as a condition."""

    store: Store
    run: RunSummary
    view: int
    where: Where
    scope: Scope


class MeasuredCase(Struct, frozen=True):
    """A case with all that is measured and said of it by rule; `row.query` is whole.

    `missing` are metric keys, `inferred` the fields that reading filled in.
    """

    row: CaseRow
    diagnosis: Diagnosis
    measures: dict[str, float | None]
    missing: tuple[str, ...]
    inferred: tuple[str, ...]


class Outside(Struct, frozen=True):
    """How many cases a list does not show: by its view (or drill-down), and by the filter text."""

    view: int
    filter: int


def find_run(store: Store | None, selector: str | None) -> RunSummary:
    """A run by its id, then `latest` (also None).

    Raises:
        TriageError: no such run, or no runs at all.
    """
    found = None
    if store is not None:
        found = store.run(selector) if selector is not None else None
        if found is None and selector in (None, "latest"):
            found = store.newest()
    if found is not None:
        return found
    if store is None or store.newest() is None:
        raise TriageError("no runs", "nothing is loaded", "load one: triage ingest FILE")
    raise TriageError("no such run", str(selector), "triage runs lists them")


def view_of(store: Store, run: RunSummary, k: int, settings: Settings) -> int:
    """The measures of a run at a K, taken now where there are none yet that these settings would give."""
    found = store.view(run.pk, k, settings.sureness)
    if found is not None:
        return found
    # Imported here because a run is measured at its own K when it is loaded: a start never needs this.
    from triage.ingest import ensure_view

    return ensure_view(store, run, k, settings)


def condition(
    store: Store,
    run: RunSummary,
    scope: Scope,
    settings: Settings,
    reviewer: str,
    marked: frozenset[int],
    *,
    indexed: bool = True,
) -> Where:
    """The scope's filter text as a condition on a run; not `indexed`: texts are looked through one by one.

    Raises:
        FilterError: it does not parse.
    """
    if not scope.text.strip():
        return Where()
    context = FilterContext(
        reviewer=reviewer,
        marked=marked,
        known_keys=lambda: store.known_keys(run.pk),
        topic_aliases=settings.topic_aliases,
        metric_bits=store.metric_bits(),
        search=store.index.of(run.pk, run.id) if indexed else None,
        run=(run.pk, run.id),
        at_odds=lambda: _at_odds(store, run),
        score_scale=run.score_scale,
    )
    return compile_filter(scope.text, context, literal=scope.literal)


def _at_odds(store: Store, run: RunSummary) -> frozenset[int]:
    # Imported here because few filters ask for it.
    from triage.workspace.at_odds import at_odds

    return at_odds(store, run)


def can_sort(sort: str) -> bool:
    """Is it something that `Scope.sort` takes?"""
    from triage.metrics.registry import BY_KEY
    from triage.store.selection import SORTS

    key = sort.removeprefix("-")
    return key in ("", "file") or key in SORTS or key in BY_KEY


def run_view(place: Place, settings: Settings, reviewer: str) -> RunView:
    """The panels' numbers for a scope's filter text, with the baseline's beside them.

    Where the filter speaks of results, the baseline's cases that it selects would be others: none then.
    """
    from triage.metrics.registry import combine_all

    store, run, where = place.store, place.run, place.where
    found = store.summed(run, place.view, where)
    k = place.scope.k or run.k
    base = store.run(run.baseline) if run.baseline is not None else None
    base_metrics = {}
    if base is not None and not where.on_results:
        view = view_of(store, base, k, settings)
        base_where = condition(store, base, place.scope, settings, reviewer, frozenset())
        base_metrics = combine_all(store.summed(base, view, base_where).aggregates)
    return RunView(
        run=run.id,
        k=k,
        cases=run.records,
        **asdict(found.counts),
        metrics=combine_all(found.aggregates),
        baseline=run.baseline,
        base_metrics=base_metrics,
        selected_on_results=where.on_results,
        text_said=where.said,
        checking=not found.checked,
    )


def outside(place: Place) -> Outside:
    """How many cases the scope does not show, and why."""
    matching = place.store.count(place.run, place.view, Scope(place.run.id), place.where)
    shown = place.store.count(place.run, place.view, place.scope, place.where)
    return Outside(view=matching - shown, filter=place.run.records - matching)


def reader_of(store: Store, run: RunSummary, settings: Settings) -> StoredReader:
    """Reads the run's stored records back as they were understood when it was loaded."""
    # Imported here because a list is shown without a single record being read.
    from triage.ingest import StoredReader

    options, run_cites = store.options(run.pk)
    return StoredReader(options.mapping, settings, run_cites)


def measured(place: Place, settings: Settings) -> Iterator[MeasuredCase]:
    """The scope's cases in its order, a page at a time."""
    store = place.store
    keys = store.keys(place.run, place.view, place.scope, place.where)
    reader = reader_of(store, place.run, settings)
    for page in pages(keys):
        values = store.measures(place.view, page)
        found = store.findings(place.view, page)
        inferred = store.inferred_fields(page)
        rows = store.rows(place.run, place.view, page)
        raws = store.raws([row.pk for row in rows if len(row.query) >= QUERY_CUT])
        for row in rows:
            suggestion, secondary = found[row.pk]
            measures, missing, _ = values[row.pk]
            if row.pk in raws:
                row = replace(row, query=reader.read(raws[row.pk]).query or row.query)
            diagnosis = Diagnosis(suggestion, secondary, row.failing, row.layers, row.first_rank)
            yield MeasuredCase(row, diagnosis, measures, missing, inferred.get(row.pk, ()))


def pages(keys: array[int]) -> Iterator[array[int]]:
    """The keys, some hundred at a time."""
    for start in range(0, len(keys), PAGE):
        yield keys[start : start + PAGE]


def key_of(store: Store, run: RunSummary, case: int | str) -> int:
    """The primary key of a case given by its key or its id.

    Raises:
        TriageError: the run has no such case.
    """
    if isinstance(case, int):
        return case
    found = store.pk_of(run.pk, case)
    if found is None:
        raise TriageError("no such case", f"{case} in {run.id}", f"triage cases {run.id} lists them")
    return found


def keys_of(store: Store, run: RunSummary, case_ids: Sequence[str]) -> dict[int, str]:
    """Case ids by their primary keys, in the order given.

    Raises:
        TriageError: the run has no such case.
    """
    found = store.pks_of(run.pk, case_ids)
    for case_id in case_ids:
        if case_id not in found:
            key_of(store, run, case_id)
    return {found[case_id]: case_id for case_id in case_ids}


def detail(place: Place, case: int | str, settings: Settings) -> CaseDetail:
    """A case whole.

    Raises:
        TriageError: the run has no such case.
    """
    # Imported here because a list is shown without a single record being read.
    from triage.citations.check import check
    from triage.citations.resolve import resolve

    store, run = place.store, place.run
    parts = store.detail_parts(run, place.view, key_of(store, run, case))
    record = reader_of(store, run, settings).read(parts.raw)
    row = parts.row if record.query is None else replace(parts.row, query=record.query)
    return CaseDetail(
        row=row,
        run=run.id,
        revision=run.revision,
        k=place.scope.k or run.k,
        header=store.header(run.pk, with_kb_ids=False),
        raw=parts.raw,
        record=record,
        diagnosis=parts.diagnosis,
        measures=parts.measures,
        missing=parts.missing,
        inferred=parts.inferred,
        citations=tuple(resolve(record)),
        events=parts.events,
        earlier=parts.earlier,
        problems=tuple(CaseProblem(one.field, one.reason) for one in parts.problems),
        sentences=check(record),
    )
