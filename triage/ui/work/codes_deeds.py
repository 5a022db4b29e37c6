"""What the keys of the codebook do: define, rename, merge, split, choose examples, forget, take back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from triage.errors import UsageError
from triage.models.codes import Code
from triage.plain import cut, one_line
from triage.ui.screens.dialogs import Ask, Choice, Choose, Decide, Dialog, Listing
from triage.ui.screens.examples import ExamplesDialog
from triage.ui.screens.split import MOST, SplitDialog
from triage.ui.widgets.codes_model import said_of
from triage.ui.work.off_loop import Result
from triage.ui.work.words import number_of
from triage.workspace.reviews import clean_labels

if TYPE_CHECKING:
    from triage.ui.screens.codes import CodesScreen
    from triage.workspace import Workspace
    from triage.workspace.coding import Coded

LISTED = 300
"""Most cases that a dialog lists one by one."""
_NAME = 28
_LINE = 92


def named(label: str) -> str:
    """A label in a sentence."""
    return cut(one_line(label), _NAME)


class CodesDeeds:
    """Each asks what it needs, changes the book off the event loop, and is told on the screen's row."""

    def __init__(self, screen: CodesScreen, workspace: Workspace) -> None:
        self._screen, self._workspace = screen, workspace

    async def _show(self, dialog: Dialog[Result]) -> Result | None:
        return await self._screen.app.push_screen_wait(dialog)

    async def _done(self, call: Callable[[], Coded], doing: str, keep: str | None = None) -> None:
        done = await self._screen.off(call, doing)
        if done is not None:
            self._screen.say(done[0].said)
            self._screen.ask(keep)

    def _left_alone(self, code: Code) -> bool:
        """Is there nothing of the label to change? Then that is said."""
        if code.only_offered:
            self._screen.say(f"only the settings offer {named(code.name)}: change labels in triage.toml")
        return code.only_offered

    def _check(self, text: str) -> str:
        try:
            clean_labels([text])
        except UsageError:
            return "a label is a word or two, without |"
        return ""

    async def new(self, code: Code | None) -> None:
        """A label that nothing bears yet."""
        name = await self._show(Ask("a new label", placeholder="a word or two", check=self._check))
        if name is not None:
            (name,) = clean_labels([name])
            known = self._screen.book.named(name) if self._screen.book is not None else None
            await self.define(known or Code(name))

    async def define(self, code: Code) -> None:
        """What a label means."""
        about = "When is it given, and when not? Whoever labels a case reads this beside the label."
        text = await self._show(
            Ask(f"{named(code.name)} means", " ".join(code.definition.split()), about=about)
        )
        if text is not None:
            call = partial(self._workspace.coding.define, code.name, text)
            await self._done(call, "defining the label", code.name)

    async def examples(self, code: Code) -> None:
        """Cases that show what a label means."""
        found = await self._screen.off(
            partial(self._workspace.coding.bearers, code.name, LISTED), "reading the cases"
        )
        if found is None:
            return
        cases = list({(one.run, one.case_id): one for one in (*code.examples, *found[0])}.values())
        if not cases:
            self._screen.say(f"no case bears {named(code.name)}: label one first")
            return
        taken = [(one.run, one.case_id) for one in code.examples]
        chosen = await self._show(ExamplesDialog(code.name, cases, taken))
        if chosen is not None:
            call = partial(self._workspace.coding.define, code.name, None, chosen)
            await self._done(call, "choosing examples", code.name)

    async def rename(self, code: Code) -> None:
        """Another name, on every case of every run."""
        if self._left_alone(code):
            return
        about = f"{self._where(code)} What was written stays in the history."
        name = await self._show(Ask(f"rename {named(code.name)}", code.name, about=about, check=self._check))
        if name is None:
            return
        (name,) = clean_labels([name])
        known = self._screen.book.named(name) if self._screen.book is not None else None
        if known is not None and name != code.name:
            ask = f"There is a label {named(name)}, on {number_of(known.total, 'case')}."
            dialog = Decide(f"merge {named(code.name)} into it?", ask, [("y", "merge them")])
            if await self._show(dialog) == "y":
                await self._merge(code, name)
        elif name != code.name:
            call = partial(self._workspace.coding.rename, code.name, name)
            await self._done(call, "renaming the label", name)

    def _where(self, code: Code) -> str:
        runs = f" of {number_of(len(code.uses), 'run')}" if len(code.uses) > 1 else ""
        return f"It stands on {number_of(code.total, 'case')}{runs}."

    async def merge(self, code: Code) -> None:
        """Make it one with another label."""
        if self._left_alone(code):
            return
        book = self._screen.book
        others = [one for one in (book.codes if book is not None else ()) if one.name != code.name]
        if not others:
            self._screen.say("there is no other label to merge it into")
            return
        choices = [
            Choice(one.name, one.name, one.definition or number_of(one.total, "case")) for one in others
        ]
        hint = "enter merges them   typing narrows   esc leaves both as they were"
        into = await self._show(Choose(f"merge {named(code.name)} into", choices, hint=hint))
        if into is not None:
            await self._merge(code, into)

    async def _merge(self, code: Code, into: str) -> None:
        call = partial(self._workspace.coding.merge, [code.name], into)
        await self._done(call, "merging labels", into)

    async def split(self, code: Code) -> None:
        """Others in its place, case by case."""
        if self._left_alone(code):
            return
        if not code.total:
            self._screen.say(f"no case bears {named(code.name)}: rename it instead")
            return

        def check(text: str) -> str:
            names = [name.strip() for name in text.replace("，", ",").split(",") if name.strip()]
            if not 1 <= len(names) <= MOST:
                return f"1 to {MOST} labels, with commas between them"
            return next(filter(None, map(self._check, names)), "")

        about = f"The new labels, with commas between them. {self._where(code)} Each case is asked about."
        text = await self._show(
            Ask(
                f"split {named(code.name)} into",
                placeholder="stale-price, stale-date",
                about=about,
                check=check,
            )
        )
        if text is None:
            return
        new = clean_labels([name for name in text.replace("，", ",").split(",") if name.strip()])
        found = await self._screen.off(
            partial(self._workspace.coding.bearers, code.name, LISTED), "reading the cases"
        )
        if found is None:
            return
        parted = await self._show(SplitDialog(code.name, new, found[0], code.total - len(found[0])))
        if parted is not None:
            call = partial(self._workspace.coding.split, code.name, parted.gets)
            await self._done(call, "splitting the label", code.name)

    async def forget(self, code: Code) -> None:
        """Take an unused label out of the book."""
        call = partial(self._workspace.coding.forget, code.name)
        await self._done(call, "forgetting the label")

    async def undo(self, code: Code | None) -> None:
        """Take the newest change back, whichever label it is about."""
        changes = [one for one in self._screen.changes if one.kind != "undo" and not one.undone]
        if not changes:
            self._screen.say("the codebook has no change to take back")
            return
        said = "".join(text for text, _ in said_of(changes[0], _LINE)[1:])
        dialog = Decide("take the newest change back?", f"{said}.", [("y", "take it back")])
        if await self._show(dialog) == "y":
            await self._done(self._workspace.coding.undo, "taking it back")

    async def history(self, code: Code | None) -> None:
        """Every change of the book."""
        lines = ["".join(text for text, _ in said_of(one, _LINE)) for one in self._screen.changes]
        await self._show(Listing("changes of the codebook", lines or ["none yet"]))
