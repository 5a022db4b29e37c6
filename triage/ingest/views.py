"""A run's stored cases, measured anew at another K."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
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


def ensure_view(
    store: Store,
    run: RunSummary,
    k: int,
    settings: Settings,
    progress: Callable[[Progress], None] | None = None,
    cancel: threading.Event | None = None,
) -> int:
    """The view of a run at `k`, measured now where there is none, or none that these settings would give.

    Returns:
        The view's primary key.

    Raises:
        Cancelled: `cancel` was set; nothing is left of the new view.
    """
    found = store.view(run.pk, k, settings.failing_confidence)
    if found is not None:
        return found
    options, run_cites = store.options(run.pk)
    stored = StoredReader(options.mapping, settings, run_cites)
    scoring = scoring_of(store.header(run.pk), settings, dedup_docs=options.dedup_docs, k=k)
    examine = Examiner(scoring).examine
    started = told = time.monotonic()
    done = 0
    with store.begin_view(run.pk, k, scoring) as writer:
        for batch in store.raw_records(run.pk):
            check(cancel)
            rows = [(pk, Measured(*examine(stored.read(raw, both_sources=False)))) for pk, raw in batch]
            writer.add(rows)
            done += len(rows)
            now = time.monotonic()
            if progress is not None and now - told >= PAUSE:
                told = now
                progress(Progress(run.path, done, 0, done, run.records, now - started, "measuring"))
        view = writer.finish()
    store.keep_confidence(view, settings.failing_confidence)
    return view
