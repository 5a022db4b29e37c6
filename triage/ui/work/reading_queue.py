"""What the screen of the reader asks of the queue, off the event loop; each answer comes as a message."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct
from textual.message import Message
from textual.worker import get_current_worker

from triage.errors import TriageError
from triage.models.query import Scope
from triage.models.reading import Handed, Progress
from triage.ui.work.writer import Job

if TYPE_CHECKING:
    from textual.screen import Screen

    from triage.models.case import CaseDetail
    from triage.models.reading import Ended
    from triage.models.verdict import ReviewOutcome, Verdict
    from triage.ui.work.writer import Writer
    from triage.workspace import Workspace


class Chosen(Struct, frozen=True):
    """Which cases are read: a sample of a run, within a filter text ("" = all of it), at a K."""

    run: str
    sample: str
    text: str = ""
    literal: bool = False
    marked: frozenset[int] = frozenset()
    k: int | None = None


class Beside(Struct, frozen=True):
    """What goes with a verdict: the labels and the note set before it."""

    labels: tuple[str, ...] = ()
    note: str = ""


class Came(Message):
    """The next case, or why there is none; `said` is the sentence for that, `draft` an unsaved note."""

    def __init__(
        self,
        handed: Handed | Ended,
        progress: Progress,
        *,
        detail: CaseDetail | None = None,
        draft: str | None = None,
        labels: tuple[str, ...] = (),
        said: str = "",
    ) -> None:
        super().__init__()
        self.handed, self.progress = handed, progress
        self.detail, self.draft, self.labels, self.said = detail, draft, labels, said


class Looked(Message):
    """How far all is after others have written; `detail` is the case in hand as it is now."""

    def __init__(self, progress: Progress, detail: CaseDetail | None) -> None:
        super().__init__()
        self.progress, self.detail = progress, detail


class Failed(Message):
    """A read failed; `lost`: it was that of the next case."""

    def __init__(self, error: BaseException, doing: str, *, lost: bool) -> None:
        super().__init__()
        self.error, self.doing, self.lost = error, doing, lost


class ReadingQueue:
    """Reads go one at a time, a newer one in place of an older; writes go through the `writer`, in order."""

    def __init__(self, screen: Screen[None], workspace: Workspace, writer: Writer, chosen: Chosen) -> None:
        self._screen, self._workspace, self._writer = screen, workspace, writer
        self.chosen = chosen

    def _start(self, group: str, call: Callable[[], Message], doing: str) -> None:
        screen = self._screen

        def work() -> None:
            worker = get_current_worker()
            message: Message
            try:
                message = call()
            except TriageError as error:
                message = Failed(error, doing, lost=group == "reading next")
            if not worker.is_cancelled:
                screen.post_message(message)

        screen.run_worker(work, name=doing, group=group, thread=True, exclusive=True, exit_on_error=False)

    def _progress(self) -> Progress:
        chosen = self.chosen
        return self._workspace.queue.progress(
            chosen.run, chosen.sample, chosen.text, literal=chosen.literal, marked=chosen.marked
        )

    def _detail(self, case_id: str) -> CaseDetail:
        return self._workspace.case_detail(Scope(self.chosen.run, k=self.chosen.k), case_id)

    def next(self) -> None:
        """Ask for the next case, with all that its reader needs."""
        workspace, chosen = self._workspace, self.chosen

        def call() -> Message:
            handed, progress = workspace.queue.go_on(
                chosen.run, chosen.sample, chosen.text, literal=chosen.literal, marked=chosen.marked
            )
            if not isinstance(handed, Handed):
                said = workspace.queue.ended_words(handed, chosen.sample, chosen.text)
                return Came(handed, progress, said=said)
            draft = workspace.draft(chosen.run, handed.case_id)
            labels = workspace.queue.beside(chosen.run, handed.case_id)
            detail = self._detail(handed.case_id)
            return Came(handed, progress, detail=detail, draft=draft, labels=labels)

        self._start("reading next", call, "reading the next case")

    def look(self, case_id: str | None) -> None:
        """Others have written: how far all is now, and whether the case in hand is another record."""

        def call() -> Message:
            return Looked(self._progress(), None if case_id is None else self._detail(case_id))

        self._start("reading look", call, "looking for changes")

    # what is written

    def give(self, handed: Handed, verdict: Verdict, beside: Beside, seconds: float) -> None:
        """Give a verdict on the record as it was handed out; the draft of its note goes with it."""
        workspace, chosen, case_id = self._workspace, self.chosen, handed.case_id

        def call() -> ReviewOutcome:
            outcome = workspace.queue.give(
                chosen.run, chosen.sample, case_id, verdict,
                labels=beside.labels, note=beside.note, seconds=seconds, seen=handed.seen,
            )  # fmt: skip
            # The verdict is on disk: a draft that stays must not have it given a second time.
            with contextlib.suppress(TriageError):
                if workspace.draft(chosen.run, case_id) == beside.note:
                    workspace.drop_draft(chosen.run, case_id)
            return outcome

        # What is put into a file where the database never comes back is to say all of it.
        says = ", ".join((f"{case_id} of {chosen.run}: {verdict}", *beside.labels))
        self._writer.add(Job(call, (case_id,), says, text=beside.note))

    def defer(self, case_id: str, reason: str) -> None:
        """Put the case off."""
        queue, chosen = self._workspace.queue, self.chosen
        says = f"{case_id} of {chosen.run} put off: {reason}"
        self._writer.add(
            Job(lambda: queue.defer(chosen.run, chosen.sample, case_id, reason), (case_id,), says)
        )

    def undo(self) -> None:
        """Take back the last action."""
        queue, chosen = self._workspace.queue, self.chosen
        self._writer.add(Job(lambda: queue.undo(chosen.run), (), "undo", back=True, then="redo"))

    def let_go(self) -> None:
        """Let others have the case in hand; it blocks for as long as the database does."""
        # Nothing is lost where it fails: the hold ends by itself.
        with contextlib.suppress(TriageError):
            self._workspace.queue.let_go(self.chosen.run, self.chosen.sample)
