"""The parts of a workspace that have a module of their own, each made when it is first asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from triage.models.case import RunView
    from triage.models.query import Scope
    from triage.models.run import RunSummary
    from triage.settings import Settings
    from triage.store import Store, Who
    from triage.workspace.advising import Advising
    from triage.workspace.agreeing import Agreeing
    from triage.workspace.cases import Place
    from triage.workspace.checking import Checking
    from triage.workspace.coding import Coding
    from triage.workspace.finding import Finding
    from triage.workspace.following import Following
    from triage.workspace.grouping import Grouping
    from triage.workspace.indexing import Indexing
    from triage.workspace.judging import Judging
    from triage.workspace.queue import Queue
    from triage.workspace.reporting import Reporting
    from triage.workspace.reviewing import Reviewing
    from triage.workspace.reweighing import Reweighing
    from triage.workspace.run_list import RunList
    from triage.workspace.sampling import Sampling
    from triage.workspace.slicing import Slicing
    from triage.workspace.stores import Stores

_NOBODY: frozenset[int] = frozenset()


class Parts(ABC):
    """What `Workspace` is made of beside its own calls; none of it is loaded before the first paint."""

    database: Path
    settings: Settings
    _stores: Stores

    @abstractmethod
    def _place(self, scope: Scope, marked: frozenset[int] = _NOBODY, *, indexed: bool = True) -> Place:
        """A scope found in the calling thread's store."""

    @abstractmethod
    def run_view(self, scope: Scope, marked: frozenset[int] = _NOBODY) -> RunView:
        """What panels and report show."""

    @abstractmethod
    def _run(self, run_id: str) -> tuple[Store, RunSummary]:
        """A run by its id, with the calling thread's store."""

    @abstractmethod
    def _who(self) -> Who:
        """Who acts, in which sitting, and when: now."""

    @cached_property
    def run_list(self) -> RunList:
        """The loaded runs with what each adds up to."""
        # Imported here because the first paint shows one run alone.
        from triage.workspace.run_list import RunList

        return RunList(self._stores, lambda: self.settings)

    @cached_property
    def following(self) -> Following:
        """Which folders to follow, and what a file that came brings."""
        # Imported here because nothing is followed before the first paint.
        from triage.workspace.following import Following

        return Following(self._stores, lambda: self.settings, self.run_view)

    @cached_property
    def finding(self) -> Finding:
        """Completion, filters by name, cases by a part of their id, similar cases."""
        # Imported here because a list is shown without anything being looked for.
        from triage.workspace.finding import Finding

        return Finding(self._place, lambda: self.settings)

    @cached_property
    def slicing(self) -> Slicing:
        """Metrics by the values of a dimension, and the cases behind each number."""
        # Imported here because a list is shown without being sliced.
        from triage.workspace.slicing import Slicing

        return Slicing(self._place, lambda: self.settings)

    @cached_property
    def checking(self) -> Checking:
        """The answers whose sentences are still to be checked."""
        # Imported here because a list can be used before that.
        from triage.workspace.checking import Checking

        return Checking(self._stores, self.database, lambda: self.settings)

    @cached_property
    def indexing(self) -> Indexing:
        """The search indexes that are still to be built."""
        # Imported here because a list can be used without one.
        from triage.workspace.indexing import Indexing

        return Indexing(self._stores, self.database)

    @cached_property
    def advising(self) -> Advising:
        """What falls short in a selection, layer by layer, and what to try first."""
        # Imported here because the first paint advises nothing.
        from triage.workspace.advising import Advising

        return Advising(self._place, lambda: self.settings)

    @cached_property
    def reporting(self) -> Reporting:
        """What a report says beside its metrics: tables, curves, runs taken as repeats."""
        # Imported here because no screen needs it.
        from triage.workspace.reporting import Reporting

        return Reporting(self._place)

    @cached_property
    def reviewing(self) -> Reviewing:
        """What a run's review says in the end, and whether what must be reviewed was."""
        # Imported here because the first paint says nothing of a review.
        from triage.workspace.reviewing import Reviewing

        return Reviewing(self._place, lambda: self.settings)

    @cached_property
    def sampling(self) -> Sampling:
        """Samples for people to read: drawn, kept by name, drawn again."""
        # Imported here because a list is shown without being sampled.
        from triage.workspace.sampling import Sampling

        return Sampling(self._place, self.slicing, lambda: self.settings, self._who)

    @cached_property
    def judging(self) -> Judging:
        """What judges' scores are worth, held against people and each other."""
        # Imported here because a list is shown without a judge being asked about.
        from triage.workspace.judging import Judging

        return Judging(self._place, lambda: self.settings)

    @cached_property
    def queue(self) -> Queue:
        """The readings of samples: the next case, its verdict, progress, disputes."""
        # Imported here because nothing is read in a queue before the first paint.
        from triage.workspace.queue import Queue

        return Queue(self._run, self._place, self._who, lambda: self.settings)

    @cached_property
    def agreeing(self) -> Agreeing:
        """How far readers agree, and what suggestions are worth."""
        # Imported here because a list is shown without anybody's readings being compared.
        from triage.workspace.agreeing import Agreeing

        return Agreeing(self._place, self._stores)

    @cached_property
    def coding(self) -> Coding:
        """The codebook: labels with their definitions, renamed, merged, split."""
        # Imported here because a list is shown without a label being defined.
        from triage.workspace.coding import Coding

        return Coding(self._stores, self._place, lambda: self.settings, self._who)

    @cached_property
    def grouping(self) -> Grouping:
        """Similar failures, proposed as groups."""
        # Imported here because a list is shown without being grouped.
        from triage.workspace.grouping import Grouping

        return Grouping(self._place)

    @cached_property
    def reweighing(self) -> Reweighing:
        """The rules' confidence weighed anew by people's verdicts."""
        # Imported here because no screen weighs rules.
        from triage.workspace.reweighing import Reweighing

        return Reweighing(self._stores, self._place, self.agreeing, lambda: self.settings)
