"""`--map FIELD=PATH`: reaching record fields that sit elsewhere in a file (run-format: "Other shapes")."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from triage.errors import UsageError, did_you_mean
from triage.formats.record import GROUPS, RECORD_KEYS

_MISSING = object()
_DOTTED = frozenset({"scores", "golden", "conflict", "feedback"})
"""Fields that are objects, so that a part of them can be a target (`scores.faithfulness`)."""


class FieldMap:
    """A mapping from record fields to paths, checked once and then applied to each record.

    Args:
        pairs: FIELD -> PATH. A FIELD may name a part (`scores.faithfulness`). A PATH goes down through
            objects by key and through lists by 0-based index (`choices.0.text`); a key after a list is taken
            from each of its elements.

    Attributes:
        unused: targets whose path no record had so far.

    Raises:
        UsageError: a FIELD that records do not have.
    """

    def __init__(self, pairs: Mapping[str, str]) -> None:
        self._pairs: list[tuple[str, list[str], list[str]]] = []
        for target, path in pairs.items():
            check_target(target)
            if not path.strip("."):
                raise UsageError("a mapping has no path", f"{target}={path}", "write FIELD=PATH")
            self._pairs.append((target, target.split("."), path.split(".")))
        self.unused: dict[str, str] = dict(pairs)

    def __bool__(self) -> bool:
        return bool(self._pairs)

    def places(self, *fields: str) -> set[str]:
        """The top-level keys under which the paths of these fields lead."""
        return {path[0] for target, _, path in self._pairs if target in fields}

    def apply(self, data: dict[str, Any]) -> dict[str, Any]:
        """`data` with the mapped fields in their places; a path that a record lacks changes nothing."""
        out = dict(data)
        for target, parts, path in self._pairs:
            value = follow(data, path)
            if value is _MISSING:
                continue
            self.unused.pop(target, None)
            # The mapped field is the word on the matter, so no alias may speak beside it.
            for alias in GROUPS.get(parts[0], ()):
                out.pop(alias, None)
            _put(out, parts, value)
        return out


def check_target(target: str) -> None:
    """Refuse a FIELD that records do not have.

    Raises:
        UsageError: with the nearest name that they have.
    """
    root, _, rest = target.partition(".")
    if root in RECORD_KEYS and (not rest or root in _DOTTED):
        return
    if root in RECORD_KEYS:
        hint = f"{root} has no parts to map; map it whole"
    else:
        hint = did_you_mean(root, RECORD_KEYS, "the README's record table has the names")
    raise UsageError("no such record field", f"--map {target}", hint)


def follow(value: Any, path: list[str]) -> Any:
    """The value at a path, or a marker that there is none; a key that holds dots itself is found too."""
    if not path:
        return value
    if isinstance(value, dict):
        for size in range(1, len(path) + 1):
            key = ".".join(path[:size])
            if key in value:
                found = follow(value[key], path[size:])
                if found is not _MISSING:
                    return found
        return _MISSING
    if isinstance(value, list):
        if path[0].isdecimal():
            place = int(path[0])
            return follow(value[place], path[1:]) if place < len(value) else _MISSING
        found = [follow(item, path) for item in value]
        return (
            _MISSING
            if not found or all(item is _MISSING for item in found)
            else [None if item is _MISSING else item for item in found]
        )
    return _MISSING


def _put(out: dict[str, Any], parts: list[str], value: Any) -> None:
    for depth, key in enumerate(parts[:-1]):
        inner = out.get(key)
        inner = dict(inner) if isinstance(inner, dict) else {}
        out[key] = inner
        out = inner
        if depth == 0:
            # A score's own name may hold dots; only the first one leads into the object.
            break
    out[".".join(parts[1:]) if len(parts) > 1 else parts[0]] = value
