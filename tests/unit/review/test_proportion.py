"""Exact bounds of a share, held against scipy's numbers."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from triage.review.proportion import clopper_pearson, incomplete_beta, most_hidden, upper_bound


def test_clopper_pearson_is_scipys(shared: Callable[[str], Path]) -> None:
    vectors = json.loads(shared("vectors/stats_proportion.json").read_text("utf-8"))
    for case in vectors["cases"]:
        level = 1 - case["alpha"]
        assert clopper_pearson(case["x"], case["n"], level) == pytest.approx(
            case["clopper_pearson"], abs=vectors["tolerance"]
        )
        assert upper_bound(case["x"], case["n"], level) == pytest.approx(
            case["cp_upper_one_sided"], abs=vectors["tolerance"]
        )


def test_so_many_cases_are_needed_and_no_fewer(shared: Callable[[str], Path]) -> None:
    for plan in json.loads(shared("vectors/sample_size.json").read_text("utf-8"))["plans"]:
        allowed, rate, level = plan["failures_allowed"], plan["max_rate"], plan["confidence"]
        assert upper_bound(allowed, plan["n_needed"], level) <= rate + 1e-12, plan
        assert upper_bound(allowed, plan["n_needed"] - 1, level) > rate, plan


def test_a_finite_population_needs_so_many_and_no_fewer(shared: Callable[[str], Path]) -> None:
    for plan in json.loads(shared("vectors/sample_size.json").read_text("utf-8"))["finite"]:
        size, needed = plan["population"], plan["n_needed_zero_failures"]
        most = plan["max_rate"] * size + 1e-9
        assert most_hidden([(size, needed)], plan["confidence"]) <= most, plan
        assert most_hidden([(size, needed - 1)], plan["confidence"]) > most, plan


def test_the_incomplete_beta_of_whole_numbers_is_a_sum_of_binomials() -> None:
    for a, b, x in product((1, 2, 7), (1, 3, 40), (0.01, 0.2, 0.5, 0.97)):
        n = a + b - 1
        tail = math.fsum(math.comb(n, i) * x**i * (1 - x) ** (n - i) for i in range(a, n + 1))
        assert incomplete_beta(x, a, b) == pytest.approx(tail, abs=1e-13)
    assert incomplete_beta(0.0, 2, 3) == 0 and incomplete_beta(1.0, 2, 3) == 1


def test_bounds_of_many_thousands_are_those_of_a_normal_distribution() -> None:
    low, high = clopper_pearson(30_000, 100_000)
    half = 1.959964 * math.sqrt(0.3 * 0.7 / 100_000)
    assert low == pytest.approx(0.3 - half, abs=3e-5) and high == pytest.approx(0.3 + half, abs=3e-5)


def _worst(cells: list[tuple[int, int]], level: float) -> int:
    """By trying every way to spread failures over the strata."""
    best = 0
    for inside in product(*(range(size - read + 1) for size, read in cells)):
        chance = math.prod(
            math.comb(size - failures, read) / math.comb(size, read)
            for (size, read), failures in zip(cells, inside, strict=True)
        )
        if chance > 1 - level:
            best = max(best, sum(inside))
    return best


@pytest.mark.parametrize(
    "cells", [[(12, 3), (9, 6)], [(8, 1), (8, 1), (8, 5)], [(20, 4)], [(6, 6), (7, 2)], [(5, 5)]]
)
def test_what_clean_strata_may_hide_is_the_worst_of_all_ways(cells: list[tuple[int, int]]) -> None:
    for level in (0.8, 0.95, 0.975):
        assert most_hidden(cells, level) == _worst(cells, level)
