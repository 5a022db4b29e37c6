"""The screen of a reader: one case of a sample at a time, the meanings of the verdicts beside it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events, getters, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal

from triage.errors import TriageError
from triage.models.reading import Handed
from triage.models.verdict import VERDICTS
from triage.plain import one_line
from triage.ui import messages
from triage.ui.actions_reading import READING_SHARES
from triage.ui.keys import BY_ID, bindings, same_keys
from triage.ui.screens.over import OverScreen
from triage.ui.widgets.case_detail import CaseDetail
from triage.ui.widgets.detail.unseen import unseen
from triage.ui.widgets.footer import Foot, Footer
from triage.ui.widgets.notice import Notice, error_lines
from triage.ui.widgets.reading_guide import ReadingGuide, Told
from triage.ui.widgets.reading_top import Head, ReadingBar, ReadingTop
from triage.ui.work import reading_words
from triage.ui.work.reading_hand import InHand, Kept
from triage.ui.work.reading_queue import Beside, Came, Chosen, Failed, Looked, ReadingQueue
from triage.ui.work.words import accepts
from triage.ui.work.writer import Writer

if TYPE_CHECKING:
    from triage.models.verdict import Verdict
    from triage.ui.screens.triage import TriageScreen
    from triage.ui.terminal_app import TerminalApp
    from triage.ui.widgets.detail.page import Hidden
    from triage.ui.widgets.line import Words
    from triage.workspace import Workspace


class ReadingScreen(OverScreen):
    """Hands out the cases of a sample; what the reader is not to know of a case is never on it.

    Args:
        triage: the screen under it.
        workspace: everything it shows and writes.
        keymap: the user's keys by action id.
        run: the run's id.
        sample_name: which of its samples.
        text: the filter text; only cases within it are handed out.
        blind: hide what the machine says from the beginning.
    """

    CSS_PATH = "reading.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-middle"), (116, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (20, "-tall")]  # noqa: RUF012
    AUTO_FOCUS = "CaseDetail"
    KEYS = "reading"
    LEAVES = "reading_pause"
    AMONG_READERS = True
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("reading"),
        *same_keys(**{ident: BY_ID[ident].run for ident in READING_SHARES}),
    ]

    case = getters.query_one(CaseDetail)
    guide = getters.query_one(ReadingGuide)
    spoken = getters.query_one(ReadingBar)

    def __init__(
        self,
        triage: TriageScreen,
        workspace: Workspace,
        keymap: Mapping[str, str],
        run: str,
        sample_name: str,
        text: str,
        blind: bool,
    ) -> None:
        super().__init__(triage, workspace, keymap)
        self.blind = blind
        self.writer = Writer(self)
        self._on_results = False
        """Does the filter ask for results or verdicts, so that whoever reads within it knows of them?"""
        scope = triage.selection.scope
        same = scope is not None and scope.run == run
        chosen = Chosen(run, sample_name, text, k=scope.k if scope is not None and same else None)
        if scope is not None and same and scope.text == text and text:
            marked = frozenset(triage.cases.marked.keys)
            chosen = Chosen(run, sample_name, text, scope.literal, marked, scope.k)
            self._on_results = triage.view is not None and triage.view.selected_on_results
        self.queue = ReadingQueue(self, workspace, self.writer, chosen)
        self.hand = InHand(workspace.reviewer, run)
        self._kept: Kept = triage.kept_labels if triage.kept_labels is not None else {}
        triage.kept_labels = self._kept
        self._leaving = False

    def compose(self) -> ComposeResult:
        """Head, what is known of the case, guide and case, footer; and what takes their place."""
        yield ReadingTop()
        yield ReadingBar()
        with Horizontal(id="body"):
            yield ReadingGuide(self.keys)
            yield CaseDetail(id="case")
        yield Notice(id="stage")
        yield Notice(id="small")
        yield Footer(self.keymap)

    def begin(self) -> None:
        """Have the first case handed out."""
        self._triage.speech.forget_toast()
        cast("TerminalApp", self.app).writers.append(self.writer)
        self.case.notice, self.case.roomy = (), True
        self.queue.next()
        self.settle()

    def on_unmount(self) -> None:
        """Let others have what is in hand, and the thread go."""
        if not self._leaving:
            self.queue.let_go()
        writers = cast("TerminalApp", self.app).writers
        if not self.writer.waiting and self.writer in writers:
            writers.remove(self.writer)
        self.writer.close()

    # what is shown

    @property
    def main(self) -> CaseDetail:
        """The case."""
        return self.case

    def ask(self) -> None:
        """Look again at the case in hand, and how far the sample is."""
        self.queue.look(self.hand.case_id)

    @property
    def hidden(self) -> Hidden:
        """What the reader is not shown."""
        return "machine" if self.blind else "people"

    def show(self, keep: str | None = None) -> None:
        """The case in hand, as far as the reader may see it."""
        whole = self.hand.whole
        self.case.hidden = self.hidden
        self.case.detail = None if whole is None else unseen(whole, self._workspace.reviewer, self.hidden)
        self.settle()

    def settle(self) -> None:
        """Let head, guide and footer follow."""
        hand = self.hand
        handed, progress = hand.handed, hand.progress
        run = self._triage.run_shown
        named = run.kb_version or run.id if run is not None and run.id == self.queue.chosen.run else ""
        self.query_one(ReadingTop).head = Head(
            self.queue.chosen.sample,
            named or self.queue.chosen.run,
            self._workspace.reviewer,
            progress,
            self.blind,
        )
        bar = self.spoken
        bar.known = () if handed is None else reading_words.known(handed, machine_hidden=self.blind)
        bar.pace = (
            ()
            if progress is None
            else reading_words.pace(progress, self.queue.chosen.text, on_results=self._on_results)
        )
        self.guide.flat = self.has_class("-narrow")
        word = "" if self.blind else hand.suggestion()
        suggested = next((verdict for verdict in VERDICTS if verdict == word), None)
        self.guide.told = Told(suggested, hand.beside.labels, hand.beside.note)
        shown = self.case.detail
        accept = accepts(shown.row) if handed is not None and shown is not None and not self.blind else ""
        self.query_one(Footer).foot = Foot("read" if self.has_class("-staged") else "reading", accept)
        self.refresh_bindings()
        if hand.whole is not None and self.focused is None and not self.has_class("-tiny"):
            self.case.focus()

    def say(self, text: str) -> None:
        """What has just happened."""
        self.spoken.say([(one_line(text), "text")])

    def complain(self, text: str) -> None:
        """Say what went wrong."""
        self.spoken.error(text)

    # what the queue tells

    @on(Came)
    def _came(self, event: Came) -> None:
        self.hand.came(event, self._kept)
        ended = not isinstance(event.handed, Handed)
        self._stage(reading_words.ended(event, self.keys) if ended else ())

    def _stage(self, lines: tuple[Words, ...]) -> None:
        """What stands in the place of the case; () = the case."""
        self.query_one("#stage", Notice).lines = lines
        self.set_class(bool(lines), "-staged")
        self.show()

    @on(Looked)
    def _looked(self, event: Looked) -> None:
        self.hand.progress = event.progress
        if self.hand.changed(event.detail):
            self.say(f"{self.hand.case_id}: its record was read anew, and has changed")
            self.queue.next()
        self.settle()

    @on(Failed)
    def _failed(self, event: Failed) -> None:
        # A look beside what is already told in the case's place would tell it once more, after esc too.
        if not event.lost and self.hand.is_lost:
            return
        self.wrong(event.error, event.doing)
        if event.lost:
            self.hand.lost()
            self._stage(error_lines(event.error, event.doing))

    @on(messages.Written)
    def _written(self, event: messages.Written) -> None:
        self.spoken.hush()
        if event.outcome.said:
            self.spoken.say(reading_words.told(event.outcome.said, self.keys["undo"]))
        if not event.waiting and not self._leaving:
            self.queue.next()

    @on(messages.WriteFailed)
    def _not_written(self, event: messages.WriteFailed) -> None:
        if event.kept:
            words = str(event.error) if isinstance(event.error, TriageError) else event.says
            self.spoken.error(f"not written yet, kept and tried again: {one_line(words)}")
            return
        if isinstance(event.error, TriageError):
            # A refusal, such as nothing to undo, is an answer: it goes by itself.
            self.spoken.say([(one_line(str(event.error)), "bad")])
        else:
            self.wrong(event.error, f"writing {event.says}")
        if not event.waiting:
            self.queue.next()

    @on(CaseDetail.Spoke)
    def _case_spoke(self, event: CaseDetail.Spoke) -> None:
        self.say(event.text)

    # keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing is judged that is not seen: not on a tiny terminal, nor before the next case is there."""
        if not super().check_action(action, parameters):
            return False
        if action in ("verdict", "ask") or (action == "review" and parameters != ("undo",)):
            return self.hand.handed is not None
        return self.hand.handed is None if action == "reading_again" else True

    def on_key(self) -> None:
        """The reader is here."""
        self.hand.clock.touch()

    def action_verdict(self, verdict: Verdict) -> None:
        """Give the verdict with its labels and note, and go on."""
        seconds, beside = self.hand.clock.seconds(), self.hand.beside
        handed = self.hand.take()
        if handed is not None:
            self.queue.give(handed, verdict, beside, seconds)

    def action_review(self, what: str) -> None:
        """accept, defer or undo."""
        if what == "undo":
            self.hand.take()
            self.queue.undo()
        elif what == "defer":
            self.do(self._asking("defer"))
        elif what == "accept" and self.blind:
            self.say(f"blind: nothing is suggested, {self.keys['reading.blind']} shows it")
        elif what == "accept" and (word := self.hand.suggestion()):
            verdict = next((verdict for verdict in VERDICTS if verdict == word), None)
            if verdict is None:
                self.say(word)
            else:
                self.action_verdict(verdict)

    def action_ask(self, what: str) -> None:
        """Labels or note of the case, before its verdict."""
        self.do(self._asking(what))

    async def _asking(self, what: str) -> None:
        from triage.ui.work.reading_asking import ReadingAsking

        case_id = self.hand.case_id
        if case_id is not None:
            await getattr(ReadingAsking(self, self._workspace), what)(case_id)
            self.hand.clock.touch()

    def set_beside(self, case_id: str, beside: Beside) -> None:
        """Labels and note of the case in hand are these now."""
        if self.hand.case_id == case_id:
            self.hand.beside = beside
            self.settle()

    def put_off(self, case_id: str, reason: str) -> None:
        """Defer the case in hand, and go on."""
        if self.hand.case_id == case_id:
            self.hand.take()
            self.queue.defer(case_id, reason)

    def action_cursor(self, step: int) -> None:
        """Scroll the case by a line."""
        self.case.scroll_relative(y=step, animate=False)

    def action_flag(self, direction: int) -> None:
        """To a flagged sentence or citation."""
        self.case.to_flag(direction)

    def action_document(self) -> None:
        """To the cited text and back."""
        self.case.to_document()

    def action_unfold(self) -> None:
        """Show long texts whole, or fold them."""
        self.case.unfold()

    def action_reading_blind(self) -> None:
        """Hide what the machine says, or show it."""
        self.blind = not self.blind
        hides = "trail, reasons, scores and states of sentences are hidden"
        self.say(f"blind: {hides}" if self.blind else "what the machine says is shown")
        self.show()

    def action_reading_again(self) -> None:
        """Look for a case once more."""
        self.queue.next()

    def action_reading_pause(self) -> None:
        """Take an error away, else leave: what is in hand others may have, what is read is kept."""
        if self.spoken.hush() or self._leaving:
            return
        self._leaving = True
        self.run_worker(self._leave(), name="pausing", group="leaving", exit_on_error=False)

    async def _leave(self) -> None:
        self.hand.keep(self._kept)
        if not await self.writer.drained(2.0):
            self._leaving = False
            self.spoken.error("a verdict is not written yet: the database is busy, it is tried again")
            return
        await asyncio.get_running_loop().run_in_executor(None, self.queue.let_go)
        self.dismiss(None)

    def on_resize(self, event: events.Resize) -> None:
        """The guide stands beside the case, or below it."""
        self.settle()
