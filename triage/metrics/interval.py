"""Confidence interval of a share."""

from __future__ import annotations

import math
from functools import lru_cache


@lru_cache(maxsize=64)
def normal_quantile(confidence: float) -> float:
    """The z for which a standard normal lies within -z..z with probability `confidence`, 0 <= it < 1."""
    low, high = 0.0, 40.0
    while high - low > 1e-15 * max(1.0, high):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        # erfc keeps its digits in the tail, where 1 - erf has lost them.
        if math.erfc(middle / math.sqrt(2)) > 1 - confidence:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def wilson(successes: float, trials: float, alpha: float = 0.05) -> tuple[float, float] | None:
    """Wilson score interval (Wilson 1927) of `successes` in `trials` at level 1 - `alpha`, both ends in 0..1.

    None where there are no trials.
    """
    if trials <= 0:
        return None
    z = normal_quantile(1 - alpha)
    share, square = successes / trials, z * z
    centre = share + square / (2 * trials)
    half = z * math.sqrt(share * (1 - share) / trials + square / (4 * trials * trials))
    scale = 1 + square / trials
    low = 0.0 if successes <= 0 else max(0.0, (centre - half) / scale)
    high = 1.0 if successes >= trials else min(1.0, (centre + half) / scale)
    return low, high
