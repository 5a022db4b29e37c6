"""What the keys of the Review screen do: reading, drawing, removing, and the screens beside it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from triage.plain import cut, one_line
from triage.ui.screens.dialogs import Decide
from triage.ui.work.words import number_of

if TYPE_CHECKING:
    from textual.screen import Screen

    from triage.ui.screens.review import ReviewScreen
    from triage.ui.screens.triage import TriageScreen
    from triage.ui.widgets.review_model import Entry
    from triage.workspace import Workspace

NAME, FILTER = 32, 40
"""Most cells of a sample's name and of a filter text in a sentence."""


def named(name: str) -> str:
    """A sample's name in a sentence."""
    return cut(one_line(name), NAME)


def none_within(entry: Entry, text: str) -> str:
    """Why nothing of a sample can be read under a filter text, and "" where something can."""
    told = entry.progress
    if told.cases:
        return ""
    if text and told.outside:
        return (
            f"the filter {cut(one_line(text), FILTER)} leaves out "
            f"{'the one case' if told.outside == 1 else f'all {told.outside} cases'} of "
            f"{named(entry.sample.name)}"
        )
    return f"{named(entry.sample.name)} holds no case of this run any more"


class ReviewDeeds:
    """Each is done off the event loop and told on the screen's row."""

    def __init__(self, screen: ReviewScreen, triage: TriageScreen, workspace: Workspace) -> None:
        self._screen, self._triage, self._workspace = screen, triage, workspace

    async def read(self, entry: Entry, blind: bool) -> None:
        """Hand out the sample's cases, those of the filter alone; where there are none, say why."""
        from triage.ui.screens.reading import ReadingScreen

        screen, text = self._screen, self._screen.text
        if why := none_within(entry, text):
            screen.bar.error(why)
            return
        sample = entry.sample
        await screen.app.push_screen(
            ReadingScreen(self._triage, self._workspace, screen.keymap, sample.run, sample.name, text, blind)
        )

    async def new(self) -> None:
        """Draw a sample; the cursor goes to it."""
        from triage.ui.screens.sample_dialog import SampleDialog

        screen = self._screen
        drawn = await screen.app.push_screen_wait(SampleDialog(self._triage, self._workspace, screen.run_id))
        if drawn is not None:
            screen.say(f"drew {named(drawn.name)}: {number_of(drawn.drawn.n, 'case')}")
            screen.ask(drawn.name)

    async def over(self, what: str) -> None:
        """Open a screen beside this one, on the sample under the cursor where there is one."""
        entry = self._screen.entry
        await self._screen.app.push_screen(self._made(what, entry.sample.name if entry else None))

    def _made(self, what: str, sample: str | None) -> Screen[None]:
        """The screen of that name; each is loaded when it is asked for."""
        screen = self._screen
        with_all = (self._triage, self._workspace, screen.keymap, screen.run_id, sample)
        if what == "agreement":
            from triage.ui.screens.agreement import AgreementScreen

            return AgreementScreen(*with_all)
        if what == "judges":
            from triage.ui.screens.judges import JudgesScreen

            return JudgesScreen(*with_all)
        if what == "report":
            from triage.ui.screens.reviewed import ReviewedScreen

            return ReviewedScreen(*with_all)
        from triage.ui.screens.disputes import DisputesScreen

        # The pool is the run's: a case may be in several samples, or in none.
        return DisputesScreen(*with_all[:-1])

    async def remove(self, entry: Entry) -> None:
        """Ask, then let go of a sample; what was read stays."""
        sample = entry.sample
        name = named(sample.name)
        about = f"The sample {name} of {number_of(sample.drawn.n, 'case')} is forgotten."
        if entry.progress.readings:
            about += (
                f" The {number_of(entry.progress.readings, 'reading')} of it stay as verdicts on the cases."
            )
        seed = cut(one_line(sample.drawn.rule.seed), NAME)
        about += f" With the seed {seed} and its rule it can be drawn again."
        answer = await self._screen.app.push_screen_wait(
            Decide(f"remove {name}?", about, [("y", "remove it")])
        )
        if answer != "y":
            return
        call = partial(self._workspace.sampling.remove, sample.run, sample.name)
        if await self._screen.off(call, "removing the sample"):
            self._screen.say(f"removed {name}; what was read stays")
            self._screen.ask()
