"""Filters by name: use one, save the present one, remove one of the app's own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from triage.models.offer import Named
from triage.plain import cut, fit, one_line, preview
from triage.ui.screens.dialogs import Dialog
from triage.ui.widgets.fields import Field

_NAME, _COUNT, _KIND = 24, 7, 7
_AROUND, _WIDEST = 9, 92
"""Cells of the dialog around its lines, and of the dialog where there is room."""
_KINDS = {"own": "yours", "project": "project", "ready": "ready"}
LONGEST = 60
"""Characters of a name."""


class NameField(Field):
    """A field in which `delete` at the end of the line removes the filter that is chosen."""

    class Remove(Message):
        """The chosen filter is to go."""

    def action_delete_right(self) -> None:
        """Delete a character to the right; where there is none, ask for the filter to go."""
        if self.cursor_position >= len(self.value):
            self.post_message(self.Remove())
        else:
            super().action_delete_right()


class FiltersDialog(Dialog[str]):
    """The filters by name, each with its text and its count; the answer is the text to use.

    Args:
        named: the filters as they are now.
        present: the text in the filter bar, "" = none.
        count: how many cases each text finds; None for one that can't be read.
        keep: saves a text under a name, or forgets the name where the text is None.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step(-1)", show=False),
        Binding("down", "step(1)", show=False),
    ]

    def __init__(
        self,
        named: Callable[[], list[Named]],
        present: str,
        count: Callable[[list[str]], Awaitable[dict[str, int | None] | None]],
        keep: Callable[[str, str | None], None],
    ) -> None:
        super().__init__("filters by name", "")
        self._named, self._present, self._count, self._keep = named, present, count, keep
        self._counts: dict[str, int | None] = {}
        self._shown: list[Named] = []
        self._removing = ""
        self._said = ""
        self._narrowed = ""

    def content(self) -> ComposeResult:
        """What is typed now, the line, the list."""
        if self._present:
            yield Static(Content(cut(f"now: {one_line(self._present)}", 66)), classes="about")
        does = "type to narrow, or a name to save the present filter" if self._present else "type to narrow"
        yield NameField(placeholder=does, compact=True, max_length=LONGEST)
        options = OptionList()
        options.can_focus = False
        yield options

    def on_mount(self) -> None:
        """Fill the list at once, and the counts when they are known."""
        super().on_mount()
        self._fill()
        self.run_worker(self._counted(), group="counts")

    async def _counted(self) -> None:
        self._counts = await self._count([one.text for one in self._named()]) or {}
        self._fill(self.query_one(OptionList).highlighted, self._said)

    @property
    def _typed(self) -> str:
        return " ".join(self.query_one(NameField).value.split())

    def _fill(self, at: int | None = 0, said: str = "") -> None:
        """List what fits what is typed, the option `at` chosen; say the keys, or what was done."""
        self._said = said
        words = self._typed.casefold().split()
        named = self._named()
        order = {"own": 0, "project": 1, "ready": 2}
        self._shown = [
            one
            for one in sorted(named, key=lambda one: order[one.kind])
            if all(word in f"{one.name} {one.text}".casefold() for word in words)
        ]
        lines = [self._line(one) for one in self._shown]
        if self._can_save(named):
            there = any(one.name.casefold() == self._typed.casefold() for one in named)
            does = "save over " if there else "save the present filter as "
            lines.append(Content.assemble("  ", (does, "$muted"), (cut(self._typed, 36), "$focus")))
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options([Option(line) for line in lines])
        options.highlighted = min(at or 0, len(lines) - 1) if lines else None
        if said:
            self.tell(said)
        else:
            self._say_keys()

    def _can_save(self, named: Sequence[Named]) -> bool:
        if not self._typed or not self._present:
            return False
        same = next((one for one in named if one.name.casefold() == self._typed.casefold()), None)
        return same is None or same.kind == "own"

    def _line(self, one: Named) -> Content:
        known = one.text in self._counts
        count = self._counts.get(one.text)
        said = "" if not known else "error" if count is None else str(count)
        text = min(self.app.size.width, _WIDEST) - _AROUND - _NAME - _COUNT - _KIND - 6
        return Content.assemble(
            "  ",
            fit(preview(one.name), _NAME),
            ("  " + fit(preview(one.text), max(text, 8)), "$muted"),
            (fit(said, _COUNT, right=True), "$bad" if said == "error" else "$text"),
            (f"  {fit(_KINDS[one.kind], _KIND)}", "$muted"),
        )

    def _say_keys(self) -> None:
        at = self.query_one(OptionList).highlighted
        own = at is not None and at < len(self._shown) and self._shown[at].kind == "own"
        removes = "   delete removes it" if own else ""
        saves = at is not None and at >= len(self._shown)
        self.tell(f"enter {'saves it' if saves else 'uses it'}{removes}   esc back")

    def action_step(self, direction: int) -> None:
        """One up or down."""
        # The key comes faster than the message that the text has changed.
        self._narrow()
        options = self.query_one(OptionList)
        self._removing = ""
        if direction > 0:
            options.action_cursor_down()
        else:
            options.action_cursor_up()
        self._say_keys()

    @on(Input.Changed)
    def _narrow(self) -> None:
        typed = self.query_one(NameField).value
        if typed != self._narrowed:
            self._narrowed, self._removing = typed, ""
            self._fill()

    @on(Input.Submitted)
    def _entered(self) -> None:
        self._take(self.query_one(OptionList).highlighted)

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        self._take(event.option_index)

    def _take(self, at: int | None) -> None:
        if at is None:
            return
        if at < len(self._shown):
            self.dismiss(self._shown[at].text)
            return
        name = self._typed
        old = next((one.name for one in self._named() if one.name.casefold() == name.casefold()), None)
        if old is not None:
            self._keep(old, None)
        self._keep(name, self._present)
        field = self.query_one(NameField)
        with field.prevent(Input.Changed):
            field.value = self._narrowed = ""
        self._fill()
        at = next((at for at, one in enumerate(self._shown) if one.name == name), 0)
        self._fill(at, f"saved as {one_line(name)}   esc back")
        self.run_worker(self._counted(), group="counts", exclusive=True)

    @on(NameField.Remove)
    def _remove(self) -> None:
        at = self.query_one(OptionList).highlighted
        one = self._shown[at] if at is not None and at < len(self._shown) else None
        if one is None or one.kind != "own":
            self.tell("only a filter of your own is removed here", bad=True)
        elif self._removing != one.name:
            self._removing = one.name
            self.tell(f"delete again removes {one_line(one.name)}   esc back")
        else:
            self._keep(one.name, None)
            self._removing = ""
            self._fill(at, f"removed {one_line(one.name)}: {cut(one_line(one.text), 40)}")
