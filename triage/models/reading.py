"""Readings: who read which case of a sample, what is handed out next, how far it all is."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from triage.models.verdict import Hashes, Verdict


class Reading(Struct, frozen=True):
    """A reviewer's verdict on a case as it stands. `at` is UTC ISO 8601, `event` the id of its event.

    `labels` and `note` are those given with the verdict, labels by the names that they have now. `sample` and
    `seconds` are set where it was given in a queue. `stale`: the record has changed since.
    """

    case_id: str
    reviewer: str
    verdict: Verdict
    labels: tuple[str, ...]
    note: str
    at: str
    event: int
    sample: str | None = None
    seconds: float | None = None
    stale: bool = False


class Arbitration(Struct, frozen=True):
    """What was decided over a case's readings, by whom, and why."""

    case_id: str
    reviewer: str
    verdict: Verdict
    reason: str
    at: str
    event: int


class Disputed(Struct, frozen=True):
    """A case whose readers differ: all readings, oldest first, and what was decided over them, if it was."""

    case_id: str
    readings: tuple[Reading, ...]
    arbitration: Arbitration | None = None


class Handed(Struct, frozen=True):
    """A case that a reader has in hand. `reading` is which reading of it this is, 1-based, of `readings`.

    `mine` is the reader's own verdict on it that stands, where he comes back to it (`mine.stale`: because the
    record has changed). `why_deferred` is the reason for which he put it off. `seen` tells the record as it
    was when it was handed out.
    """

    case_id: str
    reading: int
    readings: int
    must: bool
    mine: Reading | None = None
    why_deferred: str | None = None
    seen: Hashes | None = None


class Progress(Struct, frozen=True):
    """How far the reading of a sample is, for one reader.

    Args:
        cases: cases of the sample that can be handed to this reader at all: under the filter, still in the
            run.
        outside: cases of the sample that the filter leaves out.
        mine: cases that this reader has read, as they now are.
        open: cases that can still be handed to this reader, deferred ones and `stale` ones among them.
        deferred: cases that this reader has put off.
        others: cases that others have in hand now.
        readings, wanted: readings done (of the records as they now are) and wanted, of all readers and cases.
        disputed: cases of the sample whose readers differ, without an arbitration.
        seconds: rolling median of this reader's time a case; None where there are too few.
        stale: cases that this reader has read, whose record has changed since.
    """

    cases: int
    outside: int
    mine: int
    open: int
    deferred: int
    others: int
    readings: int
    wanted: int
    disputed: int
    seconds: float | None = None
    stale: int = 0

    @property
    def left(self) -> float | None:
        """Seconds that this reader's open cases will take; None where that is unknown."""
        return None if self.seconds is None else self.seconds * self.open


Ended = Literal["empty", "filtered", "done", "others"]
"""Why no case is handed out: the sample has none in the run, none within the filter, the reader has read all
that were left to him, or others have in hand what he has not read: it may come back."""
