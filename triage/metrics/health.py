"""How fit a test set is to be measured with (metrics.md section 4, "Data-set health"): marks, no verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from triage.metrics.routes import parts_of
from triage.metrics.tables import ENOUGH
from triage.models.health import Dependence, Health, Seeds

START, COMPARE, MATURE = 50, 200, 300
"""Cases from which on a set is enough to start with, to compare runs by, and mature."""
UNANSWERABLE = (0.15, 0.20)
"""The share of unanswerable cases that a set should have."""
DEPENDENCE = {"weak": 0.3, "medium": 0.5, "strong": 0.2}
FAR, FEW_DEPENDENT = 0.1, 30
"""A share further from its mark is told; so are fewer cases than this."""
LEVELS = ("base", "extended", "implicit", "reverse")
"""Rewrites of a seed question, the easiest first."""


class Member(Struct, frozen=True):
    """What is asked of cases that agree in all of it.

    Args:
        answerable: the label; None = not recorded.
        failing: the machine's word.
        dependency, seed_id, rewrite: as recorded.
        routes: accepted routes.
        ids: the cases' ids, in file order.
    """

    answerable: bool | None
    failing: bool
    dependency: str | None
    seed_id: str | None
    rewrite: str | None
    routes: tuple[str, ...]
    ids: tuple[str, ...]


def health(members: Iterable[Member]) -> Health:
    """A test set's size, mix and seeds, held against the marks."""
    told = list(members)
    cases = sum(len(one.ids) for one in told)
    labels: Counter[bool] = Counter()
    dependent: Counter[str] = Counter()
    routes: Counter[str] = Counter()
    for one in told:
        if one.answerable is not None:
            labels[one.answerable] += len(one.ids)
        if one.dependency in DEPENDENCE:
            dependent[one.dependency] += len(one.ids)
        if one.routes:
            routes[" or ".join(sorted({_plain(route) for route in one.routes}))] += len(one.ids)
    labelled = labels.total()
    low, high = UNANSWERABLE
    return Health(
        cases=cases,
        stage=_stage(cases),
        labelled=labelled,
        unanswerable=labels[False],
        share_fits=low <= labels[False] / labelled <= high if labelled else None,
        dependence=_dependence(dependent),
        routes=dict(sorted(routes.items(), key=lambda pair: (-pair[1], pair[0]))),
        thin_routes=tuple(sorted(name for name, number in routes.items() if number < ENOUGH)),
        seeds=_seeds(told),
    )


def _plain(route: str) -> str:
    return "+".join(sorted(parts_of(route)))


def _stage(cases: int) -> str:
    for mark, word in ((MATURE, "mature"), (COMPARE, "to compare"), (START, "to start")):
        if cases >= mark:
            return word
    return "too few"


def _dependence(dependent: Counter[str]) -> Dependence | None:
    total = dependent.total()
    if not total:
        return None
    # A rounding error more is no point more.
    off = [name for name, mark in DEPENDENCE.items() if abs(dependent[name] / total - mark) > FAR + 1e-9]
    return Dependence({name: dependent[name] for name in DEPENDENCE}, tuple(off), total < FEW_DEPENDENT)


def _seeds(members: Sequence[Member]) -> Seeds | None:
    """A case that is a seed itself, named by others and without a level, is its base."""
    named = {one.seed_id for one in members if one.seed_id is not None}
    rewritten = [one for one in members if one.rewrite is not None]
    if not named and not rewritten:
        return None
    failing: dict[str, set[str]] = {seed: set() for seed in named}
    for one in members:
        if not one.failing:
            continue
        if one.seed_id is not None:
            failing[one.seed_id].add(one.rewrite or "base")
        else:
            for case in named.intersection(one.ids):
                failing[case].add("base")
    first: Counter[str] = Counter(min(levels, key=_level) for levels in failing.values() if levels)
    return Seeds(
        seeds=len(named),
        orphans=tuple(case for one in rewritten if one.seed_id is None for case in one.ids),
        first_failing={level: first[level] for level in sorted(first, key=_level)},
        holding=sum(not levels for levels in failing.values()),
    )


def _level(name: str) -> tuple[int, str]:
    """The known levels in order, others after them by name."""
    return (LEVELS.index(name) if name in LEVELS else len(LEVELS), name)
