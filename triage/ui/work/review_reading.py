"""What the Review screen asks of the workspace, off the event loop; each answer comes as a message."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.message import Message

from triage.ui.widgets.review_model import Entry
from triage.ui.work.reads import Reads

if TYPE_CHECKING:
    from triage.models.run import RunSummary
    from triage.models.sample import Sample
    from triage.workspace import Workspace


class SamplesRead(Message):
    """The run, its samples with how far they are, and how many of its cases are in dispute."""

    def __init__(self, run: RunSummary, entries: Sequence[Entry], disputed: int) -> None:
        super().__init__()
        self.run, self.entries, self.disputed = run, entries, disputed


class SamplesReading(Reads):
    """Reads the samples of a run."""

    def samples(self, run_id: str, text: str, marked: frozenset[int]) -> None:
        """The samples of a run, and how far each is under a filter text whose `is:marked` are those keys."""
        workspace = self._workspace

        def call() -> Message:
            run = workspace.find_run(run_id)
            entries = [
                entry_of(workspace, sample, text, marked) for sample in workspace.sampling.samples(run.id)
            ]
            return SamplesRead(run, entries, len(workspace.queue.disputes(run.id)))

        self.start("review samples", call, "reading the samples")


def entry_of(workspace: Workspace, sample: Sample, text: str, marked: frozenset[int]) -> Entry:
    """A sample with how far it is, and who has read how many of its cases."""
    progress = workspace.queue.progress(sample.run, sample.name, text, marked=marked)
    ids = [case_id for stratum in sample.drawn.strata for case_id in stratum.ids]
    found = workspace.queue.readings(sample.run, ids)
    counts = Counter(reading.reviewer for readings in found.values() for reading in readings)
    readers = tuple(sorted(counts.items(), key=lambda one: (-one[1], one[0])))
    read = tuple(sum(case_id in found for case_id in stratum.ids) for stratum in sample.drawn.strata)
    return Entry(sample, progress, readers, read)
