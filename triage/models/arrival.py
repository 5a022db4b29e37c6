"""A run file that came or changed while its folder was followed, and what moved with it."""

from __future__ import annotations

from msgspec import Struct

from triage.models.run import FileReport, RunSummary


class Moved(Struct, frozen=True):
    """A metric that differs from the baseline's by `delta`, as measured; `better` follows its direction."""

    key: str
    delta: float
    better: bool


class News(Struct, frozen=True):
    """What a run brings.

    Args:
        run: as it is now.
        cases, failing: how many it has.
        against: its baseline's id, None = none.
        moved: the metrics that differ, in registry order.
        broke, fixed: how many cases fail now and did not in the baseline, and the other way round.
    """

    run: RunSummary
    cases: int
    failing: int
    against: str | None = None
    moved: tuple[Moved, ...] = ()
    broke: int = 0
    fixed: int = 0


class Arrival(Struct, frozen=True):
    """What became of a file.

    Args:
        report: of loading it.
        seconds: what loading took.
        news: where it was loaded.
        expected: it is a run's file, or named as one: that it can't be read is worth telling.
        moved: it is a run's file under another name, and no longer there under the first.
    """

    report: FileReport
    seconds: float
    news: News | None = None
    expected: bool = True
    moved: bool = False
