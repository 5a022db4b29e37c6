"""Finding cases: what may be typed next, filters by name, cases by a part of their id, similar queries."""

from __future__ import annotations

import threading
from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import replace

from triage.errors import TriageError
from triage.models.offer import Alike, Found, Named, Offer
from triage.models.query import Scope
from triage.workspace.cases import Place, key_of

if TYPE_CHECKING:
    from triage.models.case import CaseRow
    from triage.settings import Settings

Answer = TypeVar("Answer")
KEPT = 64
"""Answers that are kept: a run's values do not change while its revision stands."""
TEXTS_KEPT = 300_000
"""Queries of one run that are kept as they are compared, so that the next search is quick."""
READY = (
    Named("high risk and failing", "is:high-risk is:failing", "ready"),
    Named("high risk, not read yet", "is:high-risk is:unreviewed", "ready"),
    Named("refused, yet answerable", "answerable:true refused:true", "ready"),
    Named("answered, not answerable", "answerable:false refused:false", "ready"),
    Named("suggestion not sure", "is:failing confidence:<.6", "ready"),
    Named("judges or check not sure", "is:uncertain", "ready"),
    Named("reviewers differ", "is:disputed", "ready"),
    Named("dispute settled", "is:arbitrated", "ready"),
    Named("put off", "is:deferred", "ready"),
    Named("changed since verdict", "is:stale", "ready"),
)
"""Filters that every run can use."""


class Finding:
    """Answers for the filter bar and the dialogs that find; blocking, from any thread.

    Args:
        place: finds a scope in the store of the calling thread.
        settings: the user's settings as they are now.
    """

    def __init__(self, place: Callable[[Scope], Place], settings: Callable[[], Settings]) -> None:
        self._place = place
        self._settings = settings
        self._lock = threading.Lock()
        self._answers: OrderedDict[tuple[object, ...], Any] = OrderedDict()
        self._texts: tuple[tuple[int, int], array[int], list[str]] | None = None

    def _kept(self, key: tuple[object, ...], ask: Callable[[], Answer]) -> Answer:
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
                found: Answer = self._answers[key]
                return found
        found = ask()
        with self._lock:
            self._answers[key] = found
            while len(self._answers) > KEPT:
                self._answers.popitem(last=False)
        return found

    # what may be typed

    def offers(self, scope: Scope, text: str, caret: int, own: Sequence[Named] = ()) -> list[Offer]:
        """What may be typed at the caret of a filter text, likeliest first; whole filters while it is empty.

        Args:
            scope: the run, and the K of its measures.
            text, caret: as typed; the 0-based character before which the caret stands.
            own: filters that the app has saved.

        Raises:
            TriageError: no such run.
        """
        # Imported here because a list is shown without a word being typed.
        from triage.workspace.offers import Offers

        place = self._place(Scope(scope.run, k=scope.k))
        settings = self._settings()
        named = [one for one in self.named(own) if one.kind != "ready"]

        def count(wanted: str) -> int:
            return self.count(scope, wanted) or 0

        return Offers(place, settings.topic_aliases, named, self._kept, count).at(text, caret)

    def count(self, scope: Scope, text: str) -> int | None:
        """How many cases of the whole run a filter text finds; None where it can't be read as a filter."""
        place = self._place(Scope(scope.run, k=scope.k))

        def ask() -> int | None:
            try:
                found = self._place(Scope(scope.run, k=scope.k, text=text))
            except TriageError:
                return None
            return found.store.count(found.run, found.view, Scope(scope.run), found.where)

        key = ("count", place.run.pk, place.run.records, place.view, place.store.lookups.stamp(), text)
        return self._kept(key, ask)

    def named(self, own: Sequence[Named] = ()) -> list[Named]:
        """Filters by name: the settings', those that the app has saved, the ready ones; a name once."""
        project = [Named(name, text) for name, text in self._settings().filters.items()]
        found: dict[str, Named] = {}
        for one in (*project, *own, *READY):
            found.setdefault(one.name.casefold(), one)
        return list(found.values())

    def keys(self, scope: Scope) -> frozenset[str]:
        """The records' own keys seen in the run, dotted (`meta`, `meta.lang`).

        Raises:
            TriageError: no such run.
        """
        place = self._place(Scope(scope.run, k=scope.k))
        return place.store.known_keys(place.run.pk)

    def cases_like(self, scope: Scope, part: str, limit: int) -> list[Found]:
        """Cases of the run whose id is, begins with, else holds `part`; at most `limit`."""
        place = self._place(Scope(scope.run, k=scope.k))
        return place.store.lookups.ids(place.run.pk, part, limit) if part else []

    # similar queries

    def similar(self, scope: Scope, case_id: str, stop: Callable[[], bool] = lambda: False) -> Alike | None:
        """The run's cases whose queries are most like that of a case; None where `stop` said so meanwhile.

        Raises:
            TriageError: no such run or case.
        """
        place = self._place(Scope(scope.run, k=scope.k))
        pk = key_of(place.store, place.run, case_id)
        key = ("similar", place.run.pk, place.run.records, pk)
        with self._lock:
            kept: Alike | None = self._answers.get(key)
        return kept or self._look(place, pk, key, stop)

    def _look(self, place: Place, pk: int, key: tuple[object, ...], stop: Callable[[], bool]) -> Alike | None:
        from triage.similar import Search

        text = place.store.rows(place.run, place.view, [pk])[0].query
        search = Search(text)
        keys: array[int] = array("q")
        for some, normals in self._portions(place):
            if stop():
                return None
            search.look(normals)
            keys.extend(some)
        others = [(keys[one.place], one.score) for one in search.found() if keys[one.place] != pk]
        found = Alike((pk, *(key for key, _ in others)), (1.0, *(score for _, score in others)))
        return self._kept(key, lambda: found)

    def _portions(self, place: Place) -> Iterable[tuple[Sequence[int], list[str]]]:
        from triage.similar import normal

        of = (place.run.pk, place.run.records)
        held = self._texts
        if held is not None and held[0] == of:
            yield held[1], held[2]
            return
        keys: array[int] = array("q")
        texts: list[str] = []
        for rows in place.store.lookups.queries(place.run.pk):
            some, normals = [pk for pk, _ in rows], normal([query for _, query in rows])
            if place.run.records <= TEXTS_KEPT:
                keys.extend(some)
                texts.extend(normals)
            yield some, normals
        self._texts = (of, keys, texts) if place.run.records <= TEXTS_KEPT else None

    def chosen(self, scope: Scope) -> Scope:
        """The scope with the keys of the similar cases that it asks for; none where the case is gone."""
        if scope.drill is None or scope.drill.similar is None:
            return scope
        alike = self._alike(scope, scope.drill.similar)
        return replace(scope, drill=replace(scope.drill, keys=() if alike is None else alike.keys))

    def liken(self, scope: Scope, rows: list[CaseRow]) -> list[CaseRow]:
        """The rows with their similarity where the scope asks for similar cases."""
        if scope.drill is None or scope.drill.similar is None:
            return rows
        alike = self._alike(scope, scope.drill.similar)
        scores = {} if alike is None else dict(zip(alike.keys, alike.scores, strict=True))
        return [replace(row, likeness=scores.get(row.pk)) for row in rows]

    def _alike(self, scope: Scope, case_id: str) -> Alike | None:
        try:
            return self.similar(scope, case_id)
        except TriageError:
            return None
