"""Stored records read back, and measured anew at another K."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from triage.diagnosis import Examiner
from triage.formats import read_stored
from triage.formats.infer import infer
from triage.formats.mapping import FieldMap
from triage.ingest.cancel import Cancelled
from triage.ingest.measuring import scoring_of
from triage.models.run import LoadOptions, Problem, Progress, RunSummary
from triage.store.rows import Measured

if TYPE_CHECKING:
    from triage.models.record import Record
    from triage.settings import Settings
    from triage.store import Store

_PAUSE = 0.25


def is_high_risk(topic: str | None, settings: Settings) -> bool:
    """Is this a topic that a person reads whatever the scores say (aliases included)?"""
    return settings.is_high_risk(topic)


def read_record(
    raw: str, options: LoadOptions, settings: Settings, run_cites: bool
) -> tuple[Record, list[Problem]]:
    """A stored JSON text as the record it was when it was loaded, with what reading inferred.

    Args:
        raw: the record's JSON text as it came.
        options: those stored with its run.
        settings: fallback phrases and topic words.
        run_cites: as stored with its run.
    """
    record, problems = read_stored(raw, FieldMap(options.mapping))
    return infer(record, settings, run_cites), problems


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
    said = store.options(run.pk)
    run_cites = bool(said.pop("run_cites"))
    options = LoadOptions(**said)
    mapping = FieldMap(options.mapping)
    scoring = scoring_of(store.header(run.pk), settings, dedup_docs=options.dedup_docs, k=k)
    examine = Examiner(scoring).examine
    started = told = time.monotonic()
    done = 0
    with store.begin_view(run.pk, k, scoring) as writer:
        for batch in store.raw_records(run.pk):
            if cancel is not None and cancel.is_set():
                raise Cancelled
            rows: list[tuple[int, Measured]] = []
            for pk, raw in batch:
                record = infer(read_stored(raw, mapping)[0], settings, run_cites, both_sources=False)
                rows.append((pk, Measured(*examine(record))))
            writer.add(rows)
            done += len(rows)
            now = time.monotonic()
            if progress is not None and now - told >= _PAUSE:
                told = now
                progress(Progress(run.path, done, 0, done, run.records, now - started, "measuring"))
        view = writer.finish()
    store.keep_confidence(view, settings.failing_confidence)
    return view
