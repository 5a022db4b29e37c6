"""From a key to a review call: for which cases, where the cursor goes, what is told when it is on disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from triage.errors import TriageError
from triage.plain import one_line
from triage.ui.terminal_app import hold_keys
from triage.ui.work.words import accepts
from triage.ui.work.writer import Job, Writer

if TYPE_CHECKING:
    from triage.models.query import Scope
    from triage.models.verdict import ReviewOutcome, Verdict
    from triage.ui.messages import WriteFailed, Written
    from triage.ui.screens.triage import TriageScreen
    from triage.ui.work.reader import Reader
    from triage.workspace import Workspace

ASKS_FROM = 50
"""More cases than so many are not judged by one key: it asks."""


class Targets(Struct, frozen=True):
    """The cases that a key is for: the marked ones, `hidden` of them not in the list, or one by its id."""

    pks: frozenset[int]
    id: str | None = None
    hidden: int = 0

    @property
    def said(self) -> str:
        """`E06`, `12 cases`."""
        if self.id is not None:
            return self.id
        return f"{len(self.pks):,} cases" if len(self.pks) > 1 else "1 case"

    def ids(self, workspace: Workspace, run: str) -> list[str]:
        """The case ids, in file order; marked ones are looked up where they are written.

        Raises:
            TriageError: a marked case has gone.
        """
        return [self.id] if self.id is not None else workspace.bulk.ids_of(run, sorted(self.pks))


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
        self.pending: set[int] = set()
        """Cases judged by a call that is not on disk yet: none of them is `next unreviewed`."""

    def targets(self) -> Targets | None:
        """The marked cases, else the one under the cursor; None before its row is here, or all are marked."""
        cases, marking = self._screen.cases, self._screen.marking
        if marking is not None and marking.waits:
            marking.tell()
            return None
        if cases.marked:
            return Targets(frozenset(cases.marked.keys), None, cases.marked.hidden)
        row = cases.row
        return None if row is None or self._seeking else Targets(frozenset((row.pk,)), row.id)

    def _add(
        self,
        says: str,
        targets: Targets,
        scope: Scope,
        call: Callable[[list[str]], ReviewOutcome],
        *,
        judges: bool = False,
    ) -> None:
        """Take a call in hand: the marks go, and the cursor goes on where its case is judged by it."""
        aside = f", {targets.hidden:,} of them not shown" if targets.hidden else ""

        def write() -> ReviewOutcome:
            outcome = call(targets.ids(self._workspace, scope.run))
            return replace(outcome, said=outcome.said + aside) if outcome.case_ids else outcome

        ids = () if targets.id is None else (targets.id,)
        self._writer.add(Job(write, ids, says, pks=targets.pks))
        cases = self._screen.cases
        cases.unmark()
        if judges:
            self.pending |= targets.pks
            # A batch leaves the cursor on a case that may be the next one to read.
            if self._workspace.settings.advance and cases.pk in targets.pks:
                self.advance()

    def _sure(self, asks: str, targets: Targets, go: Callable[[], None]) -> None:
        """Go on, after a question where it is about more cases than one key should judge."""
        if targets.id is not None or len(targets.pks) <= ASKS_FROM:
            go()
            return
        from triage.ui.work.asking_bulk import BulkAsking

        asking = BulkAsking(self._screen, self._workspace).sure(asks, targets.hidden, go)
        hold_keys(self._screen.app, self._screen.run_worker(asking, group="asking"))

    def tag(self, scope: Scope, verdict: Verdict) -> None:
        """Give a verdict, and go on."""
        targets = self.targets()
        if targets is None:
            return

        def call(ids: list[str]) -> ReviewOutcome:
            return self._workspace.tag(scope.run, ids, verdict)

        says = f"{targets.said} {verdict}"
        self._sure(
            f"tag {targets.said} {verdict}", targets,
            lambda: self._add(says, targets, scope, call, judges=True),
        )  # fmt: skip

    def do(self, what: str, scope: Scope) -> None:
        """accept, clear, defer, undo or redo."""
        does = {
            "accept": self.accept,
            "clear": self.clear,
            "defer": self.defer,
            "undo": self.undo,
            "redo": self.redo,
        }
        does[what](scope)

    def accept(self, scope: Scope) -> None:
        """Take the suggestion and go on; on a case that has a verdict just go on.

        Where there is nothing to accept the workspace says why.
        """
        cases = self._screen.cases
        word = "accept" if cases.marked else accepts(cases.row)
        targets = self.targets()
        if word == "next" and (targets is not None or self._seeking):
            self.advance()
            return
        if targets is None:
            return

        def call(ids: list[str]) -> ReviewOutcome:
            return self._workspace.accept(scope, ids)

        says, judges = f"{targets.said} accepted", word.startswith("accept")
        self._sure(
            f"accept the suggestions of {targets.said}", targets,
            lambda: self._add(says, targets, scope, call, judges=judges),
        )  # fmt: skip

    def clear(self, scope: Scope) -> None:
        """Take the verdict back."""
        targets = self.targets()
        if targets is None:
            return

        def call(ids: list[str]) -> ReviewOutcome:
            return self._workspace.clear(scope.run, ids)

        says = f"{targets.said} cleared"
        self._sure(
            f"take your verdicts on {targets.said} back", targets,
            lambda: self._add(says, targets, scope, call),
        )  # fmt: skip

    def defer(self, scope: Scope) -> None:
        """Put cases off, and go on; again takes them up."""
        targets, row = self.targets(), self._screen.cases.row
        if targets is None:
            return

        def call(ids: list[str]) -> ReviewOutcome:
            return self._workspace.bulk.defer(scope.run, ids)

        review = row.review if row is not None else None
        goes_on = targets.id is not None and (review is None or not (review.deferred or review.verdict))
        says = f"{targets.said} deferred"
        self._sure(
            f"defer {targets.said}", targets,
            lambda: self._add(says, targets, scope, call, judges=goes_on),
        )  # fmt: skip

    def undo(self, scope: Scope) -> None:
        """Take back this reviewer's last action of this sitting."""
        self._turn("undo", lambda: self._workspace.undo(scope.run), "redo")

    def redo(self, scope: Scope) -> None:
        """Bring back what was undone last."""
        self._turn("redo", lambda: self._workspace.redo(scope.run), "undo")

    def _turn(self, says: str, call: Callable[[], ReviewOutcome], then: Literal["undo", "redo"]) -> None:
        self._writer.add(Job(call, (), says, True, then))

    def label(self, scope: Scope, targets: Targets, add: Sequence[str], take: Sequence[str]) -> None:
        """Add labels to cases and take labels from them."""
        more, less = list(add), list(take)

        def call(ids: list[str]) -> ReviewOutcome:
            return self._workspace.bulk.change_labels(scope.run, ids, more, less)

        self._add(f"labels of {targets.said}", targets, scope, call)

    def note(self, scope: Scope, case_id: str, text: str) -> None:
        """Save a note, then drop its draft."""

        def call() -> ReviewOutcome:
            outcome = self._workspace.note(scope.run, case_id, text)
            self._workspace.drop_draft(scope.run, case_id)
            where = ", in its case under notes" if text.strip() else ""
            return replace(outcome, said=f"{outcome.said}{where}")

        self._writer.add(Job(call, (case_id,), f"note on {case_id}", text=text))

    # where the cursor goes

    def advance(self) -> None:
        """To the next case without a verdict in the list as shown; wraps once, then says end of list."""
        cases, scope = self._screen.cases, self._screen.selection.scope
        position, wrapped, known = cases.next_unreviewed(self.pending)
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
        self._settle(event.pks)
        rows = [row for row in screen.cases.rows_here() if row.id in ids and row.id in outcome.reviews]
        screen.cases.update_rows(replace(row, review=outcome.reviews[row.id]) for row in rows)
        if event.back and len(ids) == 1 and rows:
            screen.cases.go_to(rows[0].pk)
        end, self._at_end = self._at_end, False
        if outcome.said:
            screen.speech.say(outcome.said, then=event.then if ids else None, end=end)

    def failed(self, event: WriteFailed) -> None:
        """A call is not on disk: kept and tried again, or given up, and told in any case."""
        if not event.kept:
            self._settle(event.pks)
        if isinstance(event.error, TriageError) and not event.kept:
            # A refusal, such as nothing to undo, is an answer: it goes by itself.
            self._screen.speech.tell([(one_line(str(event.error)), "bad")])
        else:
            self._screen.speech.error(event.error, f"writing {event.says}", kept=event.kept)

    def _settle(self, pks: frozenset[int]) -> None:
        self.pending = (self.pending - pks) if self._writer.waiting else set()
