"""Numbers as they are written: digits, 三十五, 两, 半, twelve."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

CHINESE = "零〇一二两三四五六七八九十百千半"
"""The characters of a Chinese numeral; a number only where a unit follows."""

_DIGITS = {
    "零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4,
    "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
}  # fmt: skip
_STEPS = {"十": 10, "百": 100, "千": 1000}
_SCALES = {
    "万": 10_000,
    "亿": 100_000_000,
    "k": 1000,
    "dozen": 12,
    "hundred": 100,
    "thousand": 1000,
    "million": 1_000_000,
    "billion": 10**9,
}
_LONGEST = 60
"""Characters of the longest number; what is longer has no use as one, and may be more than a float holds."""
_SCALED = re.compile(r"(.*?)\s*(万|亿|k|dozen|hundred|thousand|million|billion)?\Z")

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen twenty"
)
_OTHERS = {"thirty": 30.0, "forty": 40.0, "fifty": 50.0, "sixty": 60.0, "seventy": 70.0,
           "eighty": 80.0, "ninety": 90.0}  # fmt: skip
ENGLISH = (
    {word: float(value) for value, word in enumerate(_SMALL.split())}
    | _OTHERS
    | {"a": 1.0, "an": 1.0, "half": 0.5}
)
"""English numerals, lower case."""


def value_of(written: str) -> float | None:
    """The number that `written` (lower case) stands for, None where it is none: `5,000 三十 1.5万 twelve`."""
    match = _SCALED.match(written.strip()) if len(written) <= _LONGEST else None
    if not match:
        return None
    bare, scale = match.groups()
    factor = _SCALES[scale] if scale else 1
    if bare in ENGLISH:
        return ENGLISH[bare] * factor
    tens, _, ones = bare.replace("-", " ").partition(" ")
    if tens in ENGLISH and ones in ENGLISH:
        return (ENGLISH[tens] + ENGLISH[ones]) * factor
    try:
        # Decimal first, so that 0.1 * 3 minutes and the like stay what they say.
        return float(Decimal(bare.replace(",", "")) * factor)
    except InvalidOperation:
        value = _chinese(bare)
        return None if value is None else value * factor


def _chinese(written: str) -> float | None:
    if not written or any(char not in CHINESE for char in written):
        return None
    if written == "半":
        return 0.5
    if len(written) > 1 and not any(char in _STEPS for char in written):
        digits = [_DIGITS.get(char) for char in written]
        return None if None in digits else float("".join(map(str, digits)))
    total = 0.0
    digit = None
    for char in written:
        if char in _STEPS:
            total += (1 if digit is None else digit) * _STEPS[char]
            digit = None
        elif char == "半":
            total += 0.5
        else:
            digit = _DIGITS[char]
    return total + (digit or 0)
