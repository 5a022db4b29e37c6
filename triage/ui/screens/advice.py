"""What to try first: going down the layers, what falls short, and the cases behind it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from triage.models.advice import Advice, AdviceLayer, Counsel
from triage.plain import cut, fit, one_line
from triage.ui.keys import same_keys
from triage.ui.palette import colours, variable
from triage.ui.screens.dialogs import Dialog, step
from triage.ui.widgets.paragraphs import Row, wrapped

_LAYER, _COUNT, _LEAD = 17, 13, 12
"""Cells of a layer's word, of the number of cases, of what stands before a text."""
_ROLES: Mapping[AdviceLayer, str] = {
    "retrieval": "retrieval", "ranking": "ranking", "refusal": "refusal", "citation": "citation-semantic",
}  # fmt: skip
"""The class whose colour a layer has; the others have that of the fifth digit."""
HINT = "enter opens the cases   up and down choose   esc back"


class AdviceDialog(Dialog[str]):
    """A line a signal, the first one lit; under them what to try. Answers with a filter text.

    Args:
        counsel: what there is to say.
        cases: how many cases it is about, in words.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *same_keys(next="step(1)", previous="step(-1)", advice="cancel"),
        Binding("up", "step(-1)", show=False),
        Binding("down", "step(1)", show=False),
        Binding("enter", "open", show=False),
    ]

    def __init__(self, counsel: Counsel, cases: str) -> None:
        super().__init__(f"what to try first: {cases}", HINT if counsel.lines else "esc back")
        self._lines = list(counsel.lines)
        self._untold = counsel.untold

    def content(self) -> ComposeResult:
        """The signals, and what is said of the one under the cursor."""
        yield Static(Content(self._about()), classes="about")
        if self._lines:
            options = OptionList()
            options.can_focus = False
            yield options
            yield Static(id="says")

    def _about(self) -> str:
        if self._lines:
            said = "Layer by layer, downwards: begin where it is lit. Held against reference values of the "
            said += "settings, which are no pass marks."
        else:
            said = "Nothing that is recorded falls short of its reference, which is no pass mark."
        if self._untold:
            said += f" Not recorded, so nothing is told of: {', '.join(self._untold)}."
        return said

    def on_mount(self) -> None:
        """Begin at the first."""
        super().on_mount()
        if self._lines:
            self.call_after_refresh(self._fill)

    def on_resize(self) -> None:
        """Lines are as wide as the box."""
        if self._lines and self.query_one(OptionList).option_count:
            self.call_after_refresh(self._fill)

    def _fill(self) -> None:
        options = self.query_one(OptionList)
        at = options.highlighted or 0
        options.clear_options()
        options.add_options([Option(self._row(line)) for line in self._lines])
        options.highlighted = at
        self._say()

    @property
    def _width(self) -> int:
        # As wide as the list, less a cell for its scrollbar.
        return self.query_one("#title", Static).size.width - 1

    def _row(self, line: Advice) -> Content:
        role = _ROLES.get(line.layer, "other")
        ink = colours(self.app)
        style = f"${variable(role)}"
        if line.first:
            plain = ink.colourless or ink.colours[role].ansi == -1
            style = "reverse bold" if plain else f"$ink on {style} bold"
        noun = "case" if line.cases == 1 else "cases"
        room = max(self._width - _LAYER - _COUNT, 10)
        return Content.assemble(
            (f" {line.layer} ", style),
            " " * (_LAYER - len(line.layer) - 2),
            fit(cut(one_line(line.signal), room - 1), room),
            (f"{line.cases:,} {noun}".rjust(_COUNT), "$muted"),
        )

    def _say(self) -> None:
        at = self.query_one(OptionList).highlighted
        if at is None or at >= len(self._lines):
            return
        line = self._lines[at]
        rows = [
            ("measured", line.said),
            ("try first", line.try_first),
            ("watch", line.watch),
            ("filter", line.query),
        ]
        parts = [
            Row(Content.styled(f" {lead}", "$faint"), Content.styled(one_line(text), "$text"), _LEAD)
            for lead, text in rows
        ]
        lines = [piece for row in parts for piece in wrapped(row, self._width)]
        self.query_one("#says", Static).update(Content("\n").join(lines))

    @on(OptionList.OptionHighlighted)
    def _highlighted(self) -> None:
        self._say()

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._lines[event.option_index].query)

    def action_step(self, direction: int) -> None:
        """One up or down."""
        if self._lines:
            step(self.query_one(OptionList), direction)

    def action_open(self) -> None:
        """The cases behind the signal under the cursor."""
        at = self.query_one(OptionList).highlighted if self._lines else None
        if at is not None:
            self.dismiss(self._lines[at].query)
