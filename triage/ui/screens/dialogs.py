"""Questions over the Triage screen: one line, one of many, one key; and a list to read."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.events import Key
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from triage.paths import is_file, is_there, typed
from triage.plain import cut, fit, one_line, width
from triage.ui.keys import keyed, same_keys
from triage.ui.widgets.fields import Field

Answer = TypeVar("Answer")
LONGEST = 200
"""Most cells of a typed text that is told again."""
_WORDS = 36
"""Most cells of a choice's words."""
_NAMED = "enter|esc|tab|space|up|down|left|right|backspace|delete|pgup|pgdn|home|end"
_KEY = rf"(?:{_NAMED}|f\d+|[a-z]+\+\S+|[^\W\d]|[^\w\s])"
_KEYS = re.compile(rf"(?:^|(?<=   )){_KEY}(?:(?:, | and | or ){_KEY})*(?=[ ,:]|$)")
"""The keys that begin an item of a hint; items stand three cells apart."""


def hinted(text: str) -> Content:
    """A hint with its keys lit, as the footer has them."""
    content = Content(text)
    for found in _KEYS.finditer(text):
        content = content.stylize("$focus bold", *found.span())
    return content


def no_such_path(text: str, *, file: bool = False) -> str:
    """For `Ask(check=...)`: why a typed path can't be taken, "" = something, with `file` a file, is there."""
    path = typed(text.strip())
    there = bool(text.strip()) and (is_file(path) if file else is_there(path))
    return "" if there else f"there is no {cut(one_line(text), LONGEST) or 'file without a name'}"


def step(options: OptionList, direction: int) -> None:
    """Move the cursor of a list one down (1) or up (-1)."""
    if direction > 0:
        options.action_cursor_down()
    else:
        options.action_cursor_up()


class Dialog(ModalScreen[Answer]):
    """A box in the middle: title, content, a hint of its keys. esc closes it without an answer."""

    CSS_PATH = "dialogs.tcss"
    VERTICAL_BREAKPOINTS = [(0, "-short"), (20, "-tall")]  # noqa: RUF012
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [*same_keys(back="cancel")]

    def __init__(self, title: str, hint: str) -> None:
        """`hint` may name a key by its action, `{note.save}`; `esc` at its beginning is `{back}`."""
        super().__init__()
        self._title, self._hint = title, hint

    def compose(self) -> ComposeResult:
        """Title, content, hint."""
        with Vertical(id="around"), Vertical(id="box"):
            yield Static(Content(one_line(self._title)), id="title")
            yield from self.content()
            yield Static(hinted(self.keyed(self._hint)), id="hint")

    def content(self) -> ComposeResult:
        """What stands between title and hint."""
        yield from ()

    def on_mount(self) -> None:
        """No caret blinks; what a box that shrinks uncovers is painted whole."""
        self.screen_layout_refresh_signal.subscribe(self, self._uncovered)
        for field in self.query(Input):
            field.cursor_blink = False

    def _uncovered(self, screen: Screen[object]) -> None:
        # Only what was uncovered is painted, which cuts the wide signs at its edge in two.
        self.refresh()

    def keyed(self, hint: str) -> str:
        """A hint with the keys as the user has them."""
        return keyed(hint, getattr(self.app, "key_map", {}))

    def tell(self, text: str, *, bad: bool = False) -> None:
        """Put another hint there; a bad one says that it is an error."""
        text = self.keyed(text)
        self.query_one("#hint", Static).update(Content.styled(text, "$bad") if bad else hinted(text))

    def action_cancel(self) -> None:
        """Close without an answer."""
        self.dismiss(None)


