"""Points in time: dates, weekdays, clock times, 明天, 立即, tomorrow, at once (metrics.md section 6)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from triage.citations.dates import Moment, moments
from triage.citations.pairing import MOST_VALUES, Found, Pair, Place
from triage.citations.polarity import negators
from triage.models.sentences import Mismatch

KIND: Mismatch = "date"

_NEAR = {
    "at once": {"at once"},
    "today": {"today", "same day"},
    "same day": {"today", "same day"},
    "tomorrow": {"tomorrow", "next day"},
    "next day": {"tomorrow", "next day"},
}
_ADVICE = re.compile(r"(?:请|尽快|应|务必|建议|必须|需|please|should|must)[^，,。]{0,8}\Z")
_WEAK = frozenset({"holiday", "weekend", "this year", "this month", "yesterday"})


def clashes(pair: Pair) -> Iterator[Found]:
    """The sentence's points in time that the cited texts do not have."""
    for moment in moments(pair.sentence)[:MOST_VALUES]:
        found = _against(pair, moment)
        if found is not None:
            yield Found(moment.start, moment.end, tuple(found))


def _against(pair: Pair, moment: Moment) -> list[Place] | None:
    if moment.sort == "relative" and _ADVICE.search(pair.sentence.text[: moment.start]):
        return None
    if any(_agrees(moment, other) for other in moments(pair.question)):
        return None
    year = _year_alone(moment)
    if year and any(year in text.wording.text for text in pair.texts):
        return None
    others: list[tuple[float, Place]] = []
    for number, text in enumerate(pair.texts):
        for other in moments(text.wording):
            if other.sort != moment.sort and "relative" not in (other.sort, moment.sort):
                continue
            if _agrees(moment, other):
                return None
            near = pair.near(moment.start, number, other.start)
            others.append((near, Place(number, other.start, other.end)))
    if moment.key in _WEAK:
        return None
    if not others:
        # "Need not focus on it immediately" promises no time.
        clause = pair.sentence.clause_at(moment.start) if moment.sort == "relative" else None
        return None if clause and negators(clause.text) else []
    nearest = max(near for near, _ in others)
    return [place for near, place in others if near >= nearest - 1e-9]


def _year_alone(moment: Moment) -> str:
    """The year of a moment that says no more than that, else ""."""
    key = moment.key
    return str(key[0]) if isinstance(key, tuple) and key[0] is not None and key[1:] == (None, None) else ""


def _agrees(one: Moment, other: Moment) -> bool:
    if one.sort != other.sort:
        return False
    if isinstance(one.key, frozenset) and isinstance(other.key, frozenset):
        return not one.key.isdisjoint(other.key)
    if isinstance(one.key, tuple) and isinstance(other.key, tuple):
        shared = [(a, b) for a, b in zip(one.key, other.key, strict=True) if a is not None and b is not None]
        return bool(shared) and all(a == b for a, b in shared)
    if one.sort == "relative":
        return other.key in _NEAR.get(str(one.key), {one.key})
    return one.key == other.key
