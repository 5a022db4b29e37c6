"""The two rows over the table of slices: which run under which filter, and what is asked of it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from triage.models.run import RunSummary
from triage.plain import cut, one_line, preview
from triage.ui.palette import colours
from triage.ui.widgets.head import WIDE, live_short
from triage.ui.widgets.line import Part, clip, length, line
from triage.ui.widgets.slices_model import Question, layer_of, metric_of
from triage.ui.work.words import number_of

_NAME, _FILTER = 28, 40


class Shown(Struct, frozen=True):
    """What the head tells: the run, its baseline, the filter text, and how many of its cases match it."""

    run: RunSummary | None = None
    against: RunSummary | None = None
    text: str = ""
    matching: int | None = None
    on_results: bool = False


def named(run: RunSummary) -> str:
    """A run as a head names it: by its knowledge base, else its id."""
    return preview(run.kb_version or run.id)


class SlicesTop(Widget):
    """One row."""

    DEFAULT_CSS = "SlicesTop { height: 1; width: 1fr; }"

    shown: reactive[Shown] = reactive(Shown())
    live: reactive[str] = reactive("")
    """How files are followed, as in the head of the Triage screen."""

    def render_line(self, y: int) -> Strip:
        """The row: chip, `slices`, the run, its baseline; at the right the filter that all of it follows."""
        ink, cells, on = colours(self.app), self.size.width, "raised"
        ground, muted, faint = ink("text", on), ink("muted", on), ink("faint", on)
        shown, run, wide = self.shown, self.shown.run, cells >= WIDE
        left: list[Part] = [(" triage ", ink.chip), ("  ", ground), ("slices", ink("text bold", on))]
        if run is not None:
            name = cut(preview(run.dataset or run.id), _NAME)
            left += [("  of ", faint), (f"{name} " if wide and run.dataset else "", ground)]
            left.append((cut(named(run), _NAME), muted))
        right: list[Part] = []
        count = shown.matching
        if run is not None and count is not None:
            if shown.text:
                where = cut(one_line(shown.text), _FILTER if wide else 20)
                right += [("under ", faint), (where, ink("focus", on)), ("  ", ground)]
                right.append((f"{count} of {number_of(run.records, 'case')} ", muted))
            else:
                right.append((f"{number_of(count, 'case')} ", muted))
        if self.live:
            said = self.live if wide else live_short(self.live)
            right += [(" ", ground), (f"{said} ", muted)]
        right = clip(right, cells - 18)
        if shown.against is not None:
            against: list[Part] = [("  against ", faint), (cut(named(shown.against), _NAME), muted)]
            if length(left) + length(against) + length(right) + 2 <= cells:
                left += against
        return line(clip(left, cells - length(right) - 2), right, cells, ground)


class SlicesAsked(Widget):
    """One row: the question as a sentence, with the key that changes each part of it."""

    DEFAULT_CSS = "SlicesAsked { height: 1; width: 1fr; }"

    question: reactive[Question | None] = reactive(None)
    titles: reactive[tuple[str, str]] = reactive(("", ""))
    """The dimensions in words."""
    k: reactive[int] = reactive(3)
    on_results: reactive[bool] = reactive(False)

    def __init__(self, keys: Mapping[str, str]) -> None:
        """`keys` are the keys shown by action id."""
        super().__init__()
        self._keys = keys

    def render_line(self, y: int) -> Strip:
        """`m Hit@3  d by topic  x and by difficulty`."""
        ink, cells, on = colours(self.app), self.size.width, "bg"
        ground, key = ink("text", on), ink("focus bold", on)
        asked = self.question
        if asked is None:
            return Strip.blank(cells, ground)
        metric = metric_of(asked.metric)
        crossed, everything = asked.mode == "cross", asked.mode == "all"
        faint, text = ink("faint", on), ink("text bold", on)
        parts: list[Part] = [(" ", ground), (self._keys["slices.metric"], key), (" ", ground)]
        if everything:
            parts += [("all metrics", text), (", ordered by ", faint)]
        parts.append(
            (metric.titled(self.k), ink(layer_of(metric) if everything else f"{layer_of(metric)} bold", on))
        )
        first, second = (cut(preview(title), _NAME) for title in self.titles)
        parts += [("   ", ground), (self._keys["slices.dimension"], key), (" by ", faint), (first, text)]
        if crossed:
            parts += [("   ", ground), (self._keys["slices.cross"], key), (" and by ", faint), (second, text)]
        right: list[Part] = [("selected on results ", ink("muted", on))] if self.on_results else []
        if length(parts) + length(right) + 2 > cells:
            right = []
        return line(parts, right, cells, ground)
