"""People's ratings of the same answers: how well they agree, and a judge with each of them.

Agreement of two is Cohen's quadratic kappa, of all Krippendorff's ordinal alpha (metrics.md section 7).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import ceil, floor
from typing import NamedTuple

from triage.models.judging import Pair, Raters
from triage.review.judges import onto, pair, rounded
from triage.review.krippendorff import alpha


class Rated(NamedTuple):
    """A case: each person's number, and the judge's on its own scale, None = none."""

    ratings: Mapping[str, float]
    judge: float | None = None


class Steps(NamedTuple):
    """The whole numbers on which people's numbers are compared: `own` is their scale, `steps` that of the
    whole numbers; the same where people gave whole numbers.
    """

    own: tuple[float, float]
    steps: tuple[float, float]

    def put(self, value: float) -> float:
        """A person's number on the scale of whole numbers, not rounded."""
        return value if self.own == self.steps else onto(value, self.own, self.steps)

    def judged(self, score: float, scale: tuple[float, float]) -> int:
        """A judge's score as one of the whole numbers."""
        return rounded(onto(score, scale, self.steps), *self.steps)

    def rounded(self, value: float) -> int:
        """A person's number as one of the whole numbers."""
        return rounded(self.put(value), *self.steps)


def steps_of(numbers: Collection[float]) -> Steps:
    """How people's numbers are compared: parts of 0-1 on 1-5, as everywhere; others as they are."""
    low, high = min(numbers, default=0.0), max(numbers, default=0.0)
    if low >= 0 and high <= 1 and any(not float(number).is_integer() for number in numbers):
        return Steps((0.0, 1.0), (1.0, 5.0))
    whole = float(floor(low)), float(ceil(high))
    return Steps(whole, whole)


def raters(
    cases: Sequence[Rated], path: str, judge: str = "", scale: tuple[float, float] | None = None
) -> Raters:
    """What people's numbers say of each other, and of the judge.

    Args:
        cases: those that somebody rated.
        path: where the numbers stand in the record.
        judge: the judge's name.
        scale: the judge's lowest and highest score; it is put on people's scale and rounded there. None = no
            judge.
    """
    numbers = [number for case in cases for number in case.ratings.values()]
    low, high = min(numbers, default=0.0), max(numbers, default=0.0)
    steps = steps_of(numbers)
    together: dict[tuple[str, str], list[tuple[float, float]]] = {}
    against: dict[str, list[tuple[float, float]]] = {}
    for case in cases:
        names = sorted(case.ratings)
        for at, one in enumerate(names):
            for other in names[at + 1 :]:
                together.setdefault((one, other), []).append(
                    (steps.put(case.ratings[one]), steps.put(case.ratings[other]))
                )
        if case.judge is not None and scale is not None:
            put = steps.judged(case.judge, scale)
            for name in names:
                against.setdefault(name, []).append((steps.put(case.ratings[name]), put))
    pairs = _sorted(pair(*names, values, *steps.steps) for names, values in together.items())
    judged = _sorted(pair(name, judge, values, *steps.steps) for name, values in against.items())
    twice = [list(case.ratings.values()) for case in cases if len(case.ratings) > 1]
    return Raters(
        path=path,
        low=low,
        high=high,
        cases=len(twice),
        ratings=len(numbers),
        alpha=alpha(twice, "ordinal"),
        pairs=pairs,
        judge=judged,
        mean=_mean(pairs),
        judge_mean=_mean(judged),
        spread=_spread([[steps.put(number) for number in case] for case in twice]),
    )


def _sorted(pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    return tuple(sorted(pairs, key=lambda each: (-each.n, each.a, each.b)))


def _mean(pairs: Sequence[Pair]) -> float | None:
    """Kappa over pairs, each weighing by its cases; undefined ones do not count."""
    known = [(each.kappa, each.n) for each in pairs if each.kappa is not None]
    weight = sum(n for _, n in known)
    return sum(kappa * n for kappa, n in known) / weight if weight else None


def _spread(cases: Sequence[Sequence[float]]) -> tuple[int, int, int]:
    gaps = [max(case) - min(case) for case in cases]
    equal, step = sum(gap == 0 for gap in gaps), sum(0 < gap <= 1 for gap in gaps)
    return equal, step, len(gaps) - equal - step
