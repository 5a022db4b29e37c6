"""How long a case is read: from its coming to its verdict, without the time that the reader was away."""

from __future__ import annotations

import time
from collections.abc import Callable

AWAY = 300.0
"""Seconds without a key after which the reader was away: that time does not count."""


class ReadingClock:
    """Begins with a case; each sign of the reader (`touch`) adds the time since the one before.

    `now` gives seconds that never run backwards.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._spent = 0.0
        self._seen = now()

    def begin(self) -> None:
        """Another case has come."""
        self._spent, self._seen = 0.0, self._now()

    def touch(self) -> None:
        """The reader is here."""
        now = self._now()
        if now - self._seen <= AWAY:
            self._spent += now - self._seen
        self._seen = now

    def seconds(self) -> float:
        """Seconds spent on the case until now, >= 0."""
        self.touch()
        return self._spent


def spoken(seconds: float) -> str:
    """A length of time in words: `40 s`, `12 min`, `3 h 5 min`."""
    if seconds < 99.5:
        return f"{max(round(seconds), 1)} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    return f"{minutes // 60} h" + (f" {minutes % 60} min" if minutes % 60 else "")
