"""What the keys of the Disputes screen do: decide with a reason, take it back, go to the case list."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from triage.models.verdict import NOTE_LIMIT, Verdict
from triage.plain import cut, one_line
from triage.ui.palette import LAYER_WORDS
from triage.ui.screens.dialogs import Ask
from triage.ui.widgets.dispute_model import Dispute, differ

if TYPE_CHECKING:
    from triage.ui.screens.disputes import DisputesScreen
    from triage.workspace import Workspace

ID = 24
"""Most cells of a case's id in a sentence."""


def reason_asked(one: Dispute, reviewer: str) -> str:
    """What is said where the reason is asked for: who says what, what was decided before, what stays."""
    said = f"{differ(one)}."
    if one.decided is not None:
        decided = one.decided
        said += (
            f" {one_line(decided.reviewer)} settled it as {LAYER_WORDS[decided.verdict]}: "
            f"{one_line(decided.reason[:200])}."
        )
    if any(reading.reviewer == reviewer for reading in one.readings):
        said += " You are one of its readers."
    return said + " Every reading stays as it was given; the reason stands with the case."


def unreasoned(text: str) -> str:
    """What is wrong with a reason, "" = nothing."""
    if not text.strip():
        return "a reason is wanted: it tells the next reader why"
    return "" if len(text.encode("utf-8", "replace")) <= NOTE_LIMIT else "the reason is too long"


class DisputesDeeds:
    """Each is done off the event loop and told on the screen's row."""

    def __init__(self, screen: DisputesScreen, workspace: Workspace) -> None:
        self._screen, self._workspace = screen, workspace
        self.keep: str | None = None
        """The case to which the cursor goes when the pool has been read."""
        self._unsaid: dict[str, str] = {}
        """Reasons that were typed and could not be written, by case; they stand in the dialog again."""
        self._done: list[str] = []
        """Cases settled in this visit, the last one last."""

    def take_keep(self) -> str | None:
        """The case to which the cursor goes, once."""
        keep, self.keep = self.keep, None
        return keep

    async def decide(self, one: Dispute, verdict: Verdict) -> None:
        """Ask why, and decide."""
        screen = self._screen
        name = cut(one_line(one.id), ID)
        dialog = Ask(
            f"{name} is {LAYER_WORDS[verdict]}: why?",
            self._unsaid.get(one.id, ""),
            placeholder="what decides it",
            about=reason_asked(one, self._workspace.reviewer),
            check=unreasoned,
        )
        reason = await screen.app.push_screen_wait(dialog)
        if reason is None:
            return
        seen = 0 if one.decided is None else one.decided.event
        call = partial(
            self._workspace.queue.arbitrate, screen.run_id, one.id, verdict, reason, seen=seen
        )  # fmt: skip
        if await self._screen.off(call, "settling the case") is None:
            self._unsaid[one.id] = reason
            screen.ask()
        else:
            self._unsaid.pop(one.id, None)
            self._done.append(one.id)
            screen.bar.say([
                (f"{name} settled as {LAYER_WORDS[verdict]}   ", "text"),
                (screen.keys["undo"], "focus bold"), (" undo", "muted"),
            ])  # fmt: skip
            screen.decided(one.id)

    async def undo(self) -> None:
        """Take back the last decision of this visit."""
        if not self._done:
            self._screen.say("nothing was settled here yet")
            return
        done = await self._screen.off(partial(self._workspace.undo, self._screen.run_id), "undoing")
        if done:
            self.keep = self._done.pop()
            self._screen.say(done[0].said)
            self._screen.ask()
