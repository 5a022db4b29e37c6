"""Labels of one case or of many: taken from those in use, or a new word; what is not touched stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from triage.errors import UsageError
from triage.plain import cut, fit, one_line
from triage.ui.screens.toggles import Toggles
from triage.workspace.reviews import clean_labels

if TYPE_CHECKING:
    from triage.workspace.bulk import Labels

_NAME = 24
_MEANS = 200
"""Most cells of a definition."""


@dataclass(frozen=True, slots=True)
class Changes:
    """The answer: labels to add to the cases and to take from them."""

    add: tuple[str, ...]
    take: tuple[str, ...]


class LabelsDialog(Toggles[Changes]):
    """`[x]` stands on all of the cases, `[-]` on some, `[ ]` on none; what will change says so."""

    placeholder = "type a label, new or known"

    def __init__(self, title: str, cases: int, labels: Sequence[Labels]) -> None:
        super().__init__(title)
        self._cases = cases
        self._labels = {label.name: label for label in labels}
        self._new: list[str] = []
        self._wants: dict[str, bool] = {}

    def content(self) -> ComposeResult:
        """The list, and below it what the highlighted label means, where any label has a definition."""
        yield from super().content()
        if any(label.definition for label in self._labels.values()):
            yield Static(id="means", classes="about")

    def advise(self) -> None:
        """What the keys do now, and what the label means."""
        super().advise()
        means = self.query("#means")
        if means:
            label = self._labels.get(self.at or "")
            text = one_line(label.definition) if label is not None else ""
            means.first(Static).update(Content(cut(text, _MEANS) or "not in the codebook yet"))

    def words(self, name: str) -> str:
        """The label and what it means."""
        label = self._labels.get(name)
        return f"{name} {label.definition}" if label is not None else name

    def names(self) -> Sequence[str]:
        """New ones first, they are what is being done."""
        return [*self._new, *self._labels]

    def new(self, typed: str) -> str | None:
        """A new label, where it can be one."""
        try:
            return clean_labels([typed])[0]
        except UsageError:
            return None

    def turn(self, name: str) -> None:
        """Add it to all, take it from all, leave it: in this order, without a step that changes nothing."""
        here = self._labels[name].here if name in self._labels else 0
        if name not in self._labels and name not in self._new:
            self._new.insert(0, name)
        steps: list[bool | None] = [None]
        if here < self._cases:
            steps.append(True)
        if here:
            steps.append(False)
        following = steps[(steps.index(self._wants.get(name)) + 1) % len(steps)]
        if following is None:
            del self._wants[name]
            self._new = [one for one in self._new if one != name]
        else:
            self._wants[name] = following

    def row(self, name: str) -> Content:
        """Sign, name, on how many of the cases, what will become of it, how much it is used."""
        label, wants = self._labels.get(name), self._wants.get(name)
        here = label.here if label is not None else 0
        on = wants if wants is not None else here == self._cases and here > 0
        sign = "[x]" if on else "[-]" if wants is None and here else "[ ]"
        some = f"on {here:,} of {self._cases:,}" if here > 0 and self._cases > 1 else ""
        does = {True: "to be added", False: "to be taken away", None: ""}[wants]
        if label is None and wants is None:
            does = "a new label"
        used = f"{label.used:,} in use" if label is not None and label.used else ""
        return Content.assemble(
            (f"{sign} ", "$text"),
            (fit(one_line(name), _NAME), "$text bold" if wants is not None or on else "$muted"),
            (f"  {some or '':<14}", "$muted"),
            (f"{does:<17}", "$focus"),
            (f"{used:>10}", "$muted"),
        )

    def says(self, name: str | None, typed: str) -> str:
        """What enter and space do with what is typed, or without."""
        if typed and name is None:
            return "a label can't hold |"
        if typed:
            return f"enter or space takes {cut(one_line(name or ''), _NAME)}   esc clears what is typed"
        count = len(self._wants)
        if not count:
            return "space takes or drops it   enter or esc closes"
        return f"space takes or drops it   enter saves {count} change{'s' * (count != 1)}   esc drops them"

    def result(self) -> Changes:
        """What was changed, nothing else."""
        add = tuple(name for name, wants in self._wants.items() if wants)
        return Changes(add, tuple(name for name, wants in self._wants.items() if not wants))
