"""The common case, quickly: a line that is a record in the format's own words is validated in one step."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from pydantic import ConfigDict, ValidationError

from triage.formats.parts import SCORE_ALIASES, TOP_SCORES
from triage.models.record import Record

_CAREFUL = frozenset(
    {"extra", "inferred", "citation_field", "citation_text", "turns", "judges", "tools", "expected_tools"}
)
"""Model fields that need more than their types: our own names, and those with aliases inside."""
_ALIASES = frozenset({"retrieved_ids", "refused", "golden_facts", *TOP_SCORES})


class _Line(Record):
    """A record whose every field has the type it should have; its unknown keys stay beside it."""

    model_config = ConfigDict(extra="allow", strict=True)


def read_quickly(line: str | bytes) -> Record | None:
    """The record of a JSON text, or None where only `record_from` can tell.

    What is returned is what `record_from` returns without a problem.
    """
    try:
        record = _Line.model_validate_json(line, strict=True)
    except ValidationError:
        return None
    unknown = record.model_extra
    if record.query is None or not record.model_fields_set.isdisjoint(_CAREFUL) or not record.id.strip():
        return None
    if unknown and not _ALIASES.isdisjoint(unknown):
        return None
    if record.scores and not SCORE_ALIASES.keys().isdisjoint(record.scores):
        return None
    if record.error is not None and not record.error.strip():
        return None
    # An absent content may stand under another name.
    if record.history and any(message.content is None for message in record.history):
        return None
    if unknown:
        if not _finite(unknown.values()):
            return None
        record.extra = dict(unknown)
        unknown.clear()
    return record


def _finite(values: Iterable[Any]) -> bool:
    for value in values:
        kind = type(value)
        if kind is float:
            if not math.isfinite(value):
                return False
        elif kind is dict:
            if not _finite(value.values()):
                return False
        elif kind is list and not _finite(value):
            return False
    return True
