"""What so many read cases can claim about a failure rate (metrics.md section 7). Shares are 0..1."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache

CONFIDENCE = 0.95
"""The level of every claim."""
FAILURES_TOLD = (1, 2)
"""Numbers of failures for which it is told what the sample then says."""
LADDER = (0.1, 0.05, 0.03, 0.02, 0.01)
"""Failure rates that people ask for, and for which the needed number of clean cases is told."""


def _at_most(failures: int, n: int, rate: float) -> float:
    """Probability of at most `failures` among `n` cases of which a share `rate` fails (binomial)."""
    if failures >= n or rate <= 0:
        return 1.0
    if rate >= 1:
        return 0.0
    log_rate, log_rest = math.log(rate), math.log1p(-rate)
    terms = (
        math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) + i * log_rate + (n - i) * log_rest
        for i in range(failures + 1)
    )
    return math.fsum(map(math.exp, terms))


def _none_in(n: int, population: int, failing: int) -> float:
    """Probability of no failure among `n` of `population` cases, `failing` of which fail (hypergeometric)."""
    if failing > population - n:
        return 0.0
    few = min(n, failing)
    many = max(n, failing)
    return math.prod((population - many - i) / (population - i) for i in range(few))


def _smallest(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The smallest whole number of low..high for which `holds`, which holds from some number on."""
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


def needed(max_rate: float, confidence: float = CONFIDENCE, failures: int = 0) -> int:
    """How many cases show a failure rate of at most `max_rate` where at most `failures` of them fail.

    Clopper and Pearson's upper bound, one-sided; without failures ceil(ln(1 - confidence) / ln(1 - rate)).

    Raises:
        ValueError: `max_rate` or `confidence` is not between 0 and 1.
    """
    if not (0 < max_rate < 1 and 0 < confidence < 1):
        raise ValueError("rates and levels lie between 0 and 1")
    high = failures + 1
    while _at_most(failures, high, max_rate) > 1 - confidence:
        high *= 2
    return _smallest(lambda n: _at_most(failures, n, max_rate) <= 1 - confidence, failures + 1, high)


def rule_of_three(max_rate: float) -> int:
    """About how many clean cases bound the rate at 95 %: 3 / rate."""
    return math.ceil(round(3 / max_rate, 9))


def needed_of(population: int, max_rate: float, confidence: float = CONFIDENCE) -> int:
    """How many clean cases of so many show that at most a share `max_rate` of them all fails
    (hypergeometric).
    """
    failing = min(math.floor(round(max_rate * population, 9)) + 1, population)
    return _smallest(lambda n: _none_in(n, population, failing) <= 1 - confidence, 0, population)


@lru_cache(maxsize=512)
def upper_bound(failures: int, n: int, confidence: float = CONFIDENCE) -> float:
    """The largest failure rate that `failures` of `n` cases do not speak against (Clopper and Pearson 1934,
    one-sided); 1 where there are no cases.
    """
    if n <= 0 or failures >= n:
        return 1.0
    if failures == 0:
        return -math.expm1(math.log1p(-confidence) / n)
    low, high = failures / n, 1.0
    for _ in range(100):
        middle = (low + high) / 2
        if _at_most(failures, n, middle) > 1 - confidence:
            low = middle
        else:
            high = middle
    return high


def most_failing(n: int, population: int, confidence: float = CONFIDENCE) -> int:
    """How many of `population` cases can fail at most, `n` of them being clean (hypergeometric)."""
    rest = population - n
    if rest <= 0:
        return 0
    # The smallest number that is spoken against, less one.
    return _smallest(lambda failing: _none_in(n, population, failing) <= 1 - confidence, 1, rest + 1) - 1


def percent(share: float) -> str:
    """An upper bound in words, never below it: whole per cent from 1 % on, else tenths."""
    hundredths = share * 100
    if hundredths >= 1:
        return f"{min(math.ceil(round(hundredths, 9)), 100)} %"
    return f"{math.ceil(round(hundredths * 10, 9)) / 10:g} %"


def bound(failures: int, n: int) -> str:
    """`0 of 59: failure rate at most 5 % (95 %)`; never 0 %."""
    if n <= 0:
        return "no case is read: nothing is known of the failure rate"
    return f"{failures} of {n}: failure rate at most {percent(upper_bound(failures, n))} (95 %)"


def claim(n: int, population: int, must: int = 0, must_size: int = 0) -> str:
    """What a sample can say if every case in it is clean.

    Args:
        n: cases drawn by chance.
        population: cases that these speak for.
        must: cases that must be reviewed and were taken, which speak for themselves alone.
        must_size: cases that must be reviewed.
    """
    if must_size and not must:
        must_size = 0
    counted = _counted(must, must_size)
    if not population:
        return counted or "no cases: nothing can be claimed"
    if not n:
        others = f"nothing is claimed of the other {population}" if counted else "no case is drawn"
        return "; ".join(filter(None, (counted, others)))
    cases = f"{n} clean case{'' if n == 1 else 's'}"
    if n >= population and must == must_size:
        return f"all {n + must} are read: failures are counted, not estimated"
    if n >= population:
        said = f"all {n} {'others ' if counted else ''}are read: failures are counted, not estimated"
    else:
        of = f" of the other {population}" if counted else ""
        said = f"{cases}{of}: failure rate at most {percent(upper_bound(0, n))} (95 %)"
    return "; ".join(filter(None, (said, counted)))


def claim_of_each(drawn: Mapping[str, tuple[int, int]]) -> str:
    """What a quota by topic can say if every case is clean.

    Args:
        drawn: of each topic how many cases were drawn by chance, and of how many.
    """
    parts = [n for n, size in drawn.values() if n < size]
    if not parts:
        return "every case of the topics is read: failures are counted, not estimated"
    n = min(parts)
    if not n:
        return "nothing is claimed of the cases that need not be reviewed"
    cases = f"{n} clean case{'' if n == 1 else 's'} of a topic"
    return f"{cases}: its failure rate at most {percent(upper_bound(0, n))} (95 %)"


def _counted(must: int, size: int) -> str:
    if not must:
        return ""
    if must == size:
        return f"all {size} that must be reviewed are read"
    return f"{must} of {size} that must be reviewed are read"


def further(n: int, population: int) -> tuple[str, ...]:
    """What the cases drawn by chance say beside the claim: with a failure or two, and of these alone."""
    if not 0 < n < population:
        return ()
    out = [
        f"with {failures} failure{'' if failures == 1 else 's'} at most {percent(upper_bound(failures, n))}"
        for failures in FAILURES_TOLD
        if failures < n
    ]
    failing = most_failing(n, population)
    if failing and percent(failing / population) != percent(upper_bound(0, n)):
        out.append(f"of these {population} cases themselves at most {percent(failing / population)}")
    return tuple(out)
