"""What so many read cases can claim about a failure rate (metrics.md section 7). Shares are 0..1."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from triage.review.proportion import most_hidden, upper_bound

CONFIDENCE = 0.95
"""The level of every claim."""
FAILURES_TOLD = (1, 2)
"""Numbers of failures for which it is told what the sample then says."""
LADDER = (0.05, 0.1, 0.03, 0.02, 0.01)
"""Failure rates for which the needed number of clean cases is told, the most asked for first."""


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


def _left(confidence: float) -> float:
    """The probability that a level leaves; 1 of 10 is at .9, whatever the last digit of 1 - .9."""
    return (1 - confidence) * (1 + 1e-9)


def needed(max_rate: float, confidence: float = CONFIDENCE, failures: int = 0) -> int:
    """How many cases show a failure rate of at most `max_rate` where at most `failures` of them fail.

    Clopper and Pearson's upper bound, one-sided; without failures ceil(ln(1 - confidence) / ln(1 - rate)).

    Raises:
        ValueError: `max_rate` or `confidence` is not between 0 and 1.
    """
    if not (0 < max_rate < 1 and 0 < confidence < 1):
        raise ValueError("rates and levels lie between 0 and 1")
    high = failures + 1
    left = _left(confidence)
    while _at_most(failures, high, max_rate) > left:
        high *= 2
    return _smallest(lambda n: _at_most(failures, n, max_rate) <= left, failures + 1, high)


def rule_of_three(max_rate: float) -> int:
    """About how many clean cases bound the rate at 95 %: 3 / rate."""
    return math.ceil(round(3 / max_rate, 9))


def needed_of(population: int, max_rate: float, confidence: float = CONFIDENCE) -> int:
    """How many clean cases of so many show that at most a share `max_rate` of them all fails
    (hypergeometric).
    """
    failing = min(math.floor(round(max_rate * population, 9)) + 1, population)
    left = _left(confidence)
    return _smallest(lambda n: _none_in(n, population, failing) <= left, 0, population)


def percent(share: float) -> str:
    """An upper bound in words, never below it: whole per cent from 1 % on, else tenths."""
    hundredths = share * 100
    if hundredths >= 1:
        return f"{min(math.ceil(round(hundredths, 9)), 100)} %"
    return f"{math.ceil(round(hundredths * 10, 9)) / 10:g} %"


Strata = Sequence[tuple[int, int]]
"""Of each stratum how many cases it has, and how many of them were drawn."""


def clean_bound(strata: Strata) -> float:
    """The largest failure rate of the strata of which some cases were drawn, all of these being clean.

    The exact bound wherever the failures sit (a stratum of which little was drawn may hide many), and never
    below Clopper and Pearson's for as many cases drawn by chance.
    """
    drawn = [(size, n) for size, n in strata if n]
    if not drawn:
        return 1.0
    population = sum(size for size, _ in drawn)
    return max(upper_bound(0, sum(n for _, n in drawn)), most_hidden(drawn, CONFIDENCE) / population)


def claim(strata: Strata, must: int = 0, must_size: int = 0) -> str:
    """What a sample can say if every case in it is clean.

    Args:
        strata: those that were drawn from by chance.
        must: cases that must be reviewed and were taken, which speak for themselves alone.
        must_size: cases that must be reviewed.
    """
    n, population = _sums(strata)
    covered = sum(size for size, taken in strata if taken)
    if must_size and not must:
        must_size = 0
    counted = _counted(must, must_size)
    if not population:
        return counted or "no cases: nothing can be claimed"
    if not n:
        others = f"nothing is claimed of the other {population}" if counted else "no case is drawn"
        return "; ".join(filter(None, (counted, others)))
    if n >= population and must == must_size:
        all_of = "the one case is" if n + must == 1 else f"all {n + must} are"
        return f"{all_of} read: failures are counted, not estimated"
    if n >= population:
        others = "the other is" if n == 1 else f"all {n} others are"
        said = f"{others} read: failures are counted, not estimated"
    elif n >= covered:
        said = f"of {n} case{'' if n == 1 else 's'} all are read: failures are counted, not estimated"
    else:
        of = f" of the other {population}" if counted else ""
        said = f"{_clean(n)}{of}: failure rate at most {percent(clean_bound(strata))} (95 %)"
    return "; ".join(filter(None, (said, _none_of(strata), counted)))


def claim_of_each(topics: Mapping[str, Strata], must: int = 0, must_size: int = 0) -> str:
    """What a quota by topic can say if every case is clean: what can be said of each topic that is not read
    wholly.

    Args:
        topics: the strata of each topic that were drawn from by chance.
        must, must_size: as for `claim`.
    """
    counted = _counted(must, must_size) if must < must_size else ""
    parts = [strata for strata in topics.values() if any(n < size for size, n in strata)]
    drawn = [(_sums(strata)[0], clean_bound(strata)) for strata in parts if any(n for _, n in strata)]
    if not any(map(_population, topics.values())):
        return _counted(must, must_size) or "no cases: nothing can be claimed"
    if not parts:
        whole = "every other case" if counted else "every case"
        said = f"{whole} of the topics is read: failures are counted, not estimated"
    elif not drawn:
        return "; ".join(filter(None, ("nothing is claimed of the cases that need not be reviewed", counted)))
    else:
        n, rate = min(n for n, _ in drawn), max(rate for _, rate in drawn)
        said = f"{_clean(n)} of a topic: its failure rate at most {percent(rate)} (95 %)"
    every = [one for strata in topics.values() for one in strata]
    return "; ".join(filter(None, (said, _none_of(every), counted)))


def _sums(strata: Strata) -> tuple[int, int]:
    """How many cases were drawn, and of how many."""
    return sum(n for _, n in strata), sum(size for size, _ in strata)


def _population(strata: Strata) -> int:
    return _sums(strata)[1]


def _clean(n: int) -> str:
    return f"{n} clean case{'' if n == 1 else 's'}"


def _none_of(strata: Strata) -> str:
    cases = sum(size for size, n in strata if not n)
    if not cases:
        return ""
    return f"nothing is claimed of {cases} case{'' if cases == 1 else 's'} in strata that give none"


def _counted(must: int, size: int) -> str:
    if not must:
        return ""
    if must == size:
        return f"{f'all {size}' if size > 1 else 'the one'} that must be reviewed {_is(size)} read"
    return f"{must} of {size} that must be reviewed {_is(must)} read"


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def further(strata: Strata) -> tuple[str, ...]:
    """What the cases drawn by chance say beside the claim: with a failure or two, and of these alone.

    Where the strata were drawn from so unevenly that the claim is wider than the number of cases tells, what
    a failure says depends on where it is, and is not told.
    """
    n = _sums(strata)[0]
    drawn = [(size, taken) for size, taken in strata if taken]
    covered = sum(size for size, _ in drawn)
    if not 0 < n < covered:
        return ()
    clean, simple = clean_bound(strata), upper_bound(0, n)
    out = [
        f"with {failures} failure{'' if failures == 1 else 's'} at most {percent(upper_bound(failures, n))}"
        for failures in FAILURES_TOLD
        if failures < n and percent(clean) == percent(simple)
    ]
    own = most_hidden(drawn, CONFIDENCE) / covered
    if own and percent(own) != percent(clean):
        out.append(f"of these {covered} cases themselves at most {percent(own)}")
    return tuple(out)
