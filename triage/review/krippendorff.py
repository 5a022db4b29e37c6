"""Agreement of any number of people, with gaps (Krippendorff 2011, "Computing Krippendorff's
Alpha-Reliability").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, Literal

ROUNDS = 1000
"""How often cases are drawn again for an interval."""
MOST_DRAWS = 400_000
"""Cases drawn in all of them, so that thousands of readings are told of within a second."""
Level = Literal["nominal", "ordinal", "interval"]
"""What a difference of two values is: any is as large; by how many values lie between; by its square."""


def units_of(by_rater: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """Ratings given rater by rater, None where one is missing, as the ratings of each unit.

    Raises:
        ValueError: the raters' sequences are of different length.
    """
    return [
        tuple(value for value in column if value is not None) for column in zip(*by_rater, strict=True)
    ]  # fmt: skip


def alpha(units: Iterable[Sequence[Any]], level: Level = "nominal") -> float | None:
    """Krippendorff's alpha (metrics.md section 7), at most 1; 0 = no better than chance.

    Args:
        units: what was said of each case, in any order, by as many as said something; a case with fewer
            than two values is not compared.
        level: `nominal` for classes, `ordinal` for scores, `interval` for numbers; the last two take
            numbers.

    Returns:
        None where it is undefined: no case has two values, or all of these values are the same.
    """
    return alpha_counted(Counter(tuple(unit) for unit in units), level)


def alpha_counted(units: Mapping[tuple[Any, ...], int], level: Level = "nominal") -> float | None:
    """`alpha` of units that are alike, given with how many there are of each."""
    pairs: dict[int, Counter[tuple[Any, Any]]] = {}
    for unit, times in units.items():
        if len(unit) < 2:
            continue
        found, values = pairs.setdefault(len(unit), Counter()), Counter(unit)
        for one, count in values.items():
            for other, other_count in values.items():
                found[one, other] += times * count * (other_count - (one == other))
    # Counts stay whole numbers until the division by how many others said something.
    together: dict[tuple[Any, Any], float] = {}
    given: Counter[Any] = Counter()
    for size, found in pairs.items():
        for pair, count in found.items():
            together[pair] = together.get(pair, 0.0) + count / (size - 1)
    for unit, times in units.items():
        if len(unit) >= 2:
            for value in unit:
                given[value] += times
    if len(given) < 2:
        return None
    apart = _difference(level, given)
    total = sum(given.values())
    observed = sum(count * apart(*pair) for pair, count in together.items())
    expected = sum(
        count * other_count * apart(one, other)
        for one, count in given.items()
        for other, other_count in given.items()
    )
    return 1 - (total - 1) * observed / expected


def alpha_interval(
    units: Mapping[tuple[Any, ...], int], seed: str, level: Level = "nominal", rounds: int = ROUNDS
) -> tuple[float, float] | None:
    """95 % interval of `alpha_counted` by a percentile bootstrap over the cases, the same for the same seed.

    Args:
        rounds: how often all cases are drawn again; fewer where there are very many, at least 200.

    Returns:
        None where alpha is undefined, or is so in half of the rounds or more; and where nobody differs: cases
        drawn again would then never differ either, however few they are.
    """
    pairable = {unit: times for unit, times in units.items() if len(unit) > 1}
    n = sum(pairable.values())
    if alpha_counted(pairable, level) is None or all(len(set(unit)) == 1 for unit in pairable):
        return None
    kinds = sorted(pairable, key=repr)
    weights = [pairable[kind] for kind in kinds]
    rounds = max(min(rounds, MOST_DRAWS // n), min(rounds, 200))
    chance = Random(seed)
    found = sorted(
        value
        for _ in range(rounds)
        if (value := alpha_counted(Counter(chance.choices(kinds, weights, k=n)), level)) is not None
    )
    if 2 * len(found) <= rounds:
        return None
    last = len(found) - 1
    return found[round(0.025 * last)], found[round(0.975 * last)]


def _difference(level: Level, given: Mapping[Hashable, int]) -> Callable[[Any, Any], float]:
    if level == "nominal":
        return lambda one, other: float(one != other)
    if level == "interval":
        return lambda one, other: float((one - other) ** 2)
    before: dict[Any, float] = {}
    passed = 0
    for value in sorted(given):  # type: ignore[type-var]
        # Half of its own: the distance of two values is then what lies between the middles of their ranks.
        before[value] = passed + given[value] / 2
        passed += given[value]
    return lambda one, other: (before[one] - before[other]) ** 2
