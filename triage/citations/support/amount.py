"""Sums of money and percentages (metrics.md section 6)."""

from __future__ import annotations

from collections.abc import Iterable

from triage.citations.matching import mismatched
from triage.citations.pairing import Found, Pair
from triage.models.sentences import Mismatch

KIND: Mismatch = "amount"


def clashes(pair: Pair) -> Iterable[Found]:
    """The sentence's values of this kind that the cited texts do not bear out."""
    return mismatched(pair, "amount")
