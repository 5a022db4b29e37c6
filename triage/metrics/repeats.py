"""Repeated samples added up (metrics.md section 4): pass@k and pass^k for each k, always, never, flaky."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from triage.metrics.attempts import pass_at_k, pass_hat_k
from triage.models.tables import CurvePoint, Repeats

LONGEST = 64
"""Greatest k of a curve."""


def curve(samples: Mapping[tuple[int, int], int]) -> tuple[CurvePoint, ...]:
    """The means for k = 1, 2, ... up to the most samples of a case, at most `LONGEST`.

    Args:
        samples: (samples of a case, those that passed) -> cases.
    """
    points = []
    for k in range(1, min(max((n for n, _ in samples), default=0), LONGEST) + 1):
        at = hat = 0.0
        cases = 0
        for (n, c), times in samples.items():
            one, every = pass_at_k(n, c, k), pass_hat_k(n, c, k)
            if one is not None and every is not None:
                at, hat, cases = at + one * times, hat + every * times, cases + times
        points.append(CurvePoint(k, at / cases, hat / cases, cases))
    return tuple(points)


def repeats(outcomes: Mapping[str, Mapping[str, bool | None]], pass_k: int | None) -> Repeats:
    """Two or more runs of the same cases as samples of one system.

    Args:
        outcomes: run id -> case id -> did it pass, None = the run does not tell; the reported run first.
        pass_k: the k that the run asks for, which may be more than there are runs; None = their number.
    """
    each = list(outcomes.values())
    first, rest = each[0], each[1:]
    shared = [case for case in first if all(case in other for other in rest)]
    told: list[tuple[str, int]] = []
    for case in shared:
        said = [one[case] for one in each]
        if None not in said:
            told.append((case, said.count(True)))
    n = len(each)
    counts = Counter(passed for _, passed in told)
    return Repeats(
        runs=tuple(outcomes),
        k=pass_k or n,
        cases=len(told),
        dropped={run: len(one) - len(shared) for run, one in outcomes.items()},
        unknown=len(shared) - len(told),
        always=counts[n],
        never=counts[0],
        flaky=tuple(case for case, passed in told if 0 < passed < n),
        curve=curve({(n, passed): times for passed, times in counts.items()}),
    )
