"""Texts and JSON in the shape that SQLite can hold."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from triage.models.loads import finite

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_encode_strictly = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


def dumps(value: Any) -> str:
    """Compact JSON; a number that is not finite becomes null."""
    try:
        return _encode_strictly(value)
    except ValueError:
        return _encode(finite(value))


def safe(text: str) -> str:
    """`text` with lone surrogates, which SQLite cannot hold, written as `\\ud800`; in JSON that means the
    same.
    """
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def text_safe(row: Sequence[Any]) -> tuple[Any, ...]:
    """A row with every text in it made `safe`."""
    return tuple(safe(item) if isinstance(item, str) else item for item in row)
