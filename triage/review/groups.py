"""Similar failures as groups: the same rule, and a document, an error or like queries in common. Pure.

A case is in one group at most: of its class, with the missing document (the outranked one) that most of that
class's cases share; else of its rule, with another document or an error; else with the case of the rule whose
query is most like its own; else with those of the same rule that are left.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from math import ceil, log

from triage.errors import Stopped
from triage.models.groups import MOST_COMPARED, Failure, Proposal, Role
from triage.similar import LEAST, grams, normal

ROLES: tuple[Role, ...] = ("error", "unknown", "cited", "clash", "expected")
"""The most telling first: what two cases share in an earlier one is not looked for in a later."""
_LOOKS = 256
"""Cases between two looks whether the question is called off."""
ENOUGH, COMMON = 40, 0.05
"""Queries of the run from which on it is known what is common; a gram in more than this share of them counts
the less, the more have it, and one that all have does not count.
"""
LEAST_RARE = 0.42
"""Similarity, so counted, that two queries must have as well: `what about X` is like `what about Y` by
nothing but its form.
"""
_SHARED = 3
"""So many rarer grams in common make it worth while to compare two texts."""


def propose(
    failures: Sequence[Failure],
    stopped: Callable[[], bool] = lambda: False,
    queries: Sequence[str] = (),
) -> list[Proposal]:
    """Groups of two cases and more, by size; those of a rule alone come last. Each case is in one at most.

    Args:
        failures: the failing cases in file order.
        stopped: asked every now and then; True gives it up.
        queries: of the run, failing or not, many or a selection: what they have in common is form.

    Raises:
        Stopped: it did.
    """
    weights = weights_of(queries)
    by_class: dict[str | None, list[int]] = defaultdict(list)
    for place, one in enumerate(failures):
        by_class[one.failure_class].append(place)
    found: list[Proposal] = []
    by_rule: dict[tuple[str | None, str], list[int]] = defaultdict(list)
    for failure_class, places in by_class.items():
        role: Role = "expected" if failure_class == "ranking" else "missing"
        marked, left = _by_mark(failures, places, role)
        for name, some in marked.items():
            reason = Counter(failures[place].reason for place in some).most_common(1)[0][0]
            key = f"{failure_class}\t{role}\t{name}"
            found.append(Proposal(key, "mark", failure_class, reason, tuple(some), role, name))
        for place in left:
            by_rule[failure_class, failures[place].reason].append(place)
    for (failure_class, reason), places in by_rule.items():
        left = places
        for role in ROLES:
            marked, left = _by_mark(failures, left, role)
            found.extend(
                Proposal(f"{reason}\t{role}\t{name}", "mark", failure_class, reason, tuple(some), role, name)
                for name, some in marked.items()
            )
        alike, unlike = _by_query(failures, left[:MOST_COMPARED], weights, stopped)
        left = [*unlike, *left[MOST_COMPARED:]]
        found.extend(
            Proposal(
                f"{reason}\tqueries\t{failures[some[0]].id}", "queries", failure_class, reason, tuple(some),
                least=least,
            )
            for some, least in alike
        )  # fmt: skip
        if len(left) > 1:
            found.append(Proposal(f"{reason}\trule", "rule", failure_class, reason, tuple(left)))
    return sorted(found, key=lambda one: (one.kind == "rule", -len(one.members), one.members[0]))


def weights_of(queries: Sequence[str]) -> dict[str, float]:
    """What the common grams of queries count, 0..1; others count 1. {} where there are too few queries."""
    if len(queries) < ENOUGH:
        return {}
    counts = Counter(gram for text in normal(queries) for gram in grams(text))
    n = len(queries)
    return {gram: log(n / count) / log(1 / COMMON) for gram, count in counts.items() if count > COMMON * n}


def _by_mark(
    failures: Sequence[Failure], places: Sequence[int], role: Role
) -> tuple[dict[str, list[int]], list[int]]:
    """Cases by the mark of a role that most of them have, and those that share none."""
    names = {
        place: tuple(dict.fromkeys(name for one, name in failures[place].marks if one == role))
        for place in places
    }
    counts = Counter(name for some in names.values() for name in some)
    groups: dict[str, list[int]] = defaultdict(list)
    for place, some in names.items():
        if some:
            groups[min(some, key=lambda name: (-counts[name], name))].append(place)
    kept = {name: some for name, some in groups.items() if len(some) > 1}
    taken = {place for some in kept.values() for place in some}
    return kept, [place for place in places if place not in taken]


def _by_query(
    failures: Sequence[Failure],
    places: Sequence[int],
    weights: Mapping[str, float],
    stopped: Callable[[], bool],
) -> tuple[list[tuple[list[int], float]], list[int]]:
    """Cases whose queries are like that of an earlier one (similarity of `triage.similar`, `LEAST` or more)
    with the smallest similarity to it, and those that are like none.

    Each case joins the first case that it is most like, so that a group is what is like its first case.
    """
    if len(places) < 2:
        return [], list(places)
    sets = [grams(text) for text in normal([failures[place].query for place in places])]
    frequency = Counter(gram for some in sets for gram in some)
    leaders: dict[str, list[int]] = defaultdict(list)
    members: dict[int, list[int]] = {}
    least: dict[int, float] = {}
    few: list[int] = []
    for at, mine in enumerate(sets):
        if at % _LOOKS == 0 and stopped():
            raise Stopped
        shared, rare = _rare(mine, frequency)
        best = _most_alike(mine, shared, rare, leaders, few, sets, weights)
        if best is None:
            members[at] = [at]
            if shared < _SHARED:
                few.append(at)
            for gram in rare:
                leaders[gram].append(at)
        else:
            leader, score = best
            members[leader].append(at)
            least[leader] = min(score, least.get(leader, 1.0))
    groups = [([places[at] for at in some], least[first]) for first, some in members.items() if len(some) > 1]
    return groups, [places[first] for first, some in members.items() if len(some) == 1]


def _rare(mine: frozenset[str], frequency: Counter[str]) -> tuple[int, list[str]]:
    """The rarer grams of a text, and how many of them it has in common with the rarer ones of any text alike.

    A text alike has `LEAST` / (2 - `LEAST`) of the grams in common, and the most common ones of those are not
    counted (prefix filtering; Chaudhuri, Ganti and Kaushik 2006).
    """
    needs = ceil(len(mine) * LEAST / (2 - LEAST) - 1e-9)
    shared = min(max(needs, 1), _SHARED)
    return shared, sorted(mine, key=lambda gram: (frequency[gram], gram))[: len(mine) - needs + shared]


def _most_alike(
    mine: frozenset[str],
    shared: int,
    rare: Sequence[str],
    leaders: dict[str, list[int]],
    few: Sequence[int],
    sets: Sequence[frozenset[str]],
    weights: Mapping[str, float],
) -> tuple[int, float] | None:
    """The leader most like a text, the earliest of equals, with the similarity; None where none is alike."""
    common: Counter[int] = Counter()
    for gram in rare:
        if gram in leaders:
            common.update(leaders[gram])
    best: tuple[int, float] | None = None
    likely = [leader for leader, count in common.items() if count >= shared]
    if shared > 1:
        likely += [leader for leader in few if 0 < common[leader] < shared]
    for leader in likely:
        other = sets[leader]
        score = 2 * len(mine & other) / (len(mine) + len(other))
        if score < LEAST or not _rarely_alike(mine, other, weights):
            continue
        if best is None or score > best[1] or (score == best[1] and leader < best[0]):
            best = leader, score
    return best


def _rarely_alike(one: frozenset[str], other: frozenset[str], weights: Mapping[str, float]) -> bool:
    """Are two texts alike also where common grams count the less?"""
    shared, first, second = (
        len(some) - sum(1 - weights[gram] for gram in some if gram in weights)
        for some in (one & other, one, other)
    )
    return not weights or one == other or 2 * shared >= LEAST_RARE * (first + second)
