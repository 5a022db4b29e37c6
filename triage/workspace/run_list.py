"""The list of loaded runs: what each adds up to, and what removing one would take away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from triage.errors import TriageError
from triage.metrics.metric import PANELS
from triage.metrics.registry import METRICS, combine_all
from triage.models.measure import MetricValue
from triage.models.run import LoadOptions, RunSummary
from triage.models.run_list import Removal, RunEntry, RunFigures
from triage.workspace.cases import view_of

if TYPE_CHECKING:
    from triage.settings import Settings
    from triage.store import Store
    from triage.workspace.stores import Stores

_Kept = tuple[dict[str, MetricValue], int]


class RunList:
    """Every loaded run with its figures, newest first. Calls block; any thread may make them."""

    def __init__(self, stores: Stores, settings: Callable[[], Settings]) -> None:
        self._stores, self._settings = stores, settings
        # A finished view never changes, so what it adds up to is worked out once.
        self._known: dict[tuple[str, str, int], _Kept] = {}

    def entries(self) -> list[RunEntry]:
        """The runs alone, at once: without figures, and without a look at their files."""
        store = self._stores.reading()
        if store is None:
            return []
        runs = store.runs()
        totals = store.run_totals()
        family = totals.families(runs)
        pinned = set(totals.pins(family))
        return [RunEntry(run, family[run.id], run.id in pinned) for run in runs]

    def filled(self) -> list[RunEntry]:
        """The runs with their figures, configuration and whether their files are there.

        A run that was not measured yet as these settings would have it has no figures: see `measured`.
        """
        entries = self.entries()
        store = self._stores.reading()
        return [] if store is None else self._fill(store, entries)

    def measured(self, run_id: str) -> RunEntry | None:
        """One run with its figures, measured now where that was still to be done; None where it is gone.

        It may take seconds, a few ten thousand cases each.
        """
        store = self._stores.reading()
        found = [entry for entry in self.entries() if entry.run.id == run_id]
        if store is None or not found:
            return None
        run = found[0].run
        view_of(store, run, run.k, self._settings())
        base = store.run(run.baseline) if run.baseline is not None else None
        if base is not None:
            view_of(store, base, run.k, self._settings())
        return self._fill(store, found)[0]

    def all_measured(self) -> list[RunEntry]:
        """`filled`, with what is still to be measured measured first."""
        return [
            (self.measured(entry.run.id) or entry) if entry.figures is None else entry
            for entry in self.filled()
        ]

    def removal(self, run_id: str) -> Removal:
        """What removing a run would take away, and what would stay.

        Raises:
            TriageError: it is not loaded.
        """
        return self._stores.writing().run_totals().removal(run_id)

    def options(self, run_id: str) -> LoadOptions:
        """How the run's file was read, so that it can be read in the same way again.

        Raises:
            TriageError: it is not loaded.
        """
        store = self._stores.writing()
        run = store.run(run_id)
        if run is None:
            raise TriageError("no such run", run_id, "triage runs lists them")
        return store.options(run.pk)[0]

    def unpin(self, run_id: str) -> None:
        """Let a run be its test set's default baseline no longer."""
        self._stores.writing().run_totals().unpin(run_id)

    def _fill(self, store: Store, entries: Sequence[RunEntry]) -> list[RunEntry]:
        totals = store.run_totals()
        views = totals.views(self._settings().sureness)
        revs = {entry.run.id: entry.run.pk for entry in entries}
        for entry in entries:
            if entry.run.baseline is not None and entry.run.baseline not in revs:
                other = store.run(entry.run.baseline)
                if other is not None:
                    revs[other.id] = other.pk
        own = {entry.run.id: views.get((entry.run.pk, entry.run.k)) for entry in entries}
        bases = {
            entry.run.id: views.get((revs.get(entry.run.baseline or "", -1), entry.run.k))
            for entry in entries
        }
        kept = self._add_up(store, {view for view in (*own.values(), *bases.values()) if view is not None})
        reviewed = totals.reviewed((entry.run.pk, own[entry.run.id]) for entry in entries)
        configs = totals.configurations([entry.run.pk for entry in entries])
        out = []
        for entry in entries:
            run, figures = entry.run, None
            view, base_view = own[run.id], bases[run.id]
            if view is not None:
                metrics, failing = kept[view]
                base = kept[base_view][0] if base_view is not None else {}
                said = reviewed.get(run.pk)
                figures = RunFigures(
                    metrics, base, failing, said.triaged if said else 0, said.verdicts if said else {}
                )
            config = configs.get(run.pk, {})
            out.append(replace(entry, figures=figures, present=_is_there(run.path), config=config))
        return out

    def _add_up(self, store: Store, wanted: set[int]) -> dict[int, _Kept]:
        # The stamps tell one database file from another that was put in its place.
        stamps = store.run_totals().stamps(wanted)
        missing = [view for view in wanted if stamps[view] not in self._known]
        for view, found in store.run_totals().totals(missing).items():
            self._known[stamps[view]] = combine_all(found.aggregates), found.failing
        return {view: self._known[stamps[view]] for view in wanted}


def _is_there(path: str) -> bool | None:
    try:
        return Path(path).exists()
    except OSError:
        # A folder that may not be looked into tells nothing of what it holds.
        return None


def headlines(entries: Sequence[RunEntry]) -> list[str]:
    """A metric for each panel, in the order of the layers: the first recorded one, in most of the runs.

    A panel in which no run has anything recorded has none.
    """
    first: dict[str, Counter[str]] = {panel: Counter() for panel in PANELS}
    for entry in entries:
        if entry.figures is not None:
            for panel, keys in _BY_PANEL.items():
                found = next((key for key in keys if recorded(entry, key)), None)
                if found is not None:
                    first[panel][found] += 1
    order = {metric.key: place for place, metric in enumerate(METRICS)}
    chosen = (max(counts, key=lambda key: (counts[key], -order[key])) for counts in first.values() if counts)
    return list(chosen)


_BY_PANEL = {panel: [metric.key for metric in METRICS if metric.panel == panel] for panel in PANELS}


def recorded(entry: RunEntry, key: str) -> bool:
    """Has the run a value of this metric?"""
    return value_of(entry, key) is not None


def value_of(entry: RunEntry, key: str) -> float | None:
    """The run's value of a metric, None where it has none."""
    if entry.figures is None:
        return None
    found = entry.figures.metrics.get(key)
    return None if found is None else found.value


def differences(entry: RunEntry, base: RunEntry) -> list[tuple[str, str | None, str | None]]:
    """(key, the baseline's value, the run's value) where two configurations differ; None = not there."""
    keys = dict.fromkeys((*entry.config, *base.config))
    return [
        (key, base.config.get(key), entry.config.get(key))
        for key in keys
        if base.config.get(key) != entry.config.get(key)
    ]


def file_size(count: int) -> str:
    """Bytes in at most 5 characters: `830`, `6.2k`, `14k`, `1.3M`."""
    size, unit = float(count), ""
    for unit in ("", "k", "M", "G", "T"):  # noqa: B007
        if size < 999.5:
            break
        size /= 1000
    return f"{size:.0f}{unit}" if not unit or size >= 9.95 else f"{size:.1f}{unit}"


def runs_of_family(entries: Sequence[RunEntry]) -> dict[str, list[RunEntry]]:
    """The runs of each test set, oldest first."""
    out: dict[str, list[RunEntry]] = {}
    for entry in sorted(entries, key=_age):
        out.setdefault(entry.family, []).append(entry)
    return out


def _age(entry: RunEntry) -> tuple[str, str, str]:
    run: RunSummary = entry.run
    return run.created_at, run.loaded_at, run.id
