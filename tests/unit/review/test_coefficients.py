"""Kappa and alpha against other libraries' values, and against published ones."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from triage.review.kappa import cohen_kappa, quadratic_kappa, raw_agreement
from triage.review.krippendorff import alpha, alpha_counted, alpha_interval, units_of

Shared = Callable[[str], Path]


def _cases(path: Path) -> tuple[list[dict[str, Any]], float]:
    vectors = json.loads(path.read_text(encoding="utf-8"))
    return vectors["cases"], vectors["tolerance"]


def _near(expected: float | None, tolerance: float) -> Any:
    return None if expected is None else pytest.approx(expected, abs=tolerance)


def test_kappas_are_those_of_scikit_learn(shared: Shared) -> None:
    cases, tolerance = _cases(shared("vectors/stats_kappa.json"))
    assert cases
    for case in cases:
        a, b = case["a"], case["b"]
        assert raw_agreement(a, b) == _near(case["agreement"], tolerance)
        assert cohen_kappa(a, b) == _near(case["kappa"], tolerance)
        if "kappa_quadratic_1_5" in case:
            assert quadratic_kappa(a, b) == _near(case["kappa_quadratic_1_5"], tolerance)


def test_alphas_are_those_of_the_krippendorff_library(shared: Shared) -> None:
    cases, tolerance = _cases(shared("vectors/stats_krippendorff.json"))
    assert cases
    for case in cases:
        units = units_of(case["ratings_by_coder"])
        assert alpha(units, "nominal") == _near(case["nominal"], tolerance)
        assert alpha(units, "ordinal") == _near(case["ordinal"], tolerance)
        assert alpha(units, "interval") == _near(case["interval"], tolerance)


def test_alpha_of_krippendorffs_two_observers_is_the_papers() -> None:
    # Krippendorff 2011, section B: nominal data of two observers, alpha = .692.
    first = "a a b b d c c c e d d a".split()
    second = "b a b b b c c c e d d d".split()
    assert alpha(zip(first, second, strict=True)) == pytest.approx(0.692, abs=5e-4)


def test_binary_alpha_of_krippendorff_is_the_papers() -> None:
    # Krippendorff 2011, section A: alpha = .095.
    first = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    second = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    assert alpha(zip(first, second, strict=True)) == pytest.approx(0.095, abs=5e-4)


@pytest.mark.parametrize("values", [[], ["ok"], ["ok"] * 9])
def test_one_verdict_throughout_has_no_kappa_and_no_alpha(values: list[str]) -> None:
    assert cohen_kappa(values, values) is None
    assert alpha(zip(values, values, strict=True)) is None
    assert raw_agreement(values, values) == (1.0 if values else None)


def test_two_who_never_agree_have_a_kappa_below_nothing() -> None:
    assert cohen_kappa(["a", "b"], ["b", "a"]) == -1.0
    assert quadratic_kappa([1, 5], [5, 1]) == -1.0


def test_one_constant_against_another_is_chance_alone() -> None:
    assert cohen_kappa(["a", "a"], ["b", "b"]) == 0.0
    assert quadratic_kappa([1, 1], [2, 2]) == 0.0


def test_a_full_agreement_is_one_to_the_last_digit() -> None:
    values = ["a", "b", "c", "a", "a", "b", "c"]
    assert cohen_kappa(values, values) == 1.0
    assert alpha([(value, value, value) for value in values]) == 1.0
    assert quadratic_kappa([1, 3, 5], [1, 3, 5]) == 1.0


def test_a_case_that_one_alone_has_read_changes_no_alpha() -> None:
    units: list[tuple[str, ...]] = [("a", "a"), ("a", "b"), ("b", "b", "b")]
    assert alpha([*units, ("c",), ()]) == alpha(units)


def test_units_that_are_alike_may_be_counted() -> None:
    units = [(1, 2), (1, 2), (2, 2, 3), (4, 4)]
    for level in ("nominal", "ordinal", "interval"):
        assert alpha_counted(Counter(units), level) == pytest.approx(alpha(units, level))


def test_what_is_not_of_the_same_cases_is_refused() -> None:
    with pytest.raises(ValueError, match="2 values against 1"):
        cohen_kappa(["a", "b"], ["a"])
    with pytest.raises(ValueError, match="zip"):
        units_of([[1, 2], [1]])


def test_the_interval_of_alpha_is_of_the_seed_and_shrinks_with_the_cases() -> None:
    units: dict[tuple[str, ...], int] = {("a", "a"): 20, ("b", "b"): 12, ("a", "b"): 6, ("c", "c", "b"): 2}
    low, high = alpha_interval(units, "seed") or (0.0, 0.0)
    value = alpha_counted(units)
    assert value is not None
    assert low < value < high
    assert alpha_interval(units, "seed") == (low, high)
    assert alpha_interval(dict(reversed(units.items())), "seed") == (low, high)
    narrow = alpha_interval({unit: 25 * times for unit, times in units.items()}, "seed")
    assert narrow is not None
    # Twenty-five times the cases: a fifth of the width.
    assert narrow[1] - narrow[0] == pytest.approx((high - low) / 5, rel=0.3)


def test_the_interval_of_alpha_covers_what_is_true_about_as_often_as_it_says() -> None:
    # Two readers say the same in 80 % of cases and guess among two classes in the rest: alpha is .8.
    chance, covered = random.Random(12), 0
    for trial in range(80):
        units: Counter[tuple[str, ...]] = Counter()
        for _ in range(150):
            one = chance.choice("ab")
            other = one if chance.random() < 0.8 else chance.choice("ab")
            units[tuple(sorted((one, other)))] += 1
        low, high = alpha_interval(units, str(trial), rounds=200) or (1.0, 0.0)
        covered += low <= 0.8 <= high
    # A percentile bootstrap of a skewed number is a little too narrow.
    assert covered >= 70


def test_where_alpha_is_undefined_so_is_its_interval() -> None:
    assert alpha_interval({("a", "a"): 9, ("b",): 3}, "seed") is None
    assert alpha_interval({}, "seed") is None
    assert alpha_interval({("a", "a"): 2, ("b", "b"): 1}, "seed") is None, "three cases are not sure of 1"
