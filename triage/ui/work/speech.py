"""Where the Triage screen speaks: on the filter row, in the pane concerned, in a toast."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal

from textual.timer import Timer

from triage.errors import FilterError, TriageError
from triage.plain import cut, one_line
from triage.ui.widgets.filter_bar import SPEAKS
from triage.ui.widgets.footer import Footer
from triage.ui.widgets.line import Words
from triage.ui.widgets.notice import error_lines
from triage.ui.widgets.row import NAMES
from triage.ui.work.bugs import in_words, logged

if TYPE_CHECKING:
    from triage.models.case import CaseRow
    from triage.models.verdict import Review
    from triage.ui.screens.triage import TriageScreen

SEARCHES = 0.4
"""Seconds after which a search that has not come back is told."""
TOAST = 50
"""Most cells of a toast."""


class Speech:
    """Sentences of the screen. Errors wait for esc, everything else goes by itself."""

    def __init__(self, screen: TriageScreen) -> None:
        self._screen = screen
        self._hush: Timer | None = None
        self._search: Timer | None = None
        self._search_told = False
        self._toasted = -SPEAKS

    def say(self, text: str, *, then: Literal["undo", "redo"] | None = None, end: bool = False) -> None:
        """What has just happened; `then`: what takes it back; `end`: nothing in this list is unjudged."""
        words: list[tuple[str, str]] = [(one_line(text), "text")]
        if then is not None:
            words += [("   ", "text"), (self._screen.shown_keys[then], "focus bold"), (f" {then}", "muted")]
        if end:
            words.append(("   end of list", "muted"))
        self.tell(words)

    def tell(self, words: Words) -> None:
        """Words on the filter row, or where that is not seen."""
        self._screen.bar.say(words)
        if self._screen.reading:
            self._foot(words)
            if self._hush is not None:
                self._hush.stop()
            self._hush = self._screen.set_timer(SPEAKS, lambda: self._foot(()))

    def searches(self, begun: bool) -> None:
        """A search was begun, or has been answered or called off: only one that takes its time is told."""
        if self._search is not None:
            self._search.stop()
            self._search = None
        if self._search_told:
            self._search_told = False
            self._screen.bar.say(())
            self._foot(())
        if begun:
            self._search = self._screen.set_timer(SEARCHES, self._tell_search)

    def _tell_search(self) -> None:
        self._search_told = True
        back = self._screen.shown_keys["back"]
        # From the field the first one leads to the list.
        keys = f"{back} {back}" if self._screen.bar.typing else back
        self.tell([("searching ...  ", "text"), (keys, "focus bold"), (" stops", "muted")])
        # Said anew before it goes by itself, for as long as it holds.
        self._search = self._screen.set_timer(SPEAKS - 0.1, self._tell_search)

    def _foot(self, words: Words) -> None:
        self._screen.query_one(Footer).spoken = words

    def error(self, error: BaseException, doing: str, *, kept: bool = False) -> str:
        """What went wrong, in one line that stays until esc; returns the line without the word `error`."""
        if self._screen.trouble.met(error):
            error = self._screen.workspace.upkeep.in_words(error) or error
        if isinstance(error, FilterError):
            words = f"column {error.column}: {error.title}"
        elif isinstance(error, TriageError):
            words = str(error)
        else:
            words = in_words(error, doing)
        words = one_line(words)
        shown = words if isinstance(error, FilterError) else f"error: {words}"
        if kept:
            shown = f"not written yet, kept and tried again: {words}"
        self._stays(shown)
        return words

    def _stays(self, shown: str) -> None:
        self._screen.bar.error(shown)
        if self._screen.reading:
            self._foot([(shown, "bad")])

    def gone(self, run: str) -> None:
        """A run that is shown, or was asked for, has been taken out of the database by somebody else."""
        choose = self._screen.shown_keys["baseline"]
        name = cut(one_line(run), 24)
        self._stays(f"error: {name} is no longer in the database: {choose} chooses a run")

    def in_detail(self, error: BaseException, doing: str) -> None:
        """A case could not be read: three lines in the detail's place."""
        if self._screen.trouble.met(error):
            return
        log = "" if isinstance(error, TriageError) else logged(error)
        lines = error_lines(error, doing, log)
        self._screen.detail.notice = tuple("".join(text for text, _ in words) for words in lines)
        self._screen.detail.detail = None

    def hush(self) -> bool:
        """Take an error away; False where there was none."""
        had = self._screen.bar.has_error
        self._screen.bar.error("")
        self._foot(())
        return had

    def judged(self, row: CaseRow, before: Review | None) -> None:
        """Another's verdict on a case is told, but never to a reader, who may still have to read it.

        Other labels, or an older verdict that stands again after an undo, are nobody's verdict of now.
        """
        review = row.review
        if review is None or review.verdict is None or review.reviewer == self._screen.reviewer:
            return
        was = (before.verdict, before.reviewer) if before is not None else None
        if was == (review.verdict, review.reviewer) or (before is not None and review.at < before.at):
            return
        if not any(getattr(screen, "AMONG_READERS", False) for screen in self._screen.app.screen_stack):
            self.toast(f"{review.reviewer} tagged {row.id} {NAMES[review.verdict]}")

    def forget_toast(self) -> None:
        """Take a toast away that may still be shown."""
        if time.monotonic() - self._toasted <= SPEAKS:
            self._screen.app.clear_notifications()

    def toast(self, text: str) -> None:
        """What happened elsewhere: one at a time, the newest wins."""
        self._screen.app.clear_notifications()
        self._toasted = time.monotonic()
        self.stand_clear()
        self._screen.notify(cut(one_line(text), TOAST), timeout=SPEAKS, markup=False)

    def stand_clear(self) -> None:
        """A toast that is shown never stands on the list's cursor, which only on a narrow screen it could."""
        if time.monotonic() - self._toasted > SPEAKS:
            return
        screen = self._screen
        row = screen.cases.position - screen.cases.scroll_offset.y
        under = screen.has_class("-narrow") and not screen.reading and row >= screen.cases.size.height - 1
        screen.set_class(under, "-low")
