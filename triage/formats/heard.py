"""What a record says of its judges and of what they may fail by, read without the rest of it."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from triage.formats.parts import SCORE_ALIASES, TOP_SCORES, judges_mean

_OTHERWISE = ("turns", *TOP_SCORES)
"""Keys that say the same in other words, or of a part of the record alone."""


class HeardJudge(msgspec.Struct, frozen=True):
    """A judge's name and scores."""

    judge: str
    scores: dict[str, float] = {}


class Heard(msgspec.Struct):
    """The fields of a `Record` that speak of judges; see there."""

    id: str
    query: str
    predicted_answerable: bool | msgspec.UnsetType = msgspec.UNSET
    refused: bool | msgspec.UnsetType = msgspec.UNSET
    scores: dict[str, float] | None = None
    judges: list[HeardJudge] | None = None
    answerable: bool | None = None
    query_type: str | None = None
    domain: str | None = None
    difficulty: str | None = None


# A key whose value is of no kind it can be: a record that speaks of it is not decoded.
_Unheard = Literal["\0"]
_Line = msgspec.defstruct("_Line", [(name, _Unheard, msgspec.UNSET) for name in _OTHERWISE], bases=(Heard,))
_decode = msgspec.json.Decoder(_Line).decode


def heard(raw: str) -> Heard | None:
    """What a stored JSON text says in the format's own words; None where reading the record must tell.

    What comes back is what `read_stored` without a mapping, and `infer`, have in these fields.
    """
    try:
        found: Any = _decode(raw)
    except (msgspec.DecodeError, UnicodeError):
        return None
    if (found.predicted_answerable is msgspec.UNSET) is (found.refused is msgspec.UNSET):
        return None
    if found.refused is not msgspec.UNSET:
        found.predicted_answerable = not found.refused
    judges = found.judges or ()
    given = [found.scores or {}, *(judge.scores for judge in judges)]
    if not all(SCORE_ALIASES.keys().isdisjoint(scores) for scores in given):
        return None
    mean = judges_mean([{"scores": judge.scores} for judge in judges])
    if mean:
        found.scores = {**(found.scores or {}), **mean}
    return found if isinstance(found, Heard) else None
