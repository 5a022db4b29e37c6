"""The command palette as we show it; `ui/providers.py` has what it offers."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.command import CommandInput, CommandPalette

from triage.ui.widgets.fields import Field

_ASKS = "what do you want to do?"


class _CommandField(CommandInput, Field):
    """The palette's line."""


class Commands(CommandPalette):
    """The palette; what its list uncovers as it shrinks is painted whole, also the wide signs at its edge."""

    SCOPED_CSS = False
    CSS = """
    CommandPalette { background: transparent; }
    CommandPalette > Vertical { background: $raised; margin-top: 1; width: 84; max-width: 100%; }
    CommandPalette #--input { border: none; padding: 1 1 0 1; }
    CommandPalette #--input SearchIcon { display: none; }
    CommandPalette CommandInput { padding: 0 1; }
    CommandPalette CommandInput > .input--placeholder { color: $muted; text-style: none; }
    CommandPalette CommandList {
        border: none; background: $raised; padding: 0 0 1 0; scrollbar-size-vertical: 1;
    }
    CommandPalette CommandList > .option-list--option { color: $text; text-style: none; }
    CommandPalette CommandList > .option-list--option-highlighted {
        background: $cursor; color: $text; text-style: bold;
    }
    """

    def compose(self) -> ComposeResult:
        """The line is one of ours: Textual asks with a character of ambiguous width."""
        for widget in super().compose():
            if isinstance(widget, CommandInput):
                yield _CommandField(placeholder=_ASKS, select_on_focus=False)
            else:
                yield widget

    def on_mount(self) -> None:
        """The caret does not blink; hear of every change of its size."""
        self.query_one(CommandInput).cursor_blink = False
        self.screen_layout_refresh_signal.subscribe(self, lambda _: self.refresh())
