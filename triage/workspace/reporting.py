"""What a report says beside its metrics: tables, the curve of repeated attempts, runs taken as repeats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from triage.errors import TriageError, UsageError
from triage.models.query import Scope

if TYPE_CHECKING:
    from triage.models.health import Health
    from triage.models.tables import CurvePoint, Repeats, Tables
    from triage.workspace.cases import Place


class Reporting:
    """Answers for `report`; blocking, from any thread.

    Args:
        place: finds a scope in the calling thread's store.
    """

    def __init__(self, place: Callable[[Scope], Place]) -> None:
        self._place = place

    def _found(self, scope: Scope) -> Place:
        return self._place(replace(scope, drill=None, view="all"))

    def tables(self, scope: Scope) -> Tables:
        """Routes, refusals and conflicts of the cases that a scope's filter text selects.

        Raises:
            FilterError: the filter text does not parse.
            TriageError: no such run.
        """
        from triage.metrics import tables
        from triage.metrics.registry import combine_all
        from triage.models.tables import Tables

        place = self._found(scope)
        asked = (place.run, place.view, place.where)
        outcomes = place.store.run_totals().outcomes
        values = combine_all(place.store.summed(*asked).aggregates)
        # Routes and conflicts stand in texts, which are not read where no case has any.
        routes = values["routing_accuracy"].denominator
        conflicts = values["conflict_resolution"].denominator
        return Tables(
            routing=tables.routing(*outcomes.routes(*asked)) if routes else None,
            refusal=tables.refusal(outcomes.refusals(*asked)),
            conflict=tables.conflict(outcomes.conflicts(*asked)) if conflicts else None,
        )

    def health(self, run_id: str, k: int | None = None) -> Health:
        """How fit a run's test set is to be measured with: all its cases, whatever a filter selects.

        Raises:
            TriageError: no such run.
        """
        from triage.metrics.health import health

        place = self._found(Scope(run_id, k=k))
        return health(place.store.run_totals().outcomes.members(place.run, place.view, place.where))

    def curve(self, scope: Scope) -> tuple[CurvePoint, ...]:
        """pass@k and pass^k over the attempts of a scope's cases, for each k; empty where there are none.

        Raises:
            as `tables`.
        """
        from triage.metrics.repeats import curve

        place = self._found(scope)
        return curve(place.store.run_totals().outcomes.attempts(place.run, place.view, place.where))

    def pass_k(self, scope: Scope) -> int | None:
        """The k of the attempts' pass@k: the header's `pass_k`, else the fewest attempts; None = neither.

        Raises:
            as `tables`.
        """
        place = self._found(scope)
        totals = place.store.run_totals()
        return totals.pass_k(place.run.pk) or totals.fewest_attempts(place.run.pk) or None

    def repeats(self, scope: Scope, others: Sequence[str]) -> Repeats:
        """A run and others of the same cases as samples of one system.

        A case's outcome in a run is the runner's `passed`, else its final pass.

        Args:
            scope: the run, and by its filter text which of its cases.
            others: ids of the other runs.

        Raises:
            UsageError: a run is named twice, or no other one.
            TriageError: no such run, or it is of another test set.
            FilterError: the filter text does not parse.
        """
        from triage.metrics.repeats import repeats

        if not others:
            raise UsageError("no runs to repeat with", "", "name the other runs of the same cases")
        named = [scope.run, *others]
        twice = next((run for run in named if named.count(run) > 1), None)
        if twice is not None:
            raise UsageError("a run does not repeat itself", twice, "name each run once")
        first = self._found(scope)
        outcomes = first.store.run_totals().outcomes
        said = {scope.run: outcomes.passed(first.run, first.view, first.where)}
        for other in others:
            place = self._found(Scope(other, k=scope.k))
            if not outcomes.same_cases(scope.run, other):
                raise TriageError(
                    "not the same cases", f"{other} is of another test set than {scope.run}", "triage runs"
                )
            found = outcomes.passed(place.run, place.view, place.where)
            if scope.text:
                # What the selection leaves out was not dropped for want of a partner.
                found = {case: passed for case, passed in found.items() if case in said[scope.run]}
            said[other] = found
        return repeats(said, first.store.run_totals().pass_k(first.run.pk))
