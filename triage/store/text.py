"""Texts and JSON in the shape that SQLite can hold."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_encode_strictly = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


def dumps(value: Any) -> str:
    """Compact JSON; a number that is not finite becomes null."""
    try:
        return _encode_strictly(value)
    except ValueError:
        return _encode(_finite(value))


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def safe(text: str) -> str:
    """`text` with lone surrogates, which SQLite cannot hold, written as `\\ud800`; in JSON that means the
    same.
    """
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def text_safe(row: Sequence[Any]) -> tuple[Any, ...]:
    """A row with every text in it made `safe`."""
    return tuple(safe(item) if isinstance(item, str) else item for item in row)
