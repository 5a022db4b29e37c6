"""Values with their units in a text: durations, amounts, counts; ranges and bounds (metrics.md section 6)."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal, NamedTuple

from triage.citations.numerals import CHINESE, ENGLISH, value_of
from triage.citations.units import UNITS, Dimension

Bound = Literal["", "<", ">"]


class Quantity(NamedTuple):
    """A value, or a range of values, of a dimension.

    `low` and `high` are in the dimension's base unit; `bound` is "<" for at most, ">" for at least; `weak`
    marks a number that often only counts what is listed (一个, 两种).
    """

    kind: Literal["duration", "amount", "number"]
    dimension: str
    low: float
    high: float
    bound: Bound
    weak: bool
    start: int
    end: int


_NUMBER = (
    rf"(?:[0-9][0-9,]*(?:\.[0-9]+)?(?:\s?(?:万|亿|hundred|thousand|million|billion)|k\b)?"
    rf"|[{CHINESE}]+[万亿]?)"
)
_WORDS = "|".join(sorted((re.escape(word) for word in ENGLISH if len(word) > 2), key=len, reverse=True))
_TENS = "|".join(word for word in ENGLISH if word.endswith("ty"))
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_WORDED = rf"(?:(?:{_TENS})[ -](?:{_ONES})|{_WORDS})"
_SCALE = r"(?:\s(?:dozen|hundred|thousand|million|billion)\b)?"
_JOIN = r"[\s-]?(?:-|~|–|—|至|到|to)[\s-]?"
_CURRENCY = {
    "$": "usd",
    "us$": "usd",
    "hk$": "hkd",
    "€": "eur",
    "£": "gbp",
    "¥": "cny",
    "￥": "cny",
    "rmb": "cny",
    "usd": "usd",
    "eur": "eur",
    "gbp": "gbp",
    "cny": "cny",
}
_AT_MOST = re.compile(
    r"(?:不超过|不得超过|不能超过|不会超过|不大于|不高于|不多于|最多|最长|最高"
    r"|最大|最晚|最迟|至多|上限为?|(?<!不)(?<!不得)(?:少于|低于|小于)|不足|不到"
    r"|不满|未满"
    r"|within|up to|at most|no more than|not more than|no later than|less than"
    r"|under|below|fewer than|maximum(?: of)?|not exceed)\s?(?:the\s)?\Z"
)
_AT_LEAST = re.compile(
    r"(?:至少|最少|最低|最短|最快|最小|最早|不少于|不低于|不小于|不得少于|不得低于"
    r"|起码|(?<!不)(?<!不得)(?<!不能)(?<!不会)(?:超过|超出|大于|高于|多于|满"
    r"|达到?|逾)"
    r"|at least|no less than|no fewer than|not less than|more than|over|above"
    r"|minimum(?: of)?|exceed(?:s|ing)?|from)\s?\Z"
)
_AT_MOST_BEHIND = re.compile(r"\s?(?:之?以?内|以下|之下|封顶|or less|or fewer|at most|maximum)")
_AT_LEAST_BEHIND = re.compile(r"\s?(?:及?以上|之上|起|开外|or more|or above|and above|at least|minimum)")
_LABEL = re.compile(
    r"(?:第|no\.?|#|步骤|step|chapter|section|article|item|version|v|图|表|附件|条款|clause)\s?\Z",
    re.IGNORECASE,
)
# `401(k)` and `2x` are names; an address behind a number only lost its space.
_NAMED = re.compile(r"(?!https?:|www\.)[a-z]|\([a-z]\)")
_BOUNDS = 14
_COUNTED = re.compile(rf"[0-9{CHINESE}全]|the clock|\b(?:{_WORDS}|an?)[ -]|\b(?:once|twice|thrice)\b")
# A rate has its span of time in it: 一天里最多 10 次, twice a day; these say how often, not how long.
_RATED_BEHIND = re.compile(
    rf"[^，。！？；,;.!?\n0-9{CHINESE}]{{0,8}}[0-9{CHINESE}]+\s?(?:次|遍|回|片|粒|颗|袋|支|张|条|笔|件|个|元|块|顿|杯|毫克|毫升)"
)
_RATED_BEFORE = re.compile(
    rf"(?:\b(?:once|twice|thrice|times?)|[0-9%](?: [a-z]+)?|\b(?:{_WORDS}) [a-z]+)\s(?:in |every |within )?\Z"
)
_OFTEN = {"once": 1.0, "twice": 2.0, "thrice": 3.0}


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    longest = sorted(UNITS, key=len, reverse=True)
    latin = "|".join(re.escape(name) for name in longest if name.isascii() and name.isalpha())
    signs = "|".join(re.escape(name) for name in longest if not (name.isascii() and name.isalpha()))
    unit = rf"(?:(?:{latin})(?![a-z])|(?:{signs}))"
    valued = re.compile(
        rf"(?<![0-9a-z])(?<![0-9][.,])(?P<cur>us\$|hk\$|[$€£¥￥]|(?:rmb|usd|eur|gbp"
        rf"|cny)\s)?\s?(?P<a>{_NUMBER})(?:\s?(?P<half>个半))?(?:[\s-]?(?P<ua>{unit}))?"
        rf"(?:{_JOIN}(?:us\$|[$€£¥￥])?\s?(?P<b>{_NUMBER})[\s-]?(?P<u>{unit})?)?(?P<tail>半)?"
    )
    worded = re.compile(
        rf"\b(?P<a>(?:{_WORDED}|an?){_SCALE})(?:(?<=half)(?: of)?[ -]an?)?"
        rf"(?:{_JOIN}(?P<b>{_WORDED}{_SCALE}))?"
        rf"(?P<half> and a half)?(?:[\s-](?P<u>(?:{latin})(?![a-z]))(?P<tail> and a half)?|(?=\b))"
    )
    special = re.compile(
        r"百分之(?P<p>[0-9.]+|["
        + CHINESE
        + r"]+)|(?P<f>[一二三四五六七八九]{1,2}|[0-9](?:\.[0-9])?|[1-9][0-9])\s?折"
        r"|(?P<day>24/7|7\s?[x×*]\s?24(?:\s?小时)?|全天候?|around the clock|round the clock)"
        r"|\b(?P<often>twice(?! (?:the|as)\b)|thrice"
        r"|once(?= (?:an?|per|every|each|daily|weekly|monthly|only)\b))\b"
    )
    return valued, worded, special


def quantities(text: str, masked: list[tuple[int, int]]) -> list[Quantity]:
    """The values of `text` (lower case, after NFKC) in order; what stands within `masked` (dates) is none."""
    if not _COUNTED.search(text):
        return []
    valued, worded, special = _patterns()
    found: list[Quantity] = []
    taken = bytearray(len(text))

    def take(start: int, end: int) -> None:
        taken[start:end] = b"\1" * (end - start)

    def free(start: int, end: int) -> bool:
        return taken.find(1, start, end) < 0

    for low, high in masked:
        take(low, high)

    for match in special.finditer(text):
        each = _special(text, match)
        if each and free(each.start, each.end):
            found.append(each)
            take(each.start, each.end)
    for pattern in (valued, worded):
        for match in pattern.finditer(text):
            if free(*match.span()):
                made = _made(text, match)
                if made:
                    found.append(made)
                    take(made.start, made.end)
    return sorted(found, key=lambda each: each.start)


def _special(text: str, match: re.Match[str]) -> Quantity | None:
    start, end = match.span()
    if match.group("day"):
        return Quantity("duration", "time", 1440, 1440, "", False, start, end)
    if match.group("often"):
        times = _OFTEN[match.group("often")]
        return Quantity("number", "times", times, times, _bound(text, start, end), False, start, end)
    if match.group("p"):
        value = value_of(match.group("p"))
    else:
        value = value_of(match.group("f"))
        if value is not None and value < 10:
            value *= 10
    if value is None:
        return None
    return Quantity("amount", "percent", value, value, _bound(text, start, end), False, start, end)


def _made(text: str, match: re.Match[str]) -> Quantity | None:
    parts = match.groupdict()
    start, end = match.span()
    first, second = parts["a"], parts["b"]
    low = value_of(first)
    high = value_of(second) if second else low
    if low is None or high is None:
        return None
    written = parts["u"] or parts.get("ua")
    unit = UNITS.get(written or "")
    currency = parts.get("cur")
    chinese = first[0] in CHINESE
    if parts.get("ua") and second and parts["u"] and parts["ua"] != parts["u"] and unit:
        other = UNITS[parts["ua"]]
        if other.name == unit.name:
            low = low * other.factor / unit.factor
    if currency and not (unit and unit.kind == "duration"):
        unit = Dimension("amount", _CURRENCY[currency.strip()], 1)
    elif unit is None:
        if chinese or (first in ENGLISH and len(first) < 3):
            return None
        if not first[0].isdigit():
            return Quantity("number", "", low, high, _bound(text, start, end), low <= 20, start, end)
        return _bare(text, match, low, high)
    if unit.kind == "duration" and low == high == 1 and _is_rate(text, match, first):
        return None
    if parts.get("half") or parts.get("tail"):
        low, high = low + 0.5, high + 0.5
    if second and high < low and not chinese:
        high = low
    weak = (
        unit.kind == "number" and max(low, high) <= (3 if unit.lists else 1) and (chinese or first in ENGLISH)
    )
    return Quantity(
        unit.kind,
        unit.name,
        low * unit.factor,
        high * unit.factor,
        _bound(text, start, end),
        weak,
        start,
        end,
    )


def _is_rate(text: str, match: re.Match[str], written: str) -> bool:
    """Whether one day, week or year is what something is counted by."""
    if written == "a" or written == "an" or written == "one":
        return _RATED_BEFORE.search(text, max(0, match.start() - 24), match.start()) is not None
    return _RATED_BEHIND.match(text, match.end()) is not None


def _bare(text: str, match: re.Match[str], low: float, high: float) -> Quantity | None:
    """A number without a unit, unless it belongs to a name or counts the parts of a text."""
    start, end = match.start("a"), match.end("b") if match.group("b") else match.end("a")
    before = text[max(0, start - 12) : start]
    behind = text[end : end + 1]
    if _LABEL.search(before) or behind in ("_", "/") or _NAMED.match(text, end):
        return None
    # "Caused by: 1." leads a list, and says no number.
    if text[end:].strip() == "." and before.rstrip().endswith(":"):
        return None
    words = re.search(r"([a-z]+)[ -]\Z", before)
    # Pages that were joined have `responsive.2 - more than`, which is no name.
    glued = re.search(r"[a-z]{3,}[.:]\Z", before) and behind.isspace()
    if (before[-1:] in ("_", "/", "-", ".", ":") and not glued) or (
        words and words.group(1) not in _BEFORE_COUNTS
    ):
        return None
    return Quantity("number", "", low, high, _bound(text, start, end), False, start, end)


_BEFORE_COUNTS = frozenset(
    {
        "the", "of", "to", "in", "on", "at", "for", "from", "by", "with", "within", "after",
        "before", "than", "least", "most", "about", "around", "over", "under", "up", "every",
        "each", "any", "and", "or", "only", "be", "is", "are", "was", "were", "has", "have", "had",
        "past", "first", "last", "next", "requires", "require", "allows", "allow", "needs",
        "exactly", "totaling", "total", "another", "all", "these", "those", "your", "our", "its",
        "their",  "contains", "contain", "include", "includes", "receive", "get", "earn",
        "gives", "give", "take", "takes", "enter", "exceed", "exceeds", "approximately", "nearly",
        "almost", "between", "as", "like",
    }
)  # fmt: skip


def _bound(text: str, start: int, end: int) -> Bound:
    before = text[max(0, start - _BOUNDS) : start]
    if _AT_MOST.search(before) or _AT_MOST_BEHIND.match(text, end):
        return "<"
    if _AT_LEAST.search(before) or _AT_LEAST_BEHIND.match(text, end):
        return ">"
    return ""
