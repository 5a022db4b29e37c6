"""Points in time in a text: calendar dates, weekdays, clock times, today (metrics.md section 6)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple

from triage.citations.numerals import CHINESE, value_of
from triage.citations.wording import Wording


class Moment(NamedTuple):
    """A point in time.

    `sort` is what it can be compared with; `key` what it says: (year, month, day) with None where it does not
    say, the minutes of the day it may be, or a word's group.
    """

    sort: Literal["calendar", "weekday", "clock", "relative"]
    key: tuple[int | None, ...] | frozenset[int] | str
    start: int
    end: int


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_N = rf"(?:[0-9]{{1,2}}|[{CHINESE}]{{1,3}})"
_RELATIVE = {
    "at once": r"立即|立刻|马上|即刻|即时|实时|随即|秒到|秒退|瞬间"
    r"|immediately|instantly|instant\b|right away|at once|in real time|straight away",
    "same day": r"当天|当日|同日|即日|same[- ]day|the day of",
    "today": r"今天|今日|today|tonight",
    "tomorrow": r"明天|明日|明早|明晚|tomorrow",
    "next day": r"次日|第二天|隔天|翌日|隔日|next day|following day|next business day",
    "day after tomorrow": r"后天|the day after tomorrow",
    "yesterday": r"昨天|昨日|yesterday",
    "next month": r"次月|下个?月|next month|following month",
    "this month": r"本月|当月|this month",
    "next week": r"下周|下个?星期|next week",
    "next year": r"明年|次年|next year",
    "this year": r"今年|本年|this year",
    "month end": r"月底|月末|end of (?:the )?month",
    "weekend": r"周末|双休日|weekends?",
    "holiday": r"节假日|法定假日|public holidays?|holidays?",
}


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    calendar = re.compile(
        rf"(?P<y>[12][0-9]{{3}}|[{CHINESE}]{{4}})\s?年(?:度)?(?:\s?(?P<m>{_N})\s?月(?:份)?(?:\s?(?P<d>{_N})\s?[日号])?)?"
        rf"|(?<![0-9])(?P<m2>{_N})\s?月(?!内|之?后|以内|底?之?前)(?:份)?(?:\s?(?P<d2>{_N})\s?[日号])?(?!\s?[个内])"
        r"|(?<![0-9.-])(?P<y3>[12][0-9]{3})[-/.](?P<m3>[01]?[0-9])[-/.](?P<d3>[0-3]?[0-9])(?![0-9])"
        rf"|\b(?P<w4>{_MONTH}) (?P<d4>[0-3]?[0-9])(?:st|nd|rd|th)?\b(?: ?,? (?P<y4>[12][0-9]{{3}}))?"
        rf"|\b(?P<d5>[0-3]?[0-9])(?:st|nd|rd|th)?(?: of)? (?P<w5>{_MONTH})(?: ?,? (?P<y5>[12][0-9]{{3}}))?"
        rf"|\b(?P<w6>{_MONTH})(?: of| ?,)? (?P<y6>[12][0-9]{{3}})\b"
        r"|\b(?:in|since|by|until|from|before|after|of|during|year|between|and|to) (?P<y7>1[6-9][0-9]{2}"
        r"|20[0-9]{2})\b(?![-/.%,]?[0-9])(?! ?[a-z]+s\b)"
        rf"|(?:每月|每个月|当月|次月|下月|本月)\s?(?P<d8>{_N})\s?[日号]"
        rf"|(?<![月0-9{CHINESE}])(?P<d9>[0-9]{{1,2}})\s?号(?![楼线门店码])"
    )
    clock = re.compile(
        r"(?P<part>凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|晚间|夜间|夜里|当晚|早|晚)?\s?"
        rf"(?:(?P<h>[01]?[0-9]|2[0-4])\s?:\s?(?P<mi>[0-5][0-9])(?::[0-5][0-9])?(?![0-9])\s?(?P<ap>[ap]\.?m\b\.?)?"
        rf"|(?P<h2>[0-9]{{1,2}}|[{CHINESE}]{{1,3}})\s?(?:点(?!击|数|评|赞|开|选|单"
        rf"|卡)|时(?!间|段|长|期|内|效|候|常|限|刻))(?:\s?(?:钟|整))?(?:\s?(?P<half>半)"
        rf"|(?P<mi2>[0-9]{{1,2}}|[{CHINESE}]{{1,3}})分?)?"
        r"|(?P<h3>[0-9]{1,2})(?:\s?(?:-|–|to)\s?(?P<h4>[0-9]{1,2}))?\s?(?P<ap3>[ap]\.?m\b\.?)"
        r"|(?P<word>零点|正午|午夜|midnight|noon\b))"
    )
    weekday = re.compile(
        r"(?:星期|周|礼拜)(?P<w>[一二三四五六日天])(?![年个])|\b(?P<e>mon|tues?|wednes"
        r"|thurs?|fri|satur|sun)days?\b"
    )
    # Most characters begin none of them, and are passed over at once.
    first = "".join({word[0] for words in _RELATIVE.values() for word in words.split("|")})
    named = "|".join(f"(?P<r{at}>{words})" for at, words in enumerate(_RELATIVE.values()))
    relative = re.compile(f"(?=[{first}])(?:{named})")
    return calendar, clock, weekday, relative


_NUMBERED = re.compile(rf"[0-9]|[{CHINESE}][年月日号点时]|[正]午|午夜|零点|noon|midnight|{_MONTH}")
_NAMES = tuple(_RELATIVE)


def moments(wording: Wording) -> list[Moment]:
    """The points in time of a text, in order; read once."""
    kept: list[Moment] | None = wording.kept.get("moments")
    if kept is None:
        kept = sorted(_read(wording.text), key=lambda each: each.start)
        wording.kept["moments"] = kept
    return kept


def masked(wording: Wording) -> list[tuple[int, int]]:
    """Where points in time stand: their numbers count nothing."""
    return [(each.start, each.end) for each in moments(wording)]


def _read(text: str) -> list[Moment]:
    calendar, clock, weekday, relative = _patterns()
    found: list[Moment] = []
    if not _NUMBERED.search(text):
        return [*_weekdays(weekday, text), *_relatives(relative, text)]
    for match in calendar.finditer(text):
        date = _date(match)
        if date:
            found.append(Moment("calendar", date, *match.span()))
    taken = bytearray(len(text))
    for each in found:
        taken[each.start : each.end] = b"\1" * (each.end - each.start)
    for match in clock.finditer(text):
        if taken.find(1, *match.span()) < 0:
            found += _clock(match)
    return [*found, *_weekdays(weekday, text), *_relatives(relative, text)]


def _weekdays(weekday: re.Pattern[str], text: str) -> Iterator[Moment]:
    for match in weekday.finditer(text):
        day = "一二三四五六日".find((match.group("w") or "").replace("天", "日")) if match.group("w") else -1
        if match.group("e"):
            day = next(
                at
                for at, name in enumerate(("mo", "tu", "we", "th", "fr", "sa", "su"))
                if match.group("e").startswith(name)
            )
        yield Moment("weekday", str(day), *match.span())


def _relatives(relative: re.Pattern[str], text: str) -> Iterator[Moment]:
    for match in relative.finditer(text):
        yield Moment("relative", _NAMES[int((match.lastgroup or "r0")[1:])], *match.span())


def _number(written: str | None) -> int | None:
    value = value_of(written) if written else None
    return None if value is None else int(value)


def _date(match: re.Match[str]) -> tuple[int | None, ...] | None:
    parts = match.groupdict()

    def first(name: str) -> str | None:
        return next((parts[f"{name}{at}"] for at in ("", *"23456789") if parts.get(f"{name}{at}")), None)

    year, day = _number(first("y")), _number(first("d"))
    named = first("w")
    month = _MONTHS.index(named[:3]) + 1 if named else _number(first("m"))
    if (month is not None and not 1 <= month <= 12) or (day is not None and not 1 <= day <= 31):
        return None
    return (year, month, day)


def _clock(match: re.Match[str]) -> list[Moment]:
    word = match.group("word")
    start, end = match.span()
    if word:
        minutes = {720} if word in ("正午", "noon") else {0, 1440}
        return [Moment("clock", frozenset(minutes), start, end)]
    part = match.group("part") or ""
    sign = (match.group("ap") or match.group("ap3") or "")[:1]
    minute = _number(match.group("mi") or match.group("mi2")) or (30 if match.group("half") else 0)
    found = []
    for name in ("h", "h2", "h3", "h4"):
        hour = _number(match.group(name))
        if hour is None or hour > 24:
            continue
        exact = bool(match.group("h")) and len(match.group("h")) == 2
        if match.group("h3") and match.group("h4") and name == "h3":
            hours = {hour, hour + 12}
        else:
            hours = _hours(hour, part, sign, exact)
        found.append(Moment("clock", frozenset(each * 60 + minute for each in hours), start, end))
    return found


def _hours(hour: int, part: str, sign: str, exact: bool) -> set[int]:
    if sign == "a":
        return {hour % 12}
    if sign == "p" or part in ("下午", "傍晚", "晚上", "晚间", "夜间", "夜里", "当晚", "晚"):
        return (
            {hour % 12 + 12, 0, 24}
            if hour in (0, 12) and part.startswith(("晚", "夜"))
            else ({hour % 12 + 12} if hour <= 12 else {hour})
        )
    if part == "中午":
        return {hour if hour >= 11 else hour + 12}
    if part or exact or hour > 12:
        return {hour, 0} if hour == 24 else {hour}
    if hour == 0:
        return {0, 24}
    return {hour, hour + 12} if hour < 12 else {12, 0, 24}
