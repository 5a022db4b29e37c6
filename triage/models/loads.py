"""JSON and the numbers that it has no word for: read where others wrote them, null where we write."""

from __future__ import annotations

import json
import math
from typing import Any


def _integer(digits: str) -> int | float:
    """A whole number; one of more digits than Python reads is infinite, as `1e400` is."""
    try:
        return int(digits)
    except ValueError:
        return -math.inf if digits.startswith("-") else math.inf


def loads(raw: str) -> Any:
    """The value of a JSON text; NaN, infinite and endless numbers are read too.

    Raises:
        json.JSONDecodeError: it is no JSON.
        RecursionError: it is nested beyond reason.
    """
    return json.loads(raw, parse_int=_integer)


def finite(value: Any) -> Any:
    """`value` with every NaN and infinite number in it as None."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return value
