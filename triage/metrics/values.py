"""When two recorded values are the same: by type as well as by value (metrics.md section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def same(left: Any, right: Any, *, strip: bool = False) -> bool:
    """Are two JSON values equal? "7" is not 7, true is not 1, 7 is 7.0; lists are ordered.

    `strip`: spaces around texts don't count.
    """
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, str) and isinstance(right, str):
        return left.strip() == right.strip() if strip else left == right
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(
            same(one, other, strip=strip) for one, other in zip(left, right, strict=True)
        )
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return left.keys() == right.keys() and all(
            same(one, right[key], strip=strip) for key, one in left.items()
        )
    numbers = isinstance(left, int | float) and isinstance(right, int | float)
    return bool(left == right) if numbers else left is None and right is None


def accepts(expected: Any, actual: Any) -> bool:
    """Does an expected parameter accept a value? `{"any_of": [...]}` accepts each of its values, at any
    depth; spaces around texts don't count.
    """
    if isinstance(expected, Mapping):
        if expected.keys() == {"any_of"} and isinstance(expected["any_of"], list):
            return any(accepts(one, actual) for one in expected["any_of"])
        return (
            isinstance(actual, Mapping)
            and expected.keys() == actual.keys()
            and all(accepts(one, actual[key]) for key, one in expected.items())
        )
    if isinstance(expected, list):
        return (
            isinstance(actual, list)
            and len(expected) == len(actual)
            and all(accepts(one, other) for one, other in zip(expected, actual, strict=True))
        )
    return same(expected, actual, strip=True)
