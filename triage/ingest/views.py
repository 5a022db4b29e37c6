"""A run's stored cases, measured anew at another K."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from triage.diagnosis import Examiner
from triage.ingest.cancel import check
from triage.ingest.load import PAUSE
from triage.ingest.measuring import scoring_of
from triage.ingest.stored import StoredReader
from triage.models.run import Progress, RunSummary
from triage.store.rows import Measured

if TYPE_CHECKING:
    from triage.settings import Settings
    from triage.store import Store


GAP = 0.002
"""Seconds between two transactions beside the app, for a reviewer's verdict to get in."""
_BATCH = 250
_WAIT = 0.05
"""Seconds between two looks of a thread that waits for another's measures."""
_LOCKS: dict[tuple[Path, int, int], threading.Lock] = {}
"""By database, revision and k: of the threads that ask for the same measures at one time one takes them."""


def ensure_view(
    store: Store,
    run: RunSummary,
    k: int,
    settings: Settings,
    progress: Callable[[Progress], None] | None = None,
    cancel: threading.Event | None = None,
) -> int:
    """The view of a run at `k`, measured now where there is none, or none that these settings would give.

    Of several threads one measures, the others wait for it: a second view would take the first one's place
    under the eyes of who reads it.

    Returns:
        The view's primary key.

    Raises:
        Cancelled: `cancel` was set; nothing is left of the new view.
    """
    lock = _LOCKS.setdefault((store.path, run.pk, k), threading.Lock())
    while not lock.acquire(timeout=_WAIT):
        check(cancel)
    try:
        found = store.view(run.pk, k, settings.sureness)
        return measure_view(store, run, k, settings, progress, cancel) if found is None else found
    finally:
        lock.release()


def measure_view(
    store: Store,
    run: RunSummary,
    k: int,
    settings: Settings,
    progress: Callable[[Progress], None] | None = None,
    cancel: threading.Event | None = None,
    *,
    beside: bool = False,
) -> int:
    """Measure a run at `k` in place of what was measured before, with what the sentence check says of it.

    Args:
        store, run, k, settings: as `ensure_view`.
        progress: called a few times a second, stage "measuring".
        cancel: stops it once it is set.
        beside: others work on the run meanwhile; what they read stays until `Checks.sweep`.

    Returns:
        The view's primary key.

    Raises:
        Cancelled: `cancel` was set; nothing is left of the new view.
    """
    view, checked = _measure(store, run, k, settings, progress, cancel, beside=beside)
    if not checked and store.checks.complete(run.pk):
        # The check came to its end meanwhile, and may have looked for old measures before these were there.
        view, _ = _measure(store, run, k, settings, progress, cancel, beside=True)
    return view


def _measure(
    store: Store,
    run: RunSummary,
    k: int,
    settings: Settings,
    progress: Callable[[Progress], None] | None,
    cancel: threading.Event | None,
    *,
    beside: bool,
) -> tuple[int, bool]:
    """`measure_view`, once; and whether what the sentence check says was there."""
    options, run_cites = store.options(run.pk)
    stored = StoredReader(options.mapping, settings, run_cites)
    header = store.header(run.pk)
    fewest = 0 if header.pass_k else _fewest_attempts(store, run.pk, stored)
    scoring = scoring_of(header, settings, dedup_docs=options.dedup_docs, k=k, fewest_attempts=fewest)
    examine = Examiner(scoring).examine
    checked = store.checks.complete(run.pk)
    started = told = time.monotonic()
    done = 0
    with store.begin_view(run.pk, k, scoring) as writer:
        writer.checked = checked
        for batch in store.raw_records(run.pk, _BATCH if beside else 2000):
            check(cancel)
            said = store.checks.summaries([pk for pk, _ in batch]) if checked else {}
            records = [(pk, stored.read(raw, both_sources=False)) for pk, raw in batch]
            rows = [(pk, Measured(*examine(record, said.get(pk)))) for pk, record in records]
            writer.add(rows)
            done += len(rows)
            now = time.monotonic()
            if progress is not None and now - told >= PAUSE:
                told = now
                progress(Progress(run.path, done, 0, done, run.records, now - started, "measuring"))
            if beside:
                time.sleep(GAP)
        # Kept before anyone sees the view, so that a kill in between leaves none that is taken for another.
        store.keep_sureness(writer.pk, settings.sureness)
        view = writer.finish(linger=beside)
    return view, checked


def _fewest_attempts(store: Store, rev: int, stored: StoredReader) -> int:
    """The smallest number of attempts at a case; 0 = none. Looked for where the load did not, and kept."""
    totals = store.run_totals()
    known = totals.fewest_attempts(rev)
    if known is not None:
        return known
    # Imported here because whoever loads now knows it already.
    from triage.ingest.remarks import Remarks

    remarks = Remarks()
    for batch in store.raw_records(rev):
        for _, raw in batch:
            remarks.attempted(stored.read(raw, both_sources=False))
    totals.keep_fewest_attempts(rev, remarks.fewest_attempts)
    return remarks.fewest_attempts
