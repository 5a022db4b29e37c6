"""How far readers agree, and what the rules' suggestions are worth, over a run, a sample or all runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from triage.models.agreement import Agreement, Door, ReadCase, SuggestedCase, SuggestionAgreement
from triage.models.query import Drill, Scope
from triage.review.agreement import agreement
from triage.review.confusion import suggestions_against
from triage.review.doors import cases_behind

if TYPE_CHECKING:
    from triage.models.sample import Sample
    from triage.workspace.cases import Place
    from triage.workspace.stores import Stores


class Agreeing:
    """Answers for `triage agreement` and its screen; blocking, from any thread.

    Args:
        place: finds a scope in the store of the calling thread.
        stores: the database.
    """

    def __init__(self, place: Callable[[Scope], Place], stores: Stores) -> None:
        self._place, self._stores = place, stores

    def of(
        self, run: str | None, sample: str | None = None, text: str = "", *, literal: bool = False
    ) -> Agreement:
        """All agreement numbers (metrics.md section 7) of a run, of a sample of it, or of all runs (None).

        Args:
            text, literal: a filter text; cases outside of it are left out.

        Raises:
            TriageError: no such run, or no such sample in it.
            FilterError: the text does not parse.
        """
        read, suggested = self._gathered(run, sample, text, literal)
        return agreement(read, suggestions_against(suggested), run, sample, self._named(run))

    def suggestions(self, run: str | None = None, sample: str | None = None) -> SuggestionAgreement:
        """What the rules suggest against what people say, by rule: of a run, or of all (None).

        Raises:
            TriageError: no such run, or no such sample in it.
        """
        return suggestions_against(
            case for place, pk in self._places(run, "", False, sample) for case in _suggested(place, pk)
        )

    def behind(
        self,
        run: str,
        door: Door,
        sample: str | None = None,
        text: str = "",
        *,
        literal: bool = False,
    ) -> tuple[str, ...]:
        """The ids of the cases behind a number, in file order; raises as `of` does."""
        return cases_behind(door, *self._gathered(run, sample, text, literal))

    def opened(self, run: str, door: Door, named: str, sample: str | None = None) -> Scope:
        """The cases behind a number as what the case list shows; `named` says what they are.

        Raises:
            TriageError: no such run, or no such sample in it.
        """
        return Scope(run, drill=Drill(named=named, ids=self.behind(run, door, sample)))

    def _places(
        self, run: str | None, text: str, literal: bool, sample: str | None
    ) -> list[tuple[Place, int | None]]:
        """Where the cases are found, with the key of the sample of this name.

        A sample is judged at its own K, by the suggestions that its readers saw.
        """
        found: list[tuple[Place, int | None]] = []
        for one in self._named(run):
            kept = None if sample is None else _kept(self._place(Scope(one)), sample)
            k = None if kept is None else kept.drawn.rule.k
            place = self._place(Scope(one, k=k, text=text, literal=literal))
            found.append((place, None if kept is None else kept.pk))
        return found

    def _named(self, run: str | None) -> list[str]:
        """The ids of the runs asked for, newest first."""
        store = self._stores.reading() if run is None else None
        if store is not None:
            return [one.id for one in store.runs()]
        return [] if run is None else [run]

    def _gathered(
        self, run: str | None, sample: str | None, text: str, literal: bool
    ) -> tuple[list[ReadCase], list[SuggestedCase]]:
        read: list[ReadCase] = []
        suggested: list[SuggestedCase] = []
        for place, pk in self._places(run, text, literal, sample):
            found = _suggested(place, pk)
            suggested += found
            # Whoever has read a case has left a verdict on it, so that no other case need be looked at.
            ids = [case.case_id for case in found]
            given = place.store.readings.of_cases(place.run, ids)
            settled = place.store.readings.arbitrations(
                place.run, [case.case_id for case in found if case.arbitrated]
            )
            read += [ReadCase(place.run.id, one, given[one], settled.get(one)) for one in ids if one in given]
        return read, suggested


def _kept(place: Place, sample: str) -> Sample:
    return place.store.samples.named(place.run.id, sample)


def _suggested(place: Place, sample: int | None) -> list[SuggestedCase]:
    return place.store.suggested.cases(place.run, place.view, place.where, sample)
