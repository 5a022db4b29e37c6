"""Cases without what people and documents said: ids, classes and numbers stay (cli.md, `--redact`)."""

from __future__ import annotations

import re
from typing import Any

from msgspec.structs import replace

from triage.export.rows import ExportRow
from triage.formats.parts import TOP_SCORES
from triage.models.loads import loads
from triage.models.measure import CLASSES
from triage.models.verdict import Event

_KEPT = frozenset({
    "id", "answerable", "expected_ids", "retrieved_ids", "predicted_answerable", "refused", "citations",
    "query_type", "topic", "tags", "domain", "difficulty", "dependency", "seed_id", "rewrite", "source",
    "expected_route", "route", "passed", "refusal_reason", "latency_ms", "tokens", "cost", "kb_version",
    "dataset_version",
})  # fmt: skip
_SCORES = frozenset(TOP_SCORES)
_TEXTS = frozenset({
    "query", "raw_query", "answer", "reference_answer", "history", "turns", "error", "failure_reason",
})  # fmt: skip
# Of the items of these lists and objects, the keys that hold ids, classes and numbers.
_PARTS: dict[str, frozenset[str]] = {
    "retrieved": frozenset({"id", "score", "version"}),
    "evidence": frozenset({"id", "score", "version"}),
    "golden": frozenset({"must", "compare", "exclude", "hit"}),
    "golden_facts": frozenset({"hit"}),
    "judges": frozenset({"judge", "scores"}),
    "attempts": frozenset({"passed"}),
    "feedback": frozenset({"thumb", "repeated", "no_follow_up", "handed_off"}),
    "conflict": frozenset({"resolved", "correct"}),
    "tools": frozenset({"name", "ok", "empty", "strict"}),
    "expected_tools": frozenset({"name", "ok", "empty", "strict"}),
    "plan": frozenset({"ids"}),
    "expected_plan": frozenset({"ids"}),
}
# Lists whose bare strings are ids; in the other parts a bare string is a text.
_IDS_IN = frozenset({"retrieved", "evidence"})
_WORDS = frozenset(CLASSES) | _KEPT | _SCORES | _TEXTS | frozenset(_PARTS)
_KINDS = frozenset({"modality", "duration", "amount", "number", "date", "negation", "scope"})
_KEY = re.compile(r"[a-z][a-z0-9_]{0,39}")


def _flat(value: Any) -> Any:
    """A value without objects inside: what a field of ids, classes or numbers may hold."""
    if isinstance(value, list):
        return [item for item in value if not isinstance(item, (dict, list))]
    return None if isinstance(value, dict) else value


def _numbers(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: item for key, item in value.items() if isinstance(item, (int, float))}
    return value if isinstance(value, (int, float)) else None


def _part(value: Any, keys: frozenset[str], bare_ids: bool) -> Any:
    if isinstance(value, list):
        return [_part(item, keys, bare_ids) for item in value]
    if isinstance(value, dict):
        kept: dict[str, Any] = {}
        for key, item in value.items():
            if key not in keys:
                kept[key] = None
            elif key == "scores":
                kept[key] = _numbers(item)
            elif key in ("must", "compare", "exclude"):
                kept[key] = _part(item, keys, False)
            else:
                kept[key] = _flat(item)
        return kept
    return value if bare_ids or isinstance(value, (bool, int, float)) else ("" if value is not None else None)


def redacted_record(raw: str) -> dict[str, Any]:
    """The record with texts and unknown keys null, and a blank query, without which it is no record."""
    record: dict[str, Any] = {}
    for key, value in loads(raw).items():
        if key in _KEPT:
            record[key] = _flat(value)
        elif key == "scores" or key in _SCORES:
            record[key] = _numbers(value)
        elif key in _PARTS:
            record[key] = _part(value, _PARTS[key], key in _IDS_IN)
        else:
            record[key] = None
    record["query"] = ""
    return record


def _known(value: Any, words: frozenset[str]) -> Any:
    """Evidence with only the strings that are ids of this case or words of the format."""
    if isinstance(value, dict):
        return {
            key: _known(item, words)
            for key, item in value.items()
            if isinstance(key, str) and (key in words or _KEY.fullmatch(key))
        }
    if isinstance(value, (list, tuple)):
        return [_known(item, words) for item in value]
    if isinstance(value, str):
        return value if value in words else ""
    return value


def _silent(event: Event) -> Event:
    """The event without what was written by hand."""
    note, reason = (None if text is None else "" for text in (event.note, event.reason))
    return replace(event, note=note, reason=reason)


def redacted(row: ExportRow) -> ExportRow:
    """The row as it may leave the house."""
    ids = frozenset((row.case_id, *row.expected_ids, *row.retrieved_ids, *row.citations))
    words = ids | _WORDS | _KINDS
    return replace(
        row,
        query="",
        answer="",
        record=redacted_record(row.raw),
        suggestion=replace(row.suggestion, evidence=_known(row.suggestion.evidence, words)),
        review=None if row.review is None else replace(row.review, note=""),
        events=tuple(_silent(event) for event in row.events),
        readings=tuple(replace(reading, note="") for reading in row.readings),
        settled=None if row.settled is None else replace(row.settled, reason=""),
    )
