"""Picks and orders that a seed decides alone: the same on every machine, whatever else is in the run."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

SEPARATOR = "\x1f"
"""Stands between the seed and a case's id, in neither of which anybody types it."""
_QUEUE = f"queue{SEPARATOR}"


def drawing(seed: str, case_id: str) -> str:
    """The hexadecimal SHA-256 by which a case is picked (metrics.md section 7): smaller is sooner."""
    return sha256(f"{seed}{SEPARATOR}{case_id}".encode("utf-8", "backslashreplace")).hexdigest()


def pick(case_ids: Iterable[str], n: int, seed: str) -> list[str]:
    """The `n` cases with the smallest `drawing`, ties by id; sorted by id (metrics.md section 7).

    A case more or less never reshuffles the others.
    """
    if n <= 0:
        return []
    return sorted(sorted(case_ids, key=lambda case_id: (drawing(seed, case_id), case_id))[:n])


def shuffled(case_ids: Iterable[str], seed: str) -> list[str]:
    """The order of a queue: by a drawing of its own, so that a place tells nothing of stratum or file."""
    own = _QUEUE + seed
    return sorted(case_ids, key=lambda case_id: (drawing(own, case_id), case_id))
