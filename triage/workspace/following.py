"""Folders that are followed: which ones, and what a file that came brings with it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from triage.models.arrival import Arrival, Moved, News
from triage.models.query import Scope
from triage.models.run import FileReport, LoadOptions
from triage.paths import is_folder
from triage.workspace.cases import view_of

if TYPE_CHECKING:
    from triage.ingest.watch import Event, Place, Watcher
    from triage.ingest.watch_few import FewFiles
    from triage.models.case import RunView
    from triage.models.run import Progress, RunSummary
    from triage.settings import Settings
    from triage.store import Store
    from triage.workspace.stores import Stores

_KEPT = "followed folders"
_LINES = (".jsonl", ".jsonl.gz")


class Following:
    """Following for one workspace. Calls block; any thread may make them.

    Args:
        stores: the database.
        settings: the settings as they are now.
        view: what the panels show for a scope.
    """

    def __init__(
        self, stores: Stores, settings: Callable[[], Settings], view: Callable[[Scope], RunView]
    ) -> None:
        self._stores, self._settings, self._view = stores, settings, view
        self._met: dict[str, tuple[int, int]] | None = None
        """Run id -> revision and records, as this sitting met the run last; None = nothing is followed."""

    def remember(self, paths: Sequence[Path]) -> None:
        """Keep the folders among `paths`: the app follows them when it is opened without a path."""
        store = self._stores.reading()
        if store is None:
            return
        known: list[str] = store.state(_KEPT, [])
        new = [os.path.realpath(path) for path in paths if is_folder(path)]
        wanted = list(dict.fromkeys([*known, *new]))
        if wanted != known:
            store.set_state(_KEPT, wanted)

    def places(self, given: Sequence[Path], also: Sequence[Path] = ()) -> list[Place]:
        """What to follow: `given`, else what the database knows; and `also`, in any case.

        What it knows are the folders that were given before, with all that is in them, and the folders of
        other runs' files, there only what comes anew.
        """
        from triage.ingest.watch import Place

        if given:
            return [Place(path) for path in (*given, *also)]
        store = self._stores.reading()
        if store is None:
            return [Place(path) for path in also]
        folders = [Path(folder) for folder in store.state(_KEPT, [])]
        beside = {Path(run.path).parent for run in store.runs()}
        inside = {folder for folder in beside if any(folder.is_relative_to(known) for known in folders)}
        return [
            *(Place(path) for path in dict.fromkeys([*folders, *also])),
            *(Place(folder, deep=False, old=False) for folder in sorted(beside - inside)),
        ]

    def watcher(self, places: Sequence[Place], tell: Callable[[Event], None]) -> Watcher | None:
        """Follows places once its `run` is called, in a thread of its own; None where the settings say `off`.

        Args:
            places: of `places`.
            tell: called for each change, in the thread of `run`.
        """
        from triage.ingest.watch import Watcher

        settings = self._settings()
        if settings.watch == "off":
            return None
        store = self._stores.reading()
        known = {} if store is None else store.arrivals.loaded_files()
        self._met = {} if store is None else {run.id: (run.revision, run.records) for run in store.runs()}
        polling = True if settings.watch == "poll" else None
        return Watcher(places, known, tell, polling=polling, poll_seconds=settings.poll_seconds)

    def met(self, reports: Iterable[FileReport]) -> None:
        """These were loaded in this sitting by request: they are no news when their files are seen."""
        if self._met is not None:
            for report in reports:
                if report.run is not None and report.revision is not None:
                    self._met[report.run] = (report.revision, report.records)

    def few_files(self, find: Callable[[], Iterable[Path]]) -> FewFiles:
        """Tells when some of a few files have changed; see there."""
        from triage.ingest.watch_few import FewFiles

        return FewFiles(find)

    def load(
        self,
        path: Path,
        options: LoadOptions,
        progress: Callable[[Progress], None] | None = None,
        cancel: threading.Event | None = None,
    ) -> Arrival:
        """Load a file that came or changed, as it was read the last time; `options` of this sitting win.

        A list that was exported into the folder is no run that came.

        Raises:
            TriageError: the database can't be used, or `cancel` was set.
        """
        from triage.formats import effective
        from triage.ingest import load_file
        from triage.ingest.watch_whole import is_own_export

        began = time.monotonic()
        store = self._stores.writing()
        store.cleanup()
        real = Path(os.path.realpath(path))
        before = store.find_file(real)
        if before is None and is_own_export(path):
            known = FileReport(str(path), None, None, "unchanged")
            return Arrival(known, time.monotonic() - began, expected=False)
        if before is not None:
            options = _over(before.options, effective(options, self._settings()))
        report = load_file(store, path, options, self._settings(), progress, cancel, grows=True, aside=True)
        run = store.run(report.run) if report.run is not None else None
        moved = report.status == "unchanged" and run is not None and not Path(run.path).exists()
        if moved and run is not None:
            store.arrivals.moved(run.pk, real)
        if run is not None and not moved:
            report = self._as_met(report, run)
        return Arrival(
            report,
            time.monotonic() - began,
            None if run is None or report.status == "unchanged" else self._news(store, run),
            before is not None or path.name.lower().endswith(_LINES),
            moved,
        )

    def _as_met(self, report: FileReport, run: RunSummary) -> FileReport:
        """What another process has loaded from the file first is as new to this sitting as its own loads."""
        if self._met is None:
            return report
        now, before = (run.revision, run.records), self._met.get(run.id)
        self._met[run.id] = now
        if report.status != "unchanged" or now == before:
            return report
        return replace(
            report,
            status="loaded" if before is None else "updated",
            revision=run.revision,
            records=run.records,
            rejected=run.rejected,
            grown=before is not None and before[0] == run.revision,
        )

    def _news(self, store: Store, run: RunSummary) -> News:
        view = self._view(Scope(run.id))
        base = store.run(run.baseline) if run.baseline is not None else None
        if base is None:
            return News(run, view.cases, view.failing)
        mine = view_of(store, run, run.k, self._settings())
        theirs = view_of(store, base, run.k, self._settings())
        return News(
            run,
            view.cases,
            view.failing,
            base.id,
            _moved(view),
            store.arrivals.turned(mine, base.pk, theirs),
            store.arrivals.turned(theirs, run.pk, mine),
        )


def _over(stored: LoadOptions, said: LoadOptions) -> LoadOptions:
    return LoadOptions(
        {**stored.mapping, **said.mapping},
        {**stored.header, **said.header},
        stored.dedup_docs or said.dedup_docs,
    )


def _moved(view: RunView) -> tuple[Moved, ...]:
    from triage.metrics.registry import METRICS

    found: list[Moved] = []
    for metric in METRICS:
        now, before = view.metrics.get(metric.key), view.base_metrics.get(metric.key)
        if now is None or before is None or now.value is None or before.value is None:
            continue
        delta = now.value - before.value
        if abs(delta) >= 1e-9:
            found.append(Moved(metric.key, delta, (delta > 0) == metric.higher_is_better))
    return tuple(found)
