"""How often a run fails, estimated from a sample that people read (metrics.md section 7).

The population is finite and known, the sample stratified: each stratum weighs as many cases as it has. What
was read wholly is known and has no sampling error. Where all that was read of a stratum is alike, resampling
would find no spread at all: there the exact bound of what may be hidden stands in its place.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate
from random import Random

from triage.models.review_report import Cell, Rate, RateMethod
from triage.review.claims import percent
from triage.review.proportion import clopper_pearson, most_hidden

ROUNDS = 4000
"""Resamples of the bootstrap."""


def cell(size: int, failing: int, clean: int, elsewhere: int = 0) -> Cell:
    """A stratum of `size` cases of which so many were read.

    `elsewhere` cases were read too and count in no rate (their verdict is test-set). Where not all was read,
    the same share of the unread is taken to count in none either; where nothing else was read, the unread
    are `uncovered`.
    """
    read = failing + clean
    if not elsewhere:
        return Cell(size, failing, clean)
    if read + elsewhere >= size or not read:
        return Cell(max(size - elsewhere, read), failing, clean)
    # Rounded upward: a case at least is unread.
    return Cell(-(-size * read // (read + elsewhere)), failing, clean)


def part_of(whole: Cell, failing: int, clean: int) -> Cell:
    """Those of a stratum's cases that have something in common, as far as the read ones tell its share.

    Of a stratum that is not read wholly, one at least may be unread.
    """
    read = failing + clean
    size = -(-whole.size * read // whole.read) if whole.read else 0
    return Cell(min(max(size, read), whole.size - whole.read + read), failing, clean)


def rate(
    cells: Iterable[Cell], seed: str, *, simple: bool = False, confidence: float = 0.95, rounds: int = ROUNDS
) -> Rate:
    """The failure rate over strata, weighted by their size, with an interval.

    Args:
        cells: the strata; those without cases are passed over, those of which nothing was read are
            `uncovered`.
        seed: of the resampling; the same seed and counts give the same interval on any machine.
        simple: the cells are one stratum drawn by chance: then the interval is Clopper and Pearson's. One
            cell is taken so anyway.
        confidence: level of the interval, 0..1.
        rounds: resamples.
    """
    strata = [one for one in cells if one.size]
    covered = [one for one in strata if one.read]
    uncovered = sum(one.size for one in strata if not one.read)
    population = sum(one.size for one in covered)
    failing, read = sum(one.failing for one in covered), sum(one.read for one in covered)
    if not read:
        said = "no case is read: nothing is known of the failure rate"
        return Rate(0, 0, 0, uncovered, None, None, confidence, None, said)
    value = math.fsum(one.size * one.failing / one.read for one in covered) / population
    method: RateMethod
    if read == population:
        method, interval = "all read", (value, value)
    elif not failing:
        method, interval = "none failed", (0.0, _hidden(covered, confidence) / population)
    elif failing == read:
        method, interval = "all failed", (1 - _hidden(covered, confidence) / population, 1.0)
    elif simple or len(covered) == 1:
        method, interval = "simple", clopper_pearson(failing, read, confidence)
    else:
        method, interval = "strata", _stratified(covered, population, value, seed, confidence, rounds)
    # What was seen stands whatever the rest is like.
    least, most = failing / population, 1 - (read - failing) / population
    interval = (min(max(interval[0], least), value), max(min(interval[1], most), value))
    said = _said(failing, read, population, value, interval, method, confidence)
    return Rate(failing, read, population, uncovered, value, interval, confidence, method, said)


def _hidden(cells: Sequence[Cell], confidence: float) -> int:
    return most_hidden([(one.size, one.read) for one in cells], confidence)


def _stratified(
    cells: Sequence[Cell], population: int, value: float, seed: str, confidence: float, rounds: int
) -> tuple[float, float]:
    """Independent parts, their distances to the estimate added in squares (Zou and Donner 2008)."""
    open_ = _collapsed([one for one in cells if one.read < one.size])
    mixed = [one for one in open_ if one.failing and one.clean]
    # A two-sided interval has half of what it may miss at each end.
    level = 1 - (1 - confidence) / 2
    above = _hidden([one for one in open_ if not one.failing], level) / population
    below = _hidden([one for one in open_ if not one.clean], level) / population
    low = high = 0.0
    if len(mixed) == 1:
        one = mixed[0]
        # Alone it is a simple random sample, and the exact interval is the better one.
        (least, most), share = clopper_pearson(one.failing, one.read, confidence), one.failing / one.read
        low, high = (share - least) * one.size, (most - share) * one.size
    elif mixed:
        low, high = _resampled(mixed, seed, confidence, rounds)
    return (
        max(value - math.hypot(low / population, below), 0.0),
        min(value + math.hypot(high / population, above), 1.0),
    )


def _collapsed(cells: Sequence[Cell]) -> list[Cell]:
    """The strata, those with a single read case as one: alone none of them tells how its cases differ."""
    single = [one for one in cells if one.read == 1]
    failing = sum(one.failing for one in single)
    if failing in (0, len(single)):
        return list(cells)
    together = Cell(sum(one.size for one in single), failing, len(single) - failing)
    return [*(one for one in cells if one.read > 1), together]


def _resampled(cells: Sequence[Cell], seed: str, confidence: float, rounds: int) -> tuple[float, float]:
    """How far below and above the estimate the failures of such strata lie, in cases; both >= 0.

    Each resample draws as many cases as were read, without replacement, from a population that is the sample
    enlarged to the stratum's size (Gross 1980). A deviation is enlarged by sqrt(n / (n - 1)), without which
    small strata would look surer than they are (Rao and Wu 1988).
    """
    # Random gives the same numbers for a text on every platform.
    chance = Random(seed)
    tables = [(one, _deviations(one)) for one in cells]
    sums = []
    for _ in range(rounds):
        total = 0.0
        for _, (heights, deviations) in tables:
            total += deviations[min(bisect_left(heights, chance.random()), len(deviations) - 1)]
        sums.append(total)
    sums.sort()
    tail = (1 - confidence) / 2
    low = sums[max(math.ceil(tail * rounds) - 1, 0)]
    high = sums[min(math.ceil((1 - tail) * rounds) - 1, rounds - 1)]
    return max(-low, 0.0), max(high, 0.0)


def _deviations(one: Cell) -> tuple[list[float], list[float]]:
    """The distribution of a stratum's resamples: heights of its steps, deviations in cases."""
    size, read = one.size, one.read
    failures = round(size * one.failing / read)
    least, most = max(0, read - (size - failures)), min(read, failures)
    scale = math.sqrt(read / (read - 1)) * size / read
    expected = read * failures / size
    whole = _choose(size, read)
    heights = [
        math.exp(_choose(failures, found) + _choose(size - failures, read - found) - whole)
        for found in range(least, most + 1)
    ]
    return list(accumulate(heights)), [scale * (found - expected) for found in range(least, most + 1)]


def _choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def _said(
    failing: int,
    read: int,
    population: int,
    value: float,
    interval: tuple[float, float],
    method: RateMethod,
    confidence: float,
) -> str:
    level, counted = f"({confidence * 100:g} %)", f"{failing} of {read}"
    if method == "all read":
        return f"{counted} failed, and all {population} were read" if population > 1 else f"{counted} failed"
    if method == "none failed":
        return f"{counted}: failure rate at most {percent(interval[1])} {level}"
    if method == "all failed":
        return f"{counted}: failure rate at least {share(math.floor(interval[0] * 1000) / 1000)} {level}"
    ends = f"{share(interval[0])} to {share(interval[1])}"
    return f"{counted}: failure rate about {share(value)}, {ends} {level}"


def share(value: float, *, up: bool = False) -> str:
    """A share of 0..1 in per cent; what is neither 0 nor 1 is never shown as either.

    `up`: never below it, as an upper bound is said.
    """
    if up:
        return percent(value)
    hundredths = value * 100
    if 0 < hundredths < 0.1:
        return "less than 0.1 %"
    if 99.9 < hundredths < 100:
        return "more than 99.9 %"
    return f"{hundredths:.1f}".removesuffix(".0") + " %"
