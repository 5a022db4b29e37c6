"""Repeated samples of a case (metrics.md section 4): can it pass, and does it always?"""

from __future__ import annotations

from math import comb


def pass_at_k(n: int, c: int, k: int) -> float | None:
    """The chance, 0..1, that at least one of `k` of `n` attempts passes, where `c` did.

    1 - C(n-c, k) / C(n, k), which has no bias (the HumanEval estimator). None where there are fewer attempts
    than k, or k < 1.
    """
    return None if not 1 <= k <= n else 1 - comb(n - c, k) / comb(n, k)


def pass_hat_k(n: int, c: int, k: int) -> float | None:
    """The chance, 0..1, that all of `k` of `n` attempts pass, where `c` did: C(c, k) / C(n, k) (tau-bench).

    None where there are fewer attempts than k, or k < 1.
    """
    return None if not 1 <= k <= n else comb(c, k) / comb(n, k)
