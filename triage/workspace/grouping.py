"""Similar failures of a run as proposed groups, and what people have said of each group's cases."""

from __future__ import annotations

import json
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from triage.models.groups import Failure, Group, Grouped, Proposal
from triage.models.query import Drill, Scope

if TYPE_CHECKING:
    from triage.workspace.cases import Place

KEPT = 4
"""Runs whose groups are kept: what fails, and by which rule, changes with the measures alone."""
HEARD = 5_000
"""Queries of the run that tell what queries have in common."""
SHOWN = 3
"""Queries told of each group."""
_NAME = 60
"""Most characters of a mark's name in what a group is called."""


class Grouping:
    """Groups of failing cases; blocking, from any thread.

    Args:
        place: finds a scope in the store of the calling thread.
    """

    def __init__(self, place: Callable[[Scope], Place]) -> None:
        self._place = place
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[object, ...], tuple[list[Failure], list[Proposal]]] = OrderedDict()

    def groups(self, scope: Scope, stopped: Callable[[], bool] = lambda: False) -> Grouped:
        """The groups of the run's failing cases, as far as the scope's filter text leaves them.

        Whatever the filter leaves out, groups are those of the whole run: a group keeps its name and its
        leading case. One that has fewer than two cases under the filter is left out.

        Raises:
            FilterError: the filter text does not parse.
            TriageError: no such run.
            Stopped: `stopped` said so.
        """
        # Imported here because a list is shown without a rule being explained.
        from triage.diagnosis.reasons import REASONS

        place = self._place(replace(scope, view="failing", drill=None, sort="file"))
        failures, proposals = self._proposed(place, stopped)
        store = place.store
        inside = set(store.keys(place.run, place.view, place.scope, place.where))
        judged = store.failing.judged(place.run, place.view)
        risky = store.failing.high_risk(place.view)
        groups: list[Group] = []
        for one in proposals:
            members = [failures[at] for at in one.members if failures[at].pk in inside]
            if len(members) < 2:
                continue
            verdicts: Counter[str] = Counter()
            labels: Counter[str] = Counter()
            for member in members:
                verdict, text = judged.get(member.pk, (None, "[]"))
                labels.update(json.loads(text))
                if verdict is not None:
                    verdicts[verdict] += 1
            reason = REASONS.get(one.reason)
            groups.append(
                Group(
                    one.key, one.kind, one.failure_class, one.reason,
                    reason.meaning if reason is not None else one.reason,
                    tuple(member.pk for member in members), failures[one.members[0]].id, len(members),
                    tuple(member.query for member in members[:SHOWN]),
                    sum(member.pk in risky for member in members), one.role, one.name, one.least,
                    dict(verdicts.most_common()), dict(labels.most_common()),
                    dict(Counter(member.reason for member in members).most_common()),
                )
            )  # fmt: skip
        groups.sort(key=lambda group: (group.kind == "rule", -group.cases))
        return Grouped(tuple(groups), len(inside), sum(group.cases for group in groups))

    def _proposed(
        self, place: Place, stopped: Callable[[], bool]
    ) -> tuple[Sequence[Failure], Sequence[Proposal]]:
        # Imported here because a list is shown without a group being asked for.
        from triage.review.groups import propose

        key = (place.run.pk, place.run.records, *place.store.slices.stamp(place.view), place.view)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        failures = place.store.failing.failures(place.view)
        queries = place.store.failing.queries(place.run, HEARD)
        made = failures, propose(failures, stopped, queries)
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return made

    def ids(self, scope: Scope, groups: Sequence[Group]) -> list[list[str]]:
        """The case ids of groups, the leading case first.

        Raises:
            TriageError: no such run.
        """
        place = self._place(replace(scope, text="", view="all", drill=None))
        found = place.store.ids_of([pk for group in groups for pk in group.keys])
        return [[found[pk] for pk in group.keys if pk in found] for group in groups]

    def opened(self, scope: Scope, group: Group) -> Scope:
        """Exactly the cases of a group, by their ids, so that they stay the same when the file changes.

        Raises:
            TriageError: no such run.
        """
        (ids,) = self.ids(scope, [group])
        return replace(scope, drill=Drill(named=called(group), ids=tuple(ids)))


def called(group: Group) -> str:
    """What a group is called where its cases are listed: `ranking, expected document KB-1`."""
    kind = group.failure_class or group.reason
    return f"{kind}, {group.common if len(group.name) <= _NAME else group.common[:_NAME]}"
