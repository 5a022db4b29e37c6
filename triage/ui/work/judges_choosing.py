"""What the Judges screen lets choose: the judge, what it is held against, the raters, the other judge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from triage.models.judging import JudgeReport
from triage.plain import cut, one_line
from triage.ui.screens.dialogs import Ask, Choice, Choose, Dialog

if TYPE_CHECKING:
    from triage.ui.screens.judges import JudgesScreen

Result = TypeVar("Result")
NONE = ""
"""Chosen for nothing at all."""
_LONGEST = 60


def _choices(names: Sequence[str], aside: str = "") -> list[Choice[str]]:
    return [Choice(name, cut(one_line(name), _LONGEST), aside) for name in names]


def _number(text: str) -> float | None:
    try:
        return float(text.strip())
    except ValueError:
        return None


def objects(numbers: Sequence[str]) -> list[str]:
    """Of paths those that lead to an object of values, where each person's own number may stand."""
    stems = {name.rpartition(".")[0] for name in numbers}
    return [name for name in numbers if name in stems]


class JudgesChoosing:
    """Each opens a list in which typing narrows, and asks anew."""

    def __init__(self, screen: JudgesScreen) -> None:
        self._screen = screen

    async def _show(self, dialog: Dialog[Result]) -> Result | None:
        return await self._screen.app.push_screen_wait(dialog)

    @property
    def _found(self) -> JudgeReport | None:
        found = self._screen.found
        if found is None:
            self._screen.say("the scores are still being read")
        return found

    async def score(self) -> None:
        """The judge's score."""
        found = self._found
        if found is None:
            return
        if not found.judges:
            self._screen.say("no case of this run has a judge's score")
            return
        name = await self._show(Choose("judge", _choices(found.judges), found.question.judge))
        if name is not None:
            self._screen.change(judge=name)

    async def people(self) -> None:
        """What the judge is held against."""
        found = self._found
        if found is None:
            return
        choices = [Choice(NONE, "verdicts", "what people said in triage"),
                   *_choices(found.numbers, "in the record")]  # fmt: skip
        name = await self._show(Choose("held against", choices, found.question.people or NONE))
        if name is not None:
            self._screen.change(people=name or None, good=None)

    async def ratings(self) -> None:
        """Where the records have each person's own number."""
        found = self._found
        if found is None:
            return
        choices = [Choice(NONE, "none"), *_choices(objects(found.numbers), "in the record")]
        name = await self._show(Choose("each person's own number", choices, found.question.ratings or NONE))
        if name is not None:
            self._screen.change(ratings=name or None)

    async def second(self) -> None:
        """Another score."""
        found = self._found
        if found is None:
            return
        others = [name for name in found.judges if name != found.question.judge]
        choices = [Choice(NONE, "none"), *_choices(others)]
        name = await self._show(Choose("the other judge", choices, found.question.second or NONE))
        if name is not None:
            self._screen.change(second=name or None)

    async def good(self) -> None:
        """People's number from which on an answer is good."""
        made = self._found.calibration if self._found is not None else None
        if made is None or made.good is None:
            people = self._screen.keys["judges.people"]
            self._screen.say(f"verdicts say what is bad: {people} chooses a number of the records instead")
            return
        about = f"From which number of {cut(one_line(made.people), _LONGEST)} on is an answer good?"

        def check(text: str) -> str:
            return "" if _number(text) is not None else "a number is wanted"

        text = await self._show(Ask("good from", f"{made.good:g}", about=about, check=check))
        if text is not None:
            self._screen.change(good=_number(text))
