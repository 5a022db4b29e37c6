"""Agreement of two people on the same cases: raw, and beyond chance (Cohen 1960; weighted: Cohen 1968)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence


def _paired(a: Sequence[object], b: Sequence[object]) -> None:
    if len(a) != len(b):
        raise ValueError(f"{len(a)} values against {len(b)}: both must have judged the same cases")


def raw_agreement(a: Sequence[Hashable], b: Sequence[Hashable]) -> float | None:
    """Share of cases, 0..1, to which both give the same value; None where there is no case.

    Raises:
        ValueError: the sequences are of different length.
    """
    _paired(a, b)
    return sum(one == other for one, other in zip(a, b, strict=True)) / len(a) if a else None


def cohen_kappa(a: Sequence[Hashable], b: Sequence[Hashable]) -> float | None:
    """Cohen's kappa, unweighted, of values without an order (metrics.md section 7), -1..1.

    Args:
        a, b: what each of the two says of the same cases in the same order.

    Returns:
        None where it is undefined: no case, or both give one and the same value throughout.

    Raises:
        ValueError: the sequences are of different length.
    """
    _paired(a, b)
    of_a, of_b, n = Counter(a), Counter(b), len(a)
    same = sum(one == other for one, other in zip(a, b, strict=True))
    # Counts stay whole numbers up to the one division, so that a full agreement is 1 to the last digit.
    by_chance = sum(count * of_b[value] for value, count in of_a.items())
    if n * n == by_chance:
        return None
    return (n * same - by_chance) / (n * n - by_chance)


def quadratic_kappa(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Kappa of scores, a difference weighing by its square (metrics.md section 7: 1-5), at most 1.

    Args:
        a, b: the scores that each of the two gives to the same cases in the same order.

    Returns:
        None where it is undefined: no case, or both give one and the same score throughout.

    Raises:
        ValueError: the sequences are of different length.
    """
    _paired(a, b)
    of_a, of_b = Counter(a), Counter(b)
    apart = sum((one - other) ** 2 for one, other in zip(a, b, strict=True))
    by_chance = sum(
        count * other_count * (one - other) ** 2
        for one, count in of_a.items()
        for other, other_count in of_b.items()
    )
    return None if by_chance == 0 else 1 - len(a) * apart / by_chance
