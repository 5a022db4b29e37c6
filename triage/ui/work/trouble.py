"""A database that can't be used: the problem screen comes by itself, and goes when it can be used again."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from triage.errors import Busy, DatabaseProblem, TriageError
from triage.paths import typed
from triage.plain import cut, one_line

if TYPE_CHECKING:
    from triage.ui.screens.problem import Problem
    from triage.ui.screens.triage import TriageScreen
    from triage.workspace import Workspace


class Trouble:
    """Knows the problem that is shown, so that each is shown once."""

    def __init__(self, screen: TriageScreen, workspace: Workspace) -> None:
        self._screen, self._workspace = screen, workspace
        self._shown: Problem | None = None
        self._seen = ""

    def met(self, error: BaseException) -> bool:
        """Is this the database's problem? Then it is shown, unless it was; else it is told elsewhere."""
        told = self._workspace.upkeep.in_words(error)
        # A busy database is worth a screen only where there is nothing else to show.
        busy = isinstance(told, Busy) and self._screen.run_shown is None
        if told is None or not (busy or isinstance(told, DatabaseProblem)):
            return False
        if self._shown is not None:
            self._shown.count(self._screen.writer.waiting)
        elif self._seen != str(told):
            self._seen = str(told)
            self._screen.run_worker(self._ask(told), group="asking")
        return True

    async def _ask(self, error: TriageError) -> None:
        from triage.ui.screens.problem import Problem

        app = self._screen.app
        self._shown = Problem(error, self._screen.writer.waiting)
        answer = await app.push_screen_wait(self._shown)
        self._shown = None
        if answer == "r":
            self._seen = ""
            self.again()
        elif answer == "o":
            await self._other()
        elif answer == "q":
            await app.run_action("app.quit")

    def again(self) -> None:
        """Try what was not read and what was not written."""
        self._screen.writer.try_now()
        self._screen.selection.again()

    async def _other(self) -> None:
        from triage.ui.messages import DatabaseWanted
        from triage.ui.screens.dialogs import Ask, no_such_path
        from triage.ui.screens.problem import backups

        beside = backups(self._workspace.database)
        about = "The path of a triage database"
        about += f"; the newest copy beside this one is {beside[0].name}." if beside else "."
        value = str(beside[0]) if beside else ""
        text = await self._screen.app.push_screen_wait(
            Ask("another database", value, about=one_line(about), check=partial(no_such_path, file=True))
        )
        if text is None:
            self._seen = ""
            self.again()
        else:
            self._screen.post_message(DatabaseWanted(typed(text.strip())))

    def over(self) -> None:
        """The database answered: the problem goes once nothing waits; what opening it told is told."""
        writer, watch = self._screen.writer, self._screen.watching
        if self._seen and watch is not None and watch.failing:
            # An answer from before the trouble.
            return
        if self._seen and writer.waiting:
            writer.try_now()
        elif self._seen:
            self._seen = ""
            self._screen.speech.hush()
            if self._shown is not None and self._shown.is_current:
                self._shown.dismiss(None)
        for notice in self._workspace.upkeep.notices():
            self._screen.notify(cut(one_line(notice), 200), timeout=15, markup=False)
