"""Times as they are stored: UTC, ISO 8601, to the microsecond, so that their order as text is their order
in time.
"""

from __future__ import annotations

from datetime import UTC, datetime


def stamp(moment: datetime) -> str:
    """A time as stored; one without a zone is local."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def now() -> str:
    """The present moment as stored."""
    return stamp(datetime.now(UTC))


def from_ns(nanoseconds: int) -> str:
    """A file's modification time as stored."""
    return stamp(datetime.fromtimestamp(nanoseconds / 1e9, UTC))


def normal(text: str | None) -> str | None:
    """An ISO 8601 text as stored; None where it is absent or no time."""
    if not text:
        return None
    try:
        return stamp(datetime.fromisoformat(text))
    except (ValueError, OverflowError):
        return None
