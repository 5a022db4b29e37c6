"""One run file into the database: read, measured and stored in one pass, seen only once it is whole."""

from __future__ import annotations

import contextlib
import gc
import os
import threading
import time
from array import array
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from triage.diagnosis import Examiner
from triage.formats import RunFileError, RunReader, effective, read_run
from triage.formats.document import Found
from triage.formats.source import Digest, digest
from triage.ingest.batch import BatchReader, Job, Outcome, Setup, with_texts
from triage.ingest.cancel import Cancelled, check
from triage.ingest.checked import SMALL
from triage.ingest.crew import Crew, helpers
from triage.ingest.measuring import scoring_of
from triage.ingest.remarks import Remarks
from triage.ingest.reports import SHOWN_PROBLEMS, failed, plain, unchanged
from triage.ingest.stored import StoredReader
from triage.models.run import FileReport, LoadOptions, Problem, Progress, Stage
from triage.store import LoadedMeanwhile
from triage.store.rows import Measured

if TYPE_CHECKING:
    from triage.models.measure import Scoring
    from triage.models.record import Record
    from triage.settings import Settings
    from triage.store import Store
    from triage.store.writer import RevisionWriter

__all__ = ["Cancelled", "load_file"]

BATCH = 250
"""Records a transaction: short enough that a reviewer who tags meanwhile never waits."""
PAUSE = 0.25
"""Least seconds between two progress calls."""
GAP = 0.001
"""Seconds between two transactions that follow each other at once."""


def load_file(
    store: Store,
    path: Path,
    options: LoadOptions,
    settings: Settings,
    progress: Callable[[Progress], None] | None = None,
    cancel: threading.Event | None = None,
    *,
    grows: bool = False,
    aside: bool = False,
) -> FileReport:
    """Load a run file, unless the same bytes were loaded in the same way before.

    A file that holds no run gives a report with status "failed" that says why; what was loaded from it
    earlier stays.

    Args:
        store: this thread's own.
        path: the file.
        options: `--map`, `--set`, `--dedup-docs`.
        settings: their `[run]` and `[map]` lie below the options.
        progress: called at most four times a second.
        cancel: stops the load once it is set.
        grows: the file is being followed: where it only got longer, it is the same revision with more cases.
        aside: the sentences of a large file's answers are checked later, by somebody else.

    Raises:
        Cancelled: `cancel` was set; nothing of the file is left.
        UsageError: an option that can't be used.
        Busy: another process held the database for too long; nothing of the file is left.
    """
    options = plain(effective(options, settings))
    # Links are followed to the file itself; a loop of links is told when it is opened.
    place = Path(os.path.realpath(path))
    try:
        with read_run(place, options, settings) as reader, _without_sweeps():
            load = _Load(store, path, reader, options, settings, progress, cancel, aside=aside)
            known = store.find_file(place) if grows else None
            found = digest(place, load.pulse, known.size if known is not None else 0)
            before = unchanged(store, path, place, found.sha256, options)
            if before is not None:
                return before
            same = known is not None and known.options == options and found.begins == known.sha256
            try:
                return load.run(place, found, known.rev if known is not None and same else None)
            except LoadedMeanwhile:
                before = unchanged(store, path, place, found.sha256, options)
                if before is None:
                    raise
                return before
    except RunFileError as error:
        problem = Problem("record", None, None, None, error.reason(path, place))
        return failed(path, None, 0, (problem,), ())


