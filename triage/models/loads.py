"""JSON texts of records back to values, whatever numbers others wrote."""

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
