"""The SQL functions that a compiled filter calls. Whoever opens a connection registers them on it."""

from __future__ import annotations

import json
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from triage.store.filter.match import Test, at_key, test

if TYPE_CHECKING:
    import sqlite3


def register_functions(connection: sqlite3.Connection) -> None:
    """Make the filter's SQL functions known to `connection`; none of them ever raises."""
    for name, arguments, function in (
        ("triage_fold", 1, fold),
        ("triage_has", 2, has),
        ("triage_test", 2, passes),
        ("triage_list", 2, passes_any),
        ("triage_key", 3, passes_key),
    ):
        connection.create_function(name, arguments, function, deterministic=True)


def fold(text: Any) -> Any:
    """`text` case-folded as Unicode says; any other value as it is."""
    return text.casefold() if isinstance(text, str) else text


def has(text: Any, folded: str) -> int:
    """1 if the folded needle is in `text`."""
    return int(isinstance(text, str) and folded in text.casefold())


def passes(value: Any, spec: str) -> int:
    """1 if a scalar passes the test (`match.spec`)."""
    return int(test(spec)(value))


def passes_any(document: Any, spec: str) -> int:
    """1 if any element of a JSON list passes."""
    return passes_key(document, "", spec)


def passes_key(document: Any, key: str, spec: str) -> int:
    """1 if any value at the dotted key of a JSON document passes; 0 too where the document is none."""
    if not isinstance(document, str):
        return 0
    try:
        return int(_within(key, spec)(_decode(document)))
    except (ValueError, RecursionError):
        return 0


_decode = json.JSONDecoder().decode


@lru_cache(maxsize=256)
def _within(key: str, spec: str) -> Test:
    return partial(at_key, parts=tuple(key.split(".")) if key else (), passes=test(spec))
