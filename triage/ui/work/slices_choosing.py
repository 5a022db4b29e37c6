"""What the Slices screen lets choose: the dimension, the metric, the second dimension, the order."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from triage.metrics.metric import Metric
from triage.models.slices import FAILING, Dimension
from triage.plain import cut, one_line
from triage.ui.screens.dialogs import Choice, Choose, Dialog
from triage.ui.widgets.slices_heat import CONFUSIONS
from triage.ui.widgets.slices_model import COUNT, COUNTED, FAILED, SORTS, Order
from triage.ui.work.slices_showing import runs_apart
from triage.ui.work.words import number_of

if TYPE_CHECKING:
    from triage.ui.screens.slices import SlicesScreen

Result = TypeVar("Result")
KINDS = {
    "case": "",
    "own": "a key of the record",
    "result": "what was measured",
    "review": "what people said",
    "run": "compares the runs of the test set",
}
"""What is said beside a dimension of a kind."""
NONE = ""
_TITLE = 34


def beside(one: Dimension) -> str:
    """What is said beside a dimension: its name where that is not its title, its values, its kind."""
    values = number_of(one.values, "value") if one.values is not None else ""
    name = one.name if one.name.replace("_", " ") != one.title else ""
    return ", ".join(part for part in (values, KINDS[one.kind], name) if part)


def choice(one: Dimension) -> Choice[str]:
    """A dimension as a list offers it."""
    return Choice(one.name, cut(one_line(one.title), _TITLE), one_line(beside(one)))


def pairs(dimensions: Sequence[Dimension]) -> list[tuple[str, str, str]]:
    """The confusion tables that the run has both dimensions for."""
    names = {one.name for one in dimensions if one.values != 0}
    return [pair for pair in CONFUSIONS if {pair[0], pair[1]} <= names]


class SlicesChoosing:
    """Each opens a list in which typing narrows, and does what is taken."""

    def __init__(self, screen: SlicesScreen) -> None:
        self._screen = screen
        self._waits = False
        self.there = asyncio.Event()
        """The dimensions have been read."""

    async def _dimensions(self) -> Sequence[Dimension]:
        """The dimensions, waited for where they are still being read; none where the user went elsewhere."""
        screen = self._screen
        if not self.there.is_set():
            screen.say("the dimensions are still being read: the list opens then")
            if self._waits:
                return ()
            self._waits = True
            await self.there.wait()
            self._waits = False
            if screen.app.screen is not screen:
                return ()
        if not screen.dimensions:
            screen.say("nothing tells the cases of this run apart")
        return screen.dimensions

    async def _show(self, dialog: Dialog[Result]) -> Result | None:
        return await self._screen.app.push_screen_wait(dialog)

    async def dimension(self) -> None:
        """By what the cases are told apart."""
        screen = self._screen
        choices = [choice(one) for one in await self._dimensions()]
        if not choices:
            return
        value = await self._show(Choose("slice by", choices, screen.question.by))
        if value is None:
            return
        if value in runs_apart(screen.dimensions):
            # It compares runs: that is no crossing.
            screen.change(by=value, mode="one" if screen.question.mode == "cross" else screen.question.mode)
        else:
            screen.change(by=value)

    async def metric(self) -> None:
        """Which metric; of two crossed dimensions also how many cases."""
        screen = self._screen
        own: list[Metric] = [FAILED, COUNTED] if screen.question.mode == "cross" else [FAILED]
        choices = [Choice(one.key, one.title, one.tells) for one in own]
        choices += [Choice(one.key, one.titled(screen.k), one.key) for one in screen.metrics]
        value = await self._show(Choose("metric", choices, screen.question.metric))
        if value is not None:
            screen.change(metric=value)

    async def cross(self) -> None:
        """By which second dimension; or one of the confusion tables; or by none."""
        if not await self._dimensions():
            return
        screen, asked = self._screen, self._screen.question
        titles = {one.name: one.title for one in screen.dimensions}
        choices: list[Choice[str]] = []
        if asked.mode == "cross":
            choices.append(Choice(NONE, "nothing more", "one dimension alone"))
        for row, column, says in pairs(screen.dimensions):
            words = f"{titles[row]} x {titles[column]}"
            choices.append(Choice(f"{row}\n{column}", cut(one_line(words), _TITLE), says))
        of_runs = asked.by in runs_apart(screen.dimensions)
        if not of_runs:
            others = [one for one in screen.dimensions if one.name != asked.by and one.kind != "run"]
            choices += [choice(one) for one in others]
        if not choices:
            of_them = f"{titles.get(asked.by, asked.by)} compares runs, which is not crossed"
            screen.say(of_them if of_runs else "nothing else tells the cases of this run apart")
            return
        title = f"slice by {titles.get(asked.by, asked.by)} and by"
        now = asked.cross if asked.mode == "cross" else None
        value = await self._show(Choose(title, choices, now))
        if value is None:
            return
        if value == NONE:
            screen.change(mode="one", metric=FAILING if asked.metric == COUNT else asked.metric)
            return
        row, _, column = value.partition("\n")
        if column:
            screen.change(by=row, cross=column, mode="cross", metric=COUNT)
        else:
            screen.change(cross=row, mode="cross")

    async def sort(self) -> None:
        """The order of the rows; the same again turns it round."""
        screen = self._screen
        choices = [Choice(key, name, natural) for key, name, natural, _ in SORTS]
        hint = "enter sorts by it, again turns it round   typing narrows   esc back"
        value = await self._show(Choose("sort the slices by", choices, screen.order.key, hint))
        if value is not None:
            screen.sort_by(Order(value, value == screen.order.key and not screen.order.turned))
