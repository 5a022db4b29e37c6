"""What the Slices screen asks of the workspace, off the event loop; each answer comes back as a message."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual.message import Message

from triage.models.slices import FAILING, MOST_ROWS, CrossTable, Dimension, SliceTable
from triage.ui.widgets.slices_model import COUNT, Question
from triage.ui.work.reads import Reads

if TYPE_CHECKING:
    from triage.models.query import Scope
    from triage.models.run import RunSummary


class DimensionsRead(Message):
    """The dimensions that tell the run's cases apart."""

    def __init__(self, dimensions: Sequence[Dimension]) -> None:
        super().__init__()
        self.dimensions = dimensions


class Answered(Message):
    """The answer to a question, by one dimension or two."""

    def __init__(self, question: Question, table: SliceTable | CrossTable) -> None:
        super().__init__()
        self.question, self.table = question, table


class RunsRead(Message):
    """The run that is sliced, as it is now, and its baseline."""

    def __init__(self, run: RunSummary | None, against: RunSummary | None) -> None:
        super().__init__()
        self.run, self.against = run, against


class Unanswered(Message):
    """Answering a question ended by an error of the user's."""

    def __init__(self, question: Question, error: BaseException, doing: str) -> None:
        super().__init__()
        self.error, self.doing, self.question = error, doing, question


class SlicesReading(Reads):
    """One read of a kind at a time: a newer one stops the older."""

    def dimensions(self, scope: Scope) -> None:
        """Which dimensions the run has."""
        slicing = self._workspace.slicing
        self.start(
            "slices dimensions", lambda: DimensionsRead(slicing.dimensions(scope)), "reading the dimensions"
        )

    def ask(self, question: Question, scope: Scope) -> None:
        """Answer a question about the scope's cases."""
        slicing = self._workspace.slicing
        metric = FAILING if question.metric == COUNT else question.metric

        def call() -> Message:
            if question.mode == "cross":
                return Answered(question, slicing.cross(scope, question.by, question.cross, metric))
            return Answered(question, slicing.table(scope, question.by, metric, question.most or MOST_ROWS))

        self.start("slices table", call, "adding up", partial(Unanswered, question))

    def runs(self, run: str) -> None:
        """The run as it is now: another revision has other cases, another baseline other deltas."""
        workspace = self._workspace

        def call() -> Message:
            found = workspace.run_named(run)
            against = workspace.run_named(found.baseline) if found and found.baseline else None
            return RunsRead(found, against)

        self.start("slices runs", call, "reading the run")
