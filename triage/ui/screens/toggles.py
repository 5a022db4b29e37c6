"""Some of many: typing narrows, space takes and lets go, enter with nothing typed says that it is done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Key
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from triage.ui.screens.dialogs import Dialog, step
from triage.ui.widgets.fields import Field

Answer = TypeVar("Answer")
_SPACES = ("space", "ideographic_space")


class ToggleField(Field):
    """The line that narrows: a space in it takes the case's row, and with nothing typed arrows move a row."""

    def on_key(self, event: Key) -> None:
        """Keys that are about the list."""
        dialog = self.screen
        assert isinstance(dialog, Toggles)
        if event.key in _SPACES or event.character in (",", "，", "、", "\u3000"):
            event.prevent_default().stop()
            dialog.toggle()
        elif event.key in ("left", "right") and not self.value:
            event.prevent_default().stop()
            dialog.shift(1 if event.key == "right" else -1)
        elif event.key == "backspace" and not self.value:
            event.prevent_default().stop()
            dialog.reset()


class Toggles(Dialog[Answer], Generic[Answer]):
    """The rows are the subclass's: `names`, `row`, `turn`, `result`; `new` may offer what was typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step(-1)", show=False),
        Binding("down", "step(1)", show=False),
    ]

    placeholder = "type to narrow"

    def __init__(self, title: str) -> None:
        super().__init__(title, "")
        self._shown: list[str] = []
        self._narrowed: str | None = None
        """What the list was painted for."""

    # what a subclass says

    def names(self) -> Sequence[str]:
        """Every name, in the order of the list."""
        raise NotImplementedError

    def row(self, name: str) -> Content:
        """The line of a name."""
        raise NotImplementedError

    def words(self, name: str) -> str:
        """What typing looks through."""
        return name

    def turn(self, name: str) -> None:
        """Take a name, or let go of it."""
        raise NotImplementedError

    def new(self, typed: str) -> str | None:
        """The name that what was typed would be, None where nothing new may be taken."""
        return None

    def shift(self, direction: int) -> None:
        """Move the highlighted name among those taken."""

    def reset(self) -> None:
        """Back to the default."""

    def result(self) -> Answer:
        """The answer."""
        raise NotImplementedError

    def says(self, name: str | None, typed: str) -> str:
        """The hint: what the keys do now."""
        raise NotImplementedError

    # the list

    def content(self) -> ComposeResult:
        """The line that narrows, and the list."""
        yield ToggleField(placeholder=self.placeholder, compact=True)
        options = OptionList()
        options.can_focus = False
        yield options

    def on_mount(self) -> None:
        """Everything, the first row highlighted."""
        super().on_mount()
        self.fill()

    @property
    def typed(self) -> str:
        """What narrows the list."""
        return " ".join(self.query_one(Input).value.split())

    @property
    def at(self) -> str | None:
        """The highlighted name."""
        at = self.query_one(OptionList).highlighted
        return self._shown[at] if at is not None and at < len(self._shown) else None

    def fill(self, keep: str | None = None) -> None:
        """Paint the list anew, the row `keep` highlighted."""
        self._narrowed = self.typed
        typed = self.typed.casefold()
        found = [name for name in self.names() if typed in self.words(name).casefold()]
        # What begins so, or is just so, is meant before what holds it somewhere.
        if typed:
            found.sort(key=lambda name: (name.casefold() != typed, not name.casefold().startswith(typed)))
        made = self.new(self.typed) if typed and not any(name.casefold() == typed for name in found) else None
        self._shown = [*found, *([made] if made is not None else [])]
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options([Option(self.row(name)) for name in self._shown])
        at = self._shown.index(keep) if keep in self._shown else 0
        options.highlighted = at if self._shown else None
        self.advise()

    def advise(self) -> None:
        """Say what the keys do now."""
        self.tell(self.says(self.at, self.typed))

    @on(Input.Changed)
    def _narrow(self) -> None:
        # Keys come faster than the message that the text has changed: each first sees to the list.
        if self.typed != self._narrowed:
            self.fill()

    @on(OptionList.OptionHighlighted)
    def _highlighted(self) -> None:
        self.advise()

    def action_step(self, direction: int) -> None:
        """One up or down."""
        self._narrow()
        step(self.query_one(OptionList), direction)

    def toggle(self) -> None:
        """Take the highlighted row, or let go of it; what was typed has done its work."""
        self._narrow()
        name = self.at
        if name is None:
            return
        self.turn(name)
        field = self.query_one(Input)
        if field.value:
            with field.prevent(Input.Changed):
                field.value = ""
        self.fill(keep=name)

    @on(Input.Submitted)
    def _entered(self) -> None:
        if self.typed:
            self.toggle()
        else:
            self.dismiss(self.result())

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        if event.option_index < len(self._shown):
            self.toggle()

    def action_cancel(self) -> None:
        """First what was typed goes, then the dialog."""
        field = self.query_one(Input)
        if field.value:
            field.value = ""
        else:
            self.dismiss(None)
