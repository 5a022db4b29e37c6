"""Drawing a stratified sample: which cases, out of which strata, what is short (metrics.md section 7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

from triage.models.sample import Drawn, LeftOut, SampleCase, SampleRule, Stratum
from triage.review.claims import claim, claim_of_each, further
from triage.review.order import pick, shuffled

Name = TypeVar("Name", str, tuple[str, ...])
UNCERTAIN = "uncertain"
"""The dimension that is added where a cap parts what must be reviewed: those it takes first, and the rest."""


class Population(Struct, frozen=True):
    """The cases that a sample is drawn of, each by its 0-based place.

    Args:
        ids: their ids.
        strata: of each case the number of its stratum.
        keys: of each stratum its values, in the order of the rule's `by`.
        must: of each of the rule's `must` the places of the cases that it selects.
        uncertain: the places of the cases that a cap takes first.
        lacking: topics of the rule that no case has.
    """

    ids: Sequence[str]
    strata: Sequence[int]
    keys: Sequence[tuple[str, ...]]
    must: tuple[frozenset[int], ...] = ()
    uncertain: frozenset[int] = frozenset()
    lacking: tuple[str, ...] = ()


def allocate(sizes: Mapping[Name, int], n: int) -> dict[Name, int]:
    """How many of `n` cases each stratum gives (metrics.md section 7).

    One a stratum that is not empty, the others in proportion to what is left in each, by floors, then
    largest remainder, ties by the larger stratum, then by name; never more than there are. Where `n` is less
    than the strata, the largest give one.
    """
    given = dict.fromkeys(sizes, 0)
    filled = sorted((name for name, size in sizes.items() if size > 0), key=lambda name: (-sizes[name], name))
    for name in filled[: max(n, 0)]:
        given[name] = 1
    rest = n - len(filled)
    left = sum(sizes[name] - 1 for name in filled)
    if rest <= 0 or not left:
        return given
    if rest >= left:
        return {name: max(size, 0) for name, size in sizes.items()}
    remainders = {}
    for name in filled:
        # Whole numbers throughout: a float's last digit would decide ties by itself.
        share, remainders[name] = divmod(rest * (sizes[name] - 1), left)
        given[name] += share
    short = n - sum(given.values())
    for name in sorted(filled, key=lambda name: (-remainders[name], -sizes[name], name))[:short]:
        given[name] += 1
    return given


def draw(rule: SampleRule, cases: Population) -> Drawn:
    """The sample that a rule draws of these cases: the same on every machine."""
    every = frozenset().union(*cases.must) if cases.must else frozenset()
    musts = _musts(rule, cases, every)
    taken = sum(stratum.allocated for stratum in musts)
    others = _grouped(cases, (place for place in range(len(cases.ids)) if place not in every))
    sizes = {key: len(places) for key, places in others.items()}
    given, shortages = _given(rule, sizes, musts, len(cases.ids))
    rest = [
        _stratum(rule, dict(zip(rule.by, key, strict=True)), cases, others[key], given[key])
        for key in sorted(others)
    ]
    chosen = {case_id for stratum in musts for case_id in stratum.ids}
    if rule.per_topic is None:
        cells = [(size, given[key]) for key, size in sizes.items()]
        said, more = claim(cells, taken, len(every)), further(cells)
    else:
        said, more = claim_of_each(_of_topics(rule, sizes, given), taken, len(every)), ()
    return Drawn(
        rule=rule,
        population=len(cases.ids),
        strata=(*musts, *rest),
        must=_left_out(rule, cases, chosen),
        shortages=(*(f"no case has the topic {topic}" for topic in cases.lacking), *shortages),
        claim=said,
        further=more,
    )


def queue(drawn: Drawn) -> list[SampleCase]:
    """The drawn cases in the order in which they are handed out, shuffled by the seed."""
    rule = drawn.rule
    numbers = {case_id: at for at, stratum in enumerate(drawn.strata) for case_id in stratum.ids}
    cases = []
    for place, case_id in enumerate(shuffled(numbers, rule.seed)):
        must = drawn.strata[numbers[case_id]].must
        readings = max(rule.readings, rule.must_readings) if must else rule.readings
        cases.append(SampleCase(case_id, place, numbers[case_id], must, readings))
    return cases


def _of_topics(
    rule: SampleRule, sizes: Mapping[tuple[str, ...], int], given: Mapping[tuple[str, ...], int]
) -> dict[str, list[tuple[int, int]]]:
    at = rule.by.index("topic")
    out: dict[str, list[tuple[int, int]]] = {}
    for key, size in sizes.items():
        out.setdefault(key[at], []).append((size, given[key]))
    return out


def _grouped(cases: Population, places: Iterable[int]) -> dict[tuple[str, ...], list[int]]:
    found: dict[tuple[str, ...], list[int]] = {}
    keys, strata = cases.keys, cases.strata
    for place in places:
        found.setdefault(keys[strata[place]], []).append(place)
    return found


def _stratum(
    rule: SampleRule,
    key: dict[str, str],
    cases: Population,
    places: Sequence[int],
    n: int,
    *,
    must: bool = False,
) -> Stratum:
    ids = [cases.ids[place] for place in places]
    chosen = sorted(ids) if n >= len(ids) else pick(ids, n, rule.seed)
    return Stratum(key, len(ids), len(chosen), tuple(chosen), must)


def _musts(rule: SampleRule, cases: Population, every: frozenset[int]) -> list[Stratum]:
    """The strata of the cases that must be reviewed. A cap takes the uncertain ones first."""
    if not every:
        return []
    capped = 0 < rule.must_cap < len(every)
    first = every & cases.uncertain if capped else frozenset()
    left = rule.must_cap if capped else len(every)
    parted = bool(first) and first != every
    found = []
    for tier, word in ((first, "true"), (every - first, "false")):
        groups = _grouped(cases, sorted(tier))
        given = allocate({key: len(places) for key, places in groups.items()}, min(left, len(tier)))
        left -= sum(given.values())
        for key in sorted(groups):
            named = dict(zip(rule.by, key, strict=True)) | ({UNCERTAIN: word} if parted else {})
            found.append(_stratum(rule, named, cases, groups[key], given[key], must=True))
    return found


def _left_out(rule: SampleRule, cases: Population, chosen: set[str]) -> tuple[LeftOut, ...]:
    return tuple(
        LeftOut(text, len(places), sum(1 for place in places if cases.ids[place] not in chosen))
        for text, places in zip(rule.must, cases.must, strict=True)
    )


def _given(
    rule: SampleRule, sizes: Mapping[tuple[str, ...], int], musts: Sequence[Stratum], population: int
) -> tuple[dict[tuple[str, ...], int], list[str]]:
    """How many cases each stratum gives beside those that must be reviewed, and what is short."""
    if rule.per_topic is not None:
        return _by_topic(rule, rule.per_topic, sizes, musts)
    taken = sum(stratum.allocated for stratum in musts)
    given = allocate(sizes, rule.n - taken)
    short = []
    if rule.n > population:
        there = "there is 1: it is" if population == 1 else f"there are {population}: all are"
        short.append(f"{rule.n} cases are wanted, {there} taken")
    if sizes and taken >= rule.n:
        short.append(f"{taken} cases must be reviewed, n is {rule.n}: no others are drawn")
    else:
        empty = [key for key, size in sizes.items() if size and not given[key]]
        if empty:
            cases = sum(sizes[key] for key in empty)
            short.append(
                f"{rule.n - taken} cases for {len(sizes)} strata: {len(empty)} of them, "
                f"{cases} case{'' if cases == 1 else 's'}, give none"
            )
    return given, short


def _by_topic(
    rule: SampleRule, wanted: int, sizes: Mapping[tuple[str, ...], int], musts: Sequence[Stratum]
) -> tuple[dict[tuple[str, ...], int], list[str]]:
    at = rule.by.index("topic")
    taken: dict[str, int] = {}
    for stratum in musts:
        topic = stratum.key["topic"]
        taken[topic] = taken.get(topic, 0) + stratum.allocated
    topics: dict[str, dict[tuple[str, ...], int]] = {topic: {} for topic in taken}
    for key, size in sizes.items():
        topics.setdefault(key[at], {})[key] = size
    given: dict[tuple[str, ...], int] = {}
    short = []
    for topic in sorted(topics):
        found = allocate(topics[topic], wanted - taken.get(topic, 0))
        given |= found
        have = taken.get(topic, 0) + sum(found.values())
        if have < wanted:
            short.append(f"{topic} {have}")
    told = [f"{wanted} of each topic are wanted, there are {', '.join(short)}"] if short else []
    left = None if rule.most is None else max(rule.most - sum(taken.values()), 0)
    if left is not None and sum(given.values()) > left:
        told.append(f"the topics' quotas are {sum(given.values())} cases, {left} of them are drawn")
        # What a quota gives is as a stratum of that size, so that each topic keeps its share.
        given = allocate(given, left)
    return given, told
