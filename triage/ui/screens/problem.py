"""What is wrong with the database, where, and what can be done about it: a person's to mend, not ours."""

from __future__ import annotations

from pathlib import Path

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from triage.errors import TriageError
from triage.plain import one_line
from triage.ui.screens.dialogs import Decide

_KEYS = (("r", "try again"), ("o", "another database"), ("q", "quit"))


class Problem(Decide):
    """Answers with the key: r try again, o another database, q quit; None = look at what is on the screen.

    Args:
        error: what is wrong.
        waiting: how many entries of the person are not on disk.
    """

    DEFAULT_CSS = """
    Problem #title { color: $bad; }
    Problem .what { height: auto; margin-top: 1; color: $text; background: $raised; }
    """

    def __init__(self, error: TriageError, waiting: int) -> None:
        super().__init__(f"error: {error.title}", "", _KEYS)
        self.error = error
        self._waiting = waiting

    def content(self) -> ComposeResult:
        """Where, what to do, what is still in hand."""
        where, hint = one_line(self.error.message), one_line(self.error.hint)
        yield Static(Content(where), classes="what")
        yield Static(Content(f"{hint[:1].upper()}{hint[1:]}."), classes="what")
        yield Static(Content(kept(self._waiting)), classes="about")

    def count(self, waiting: int) -> None:
        """Other entries are in hand now."""
        if self.is_mounted:
            self.query_one(".about", Static).update(Content(kept(waiting)))


def kept(waiting: int) -> str:
    """What becomes of what was typed."""
    if not waiting:
        return "It is tried again by itself. Nothing that you did is lost."
    entries = "1 entry of yours is" if waiting == 1 else f"{waiting} entries of yours are"
    return f"{entries} not in the database yet: kept, and tried again by itself."


def backups(database: Path) -> list[Path]:
    """Copies of a database beside it, as a migration and `triage db backup` name them, newest first."""
    found = [*database.parent.glob(f"{database.name}.*backup*")]
    found += database.parent.glob(f"{database.stem}-*{database.suffix or '.db'}")
    return sorted((path for path in found if path.is_file()), key=lambda path: -path.stat().st_mtime)
