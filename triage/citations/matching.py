"""Which values of a sentence the cited texts have, and what they have instead (metrics.md section 6)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from triage.citations.dates import masked
from triage.citations.pairing import ALIGNED, MOST_VALUES, Found, Pair, Place
from triage.citations.quantities import Quantity, quantities
from triage.citations.wording import Wording

_MARGIN = 0.2
_WORKED_OUT = re.compile(
    r"[=*×÷]|合计|共计|总共|总计|等于|相差|\b(?:total(?:s|ing|ling)?|sum|equals?|adds up)\b"
)
_OPERANDS = 40
_CALENDAR = {"time", "month"}
_DAY = 1440


def values(wording: Wording) -> list[Quantity]:
    """The values of a text; read once."""
    kept: list[Quantity] | None = wording.kept.get("values")
    if kept is None:
        kept = quantities(wording.text, masked(wording))
        wording.kept["values"] = kept
    return kept


def mismatched(pair: Pair, kind: Literal["duration", "amount", "number"]) -> Iterator[Found]:
    """The sentence's values of a kind that the cited texts do not have, or have for something else."""
    for value in values(pair.sentence)[:MOST_VALUES]:
        if value.kind == kind:
            found = _against(pair, value)
            if found is not None:
                yield Found(value.start, value.end, tuple(found))


def _against(pair: Pair, value: Quantity) -> list[Place] | None:
    """What stands against `value`, [] where nothing of the kind is there; None where nothing is wrong."""
    same: list[tuple[float, bool, Place, Quantity]] = []
    for number, text in enumerate(pair.texts):
        for other in values(text.wording):
            if not _comparable(value, other):
                continue
            place = Place(number, other.start, other.end)
            same.append((pair.near(value.start, number, other.start), _agrees(value, other), place, other))
    mine = [each for each in values(pair.sentence) if each is not value]
    if any(_same(value, each) for each in mine) and any(_same(value, each[3]) for each in same):
        return None
    right = max((near for near, agrees, _, _ in same if agrees), default=None)
    wrong = [each for each in same if not each[1]]
    if right is not None:
        # The value is there; it is wrong only where a text much more alike says another.
        better = [
            place
            for near, agrees, place, other in same
            if not agrees
            and near > right + _MARGIN
            and near >= ALIGNED
            and not _equal(other.low, value.low)
            # The sentence may tell several values of the texts, each in its place.
            and not any(_agrees(each, other) for each in mine)
        ]
        return better or None
    if value.weak:
        wrong = [each for each in wrong if each[3].dimension == value.dimension]
        if not wrong:
            return None
    if _computed(pair, value) or _both_ends(value, [other for *_, other in same]):
        return None
    asked = _asked(pair, value)
    if not wrong or (asked and any(_within(value, other) for _, _, _, other in wrong)):
        return None if asked else []
    nearest = max(near for near, _, _, _ in wrong)
    if value.weak and nearest < ALIGNED:
        return None
    if asked and nearest < ALIGNED:
        return None
    return [place for near, _, place, _ in wrong if near >= nearest - 1e-9]


def _comparable(value: Quantity, other: Quantity) -> bool:
    if value.kind == other.kind == "number":
        if value.dimension == other.dimension or not value.dimension or not other.dimension:
            return True
        # 件 and 个 count the same things; kilograms and times do not.
        return len(value.dimension) == len(other.dimension) == 1 and "g" not in (
            value.dimension,
            other.dimension,
        )
    return value.kind == other.kind


def _agrees(value: Quantity, other: Quantity) -> bool:
    if {value.dimension, other.dimension} == _CALENDAR:
        return _same_span(value, other)
    if value.dimension != other.dimension and not (value.kind == "number" and _comparable(value, other)):
        return False
    if _same(value, other):
        return not {value.bound, other.bound} >= {"<", ">"}
    if not _equal(other.low, other.high) and _equal(value.low, value.high):
        return (value.bound == "<" and _equal(value.high, other.high)) or (
            value.bound == ">" and _equal(value.low, other.low)
        )
    return False


def _same(value: Quantity, other: Quantity) -> bool:
    return _equal(value.low, other.low) and _equal(value.high, other.high)


def _same_span(value: Quantity, other: Quantity) -> bool:
    """Whether days and months may be the same stretch of time: 30 天 and 一个月, 365 days and a year."""
    if {value.bound, other.bound} >= {"<", ">"}:
        return False
    days, months = (value, other) if value.dimension == "time" else (other, value)
    return all(
        abs(span / _DAY - count * 30.4) <= (1 if count < 1 else 2.5)
        for span, count in ((days.low, months.low), (days.high, months.high))
    )


def _equal(one: float, other: float) -> bool:
    return abs(one - other) <= 1e-6 * max(1.0, abs(one), abs(other))


def _within(value: Quantity, other: Quantity) -> bool:
    """Whether a value lies on the right side of the bound that a text gives: 120 of "more than 100"."""
    if value.dimension != other.dimension and value.kind != "number":
        return False
    return (other.bound == ">" and value.low > other.low) or (other.bound == "<" and value.high < other.high)


def _both_ends(value: Quantity, others: list[Quantity]) -> bool:
    """Whether a range of plain numbers has its ends in the texts, each for itself: from 1.22 to 1.23."""
    lows = [other.low for other in others if other.dimension == value.dimension]
    return (
        value.kind == "number"
        and value.low < value.high
        and any(_equal(low, value.low) for low in lows)
        and any(_equal(low, value.high) for low in lows)
    )


def _computed(pair: Pair, value: Quantity) -> bool:
    """Whether the sentence works the value out of others: "60 items * 10 = 600", 合计 300 元."""
    if not _WORKED_OUT.search(pair.sentence.text):
        return False
    mine = [each for each in values(pair.sentence) if each is not value]
    theirs = [each for text in pair.texts for each in values(text.wording)][:_OPERANDS]
    known = sorted({each.low for each in (*mine, *theirs)})
    return any(
        _equal(value.low, result)
        for at, one in enumerate(known)
        for other in known[at:]
        for result in (one + other, one * other, other - one)
    )


def _asked(pair: Pair, value: Quantity) -> bool:
    """Whether the question itself has the value: the answer only takes it up."""
    return bool(pair.asked) and any(
        _agrees(value, other) for other in values(pair.question) if other.kind == value.kind
    )
