"""The sentences of stored answers checked, and the run measured anew with what was found."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from triage.ingest.cancel import check
from triage.ingest.checked import checker
from triage.ingest.load import PAUSE
from triage.ingest.stored import StoredReader
from triage.ingest.views import GAP, measure_view
from triage.models.run import Progress, RunSummary
from triage.store.checks import Gone

if TYPE_CHECKING:
    from triage.settings import Settings
    from triage.store import Store

BATCH = 100
"""Cases a transaction: what a killed check loses at most."""


def check_run(
    store: Store,
    run: RunSummary,
    settings: Settings,
    progress: Callable[[Progress], None] | None = None,
    cancel: threading.Event | None = None,
) -> bool:
    """Check what is not checked of a run's answers, then measure the run anew at every K that is in use.

    It goes on where another check was stopped or killed; of a file that was loaded anew only what changed is
    checked. Nobody waits for it: its transactions are short, and the measures change places at once.

    Args:
        store: this thread's own.
        run: the run at its newest revision.
        settings: as the run is read with.
        progress: called a few times a second, stages "checking" and "measuring".
        cancel: stops it once it is set; what is checked by then stays.

    Returns:
        True when nothing is left to be done; False where another process is at it, or the run has gone.

    Raises:
        Cancelled: `cancel` was set.
        Busy: another process held the database for too long; what is checked by then stays.
    """
    lock = store.checks.lock(run.pk)
    if lock is None:
        return False
    try:
        _answers(store, run, settings, progress, cancel)
        for _, k in store.checks.stale_views(run.pk):
            measure_view(store, run, k, settings, progress, cancel, beside=True)
        return store.checks.complete(run.pk) and not store.checks.stale_views(run.pk)
    except Gone:
        return False
    finally:
        lock.release()


def _answers(
    store: Store,
    run: RunSummary,
    settings: Settings,
    progress: Callable[[Progress], None] | None,
    cancel: threading.Event | None,
) -> None:
    checks, rev = store.checks, run.pk
    if checks.complete(rev):
        return
    checks.begin(rev)
    options, run_cites = store.options(rev)
    stored = StoredReader(options.mapping, settings, run_cites)
    sibling = checks.sibling(rev)
    said = checker()
    total, done = checks.missing(rev), 0
    started = told = time.monotonic()
    for batch in checks.unchecked(rev, BATCH):
        check(cancel)
        known = checks.carried(sibling, [pk for pk, _ in batch]) if sibling is not None else {}
        checks.add(
            rev,
            [
                (pk, known[pk] if pk in known else said(stored.read(raw, both_sources=False)))
                for pk, raw in batch
            ],
        )
        done += len(batch)
        now = time.monotonic()
        if progress is not None and now - told >= PAUSE:
            told = now
            progress(Progress(run.id, done, 0, done, total, now - started, "checking"))
        time.sleep(GAP)
    checks.settle(rev)
