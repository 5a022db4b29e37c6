"""The loaded runs as a list shows them: with what they add up to, and what hangs on each."""

from __future__ import annotations

from msgspec import Struct, field

from triage.models.measure import MetricValue
from triage.models.run import RunSummary


class RunFigures(Struct, frozen=True):
    """What a run adds up to at its own K.

    `base_metrics` are its baseline's at the same K, {} where there is none or it is not measured at it.
    `triaged` counts the failing cases with a verdict, `verdicts` all cases with one, by verdict.
    """

    metrics: dict[str, MetricValue]
    base_metrics: dict[str, MetricValue]
    failing: int
    triaged: int
    verdicts: dict[str, int]

    @property
    def reviewed(self) -> int:
        """Cases with a verdict."""
        return sum(self.verdicts.values())


class RunEntry(Struct, frozen=True):
    """A loaded run in the list of them.

    `figures` is None until they are read, and of a run that is still to be measured. `family` is a name that
    the runs of one test set share. `present` tells whether its file is there, None = not looked yet.
    `config` is its configuration as keys with values in words.
    """

    run: RunSummary
    family: str
    pinned: bool = False
    figures: RunFigures | None = None
    present: bool | None = None
    config: dict[str, str] = field(default_factory=dict)


class Removal(Struct, frozen=True):
    """What stands in the database of a run, before it is let go of.

    `verdicts`, `notes`, `labels` count cases; `reviewers` are those whose word stands on one of them.
    """

    run: str
    records: int
    revisions: int
    verdicts: int
    notes: int
    labels: int
    drafts: int
    reviewers: tuple[str, ...]

    @property
    def reviewed(self) -> bool:
        """Has anybody said anything of its cases?"""
        return bool(self.verdicts or self.notes or self.labels or self.drafts)
