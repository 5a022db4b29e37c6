"""The actions of the screen on which a sample is read; those of the Triage screen that it shares go by id."""

from __future__ import annotations

from triage.ui.actions import Action

READING: tuple[Action, ...] = (
    Action("reading.blind", ("b",), "screen.reading_blind", "hide what the machine says, or show it",
           "reading", "look", "blind"),
    Action("reading.again", ("enter",), "screen.reading_again", "no case in hand: look for one again",
           "reading", "move", "look again", palette=False),
    Action("reading.pause", ("escape",), "screen.reading_pause", "pause: what is read is kept",
           "reading", "move", "pause"),
)  # fmt: skip
READING_SHARES = (
    "verdict.retrieval", "verdict.ranking", "verdict.refusal", "verdict.citation-semantic", "verdict.other",
    "verdict.test-set", "verdict.not-a-failure", "accept", "undo", "defer", "note", "labels", "next",
    "previous", "flag.next", "flag.previous", "document", "unfold",
)  # fmt: skip
"""Actions of the Triage screen that do the same here, on the case in hand, under the same keys."""
READING_SAYS = {
    "next": "scroll a line down", "previous": "scroll a line up",
    "defer": "put the case off: asks why; it comes back at the end",
    "undo": "take my last verdict back and read its case again",
    "note": "a note that goes with the verdict", "labels": "labels that go with the verdict",
}  # fmt: skip
"""What some of them do here, for help and palette."""
READING_FOOT = (
    "accept", "labels:labels", "note", "defer:defer", "undo", "reading.blind", "reading.pause", "help",
    "unfold:whole texts",
)  # fmt: skip
"""In the footer while a case is in hand."""
READ_FOOT = ("reading.pause:back", "undo", "reading.again", "help", "quit")
"""In the footer where no case is handed out."""
