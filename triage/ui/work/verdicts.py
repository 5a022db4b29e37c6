"""From a key to a review call: for which cases, where the cursor goes, what is told when it is on disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from triage.errors import TriageError
from triage.plain import one_line
from triage.ui.work.words import accepts
from triage.ui.work.writer import Job, Writer

if TYPE_CHECKING:
    from triage.models.query import Scope
    from triage.models.verdict import ReviewOutcome, Verdict
    from triage.ui.messages import WriteFailed, Written
    from triage.ui.screens.triage import TriageScreen
    from triage.ui.work.reader import Reader
    from triage.workspace import Workspace


class Verdicts:
    """Verdicts, labels and notes on the case under the cursor, or on all that are marked.

    The cursor may go on at once; the list and the words tell a verdict only when it is on disk.
    """

    def __init__(self, screen: TriageScreen, workspace: Workspace, writer: Writer, reader: Reader) -> None:
        self._screen = screen
        self._workspace = workspace
        self._writer = writer
        self._reader = reader
        self._at_end = False
        self._seeking = False
        self.pending: dict[int, str] = {}
        """Cases judged by a call that is not on disk yet: none of them is `next unreviewed`."""

    def targets(self) -> dict[int, str]:
        """Keys and ids of the marked cases, else of the one under the cursor; {} before its row is here."""
        cases = self._screen.cases
        if cases.marked:
            return dict(cases.marked)
        row = cases.row
        return {} if row is None or self._seeking else {row.pk: row.id}

    def _add(
        self,
        says: str,
        ids: Sequence[str],
        call: Callable[[], ReviewOutcome],
        *,
        back: bool = False,
        then: Literal["undo", "redo"] = "undo",
        text: str = "",
    ) -> None:
        self._writer.add(Job(call, tuple(ids), says, back, then, text))

    def tag(self, scope: Scope, verdict: Verdict) -> None:
        """Give a verdict, and go on."""
        targets = self.targets()
        ids = list(targets.values())
        if ids:
            self._add(f"{named(ids)} {verdict}", ids, lambda: self._workspace.tag(scope.run, ids, verdict))
            self._judged(targets)

    def do(self, what: str, scope: Scope) -> None:
        """accept, clear, undo or redo."""
        {"accept": self.accept, "clear": self.clear, "undo": self.undo, "redo": self.redo}[what](scope)

    def accept(self, scope: Scope) -> None:
        """Take the suggestion and go on; on a case that has a verdict just go on.

        Where there is nothing to accept the workspace says why.
        """
        cases = self._screen.cases
        word = "accept" if cases.marked else accepts(cases.row)
        if word == "next":
            self.advance()
            return
        targets = self.targets()
        ids = list(targets.values())
        if ids:
            self._add(f"{named(ids)} accepted", ids, lambda: self._workspace.accept(scope, ids))
            if word.startswith("accept"):
                self._judged(targets)

    def _judged(self, targets: dict[int, str]) -> None:
        self.pending |= targets
        self._screen.cases.unmark()
        # A batch leaves the cursor on a case that may be the next one to read.
        if self._workspace.settings.advance and self._screen.cases.pk in targets:
            self.advance()

    def clear(self, scope: Scope) -> None:
        """Take the verdict back."""
        ids = list(self.targets().values())
        if ids:
            self._add(f"{named(ids)} cleared", ids, lambda: self._workspace.clear(scope.run, ids))
            self._screen.cases.unmark()

    def undo(self, scope: Scope) -> None:
        """Take back this reviewer's last action of this sitting."""
        self._add("undo", (), lambda: self._workspace.undo(scope.run), back=True, then="redo")

    def redo(self, scope: Scope) -> None:
        """Bring back what was undone last."""
        self._add("redo", (), lambda: self._workspace.redo(scope.run), back=True)

    def label(self, scope: Scope, ids: Sequence[str], labels: Sequence[str]) -> None:
        """Set the labels of cases."""
        of, kept = list(ids), list(labels)
        self._add(f"labels of {named(of)}", of, lambda: self._workspace.set_labels(scope.run, of, kept))

    def note(self, scope: Scope, case_id: str, text: str) -> None:
        """Save a note, then drop its draft."""

        def call() -> ReviewOutcome:
            outcome = self._workspace.note(scope.run, case_id, text)
            self._workspace.drop_draft(scope.run, case_id)
            return outcome

        self._add(f"note on {case_id}", (case_id,), call, text=text)

    # where the cursor goes

    def advance(self) -> None:
        """To the next case without a verdict in the list as shown; wraps once, then says end of list."""
        cases, scope = self._screen.cases, self._screen.selection.scope
        position, wrapped, known = cases.next_unreviewed(frozenset(self.pending))
        if known:
            self.arrived(position, wrapped)
        elif scope is not None:
            self._seeking = True
            self._reader.next_unreviewed(scope, cases.keys, cases.position, frozenset(self.pending))

    def arrived(self, position: int | None, wrapped: bool) -> None:
        """The next case was found, or there is none."""
        self._seeking = False
        if position is None:
            self._at_end = True
            if not self._writer.waiting:
                self._screen.speech.say("end of list")
        else:
            self._screen.cases.move_to(position)
            if wrapped and not self._writer.waiting:
                self._screen.speech.say("from the top again")

    # what is on disk

    def written(self, event: Written) -> None:
        """A call is on disk: its rows are painted as they are now, and it is told."""
        screen, outcome = self._screen, event.outcome
        ids = set(outcome.case_ids)
        self._settle(ids)
        rows = [row for row in screen.cases.rows_here() if row.id in ids and row.id in outcome.reviews]
        screen.cases.update_rows(replace(row, review=outcome.reviews[row.id]) for row in rows)
        if event.back and len(rows) == 1:
            screen.cases.go_to(rows[0].pk)
        end, self._at_end = self._at_end, False
        if outcome.said:
            screen.speech.say(outcome.said, then=event.then if ids else None, end=end)
        if not ids:
            self._settle(None)

    def failed(self, event: WriteFailed) -> None:
        """A call is not on disk: kept and tried again, or given up, and told in any case."""
        if not event.kept:
            self._settle(set(event.case_ids))
        if isinstance(event.error, TriageError) and not event.kept:
            # A refusal, such as nothing to undo, is an answer: it goes by itself.
            self._screen.speech.tell([(one_line(str(event.error)), "bad")])
        else:
            self._screen.speech.error(event.error, f"writing {event.says}", kept=event.kept)

    def _settle(self, ids: set[str] | None) -> None:
        if ids is None:
            self.pending = {} if not self._writer.waiting else self.pending
        else:
            self.pending = {pk: ident for pk, ident in self.pending.items() if ident not in ids}


def named(ids: Sequence[str]) -> str:
    """One case by its id, several by their number."""
    return ids[0] if len(ids) == 1 else f"{len(ids)} cases"
