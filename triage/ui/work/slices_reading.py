"""What the Slices screen asks of the workspace, off the event loop; each answer comes back as a message."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.message import Message
from textual.worker import get_current_worker

from triage.errors import Stopped, TriageError
from triage.models.slices import FAILING, MOST_ROWS, CrossTable, Dimension, SliceTable
from triage.ui.widgets.slices_model import COUNT, Question

if TYPE_CHECKING:
    from textual.screen import Screen

    from triage.models.query import Scope
    from triage.models.run import RunSummary
    from triage.workspace import Workspace


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


class Failed(Message):
    """A read failed."""

    def __init__(self, error: BaseException, doing: str, question: Question | None = None) -> None:
        super().__init__()
        self.error, self.doing, self.question = error, doing, question


class SlicesReading:
    """One read of a kind at a time: a newer one stops the older."""

    def __init__(self, screen: Screen[None], workspace: Workspace) -> None:
        self._screen, self._workspace = screen, workspace

    def _start(
        self, what: str, call: Callable[[], Message], doing: str, question: Question | None = None
    ) -> None:
        screen, workspace = self._screen, self._workspace

        def work() -> None:
            worker = get_current_worker()
            message: Message
            try:
                with workspace.stoppable(lambda: worker.is_cancelled):
                    message = call()
            except Stopped:
                # A newer question is being answered.
                return
            except TriageError as error:
                message = Failed(error, doing, question)
            if not worker.is_cancelled:
                screen.post_message(message)

        screen.run_worker(work, name=doing, group=what, thread=True, exclusive=True, exit_on_error=False)

    def dimensions(self, scope: Scope) -> None:
        """Which dimensions the run has."""
        slicing = self._workspace.slicing
        self._start(
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

        self._start("slices table", call, "adding up", question)

    def runs(self, run: str) -> None:
        """The run as it is now: another revision has other cases, another baseline other deltas."""
        workspace = self._workspace

        def call() -> Message:
            found = workspace.run_named(run)
            against = workspace.run_named(found.baseline) if found and found.baseline else None
            return RunsRead(found, against)

        self._start("slices runs", call, "reading the run")
