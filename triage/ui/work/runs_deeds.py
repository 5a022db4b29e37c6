"""What the keys of the Runs screen do to runs: baseline, pin, removal, loading, problems."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import TYPE_CHECKING

from triage.models.run_list import Removal, RunEntry
from triage.paths import typed
from triage.plain import cut, one_line
from triage.ui.screens.dialogs import Ask, Choice, Choose, Decide, Dialog, no_such_path
from triage.ui.widgets.runs_model import SORTS, Order, name_of
from triage.ui.work.off_loop import Result
from triage.ui.work.words import number_of

if TYPE_CHECKING:
    from triage.ui.screens.runs import RunsScreen
    from triage.ui.screens.triage import TriageScreen
    from triage.workspace import Workspace

NAME = 32
"""Most cells of a run's id in a sentence."""


def named(run_id: str) -> str:
    """A run's id in a sentence."""
    return cut(one_line(run_id), NAME)


class RunsDeeds:
    """Each is done off the event loop and told on the screen's row."""

    def __init__(self, screen: RunsScreen, triage: TriageScreen, workspace: Workspace) -> None:
        self._screen, self._triage, self._workspace = screen, triage, workspace

    @property
    def new(self) -> tuple[str, ...]:
        """Ids of the runs that came while files were followed, and were not opened."""
        follow = self._triage.follow
        return tuple(follow.new) if follow is not None else ()

    def tell(self, came: Collection[str]) -> None:
        """Runs are there that were not, unless that is told already: by whom a file was followed."""
        names = sorted(set(came).difference(self.new))
        if not names or self._triage.loader.busy:
            return
        said = ", ".join(named(run) for run in names[:3])
        self._screen.say(f"{said} came in" if len(names) < 4 else f"{said} and {len(names) - 3} more came in")

    async def _show(self, dialog: Dialog[Result]) -> Result | None:
        return await self._screen.app.push_screen_wait(dialog)

    async def against(self, run: str) -> None:
        """Make a run the baseline of the run shown."""
        shown = self._triage.run_shown
        if shown is None or run == shown.id:
            self._screen.say("this run is shown: choose another to compare it with")
            return
        if await self._screen.off(
            partial(self._workspace.set_baseline, shown.id, run), "choosing the baseline"
        ):
            self._compared(f"{named(shown.id)} is compared with {named(run)} now", shown.id)

    async def default(self) -> None:
        """Compare the run shown with its default baseline again."""
        shown = self._triage.run_shown
        if shown is None:
            return

        def call() -> str | None:
            self._workspace.set_baseline(shown.id, None)
            found = self._workspace.run_named(shown.id)
            return found.baseline if found is not None else None

        done = await self._screen.off(call, "choosing the baseline")
        if done:
            against = (
                f"compared with {named(done[0])} by default" if done[0] else "without a baseline by default"
            )
            self._compared(f"{named(shown.id)} is {against}", shown.id)

    def _compared(self, words: str, shown: str) -> None:
        self._screen.say(words)
        self._screen.reading.entries()
        self._triage.selection.open_run(shown)

    async def pin(self, entry: RunEntry) -> None:
        """Pin a run as its test set's default baseline, or take the pin back."""
        run, runs = entry.run, self._workspace.run_list
        test_set = cut(one_line(run.dataset or "its test set"), NAME)
        call = partial(runs.unpin, run.id) if entry.pinned else partial(self._workspace.pin_baseline, run.id)
        if not await self._screen.off(call, "pinning"):
            return
        key = self._screen.keys["runs.pin"]
        says = (
            f"{named(run.id)} is pinned no more: runs are compared with the one before them"
            if entry.pinned
            else f"runs of {test_set} are compared with {named(run.id)} now   {key} takes it back"
        )
        shown = self._triage.run_shown
        self._compared(says, shown.id if shown is not None else run.id)

    async def remove(self, run_id: str) -> None:
        """Ask, then let go of a run."""
        found = await self._screen.off(
            partial(self._workspace.run_list.removal, run_id), "looking what would go"
        )
        if found is None:
            return
        removal = found[0]
        keys = [("y", "remove it" + (", keep them" if removal.reviewed else ""))]
        if removal.reviewed:
            keys.append(("w", "remove it with them"))
        answer = await self._show(Decide(f"remove {named(run_id)}?", would_go(removal), keys))
        if answer is None:
            return
        with_reviews = answer == "w"
        call = partial(self._workspace.remove, [run_id], with_reviews)
        if await self._screen.off(call, "removing the run"):
            kept = "" if with_reviews or not removal.reviewed else "; its verdicts and notes are kept"
            self._screen.say(f"removed {named(run_id)}{kept}")
            self._screen.reading.entries()
            shown = self._triage.run_shown
            if shown is not None and shown.id == run_id:
                await self._instead()

    async def _instead(self) -> None:
        """The run shown is gone: show the newest that is left."""
        runs = await self._screen.off(self._workspace.runs, "reading the runs")
        if runs and runs[0]:
            self._triage.selection.open_run(runs[0][0].id)
        else:
            self._triage.selection.leave()

    async def open_file(self) -> None:
        """Ask for a file or a folder, and load it."""
        about = "A run file (.jsonl, .json, also .gz), or a folder that holds some."
        text = await self._show(Ask("load", placeholder="runs/kb42.jsonl", about=about, check=no_such_path))
        if text is not None and not self._screen.reading.load(
            [typed(text.strip())], self._triage.load_options
        ):
            self._screen.say("a reading is still under way")

    async def sort(self) -> None:
        """Choose the order; the same again turns it round."""
        model, order = self._screen.model, self._screen.order
        choices = [Choice(key, name, natural) for key, name, natural, _ in SORTS]
        metrics = list(dict.fromkeys((*model.keys, *model.metrics)))
        choices += [Choice(key, name_of(key, model.k, short=False), "best first") for key in metrics]
        hint = "enter sorts by it, again turns it round   typing narrows   esc back"
        value = await self._show(Choose("sort the runs by", choices, order.key, hint))
        if value is not None:
            self._screen.sort_by(Order(value, value == order.key and not order.turned))

    async def metric(self) -> None:
        """Choose the metric whose trend is drawn."""
        model = self._screen.model
        choices = [Choice(key, name_of(key, model.k, short=False), key) for key in model.metrics]
        if not choices:
            self._screen.say("no run has a metric recorded")
            return
        value = await self._show(Choose("draw the trend of", choices, model.metric))
        if value is not None:
            self._screen.draw_trend(value)

    async def problems(self, entry: RunEntry) -> None:
        """Every rejected record and field problem of the run, and its file's warnings."""
        from triage.ui.screens.runs_problems import Faults, ProblemsScreen, faults_of

        run = entry.run

        def call() -> Faults:
            return faults_of(run, self._workspace.problems(run.id), self._workspace.warnings(run.id))

        found = await self._screen.off(call, "reading the problems")
        if found is not None:
            await self._screen.app.push_screen(ProblemsScreen(found[0], self._screen.keymap))


def would_go(removal: Removal) -> str:
    """What removing a run takes away and what it leaves, in a few sentences."""
    revisions = f" in {removal.revisions} revisions" if removal.revisions > 1 else ""
    words = f"{number_of(removal.records, 'case')}{revisions} leave the database; the file stays where it is."
    if removal.reviewed:
        parts = [
            number_of(count, noun)
            for count, noun in (
                (removal.verdicts, "verdict"),
                (removal.notes, "note"),
                (removal.labels, "labelled case"),
                (removal.drafts, "unsaved draft"),
            )
            if count
        ]
        people = ", ".join(cut(one_line(name), 16) for name in removal.reviewers[:3])
        by = f" by {people}" if people else ""
        more = f" and {len(removal.reviewers) - 3} more" if len(removal.reviewers) > 3 else ""
        one = removal.verdicts + removal.notes + removal.labels + removal.drafts == 1
        stay, them = ("stays, and is", "it") if one else ("stay, and are", "them")
        words += (
            f" {', '.join(parts)}{by}{more} {stay} there when the file is loaded again"
            f" - unless you remove {them} too, which nothing brings back."
        )
    else:
        words += " Nobody has judged or noted anything on it."
    return words + " Removing can't be undone; loading the file again brings the run back."
