"""`Workspace`: every question and every change that a screen or a command has, as one plain call."""

from __future__ import annotations

import os
import threading
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from triage.models.case import CaseDetail, CaseRow, RunView
from triage.models.query import First, Scope
from triage.models.run import FileReport, LoadOptions, Problem, Progress, RunSummary
from triage.models.verdict import ReviewOutcome, Verdict
from triage.paths import is_file
from triage.store import Act, Store, Who
from triage.workspace import cases, reviews
from triage.workspace.cases import MeasuredCase, Outside, Place
from triage.workspace.lasting import lasting
from triage.workspace.parts import Parts
from triage.workspace.reviewer import reviewer_name
from triage.workspace.stores import Stores
from triage.workspace.upkeep import Upkeep

if TYPE_CHECKING:
    from triage.export import ExportFormat, ExportReport
    from triage.settings import Settings
    from triage.workspace.bulk import Bulk
    from triage.workspace.exporting import Exporting

_NOBODY: frozenset[int] = frozenset()


class Workspace(Parts):
    """A database as screens and commands use it. Calls block; any thread may make them.

    Reading makes nothing: without a database there are no runs. Every call reads the database as it is now.

    Args:
        database: the database file; it is made by the first `ingest`.
        settings: the user's settings.
        reviewer: whose verdicts are written; default: see `reviewer_name`.
        now: the clock for review events; default: the system's, in UTC.

    Attributes:
        reviewer: may be changed at any time; it holds for the verdicts that follow.
        upkeep: what is done for the database file itself, and what opening it told.
    """

    def __init__(
        self,
        database: Path,
        settings: Settings,
        *,
        reviewer: str | None = None,
        now: Callable[[], datetime] | None = None,
    ) -> None:
        self.database = database
        self.settings = settings
        self.reviewer = reviewer_name(reviewer, settings.reviewer)
        self._now = now or (lambda: datetime.now(UTC))
        self._sitting = os.urandom(8).hex()
        self._stores = Stores(database)
        self.upkeep = Upkeep(self._stores, database, self._now)

    def close(self) -> None:
        """Let go of the database; a later call opens it again."""
        self._stores.close()

    def stoppable(self, stopped: Callable[[], bool]) -> AbstractContextManager[None]:
        """Within it, this thread's long questions raise `Stopped` as soon as `stopped` is true."""
        return self._stores.stoppable(stopped)

    def changed(self) -> bool:
        """Has another connection written since this thread last asked? Keep asking from one thread."""
        return self._stores.changed()

    # runs

    def ingest(
        self,
        paths: Sequence[Path],
        options: LoadOptions | None = None,
        progress: Callable[[Progress], None] | None = None,
        cancel: threading.Event | None = None,
        *,
        aside: bool = False,
    ) -> list[FileReport]:
        """Load files and folders; a report for each file, none where the folders hold no run files.

        With `aside` the sentences of large files are left to `checking`, so that they can be used sooner.

        Raises:
            TriageError: the database can't be made or used, or `cancel` was set; the files before are loaded.
        """
        from triage.ingest import discover, load_file, not_there

        options = options or LoadOptions()
        files = discover(paths)
        if not any(is_file(file) for file in files):
            # No database is made for a slip of the keyboard.
            return [not_there(file) for file in files]
        store = self._stores.writing()
        store.cleanup()
        self.following.remember(paths)
        reports = [
            load_file(store, file, options, self.settings, progress, cancel, aside=aside) for file in files
        ]
        self.following.met(reports)
        return reports

    def runs(self) -> list[RunSummary]:
        """Every loaded run at its newest revision, newest first; `run_list` has their numbers too."""
        store = self._stores.reading()
        return [] if store is None else store.runs()

    def with_metrics(self, run: RunSummary) -> RunSummary:
        """The run with the metrics of all its cases, at its own K."""
        from triage.metrics.registry import combine_all

        place = self._place(Scope(run.id))
        found = place.store.summed(place.run, place.view, place.where)
        return replace(run, metrics=combine_all(found.aggregates))

    def run_named(self, run_id: str) -> RunSummary | None:
        """The run with this very id, None where there is none."""
        store = self._stores.reading()
        return None if store is None else store.run(run_id)

    def find_run(self, selector: str | None) -> RunSummary:
        """A run by its id, then `latest` (also None).

        Raises:
            TriageError: no such run, or no runs at all.
        """
        return cases.find_run(self._stores.reading(), selector)

    def _run(self, run_id: str) -> tuple[Store, RunSummary]:
        run = self.find_run(run_id)
        store = self._stores.reading()
        assert store is not None
        return store, run

    def problems(self, run_id: str) -> list[Problem]:
        """What could not be used of the run's file, in file order."""
        store, run = self._run(run_id)
        return store.problems(run.pk)

    def warnings(self, run_id: str) -> list[str]:
        """What reading the run's file told beside its problems."""
        store, run = self._run(run_id)
        return store.warnings(run.pk)

    def set_baseline(self, run_id: str, baseline_id: str | None) -> None:
        """Choose the run that a run is compared with; None goes back to the default."""
        self._run(run_id)[0].set_baseline(run_id, baseline_id)

    def pin_baseline(self, run_id: str) -> None:
        """Make a run the default baseline of its test set."""
        self._run(run_id)[0].pin_baseline(run_id)

    def remove(self, run_ids: Sequence[str], with_reviews: bool = False) -> None:
        """Let go of runs; their reviews stay and come back with them, unless `with_reviews`."""
        for run_id in run_ids:
            self._run(run_id)
        if run_ids:
            self._run(run_ids[0])[0].remove(run_ids, with_reviews)

    # cases

    def _place(self, scope: Scope, marked: frozenset[int] = _NOBODY, *, indexed: bool = True) -> Place:
        if scope.drill is not None and scope.drill.similar is not None:
            scope = self.finding.chosen(scope)
        elif scope.drill is not None and scope.drill.slice:
            scope = self.slicing.chosen(scope)
        store, run = self._run(scope.run)
        view = cases.view_of(store, run, scope.k or run.k, self.settings)
        where = cases.condition(store, run, scope, self.settings, self.reviewer, marked, indexed=indexed)
        return Place(store, run, view, where, scope)

    def run_view(self, scope: Scope, marked: frozenset[int] = _NOBODY) -> RunView:
        """What panels and report show: under the scope's filter text, whatever its view or drill-down."""
        return cases.run_view(self._place(scope, marked), self.settings, self.reviewer)

    def case_keys(
        self, scope: Scope, marked: frozenset[int] = _NOBODY, first: First | None = None
    ) -> array[int]:
        """The keys of a scope's cases, in its order; `first`: those alone.

        `marked` are the keys that `is:marked` stands for.

        Raises:
            FilterError: the filter text does not parse.
            UsageError: the sort key or metric is unknown.
            TriageError: no such run.
        """
        # The first of many are found sooner one by one than by an index, which gives all at once.
        place = self._place(scope, marked, indexed=first is None)
        return place.store.keys(place.run, place.view, place.scope, place.where, first)

    def case_rows(self, scope: Scope, pks: Sequence[int], columns: Sequence[str] = ()) -> list[CaseRow]:
        """The list rows of keys, in the order given; a key that is gone is left out.

        `columns` are fields and metrics whose values come along in the rows' `cells`.
        """
        place = self._place(replace(scope, text="", drill=None))
        rows = place.store.rows(place.run, place.view, pks)
        if columns:
            found = place.store.cells(place.run, place.view, pks, columns)
            rows = [replace(row, cells=found.get(row.pk, {})) for row in rows]
        return rows if scope.drill is None else self.finding.liken(scope, rows)

    def case_key(self, scope: Scope, case_id: str) -> int | None:
        """A case's key, None where the run has no such case."""
        store, run = self._run(scope.run)
        return store.pk_of(run.pk, case_id)

    def has_case(self, run_id: str, case_id: str) -> bool:
        """Does the run have a case of this id?"""
        return self.case_key(Scope(run_id), case_id) is not None

    def case_detail(self, scope: Scope, case: int | str) -> CaseDetail:
        """A case whole, by its key or its id.

        Raises:
            TriageError: no such run or case.
        """
        return cases.detail(self._place(replace(scope, text="", drill=None)), case, self.settings)

    def measured_cases(self, scope: Scope) -> Iterator[MeasuredCase]:
        """The scope's cases in its order with measures and suggestions, read as they are asked for."""
        return cases.measured(self._place(scope), self.settings)

    def count_outside(self, scope: Scope, marked: frozenset[int] = _NOBODY) -> Outside:
        """How many of the run's cases a list of this scope does not show, and why."""
        return cases.outside(self._place(scope, marked))

    # reviews

    def _who(self) -> Who:
        stamp = self._now().astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return Who(self.reviewer, self._sitting, stamp)

    def tag(
        self,
        run: str,
        case_ids: Sequence[str],
        verdict: Verdict,
        *,
        labels: Sequence[str] | None = None,
        note: str | None = None,
    ) -> ReviewOutcome:
        """Give cases this reviewer's verdict, one action for all; labels and note where given.

        Raises:
            TriageError: no such run or case, or the note is too long; nothing was written.
            Busy: another process held the database for too long; nothing was written.
        """
        codes = None if labels is None else reviews.clean_labels(labels)
        acts = [Act(case, "verdict", verdict=verdict, labels=codes, note=note) for case in case_ids]
        return self._act(run, acts, f"tagged {verdict}")

    def _act(self, run_id: str, acts: Sequence[Act], did: str, nothing: str = "") -> ReviewOutcome:
        who = self._who()
        applied = lasting(self._run, run_id, lambda store, run: store.add_events(run, acts, who))
        done = reviews.outcome(applied, did, nothing)
        return reviews.settled_aside(done) if acts and acts[0].kind in ("verdict", "clear") else done

    def clear(self, run: str, case_ids: Sequence[str]) -> ReviewOutcome:
        """Take this reviewer's verdict back from cases; those without one stay as they are."""
        acts = [Act(case, "clear") for case in self._known(run, case_ids)]
        return self._act(run, acts, "cleared", f"{reviews.named(case_ids)}: no verdict of yours to clear")

    def _known(self, run_id: str, case_ids: Sequence[str]) -> Sequence[str]:
        store, run = self._run(run_id)
        cases.keys_of(store, run, case_ids)
        return case_ids

    def note(self, run: str, case_id: str, text: str) -> ReviewOutcome:
        """Write a case's note in place of the one before; an empty text takes it away."""
        return self._act(run, [Act(case_id, "note", note=text)], "noted" if text else "without its note")

    def set_labels(self, run: str, case_ids: Sequence[str], labels: Sequence[str]) -> ReviewOutcome:
        """Set the labels of cases in place of those before; none takes them away."""
        codes = reviews.clean_labels(labels)
        did = f"labelled {', '.join(codes)}" if codes else "without labels"
        return self._act(run, [Act(case, "labels", labels=codes) for case in case_ids], did)

    def accept(self, scope: Scope, case_ids: Sequence[str]) -> ReviewOutcome:
        """Make each case's suggestion this reviewer's verdict, one action for all (product.md, "Keys").

        Where a case has nothing to accept, the outcome says why, and nothing is written for it.
        """
        place = self._place(replace(scope, text="", drill=None))
        keys = cases.keys_of(place.store, place.run, case_ids)
        found = reviews.suggestions(place.store, place.view, list(keys))
        answers = {case_id: reviews.acceptance(case_id, found[pk]) for pk, case_id in keys.items()}
        acts = [answer for answer in answers.values() if isinstance(answer, Act)]
        refused = {case_id: answer for case_id, answer in answers.items() if isinstance(answer, str)}
        if not acts:
            said = next(iter(refused.values()), "nothing to accept")
            return ReviewOutcome((), f"{reviews.named(list(refused))}: {said}" if refused else said)
        words = {act.verdict for act in acts}
        did = f"tagged {words.pop()}" if len(words) == 1 else "tagged as suggested"
        left = f"; nothing to accept on {reviews.named(list(refused))}" if refused else ""
        return self._act(place.run.id, acts, did + left)

    def undo(self, run: str) -> ReviewOutcome:
        """Take back this reviewer's last action of this sitting on the run.

        Raises:
            TriageError: there is none, or somebody has changed one of its cases since; nothing was written.
        """
        store, found = self._run(run)
        return reviews.told_undo(store.undo(found, self._who()), "undone")

    def redo(self, run: str) -> ReviewOutcome:
        """Bring back what the last undo took back; raises as `undo` does."""
        store, found = self._run(run)
        return reviews.told_undo(store.redo(found, self._who()), "redone")

    @property
    def bulk(self) -> Bulk:
        """What is asked and written of many cases at once."""
        from triage.workspace.bulk import Bulk

        return Bulk(self._run, self._who, self.settings.labels)

    def draft(self, run: str, case_id: str) -> str | None:
        """The text of a note that this reviewer began and did not save."""
        return self._run(run)[0].draft(self.reviewer, run, case_id)

    def save_draft(self, run: str, case_id: str, text: str) -> None:
        """Keep the text of a note that is being written; it survives a crash."""
        self._run(run)[0].save_draft(self.reviewer, run, case_id, text)

    def drop_draft(self, run: str, case_id: str) -> None:
        """Forget a draft, because it was saved or thrown away."""
        self._run(run)[0].drop_draft(self.reviewer, run, case_id)

    # out

    def export(
        self,
        scope: Scope,
        format: ExportFormat,
        target: Path | None = None,
        *,
        redact: bool = False,
        bom: bool = True,
        marked: frozenset[int] = _NOBODY,
    ) -> ExportReport:
        """Write the scope's cases to `target`, whole or not at all; without one the report has the bytes.

        Raises:
            TriageError: the file can't be written; what was there before is untouched.
        """
        return self.exporting.write(scope, format, target, redact=redact, bom=bom, marked=marked)

    @property
    def exporting(self) -> Exporting:
        """Exports with preview, progress and a way to stop."""
        from triage.workspace.exporting import Exporting

        return Exporting(self._place, self.settings, self._who().at)
