"""Single values of a record: read where they can be understood, refused with a reason where they cannot."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from typing import Any

from triage.models.query import LARGEST_K

_TRUE = {
    "true", "yes", "y", "t", "on", "1", "1.0", "pass", "passed", "correct", "answerable", "是", "是的", "真",
    "对", "对的", "對", "正确", "正確", "能", "可", "可以", "有", "可回答", "通过", "通過", "✓", "✔", "√",
}  # fmt: skip
_FALSE = {
    "false", "no", "n", "f", "off", "0", "0.0", "fail", "failed", "incorrect", "unanswerable", "否", "不是",
    "假", "错", "錯", "不对", "不對", "错误", "錯誤", "不正确", "不能", "不可", "不可以", "无", "無", "没有",
    "沒有", "不可回答", "未通过", "未通過", "不通过", "不通過", "✗", "✘", "×",
}  # fmt: skip
_DECIMAL = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,4})?")
_SHOWN = 40

NOT_FINITE = "is no finite number"
"""Ends the reason of every NaN or infinite number, so that a run can count them."""


class Unreadable(ValueError):
    """A value that can't be understood; the message is the reason, without the field."""


def shown(value: Any) -> str:
    """`value` in a few characters, for a message."""
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return "an object"
    text = json.dumps(value, ensure_ascii=False) if not isinstance(value, int) else _digits(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def _digits(value: int) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    # Python refuses to print integers of thousands of digits.
    return str(value) if value.bit_length() < 200 else "a very long number"


def flag(value: Any) -> bool:
    """A truth value, also written as a word in English or Chinese, or as 0 or 1.

    Raises:
        Unreadable: anything else; a truth value is never guessed.
    """
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float) and value in (0, 1):
        return value == 1
    if isinstance(value, str):
        word = unicodedata.normalize("NFKC", value).strip().casefold()
        if word in _TRUE:
            return True
        if word in _FALSE:
            return False
    raise Unreadable(f"{shown(value)} is neither true nor false")


def number(value: Any) -> float:
    """A finite number, also written as decimal text.

    Raises:
        Unreadable: anything else, NaN and infinite numbers included.
    """
    if isinstance(value, str) and _DECIMAL.fullmatch(value.strip()):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Unreadable(f"{shown(value)} {NOT_FINITE}")
    try:
        read = float(value)
    except OverflowError:
        read = math.inf
    if not math.isfinite(read):
        raise Unreadable(f"{shown(value)} {NOT_FINITE}")
    return read


def whole(value: Any) -> int:
    """A whole number from 1 to `LARGEST_K`.

    Raises:
        Unreadable: anything else.
    """
    try:
        read = number(value)
    except Unreadable:
        read = 0.5
    if read != int(read) or read < 1:
        raise Unreadable(f"{shown(value)} is no whole number from 1 on")
    if read > LARGEST_K:
        raise Unreadable(f"{shown(value)} is more than {LARGEST_K}")
    return int(read)


def ident(value: Any) -> str:
    """An id as text: numbers become text, a whole float the same as its integer (`7.0` is `7`).

    Raises:
        Unreadable: neither text nor a finite number.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Unreadable(f"{shown(value)} is no id")
    if isinstance(value, float):
        if not math.isfinite(value):
            raise Unreadable(f"{shown(value)} is no id")
        if value != int(value):
            return repr(value)
        value = int(value)
    try:
        return str(value)
    except ValueError:
        raise Unreadable("a number of thousands of digits is no id") from None


def text(value: Any) -> str:
    """A text; a number counts as its digits.

    Raises:
        Unreadable: anything else.
    """
    if isinstance(value, str):
        return value
    try:
        return ident(value)
    except Unreadable:
        raise Unreadable(f"{shown(value)} is no text") from None


def said(value: Any) -> str | None:
    """A message in whatever shape: an object as its JSON; blank text, false and empty ones say nothing."""
    if isinstance(value, str):
        return value if value.strip() else None
    if value is None or value is False or value in ({}, []):
        return None
    return json.dumps(value, ensure_ascii=False)


def items(value: Any, of: str = "list") -> list[Any]:
    """A list.

    Raises:
        Unreadable: anything else; a text is never split into a list by guess.
    """
    if not isinstance(value, list):
        raise Unreadable(f"{shown(value)} is no {of}")
    return value


def idents(value: Any) -> list[str]:
    """A list of ids; an element may also be an object with an `id`.

    Raises:
        Unreadable: no list, or an element without a usable id.
    """
    read = []
    for place, item in enumerate(items(value), 1):
        try:
            read.append(ident(item.get("id") if isinstance(item, dict) else item))
        except Unreadable as error:
            raise Unreadable(f"item {place}: {error}") from None
    return read


def entries(value: Any) -> dict[str, Any]:
    """An object.

    Raises:
        Unreadable: anything else.
    """
    if not isinstance(value, dict):
        raise Unreadable(f"{shown(value)} is no object")
    return value
