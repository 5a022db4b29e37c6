"""What the Agreement screen asks of the workspace, off the event loop."""

from __future__ import annotations

from textual.message import Message

from triage.models.agreement import Agreement, Door
from triage.models.query import Drill
from triage.models.run import RunSummary
from triage.ui.work.reads import Reads


class Compared(Message):
    """What the readings come to."""

    def __init__(self, run: RunSummary | None, found: Agreement, sample: str | None) -> None:
        super().__init__()
        self.run, self.found, self.sample = run, found, sample


class Opened(Message):
    """The cases behind a number."""

    def __init__(self, drill: Drill) -> None:
        super().__init__()
        self.drill = drill


class AgreementReading(Reads):
    """One read of a kind at a time: a newer one stops the older."""

    def compare(self, run: str, sample: str | None, text: str, literal: bool) -> None:
        """Compare the readings of a run, or of a sample of it, under a filter text."""
        workspace = self._workspace

        def call() -> Message:
            found = workspace.agreeing.of(run, sample, text, literal=literal)
            return Compared(workspace.run_named(run), found, sample)

        self.start("agreement", call, "comparing the readings")

    def open(self, run: str, door: Door, named: str, sample: str | None, text: str, literal: bool) -> None:
        """Find the cases behind a number."""
        agreeing = self._workspace.agreeing

        def call() -> Message:
            ids = agreeing.behind(run, door, sample, text, literal=literal)
            return Opened(Drill(named=named, ids=ids))

        self.start("agreement door", call, "finding the cases")
