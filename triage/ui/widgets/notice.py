"""A few lines in the middle of a place: the first screen, what is done, what went wrong."""

from __future__ import annotations

from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from triage.plain import cut, one_line
from triage.ui.palette import colours
from triage.ui.widgets.line import Words, line, size_of, styled


class Notice(Widget):
    """Lines of words, centred in both directions; an empty tuple is a blank line."""

    DEFAULT_CSS = "Notice { height: 1fr; width: 1fr; display: none; } Notice.-on { display: block; }"

    lines: reactive[tuple[Words, ...]] = reactive(())

    def watch_lines(self, lines: tuple[Words, ...]) -> None:
        """Stand there only with something to say."""
        self.set_class(bool(lines), "-on")

    def render_line(self, y: int) -> Strip:
        """The line `y`."""
        ink, cells = colours(self.app), self.size.width
        ground = ink("text", "bg")
        place = y - max((self.size.height - len(self.lines)) // 2, 0)
        words = self.lines[place] if 0 <= place < len(self.lines) else ()
        pad = max((cells - size_of(words)) // 2, 0)
        return line([(" " * pad, ground), *styled(words, ink)], [], cells, ground)


def error_lines(error: BaseException, doing: str, log: str = "") -> tuple[Words, ...]:
    """What, where, what to do, in three lines, for an error of the user's or a bug of ours.

    Args:
        error: what was raised.
        doing: what was being done ("reading the case").
        log: where a bug's traceback was written; "" = it is no bug.
    """
    title = getattr(error, "title", None)
    if title is None:
        return (
            [("error: bug in triage", "bad bold"), (f" while {doing}", "text")],
            [(cut(one_line(f"{type(error).__name__}: {error}"), 160), "muted")],
            [(f"the report is {log}" if log else "please report it", "muted")],
        )
    message = getattr(error, "message", "")
    hint = getattr(error, "hint", "")
    return (
        [("error: ", "bad bold"), (one_line(str(title)), "bad")],
        [(one_line(message) or f"while {doing}", "text")],
        [(one_line(hint), "muted")],
    )
