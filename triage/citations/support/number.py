"""Counts and measures: times, pieces, digits, kilograms, numbers without a unit (metrics.md section 6)."""

from __future__ import annotations

from collections.abc import Iterator

from triage.citations.matching import mismatched
from triage.citations.named import other_number
from triage.citations.pairing import Found, Pair
from triage.models.sentences import Mismatch

KIND: Mismatch = "number"


def clashes(pair: Pair) -> Iterator[Found]:
    """The sentence's values of this kind that the cited texts do not bear out."""
    found = list(mismatched(pair, "number"))
    yield from found
    for each in other_number(pair):
        if not any(one.start < each.end and each.start < one.end for one in found):
            yield each
