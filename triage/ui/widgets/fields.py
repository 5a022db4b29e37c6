"""A field to type in that prints no control character, whatever is pasted or was written elsewhere."""

from __future__ import annotations

from rich.segment import Segment
from textual.geometry import Offset
from textual.strip import Strip
from textual.widgets import Input

from triage.plain import plain


def harmless(strip: Strip) -> Strip:
    """The strip without the characters that `plain` makes visible: none of them takes a cell."""
    if all(plain(segment.text) == segment.text for segment in strip):
        return strip
    return Strip(
        [
            Segment("".join(sign for sign in text if plain(sign) == sign), style, control)
            for text, style, control in strip
        ],
        strip.cell_length,
    )


class Field(Input):
    """One line."""

    @property
    def cursor_screen_offset(self) -> Offset:
        """The caret's cell, where an input method draws; Textual tells the next one at the text's end."""
        at = super().cursor_screen_offset
        return at - (1, 0) if self.cursor_at_end else at

    def render_line(self, y: int) -> Strip:
        """The line, safe to print."""
        return harmless(super().render_line(y))
