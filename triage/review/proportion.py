"""Exact bounds of a share (metrics.md section 7): Clopper-Pearson, and what a clean sample may miss."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence

_TINY = 1e-300
_STEPS = 500


def incomplete_beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b), 0..1, for 0 <= x <= 1 and a, b > 0.

    Lentz's continued fraction (Abramowitz and Stegun 26.5.8).
    """
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    # The fraction converges quickly below the mean alone.
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a
    return 1 - front * _fraction(1 - x, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1) or _TINY)
    value = d
    for step in range(1, _STEPS + int(10 * math.sqrt(max(a, b)))):
        even = step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step))
        odd = -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1))
        for part in (even, odd):
            d = 1 / (1 + part * d or _TINY)
            c = 1 + part / c or _TINY
            value *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return value


def beta_quantile(p: float, a: float, b: float) -> float:
    """The x with I_x(a, b) = p, for 0 <= p <= 1 and a, b > 0."""
    low, high = 0.0, 1.0
    while high - low > 1e-16:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if incomplete_beta(middle, a, b) < p:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def clopper_pearson(failures: int, read: int, confidence: float = 0.95) -> tuple[float, float]:
    """The exact two-sided interval (Clopper and Pearson 1934) of `failures` in `read` >= 1 cases."""
    tail = (1 - confidence) / 2
    low = 0.0 if failures == 0 else beta_quantile(tail, failures, read - failures + 1)
    high = 1.0 if failures == read else beta_quantile(1 - tail, failures + 1, read - failures)
    return low, high


def upper_bound(failures: int, read: int, confidence: float = 0.95) -> float:
    """The largest share that `failures` of `read` cases do not speak against (Clopper and Pearson 1934,
    one-sided); 1 where no case is read.
    """
    if failures >= read:
        return 1.0
    if not failures:
        return -math.expm1(math.log1p(-confidence) / read)
    return beta_quantile(confidence, failures + 1, read - failures)


def most_hidden(cells: Sequence[tuple[int, int]], confidence: float = 0.95) -> int:
    """The greatest number of failures that readings which found none may have missed.

    The greatest number for which, wherever the failures sit, finding none has a probability above
    1 - `confidence`: hypergeometric in each stratum, exact for a finite population. A single stratum gives
    the bound of a simple random sample.

    Args:
        cells: the size of each stratum, and how many of its cases were read, 0 < read <= size.
    """
    budget = -math.log1p(-confidence)
    # Each further failure in a stratum is dearer to hide than the one before: the cheapest first is best.
    heap = [(_cost(size, read, 0), size, read, 0) for size, read in cells if read < size]
    heapq.heapify(heap)
    hidden, spent = 0, 0.0
    while heap:
        cost, size, read, inside = heapq.heappop(heap)
        if spent + cost >= budget:
            break
        spent, hidden = spent + cost, hidden + 1
        if inside + 1 < size - read:
            heapq.heappush(heap, (_cost(size, read, inside + 1), size, read, inside + 1))
    return hidden


def _cost(size: int, read: int, inside: int) -> float:
    """What one more failure beside `inside` takes from the logarithm of the probability to find none."""
    return -math.log1p(-read / (size - inside))
