"""What a reader has in hand: the case, what he has set beside it, and since when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.models.reading import Handed
from triage.ui.work.reading_clock import ReadingClock
from triage.ui.work.reading_queue import Beside
from triage.workspace.reviews import acceptance

if TYPE_CHECKING:
    from triage.models.case import CaseDetail
    from triage.models.reading import Progress
    from triage.models.verdict import Verdict
    from triage.ui.work.reading_queue import Came

Kept = dict[tuple[str, str, str], tuple[str, ...]]
"""Labels set in a queue that was left before the verdict, by reviewer, run and case: two may share a
terminal.
"""


class InHand:
    """`handed` is None while the next case is awaited, and where there is none.

    `whole` is the case with all that is known of it, `beside` are the labels and the note that will go with
    the verdict, `is_lost`: the next case could not be read.
    """

    def __init__(self, reviewer: str, run: str) -> None:
        self._whose = (reviewer, run)
        self.handed: Handed | None = None
        self.whole: CaseDetail | None = None
        self.beside = Beside()
        self.progress: Progress | None = None
        self.is_lost = False
        self.clock = ReadingClock()
        self._set: dict[str, Beside] = {}

    @property
    def case_id(self) -> str | None:
        """The id of the case in hand."""
        return None if self.handed is None else self.handed.case_id

    def came(self, event: Came, kept: Kept) -> None:
        """The next case is here, or there is none; the same one read anew keeps what was set beside it."""
        before = None if self.whole is None else self.whole.row.id
        self.progress, self.whole, self.is_lost = event.progress, event.detail, False
        if not isinstance(event.handed, Handed):
            self.handed, self.beside = None, Beside()
            return
        self.handed = event.handed
        if before != event.handed.case_id:
            self.beside = self._at_first(event.handed, event.draft, event.labels, kept)
            self.clock.begin()

    def _at_first(self, handed: Handed, draft: str | None, pending: tuple[str, ...], kept: Kept) -> Beside:
        """What its reader had set before: in this sitting, with his verdict that stands, before a pause."""
        found = self._set.get(handed.case_id)
        if found is None and handed.mine is not None:
            found = Beside(handed.mine.labels, handed.mine.note)
        found = found or Beside()
        labels = kept.pop((*self._whose, handed.case_id), pending or found.labels)
        return Beside(labels, found.note if draft is None else draft)

    def take(self) -> Handed | None:
        """Take the case out of the hand, so that no second key judges it; what was set is remembered."""
        handed, self.handed = self.handed, None
        if handed is not None:
            self._set[handed.case_id] = self.beside
        return handed

    def keep(self, kept: Kept) -> None:
        """The queue is left: labels stay for the next time; the note has its draft."""
        if self.handed is not None and self.beside.labels:
            kept[(*self._whose, self.handed.case_id)] = self.beside.labels

    def lost(self) -> None:
        """The next case could not be read: none is shown."""
        self.handed, self.whole, self.is_lost = None, None, True

    def changed(self, now: CaseDetail | None) -> bool:
        """Is the record of the case in hand another one by now?"""
        before = self.whole
        return (
            now is not None and before is not None and now.row.id == before.row.id and now.raw != before.raw
        )

    def suggestion(self) -> Verdict | str:
        """The verdict that accepting gives, or why there is none."""
        if self.handed is None or self.whole is None:
            return ""
        act = acceptance(self.handed.case_id, self.whole.diagnosis.suggestion)
        return act if isinstance(act, str) else act.verdict or ""
