"""The theme chooser: the theme under the cursor is seen at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.color import Color
from textual.content import Content
from textual.style import Style
from textual.theme import Theme
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from triage.plain import fit, one_line
from triage.ui.keys import same_keys
from triage.ui.palette import CLASS_KEYS, LAYER_DIGITS, tint_variable, variable
from triage.ui.screens.dialogs import Dialog, step

if TYPE_CHECKING:
    from triage.ui.app import TriageApp

NAME = 16
"""Cells of a theme's name."""


class ThemeDialog(Dialog[str]):
    """A line a theme, with its colours; enter answers with the name, esc goes back to the one there was.

    Args:
        themes: what there is to choose from.
        current: the name of the theme in use.
        about: said over the list, "" = nothing.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*same_keys(next="step(1)", previous="step(-1)")]

    def __init__(self, themes: Sequence[Theme], current: str, about: str = "") -> None:
        super().__init__("theme", f"up and down show it   enter keeps it   esc back to {one_line(current)}")
        self._themes = list(themes)
        self._before = current
        self._about = about

    def content(self) -> ComposeResult:
        """The list."""
        if self._about:
            yield Static(Content(self._about), classes="about")
        yield OptionList(*(Option(self._line(theme)) for theme in self._themes))

    def on_mount(self) -> None:
        """Begin at the theme in use."""
        super().on_mount()
        names = [theme.name for theme in self._themes]
        self.query_one(OptionList).highlighted = names.index(self._before) if self._before in names else 0

    def _line(self, theme: Theme) -> Content:
        sign = "> " if theme.name == self._before else "  "
        kind = "16 colours" if theme.ansi else "dark" if theme.dark else "light"
        return Content.assemble(sign, fit(one_line(theme.name), NAME), f"  {kind:<11}", swatch(theme))

    @on(OptionList.OptionHighlighted)
    def _seen(self, event: OptionList.OptionHighlighted) -> None:
        name = self._themes[event.option_index].name
        if self.app.theme != name:
            self.app.theme = name

    @on(OptionList.OptionSelected)
    def _kept(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._themes[event.option_index].name)

    def action_step(self, direction: int) -> None:
        """One up or down."""
        step(self.query_one(OptionList), direction)

    def action_cancel(self) -> None:
        """Back to the theme there was."""
        self.app.theme = self._before
        self.dismiss(None)


def swatch(theme: Theme) -> Content:
    """The theme's colours on its own ground: a filled digit a class, a verdict on its tint, the voices."""
    own = {key: Color.parse(value) for key, value in theme.variables.items() if _is_colour(value)}
    ground = own["bg"]
    parts: list[tuple[str, Style]] = [(" ", Style(background=ground))]
    for key in CLASS_KEYS[:4]:
        colour = own[variable(key)]
        parts.append((f" {LAYER_DIGITS[key]} ", Style(background=colour, foreground=own["ink"], bold=True)))
    parts.append((" ", Style(background=ground)))
    ranking = own[variable("ranking")]
    parts.append((" ranking ", Style(background=own[tint_variable("ranking")], foreground=ranking)))
    for role, word in (("bad", "worse"), ("good", "better")):
        parts.append((f" {word}", Style(background=ground, foreground=own[role])))
    parts.append((" ", Style(background=ground)))
    return Content.assemble(*parts)


def _is_colour(value: str) -> bool:
    return value.startswith(("#", "ansi_"))


async def choose_theme(app: TriageApp) -> None:
    """Open the chooser and keep what is chosen."""
    preferences = app.preferences
    preferences.read_files()
    themes = [theme for name in sorted(preferences.names) if (theme := app.get_theme(name)) is not None]
    about = "NO_COLOR is set: every theme looks the same here." if app.no_color else ""
    name = await app.push_screen_wait(ThemeDialog(themes, app.theme, about))
    if name is not None:
        preferences.keep_theme(name)
