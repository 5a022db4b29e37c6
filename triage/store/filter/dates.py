"""Dates as typed and as recorded: each is the stretch of time it names, a day, a minute, a second; in UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_DATE = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d{1,2})(?:-(?P<day>\d{1,2})"
    r"(?:[T ](?P<hour>\d{1,2})(?::(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d+)?)?)?"
    r"\s*(?P<zone>Z|z|[+-]\d{2}(?::?\d{2})?)?)?)?)?",
    re.ASCII,
)


def stretch(text: str, *, year: bool = False) -> tuple[datetime, datetime] | None:
    """Begin and end (excluded), in UTC, of the year, month, day, hour, minute or second that `text` names.

    ISO 8601 with a space or `T` between date and time; without a zone it is local time (run-format.md). None
    where `text` is no such date. With `year` four digits are a year, which else are a number.
    """
    match = _DATE.fullmatch(text.strip())
    if match is None or (match["month"] is None and not year):
        return None
    years, month, day, hour, minute, second = (
        None if match[name] is None else int(match[name])
        for name in ("year", "month", "day", "hour", "minute", "second")
    )
    try:
        begin = datetime(years or 0, month or 1, day or 1, hour or 0, minute or 0, second or 0)
        if month is None:
            end = datetime(begin.year + 1, 1, 1)
        elif day is None:
            end = datetime(begin.year + begin.month // 12, begin.month % 12 + 1, 1)
        elif hour is None:
            end = begin + timedelta(days=1)
        elif minute is None:
            end = begin + timedelta(hours=1)
        else:
            end = begin + (timedelta(minutes=1) if second is None else timedelta(seconds=1))
        return _utc(begin, match["zone"]), _utc(end, match["zone"])
    except (ValueError, OverflowError, OSError):
        return None


def _utc(moment: datetime, zone: str | None) -> datetime:
    if zone is None:
        return moment.astimezone(UTC)
    if zone in "Zz":
        return moment.replace(tzinfo=UTC)
    digits = zone[1:].replace(":", "").ljust(4, "0")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return (moment - offset if zone[0] == "+" else moment + offset).replace(tzinfo=UTC)


def stored(moment: datetime) -> str:
    """A moment as text that compares with stored times cut to the second."""
    return moment.replace(tzinfo=None).isoformat(timespec="seconds")
