"""JSON text to values: quickly where it is plain, patiently where it holds what strict parsers refuse."""

from __future__ import annotations

import json
import re
from typing import Any

from pydantic_core import from_json

from triage.models.loads import loads

_SURROGATE = re.compile("[\ud800-\udfff]")


class Broken(ValueError):
    """Text that is no JSON; the message is the reason."""


def parse(raw: str) -> Any:
    """The value of a JSON text; NaN and Infinity are read, a lone surrogate becomes its escape as text.

    Raises:
        Broken: it is no JSON, or nested beyond reason.
    """
    try:
        return from_json(raw, cache_strings="keys")
    except ValueError:
        # The quick parser refuses lone surrogates, which other writers emit; the slow one is asked once.
        return _patiently(raw)


def _patiently(raw: str) -> Any:
    try:
        return _sayable(loads(raw))
    except json.JSONDecodeError as error:
        raise Broken(f"broken JSON: {error.msg.removesuffix(' at')} (column {error.colno})") from None
    except RecursionError:
        raise Broken("broken JSON: nested too deeply") from None


def _sayable(value: Any) -> Any:
    """`value` with every lone surrogate written out, since no UTF-8 text can hold one."""
    if isinstance(value, str):
        if _SURROGATE.search(value):
            return value.encode("utf-8", "backslashreplace").decode("utf-8")
        return value
    if isinstance(value, dict):
        return {_sayable(key): _sayable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_sayable(item) for item in value]
    return value
