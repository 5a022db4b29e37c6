"""The two rows over the case that is read: whose sample and how far, and what is known of the case."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from textual.reactive import reactive
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from triage.plain import preview
from triage.ui.palette import Palette, colours
from triage.ui.widgets.filter_bar import SPEAKS
from triage.ui.widgets.head import MIDDLE, WIDE
from triage.ui.widgets.line import Part, Words, clip, length, line, size_of, styled

if TYPE_CHECKING:
    from triage.models.reading import Progress

_NAME = 32


class Head(Struct, frozen=True):
    """What the first row tells; `run` is the run in words."""

    sample: str = ""
    run: str = ""
    reviewer: str = ""
    progress: Progress | None = None
    blind: bool = False


class ReadingTop(Widget):
    """One row."""

    DEFAULT_CSS = "ReadingTop { height: 1; width: 1fr; }"

    head: reactive[Head] = reactive(Head())

    def render_line(self, y: int) -> Strip:
        """Chip, `reading`, the sample, its run; at the right how far the reader is, and who he is."""
        ink, cells, on = colours(self.app), self.size.width, "raised"
        ground, head = ink("text", on), self.head
        left: list[Part] = [(" triage ", ink.chip), ("  ", ground), ("reading ", ink("muted", on))]
        left.append((preview(head.sample)[:200], ink("text bold", on)))
        if cells >= MIDDLE and head.run:
            left += [("  of ", ink("faint", on)), (preview(head.run)[:200], ink("muted", on))]
        right: list[Part] = []
        if head.blind:
            right += [(" blind ", ink.chip), ("  ", ground)]
        if head.progress is not None:
            right += _filled(head.progress, ink)
        if head.reviewer:
            right += [("  ", ground), (preview(head.reviewer)[:_NAME], ink("muted", on))]
        right.append((" ", ground))
        right = clip(right, cells - 18)
        return line(clip(left, cells - length(right) - 2), right, cells, ground)


def _filled(progress: Progress, ink: Palette) -> list[Part]:
    words = f" {progress.mine} of {progress.mine + progress.open} read "
    whole = progress.mine + progress.open
    filled = round(len(words) * (progress.mine / whole if whole else 0.0))
    if progress.mine and not filled:
        filled = 1
    return [(words[:filled], ink.ground("done")), (words[filled:], ink("text", "cursor"))]


class ReadingBar(Widget):
    """One row: what is known of the case, or for a few seconds what has just happened; errors stay."""

    DEFAULT_CSS = "ReadingBar { height: 1; width: 1fr; }"

    known: reactive[Words] = reactive(())
    pace: reactive[Words] = reactive(())
    """At the right: the reader's pace, and what the filter leaves out."""
    spoken: reactive[Words] = reactive(())

    def __init__(self) -> None:
        super().__init__()
        self._error = ""
        self._hush: Timer | None = None

    def say(self, words: Words) -> None:
        """Speak for a few seconds."""
        if self._hush is not None:
            self._hush.stop()
        self._hush = self.set_timer(SPEAKS, self._quiet)
        if not self._error:
            self.spoken = words

    def error(self, text: str) -> None:
        """Tell what went wrong, until `hush`."""
        self._error = text
        self.spoken = [(f"error: {text}", "bad")] if text else ()

    def hush(self) -> bool:
        """Take an error away; False where there was none."""
        had = bool(self._error)
        if had:
            self.error("")
        return had

    def _quiet(self) -> None:
        if not self._error:
            self.spoken = ()

    def render_line(self, y: int) -> Strip:
        """The row; what is said comes first, then what is known of the case, then the pace, as they fit."""
        ink, cells = colours(self.app), self.size.width
        ground = ink("text", "bg")
        left: list[tuple[str, str]] = list(self.spoken or self.known)
        if self.spoken and self.known and not self._error:
            left += [("      ", "text"), *self.known]
        right = self.pace if size_of(left) + size_of(self.pace) + 4 <= cells else ()
        if not right and cells < WIDE and not self.spoken:
            right = self.pace[:1] if size_of(left) + size_of(self.pace[:1]) + 4 <= cells else ()
        return line([(" ", ground), *styled(left, ink)], [*styled(right, ink), (" ", ground)], cells, ground)
