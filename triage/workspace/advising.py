"""Advice on a selection of cases: what falls short, layer by layer, and the filter that opens its cases."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Literal, cast

from msgspec.structs import replace

from triage.models.query import Scope
from triage.store.filter import Where
from triage.workspace import cases

if TYPE_CHECKING:
    from triage.models.advice import Counsel
    from triage.settings import Settings
    from triage.workspace.cases import Place


class Advising:
    """Advice by the user's references (metrics.md section 5, "Run level").

    Args:
        place: finds a scope in the calling thread's store.
        settings: gives the settings as they are now.
    """

    def __init__(self, place: Callable[[Scope], Place], settings: Callable[[], Settings]) -> None:
        self._place = place
        self._settings = settings

    def of(self, scope: Scope) -> Counsel:
        """What falls short among the cases that a scope's filter text selects, whatever its view or drill.

        The lines' queries open exactly the cases behind them: the scope's own text is part of them.

        Raises:
            FilterError: the filter text does not parse.
            TriageError: no such run.
        """
        # Imported here because a report without advice, and the first paint, do without.
        from triage.diagnosis.advice import Look, Seen, advise
        from triage.metrics.registry import combine_all

        place = self._place(replace(scope, drill=None, view="all"))
        settings = self._settings()
        store, run = place.store, place.run

        def within(query: str) -> Where:
            own = cases.condition(store, run, Scope(run.id, text=query), settings, "", frozenset())
            return _both(place.where, own)

        @cache
        def look(query: str) -> Look:
            found = store.summed(run, place.view, within(query) if query else place.where)
            return Look(found.counts.matching, combine_all(found.aggregates))

        @cache
        def count(query: str) -> int:
            return store.count(run, place.view, Scope(run.id), within(query))

        counsel = advise(
            Seen(
                whole=look(""),
                k=scope.k or run.k,
                score_scale=cast(Literal["1-5", "0-1"], run.score_scale),
                reference=settings.reference,
                look=look,
                count=count,
            )
        )
        lines = tuple(replace(line, query=within_text(place, line.query)) for line in counsel.lines)
        return replace(counsel, lines=lines)


def _both(one: Where, other: Where) -> Where:
    """The cases that pass both conditions."""
    return Where(
        sql=f"({one.sql}) AND ({other.sql})",
        params=(*one.params, *other.params),
        needs_payload=one.needs_payload or other.needs_payload,
        needs_reviews=one.needs_reviews or other.needs_reviews,
    )


def within_text(place: Place, query: str) -> str:
    """`query` within the scope's own filter text, as one text that can be typed."""
    text = place.scope.text.strip()
    if not text:
        return query
    if place.scope.literal or place.where.said:
        escaped = text.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}" {query}'
    return f"({text}) {query}"