@contextlib.contextmanager
def _without_sweeps() -> Iterator[None]:
    """Leave garbage alone: a load makes hardly any, and every sweep goes through all that it holds."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class _Load:
    """One file on its way in."""

    def __init__(
        self,
        store: Store,
        path: Path,
        reader: RunReader,
        options: LoadOptions,
        settings: Settings,
        progress: Callable[[Progress], None] | None,
        cancel: threading.Event | None,
        *,
        aside: bool,
    ) -> None:
        self._store = store
        self._path = path
        self._reader = reader
        self._options = options
        self._settings = settings
        self._progress = progress
        self._cancel = cancel
        self._aside = aside
        self._started = self._told = time.monotonic()
        self._writer: RevisionWriter | None = None
        self._scoring = self._scoring_now()
        self._undecided = array("q")
        self._run_cites = False
        self._problems: list[Problem] = []
        self._unsaved: list[Problem] = []
        self._problem_count = 0
        self._remarks = Remarks()
        self._own: BatchReader | None = None
        self._crew: Crew | None = None
        self._sent: deque[tuple[Job, Future[bytes]]] = deque()
        self._met = 0

    def _scoring_now(self) -> Scoring:
        return scoring_of(self._reader.header, self._settings, dedup_docs=self._options.dedup_docs)

    def run(self, place: Path, found: Digest, grows: int | None) -> FileReport:
        """Load it.

        Args:
            place: the file itself, links followed.
            found: its bytes.
            grows: the revision that these bytes begin with; they are that same revision, grown.

        Raises:
            as `load_file`; whatever happens, nothing is left of a load that did not come to its end.
        """
        reader = self._reader
        try:
            for batch in reader.batches(BATCH):
                self.pulse()
                if self._writer is None:
                    self._begin(place, found, grows)
                self._send(batch)
            while self._sent:
                self._receive()
            reader.conclude()
            self._keep(reader.problems)
            if self._writer is None or not reader.records:
                return self._nothing()
            return self._end(self._writer)
        finally:
            if self._crew is not None:
                self._crew.close()
            # Does nothing after a finished load.
            if self._writer is not None:
                self._writer.abort()

    def _begin(self, place: Path, found: Digest, grows: int | None) -> None:
        known = self._reader.header_known
        self._scoring = self._scoring_now()
        self._writer = self._store.begin(
            path=place,
            format=self._reader.format,
            sha256=found.sha256,
            size=found.size,
            mtime_ns=found.mtime_ns,
            options=self._options,
            header=self._reader.header if known else None,
            # A header that comes last seldom changes how cases are measured, so they are measured at once.
            scoring=self._scoring,
            grows=grows,
        )
        self._writer.checked = not self._aside or found.size <= SMALL
        setup = Setup(
            mapping=self._options.mapping,
            settings=self._settings,
            unit=self._reader.unit,
            scoring=self._scoring,
            metric_bits=self._writer.metric_bits,
            rev=self._writer.pk,
            view=self._writer.view,
            versions=self._writer.versions,
            check=self._writer.checked,
        )
        self._own = BatchReader(setup)
        count = helpers(found.size)
        self._crew = Crew(setup, count) if count else None

    def _send(self, batch: list[Found]) -> None:
        """Have a batch read: by a helper as soon as there are any, until then here."""
        job = Job(self._met, batch, self._run_cites)
        self._met += len(batch)
        crew = self._crew
        if crew is not None and crew.ready:
            self._sent.append((job, crew.submit(job)))
            if len(self._sent) > crew.most:
                self._receive()
            return
        while self._sent:
            self._receive()
        self._take(self._read(job))

    def _read(self, job: Job) -> Outcome:
        assert self._own is not None
        return self._own.read(job._replace(run_cites=self._run_cites), self._reader.seen)

    def _receive(self) -> None:
        """Take the outcome of the batch that was sent first."""
        job, future = self._sent.popleft()
        assert self._crew is not None
        while True:
            try:
                outcome = self._crew.outcome(future, PAUSE)
                break
            except TimeoutError:
                self.pulse()
        if outcome is None or self._is_stale(job, outcome):
            outcome = self._read(job)
        else:
            with_texts(outcome, job)
        self._take(outcome)

    def _is_stale(self, job: Job, outcome: Outcome) -> bool:
        """Would the batch have been read otherwise, had all been known that stands before it?"""
        if outcome.undecided and self._run_cites and not job.run_cites:
            return True
        return not self._reader.seen.keys().isdisjoint(outcome.ids)

    def _take(self, outcome: Outcome) -> None:
        check(self._cancel)
        assert self._writer is not None
        if outcome.rows.cases:
            self._writer.add_packed(outcome.rows)
            if self._sent:
                # With helpers there would be no other moment for a reviewer's verdict to get in.
                time.sleep(GAP)
        self._reader.took(
            outcome.ids,
            outcome.rejected,
            outcome.problems,
            exported=outcome.exported,
            unused=outcome.unused,
        )
        self._run_cites = outcome.run_cites or self._run_cites
        self._undecided.extend(outcome.undecided)
        self._remarks.add(outcome.remarks)
        self._keep(outcome.problems)

    def _keep(self, problems: list[Problem]) -> None:
        self._problem_count += len(problems)
        self._problems += problems[: max(0, SHOWN_PROBLEMS - len(self._problems))]
        self._unsaved += problems
        if self._writer is not None and self._unsaved:
            self._writer.add_problems(self._unsaved)
            self._unsaved.clear()

    def _nothing(self) -> FileReport:
        """No record was accepted: an earlier revision of the run, if there is one, stays as it is."""
        reader = self._reader
        problems = tuple(self._problems)
        if not reader.rejected:
            problems += (Problem("record", None, None, None, "no records"),)
        return failed(self._path, reader.format, reader.rejected, problems, tuple(reader.warnings))

    def _end(self, writer: RevisionWriter) -> FileReport:
        reader = self._reader
        header = reader.header
        final = self._scoring_now()
        if final.pass_k is None and self._remarks.attempts_differ:
            final = replace(final, pass_k=self._remarks.fewest_attempts)
        if final != self._scoring:
            self._scoring = final
            writer.measure_with(final)
            self._again(writer, None)
        elif self._run_cites and self._undecided:
            self._again(writer, frozenset(self._undecided))
        warnings = [*reader.warnings, *self._remarks.sentences(header.score_scale, reader.records)]
        check(self._cancel)
        self._store.keep_sureness(writer.view, self._settings.sureness)
        run_id, number, _ = writer.finish(
            run_id=header.id,
            header=header,
            k=header.k,
            warnings=warnings,
            records=reader.records,
            rejected=reader.rejected,
            run_cites=self._run_cites,
            fewest_attempts=self._remarks.fewest_attempts,
        )
        self._tell("done")
        if self._problem_count > len(self._problems):
            warnings.append(f"{self._problem_count} problems in all, the first {len(self._problems)} listed")
        return FileReport(
            str(self._path),
            reader.format,
            run_id,
            "updated" if writer.again else "loaded",
            reader.records,
            reader.rejected,
            tuple(self._problems),
            tuple(warnings),
            number,
            writer.grown,
        )

    def _again(self, writer: RevisionWriter, only: frozenset[int] | None) -> None:
        """The second pass, over what could not be decided in the first."""
        stored = StoredReader(self._options.mapping, self._settings, self._run_cites)
        examine = Examiner(self._scoring).examine
        for batch in writer.raw_records(BATCH):
            self.pulse("measuring")
            said = writer.summaries([pk for pk, _ in batch]) if writer.checked else {}
            results: list[tuple[int, Record, Measured]] = []
            for pk, raw in batch:
                if only is not None and pk not in only:
                    continue
                record = stored.read(raw, both_sources=False)
                results.append((pk, record, Measured(*examine(record, said.get(pk)))))
            if results:
                writer.replace_measured(results)

    def pulse(self, stage: Stage = "reading") -> None:
        """Tell how far it is, if it is time to.

        Raises:
            Cancelled: the user has called the load off.
        """
        check(self._cancel)
        if self._progress is not None and time.monotonic() - self._told >= PAUSE:
            self._tell(stage)

    def _tell(self, stage: Stage) -> None:
        if self._progress is None:
            return
        self._told = time.monotonic()
        reader = self._reader
        spent = self._told - self._started
        done = reader.total_bytes if stage == "done" else reader.done_bytes
        total = reader.total_bytes
        name = str(self._path)
        self._progress(Progress(name, reader.records, reader.rejected, done, total, spent, stage))
