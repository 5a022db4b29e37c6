"""The store: one database file as one thread sees it. Every method is one question or one change, told
elsewhere.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triage.store import (
    cases,
    columns,
    details,
    events,
    identity,
    runs,
    selection,
    standing,
    state,
    sweep,
    times,
    totals,
    undo,
)
from triage.store.connection import BUSY_SECONDS, Connection
from triage.store.parts import Parts
from triage.store.testsets import TestSets

if TYPE_CHECKING:
    from triage.models.case import CaseRow
    from triage.models.measure import Finding, Scoring
    from triage.models.query import First, Scope
    from triage.models.record import RunHeader
    from triage.models.run import LoadOptions, Problem, RunSummary
    from triage.models.sureness import Sureness
    from triage.models.verdict import Event, Review
    from triage.store.details import DetailParts
    from triage.store.events import Act, Applied, Who
    from triage.store.filter import Where
    from triage.store.identity import StoredFile
    from triage.store.run_totals import RunTotals
    from triage.store.view_writer import ViewWriter
    from triage.store.writer import RevisionWriter


class Store(Parts):
    """A database of runs, measures and reviews. Belongs to the thread that opens it; use as a context
    manager.

    Args:
        path: the database file.
        create: make it where there is none.
        read_only: never write.
        busy_seconds: how long a write waits for another process before it raises `Busy`.

    Raises:
        TriageError: see `Connection`.
    """

    def __init__(
        self, path: Path, *, create: bool = False, read_only: bool = False, busy_seconds: float = BUSY_SECONDS
    ) -> None:
        self._connection = Connection(path, create=create, read_only=read_only, busy_seconds=busy_seconds)
        self._sql = self._connection.sql
        self._sets: tuple[tuple[int, int], TestSets] | None = None
        self._news: tuple[int, object] | None = None

    @property
    def path(self) -> Path:
        """The database file."""
        return self._connection.path

    @property
    def notices(self) -> tuple[str, ...]:
        """Sentences to tell the user once: a network file system, a migration and its backup."""
        return tuple(self._connection.notices)

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        self._connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def stop_when(self, stopped: Callable[[], bool] | None) -> None:
        """Give up long questions (keys, counts, sums) with `Stopped` once `stopped` is true; None: never."""
        self._connection.stopped = stopped

    def write(self) -> AbstractContextManager[sqlite3.Connection]:
        """One write transaction (BEGIN IMMEDIATE ... COMMIT), for tests and tools; see `Connection.write`."""
        return self._connection.write()

    def data_version(self) -> int:
        """A number that changes when another connection has committed."""
        return int(self._sql.execute("PRAGMA data_version").fetchone()[0])

    def news(self) -> object:
        """A value that differs once somebody has changed runs, baselines or reviews."""
        version = self.data_version()
        if self._news is None or self._news[0] != version:
            self._news = (version, runs.news(self._sql))
        return self._news[1]

    def _test_sets(self) -> TestSets:
        now = (self.data_version(), self._sql.total_changes)
        if self._sets is None or self._sets[0] != now:
            self._sets = (now, TestSets(self._sql))
        return self._sets[1]

    # runs

    def runs(self) -> list[RunSummary]:
        """Every loaded run at its newest finished revision, newest first; without metrics."""
        return runs.runs(self._sql, self._test_sets())

    def run(self, run_id: str) -> RunSummary | None:
        """A run by its id, None where it is not loaded."""
        return runs.run(self._sql, run_id, self._test_sets())

    def newest(self) -> RunSummary | None:
        """The newest run, None where there is none."""
        return runs.newest(self._sql, self._test_sets())

    def header(self, rev: int, *, with_kb_ids: bool = True) -> RunHeader:
        """A revision's header; TriageError where there is no such revision."""
        return runs.header(self._sql, rev, with_kb_ids=with_kb_ids)

    def options(self, rev: int) -> tuple[LoadOptions, bool]:
        """How a revision's file was read, and whether any of its records cites."""
        return runs.options(self._sql, rev)

    def problems(self, rev: int) -> list[Problem]:
        """What could not be used of a revision's file, in file order."""
        return runs.problems(self._sql, rev)

    def warnings(self, rev: int) -> list[str]:
        """What reading a revision's file told beside its problems."""
        return runs.warnings(self._sql, rev)

    def known_keys(self, rev: int) -> frozenset[str]:
        """The records' own keys seen in a revision, dotted."""
        return runs.known_keys(self._sql, rev)

    def metric_bits(self) -> dict[str, int]:
        """Of every stored metric its bit (0 = lowest) in `measures.missing` and the columns like it."""
        return {metric.key: metric.mask.bit_length() - 1 for metric in columns.columns(self._sql)}

    def earlier_runs(self, run_id: str) -> list[str]:
        """The earlier runs of the run's test set, newest first."""
        return [member.run_id for member in self._test_sets().earlier(run_id)]

    def set_baseline(self, run_id: str, baseline_id: str | None) -> None:
        """Choose the run to compare a run with; None goes back to the default."""
        runs.set_baseline(self._connection, run_id, baseline_id)

    def pin_baseline(self, run_id: str) -> None:
        """Make a run the default baseline of its test set."""
        runs.pin(self._connection, run_id, times.now())

    def remove(self, run_ids: Sequence[str], with_reviews: bool = False) -> None:
        """Let go of runs; their reviews come back with them unless `with_reviews`."""
        runs.remove(self._connection, run_ids, with_reviews)

    def run_totals(self) -> RunTotals:
        """What all loaded runs add up to, and what hangs on each."""
        from triage.store.run_totals import RunTotals

        return RunTotals(self._connection, self._test_sets())

    def cleanup(self) -> int:
        """Delete what killed writers left, not what is being written. Returns how many things went."""
        return sweep.cleanup(self._connection)

    # loading

    def find_file(self, path: Path, sha256: str | None = None) -> StoredFile | None:
        """What is known of a file by its resolved path, or by its bytes where its header names the run."""
        return identity.find_file(self._sql, path, sha256)

    def begin(
        self,
        *,
        path: Path,
        format: str,
        sha256: str,
        size: int,
        mtime_ns: int,
        options: LoadOptions,
        header: RunHeader | None = None,
        scoring: Scoring | None = None,
        grows: int | None = None,
    ) -> RevisionWriter:
        """Begin a revision. `header` and `scoring` are given where they are known before the first record.

        `grows` is the revision that it takes the place of, where the file only got longer.
        """
        from triage.store.writer import RevisionWriter

        return RevisionWriter(
            self._connection, path=path, format=format, sha256=sha256, size=size, mtime_ns=mtime_ns,
            options=options,
            header=header, scoring=scoring, grows=grows,
        )  # fmt: skip

    def view(self, rev: int, k: int, sureness: Sureness | None = None) -> int | None:
        """The view that holds a revision's measures at a K, None where it is still to be measured.

        With `sureness` (`Settings.sureness`) a view that was decided by other confidences is none.
        """
        found = runs.view(self._sql, rev, k)
        while found is not None and sureness is not None:
            fits = state.has_sureness(self._connection, found, sureness)
            asked, found = found, runs.view(self._sql, rev, k)
            # One that went between the two questions took what it was decided by along.
            if asked == found:
                return found if fits else None
        return found

    def keep_sureness(self, view: int, sureness: Sureness) -> None:
        """Keep with a view the confidences that it was decided by."""
        state.keep_sureness(self._connection, view, sureness)

    def begin_view(self, rev: int, k: int, scoring: Scoring) -> ViewWriter:
        """Begin the measures of a revision's cases at a K."""
        from triage.store.view_writer import ViewWriter

        return ViewWriter(self._connection, rev, k, scoring)

    def raw_records(self, rev: int, batch: int = 2000) -> Iterator[list[tuple[int, str]]]:
        """(primary key, JSON text as it came) of a revision's records in file order, `batch` at a time."""
        return sweep.raw_records(self._connection, rev, batch)

    # cases

    def keys(
        self, run: RunSummary, view_pk: int, scope: Scope, where: Where, first: First | None = None
    ) -> array[int]:
        """The primary keys of a scope's cases in its order; UsageError for an unknown sort key or metric."""
        with self._connection.question() as sql:
            return selection.keys(sql, run, view_pk, scope, where, first)

    def count(self, run: RunSummary, view_pk: int, scope: Scope, where: Where) -> int:
        """How many cases a scope has."""
        with self._connection.question() as sql:
            return totals.count(sql, run, view_pk, scope, where)

    def rows(self, run: RunSummary, view_pk: int, pks: Sequence[int]) -> list[CaseRow]:
        """The list rows of cases, in the order given; a key that is no case of the view is left out."""
        return cases.rows(self._sql, run, view_pk, pks, self.earlier_runs(run.id))

    def cells(
        self, run: RunSummary, view_pk: int, pks: Sequence[int], names: Sequence[str]
    ) -> dict[int, dict[str, Any]]:
        """Of each case the values of fields and metrics by name; texts are cut."""
        # Imported here because a list without further columns needs none.
        from triage.store.cells import cells

        return cells(self._sql, run, view_pk, pks, names)

    def pk_of(self, rev: int, case_id: str) -> int | None:
        """The primary key of a case, None where the revision has no such case."""
        return cases.key_of(self._sql, rev, case_id)

    def pks_of(self, rev: int, case_ids: Sequence[str]) -> dict[str, int]:
        """The primary keys of cases by their ids; a case that the revision does not have is left out."""
        return cases.keys_of(self._sql, rev, case_ids)

    def ids_of(self, pks: Sequence[int]) -> dict[int, str]:
        """The case ids of primary keys."""
        return cases.ids_of(self._sql, pks)

    def raws(self, pks: Sequence[int]) -> dict[int, str]:
        """The records as they came, by primary key."""
        return cases.raws(self._sql, pks)

    def measures(
        self, view_pk: int, pks: Sequence[int]
    ) -> dict[int, tuple[dict[str, float | None], tuple[str, ...], tuple[str, ...]]]:
        """Of each case: its value by metric key, the keys missing, those that used an inferred field."""
        return cases.measures(self._sql, view_pk, pks)

    def findings(self, view_pk: int, pks: Sequence[int]) -> dict[int, tuple[Finding, tuple[Finding, ...]]]:
        """Of each case: the suggestion, and the other rules that fired."""
        return cases.findings(self._sql, view_pk, pks)

    def inferred_fields(self, pks: Sequence[int]) -> dict[int, tuple[str, ...]]:
        """Of each case: the fields that reading filled in."""
        return cases.inferred_fields(self._sql, pks)

    def summed(self, run: RunSummary, view_pk: int, where: Where) -> totals.Summed:
        """Every measured metric summed over the cases that pass the filter, and how many of each kind."""
        with self._connection.question() as sql:
            return totals.summed(sql, run, view_pk, where)

    def detail_parts(self, run: RunSummary, view_pk: int, pk: int) -> DetailParts:
        """Everything about one case; TriageError where it is gone."""
        return details.detail_parts(self._sql, run, view_pk, pk, self._test_sets())

    # reviews

    def add_events(self, run: RunSummary, acts: Sequence[Act], who: Who) -> Applied:
        """Append what one keypress did, in one transaction that is on the disk when this returns."""
        return events.add_events(self._connection, run, acts, who)

    def undo(self, run: RunSummary, who: Who) -> Applied:
        """Take back this reviewer's last action of this sitting; TriageError where that cannot be."""
        return undo.undo(self._connection, run, who)

    def redo(self, run: RunSummary, who: Who) -> Applied:
        """Bring back what this reviewer's last undo took back; TriageError where that cannot be."""
        return undo.redo(self._connection, run, who)

    def history(self, run_id: str, case_id: str) -> list[Event]:
        """The review events on a case in a run, newest last; those taken back are marked `undone`."""
        return standing.load(self._sql, run_id, case_id)

    def review(self, run: RunSummary, case_id: str) -> Review | None:
        """What the events on a case add up to, None where there is nothing."""
        return standing.review(self._sql, run.id, case_id, run.pk)

    # the app's own

    def state(self, key: str, default: Any = None) -> Any:
        """The JSON value kept under a key."""
        return state.get(self._connection, key, default)

    def set_state(self, key: str, value: Any) -> None:
        """Keep a JSON value under a key; None removes it."""
        state.put(self._connection, key, value)

    def draft(self, reviewer: str, run_id: str, case_id: str) -> str | None:
        """The text of a note that was begun and not saved."""
        return state.draft(self._connection, reviewer, run_id, case_id)

    def save_draft(self, reviewer: str, run_id: str, case_id: str, text: str) -> None:
        """Keep the text of a note that is being written."""
        state.save_draft(self._connection, reviewer, run_id, case_id, text, times.now())

    def drop_draft(self, reviewer: str, run_id: str, case_id: str) -> None:
        """Forget a draft."""
        state.drop_draft(self._connection, reviewer, run_id, case_id)

    def drafts(self, reviewer: str) -> list[tuple[str, str, str]]:
        """A reviewer's drafts as (run id, case id, text), newest first."""
        return state.drafts(self._connection, reviewer)
