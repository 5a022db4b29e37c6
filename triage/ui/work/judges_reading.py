"""What the Judges screen asks of the workspace, off the event loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

from triage.models.judging import JudgeQuestion, JudgeReport
from triage.models.query import Drill, Scope
from triage.models.run import RunSummary
from triage.ui.work.reads import Reads

if TYPE_CHECKING:
    from triage.ui.widgets.judges_model import Behind
    from triage.workspace.judging import Fault


class Judged(Message):
    """What judges are worth, as it was asked; the question as it was asked is `asked`."""

    def __init__(self, run: RunSummary | None, asked: JudgeQuestion, found: JudgeReport) -> None:
        super().__init__()
        self.run, self.asked, self.found = run, asked, found


class Opened(Message):
    """The cases behind a number."""

    def __init__(self, drill: Drill) -> None:
        super().__init__()
        self.drill = drill


class JudgesReading(Reads):
    """One read of a kind at a time: a newer one stops the older."""

    def report(self, scope: Scope, asked: JudgeQuestion, sample: str | None) -> None:
        """Hold the judges against people and each other."""
        workspace = self._workspace

        def call() -> Message:
            found = workspace.judging.report(scope, asked, sample)
            return Judged(workspace.run_named(scope.run), asked, found)

        self.start("judges", call, "asking of the judges")

    def open(
        self,
        scope: Scope,
        asked: JudgeQuestion,
        behind: Behind,
        kind: Fault,
        named: str,
        sample: str | None,
    ) -> None:
        """Find the cases behind a row."""
        judging = self._workspace.judging

        def call() -> Message:
            if behind.threshold is None:
                return Opened(Drill(named=named, ids=judging.differ(scope, asked, *behind.pair, sample)))
            within = (behind.dimension, behind.value) if behind.dimension else None
            ids = judging.wrong(scope, asked, behind.threshold, kind, within, sample)
            return Opened(Drill(named=named, ids=ids))

        self.start("judges door", call, "finding the cases")