class Ask(Dialog[str]):
    """One line. `check` tells what is wrong with it, "" = nothing."""

    def __init__(
        self,
        title: str,
        value: str = "",
        *,
        placeholder: str = "",
        about: str = "",
        check: Callable[[str], str] = lambda text: "",
    ) -> None:
        super().__init__(title, "enter takes it   esc leaves it as it was")
        self._value, self._placeholder, self._about, self._check = value, placeholder, about, check

    def content(self) -> ComposeResult:
        """What it is about, and the line."""
        if self._about:
            yield Static(Content(self._about), classes="about")
        yield Field(self._value, placeholder=self._placeholder, compact=True, select_on_focus=False)

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        wrong = self._check(event.value)
        if wrong:
            self.tell(wrong, bad=True)
        else:
            self.dismiss(event.value)


@dataclass(frozen=True, slots=True)
class Choice(Generic[Answer]):
    """One of many: its value, its words, what is said beside them."""

    value: Answer
    words: str
    aside: str = ""


class Choose(Dialog[Answer], Generic[Answer]):
    """One of many; typing narrows them, up and down move, enter takes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step(-1)", show=False),
        Binding("down", "step(1)", show=False),
    ]

    def __init__(
        self, title: str, choices: Sequence[Choice[Answer]], current: Answer | None = None, hint: str = ""
    ) -> None:
        super().__init__(title, hint or "enter takes it   esc leaves it as it was   typing narrows the list")
        self._choices = list(choices)
        self._current = current
        self._shown = self._choices
        self._narrowed = ""

    def content(self) -> ComposeResult:
        """The line that narrows, and the list."""
        yield Field(placeholder="type to narrow", compact=True)
        options = OptionList(*self._options())
        options.can_focus = False
        yield options

    def on_mount(self) -> None:
        """Begin at the present choice."""
        super().on_mount()
        at = next((index for index, choice in enumerate(self._shown) if choice.value == self._current), 0)
        self.query_one(OptionList).highlighted = at if self._shown else None

    def _options(self) -> list[Option]:
        longest = max((width(one_line(choice.words)) for choice in self._choices), default=0)
        return [
            Option(
                Content.assemble(
                    ("> " if choice.value == self._current else "  "),
                    fit(one_line(choice.words), min(longest, _WORDS)) + "  ",
                    (one_line(choice.aside), "$muted"),
                )
            )
            for choice in self._shown
        ]

    @on(Input.Changed)
    def _narrow(self) -> None:
        typed = self.query_one(Field).value
        if typed == self._narrowed:
            return
        self._narrowed = typed
        words = typed.casefold().split()
        self._shown = [
            choice
            for choice in self._choices
            if all(word in f"{choice.words} {choice.aside}".casefold() for word in words)
        ]
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options(self._options())
        options.highlighted = 0 if self._shown else None

    def action_step(self, direction: int) -> None:
        """One up or down."""
        # The key comes faster than the message that the text has changed.
        self._narrow()
        step(self.query_one(OptionList), direction)

    @on(Input.Submitted)
    def _taken(self) -> None:
        at = self.query_one(OptionList).highlighted
        if at is not None and at < len(self._shown):
            self.dismiss(self._shown[at].value)

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._shown[event.option_index].value)


class Decide(Dialog[str]):
    """A question that one key answers; `keys` are the keys with what each does."""

    def __init__(self, title: str, about: str, keys: Sequence[tuple[str, str]]) -> None:
        super().__init__(title, "   ".join(f"{key} {words}" for key, words in keys) + "   esc back")
        self._about = about
        self._keys = {key for key, _ in keys}

    def content(self) -> ComposeResult:
        """What it is about."""
        yield Static(Content(self._about), classes="about")

    def on_key(self, event: Key) -> None:
        """The answer."""
        if event.character in self._keys:
            event.stop()
            self.dismiss(event.character)


class Listing(Dialog[None]):
    """A text to read, line by line, scrolled by the arrows."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "cancel", show=False)]

    def __init__(self, title: str, lines: Sequence[str]) -> None:
        super().__init__(title, "up and down scroll   esc back")
        self._lines = list(lines)

    def content(self) -> ComposeResult:
        """The text."""
        with VerticalScroll():
            yield Static(Content("\n".join(one_line(line) for line in self._lines)), classes="text")
