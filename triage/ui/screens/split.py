"""Splitting a label: for each case that bears it, a digit says which of the new labels it gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Key
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from triage.models.codes import Bearer
from triage.plain import cut, fit, one_line, preview
from triage.ui.screens.dialogs import Dialog, hinted, step

MOST = 9
"""Most new labels: each has a digit."""
_NAME, _CASE, _QUERY = 16, 22, 60
_DIGITS = "１２３４５６７８９"


@dataclass(frozen=True, slots=True)
class Parted:
    """The answer: what each case gets; a case that is not there keeps the label."""

    gets: Mapping[tuple[str, str], tuple[str, ...]]


class SplitDialog(Dialog[Parted]):
    """A row a case; digits give or take the new labels."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "step(-1)", show=False),
        Binding("down,j", "step(1)", show=False),
        Binding("enter", "done", show=False),
    ]

    def __init__(self, name: str, new: Sequence[str], cases: Sequence[Bearer], more: int = 0) -> None:
        """`more` cases bear the label beside these and keep it."""
        super().__init__(f"split {one_line(name)}", "digit gives   enter saves   esc leaves it as it was")
        self._label, self._new, self._cases, self._more = name, list(new), list(cases), more
        self._gets: dict[int, list[str]] = {}

    def content(self) -> ComposeResult:
        """The new labels with their digits, and the cases."""
        parts: list[Content] = []
        for digit, label in enumerate(self._new, 1):
            gap = "   " if digit > 1 else ""
            parts.append(Content.assemble(gap, (str(digit), "$focus bold"), f" {cut(one_line(label), 24)}"))
        yield Static(Content("").join(parts), classes="about")
        options = OptionList(*(Option(self._row(at)) for at in range(len(self._cases))))
        options.can_focus = False
        yield options
        if self._more:
            yield Static(Content(f"{self._more:,} more cases keep {cut(one_line(self._label), 24)}"),
                         classes="about")  # fmt: skip

    def on_mount(self) -> None:
        """Begin at the first case."""
        super().on_mount()
        self.query_one(OptionList).highlighted = 0 if self._cases else None
        self._advise()

    def _row(self, at: int) -> Content:
        case = self._cases[at]
        given = self._gets.get(at, [])
        said = ", ".join(preview(label) for label in given) or f"keeps {preview(self._label)}"
        return Content.assemble(
            (fit(said, _NAME), "$text bold" if given else "$muted"),
            (f"  {fit(f'{preview(case.run)} {preview(case.case_id)}', _CASE)}  ", "$muted"),
            (cut(one_line(case.query), _QUERY), "$text" if given else "$muted"),
        )

    def _advise(self) -> None:
        count = len(self._gets)
        some = f"1 to {len(self._new)}" if len(self._new) > 1 else "1"
        saves = f"enter splits {count:,} off" if count else "enter saves"
        self.query_one("#hint", Static).update(
            Content.assemble((some, "$focus bold"), " gives it or takes it   ").append(
                hinted(self.keyed(f"{saves}   esc back"))
            )
        )

    def on_key(self, event: Key) -> None:
        """A digit, also a full-width one."""
        sign = event.character or ""
        digit = _DIGITS.index(sign) + 1 if sign in _DIGITS and sign else int(sign) if sign.isdecimal() else 0
        if not 1 <= digit <= len(self._new):
            return
        event.stop()
        options = self.query_one(OptionList)
        at = options.highlighted
        if at is None:
            return
        label, given = self._new[digit - 1], self._gets.setdefault(at, [])
        if label in given:
            given.remove(label)
        else:
            given.append(label)
        if not given:
            del self._gets[at]
        options.replace_option_prompt_at_index(at, self._row(at))
        self._advise()

    def action_step(self, direction: int) -> None:
        """One case up or down."""
        step(self.query_one(OptionList), direction)

    def action_done(self) -> None:
        """What was given; nothing where no case gets anything."""
        gets = {
            (self._cases[at].run, self._cases[at].case_id): tuple(labels) for at, labels in self._gets.items()
        }
        self.dismiss(Parted(gets) if gets else None)
