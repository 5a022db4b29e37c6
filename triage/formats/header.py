"""The run header (run-format): what the file says, `--set` over it, the settings' `[run]` below it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from triage.errors import UsageError, did_you_mean
from triage.formats.values import Unreadable, entries, ident, idents, shown, text, whole

if TYPE_CHECKING:
    from triage.models.record import RunHeader

SETTINGS_KEY = "(settings)"
"""Where load options keep what the settings had a hand in, so that a change of settings is a new load."""


def moment(value: Any) -> str:
    """A point in time as UTC ISO 8601; one without a zone is local time.

    Raises:
        Unreadable: no ISO 8601 text.
    """
    try:
        return datetime.fromisoformat(value.strip()).astimezone(UTC).isoformat()
    except (AttributeError, ValueError, OverflowError, OSError):
        raise Unreadable(f"{shown(value)} is no ISO 8601 time") from None


def _scale(value: Any) -> str:
    if value not in ("1-5", "0-1"):
        raise Unreadable(f"{shown(value)} is neither 1-5 nor 0-1")
    return str(value)


def _dataset(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        return {"name": ident(value)}
    return {key: ident(value[key]) for key in ("name", "version") if value.get(key) is not None}


def _run_id(value: Any) -> str:
    read = ident(value)
    if not read.strip():
        raise Unreadable("it is blank")
    return read


_READERS: dict[str, Callable[[Any], Any]] = {
    "id": _run_id,
    "created_at": moment,
    "dataset": _dataset,
    "kb_version": ident,
    "kb_ids": idents,
    "retrieval": entries,
    "model": ident,
    "prompt_version": ident,
    "router_version": ident,
    "k": whole,
    "pass_k": whole,
    "score_scale": _scale,
    "baseline": ident,
    "notes": text,
}
HEADER_KEYS = tuple(_READERS)


def read_header(data: Mapping[str, Any], note: Callable[[str, str], None]) -> dict[str, Any]:
    """The readable part of a header object by key; unknown keys stand under `extra`.

    Args:
        data: the object under `run`.
        note: takes a key and the reason why its value counts as not recorded.
    """
    read: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    for key, value in data.items():
        reader = _READERS.get(key)
        if reader is None:
            extra[key] = value
        elif value is not None:
            try:
                read[key] = reader(value)
            except Unreadable as error:
                note(key, str(error))
    if extra:
        read["extra"] = extra
    return read


def typed(key: str, value: Any) -> Any:
    """The value of a `--set` or `[run]` key, dotted or not, in the type that the header wants.

    Text is read as JSON where the key is free (`retrieval.top_k`); where the header wants text it stays text.

    Raises:
        UsageError: no such key, or a value of the wrong kind.
    """
    root, _, rest = key.partition(".")
    reader = _READERS.get(root)
    if reader is None or (rest and root not in ("dataset", "retrieval")):
        known = "known: " + ", ".join(HEADER_KEYS)
        hint = known if root in HEADER_KEYS else did_you_mean(root, HEADER_KEYS, known)
        raise UsageError("no such run key", key, hint)
    try:
        if root == "retrieval":
            return _json(value) if rest else entries(_json(value))
        if root == "dataset" and rest:
            if rest not in ("name", "version"):
                raise Unreadable("a dataset has a name and a version")
            return ident(value)
        if root == "kb_ids" and isinstance(value, str):
            listed = _json(value)
            value = listed if isinstance(listed, list) else [part.strip() for part in value.split(",")]
        return reader(value)
    except Unreadable as error:
        raise UsageError("a run key can't be used", f"{key}: {error}") from None


def _json(value: Any) -> Any:
    """A word as the JSON value it spells, else as text."""
    if not isinstance(value, str):
        return value
    import json

    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def flat(table: Mapping[str, Any]) -> dict[str, Any]:
    """A `[run]` table with its nested tables as dotted keys, checked and typed.

    Raises:
        UsageError: no such key, or a value of the wrong kind.
    """
    out: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, Mapping) and key in ("dataset", "retrieval"):
            for inner, item in value.items():
                out[f"{key}.{inner}"] = typed(f"{key}.{inner}", item)
        else:
            out[key] = typed(key, value)
    return out


def build(*layers: Mapping[str, Any]) -> RunHeader:
    """One header of several layers, the lowest first; `dataset` and `retrieval` are merged key by key.

    A layer's keys may be dotted.
    """
    from triage.models.record import RunHeader

    whole_header: dict[str, Any] = {}
    for layer in layers:
        for key, value in layer.items():
            if key == SETTINGS_KEY:
                continue
            root, _, rest = key.partition(".")
            if rest:
                value = {rest: value}
            if root in ("dataset", "retrieval", "extra") and isinstance(value, Mapping):
                value = {**(whole_header.get(root) or {}), **value}
            whole_header[root] = value
    return RunHeader.model_validate(whole_header)
