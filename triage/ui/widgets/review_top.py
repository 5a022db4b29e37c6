"""The head of the screens of a review: what is read, under which filter, by whom."""

from __future__ import annotations

from msgspec import Struct
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from triage.models.run import RunSummary
from triage.plain import cut, one_line, preview
from triage.ui.palette import colours
from triage.ui.widgets.head import WIDE, live_short
from triage.ui.widgets.line import Part, clip, length, line

_NAME, _FILTER, _WHO = 28, 36, 16


class Shown(Struct, frozen=True):
    """What the head tells.

    Args:
        title: what the screen shows: `review`, `disputes`.
        run: whose cases are read.
        sample: of this sample alone, None = of all.
        text: the filter text that narrows what is handed out.
        reviewer: who reads.
    """

    title: str
    run: RunSummary | None = None
    sample: str | None = None
    text: str = ""
    reviewer: str = ""


class ReviewTop(Widget):
    """One row."""

    DEFAULT_CSS = "ReviewTop { height: 1; width: 1fr; }"

    shown: reactive[Shown] = reactive(Shown(""))
    live: reactive[str] = reactive("")
    """How files are followed, as in the head of the Triage screen."""

    def render_line(self, y: int) -> Strip:
        """The row: chip, title, run, sample; at the right the filter and the reviewer."""
        ink, cells, on = colours(self.app), self.size.width, "raised"
        ground, muted, faint = ink("text", on), ink("muted", on), ink("faint", on)
        shown, run, wide = self.shown, self.shown.run, cells >= WIDE
        left: list[Part] = [(" triage ", ink.chip), ("  ", ground), (shown.title, ink("text bold", on))]
        if shown.sample is not None:
            left += [("  ", ground), (cut(one_line(shown.sample), _NAME), ground)]
        if run is not None:
            left.append(("  of ", faint))
            if run.dataset and wide:
                left.append((f"{cut(preview(run.dataset), _NAME)} ", ground))
            left.append((cut(preview(run.kb_version or run.id), _NAME), muted if wide else ground))
        right: list[Part] = []
        if shown.text:
            right += [("filter ", faint), (cut(one_line(shown.text), _FILTER if wide else 20), ground)]
        if shown.reviewer:
            right += [("  ", ground), (cut(one_line(shown.reviewer), _WHO), muted)]
        if self.live:
            right += [("  ", ground), (self.live if wide else live_short(self.live), muted)]
        right.append((" ", ground))
        return line(clip(left, cells - length(right) - 2), right, cells, ground)
