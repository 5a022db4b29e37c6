"""The head: which test set, which run, against what, how much fails, how far the work is, and who does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from triage.models.run import configuration
from triage.plain import cut, one_line
from triage.ui.palette import Palette, colours
from triage.ui.widgets.line import Part, clip, length, line

if TYPE_CHECKING:
    from triage.models.case import RunView
    from triage.models.run import RunSummary

WIDE, MIDDLE = 116, 100


class Head(Widget):
    """One row. It drops what is least needed as it gets narrow."""

    DEFAULT_CSS = "Head { height: 1; }"

    run: reactive[RunSummary | None] = reactive(None)
    against: reactive[RunSummary | None] = reactive(None)
    view: reactive[RunView | None] = reactive(None)
    reviewer: reactive[str] = reactive("")
    aside: reactive[str] = reactive("")
    """Said after the reviewer: `demo`, `2 not written`."""
    live: reactive[str] = reactive("")
    """How files are followed: `live`, `live (poll)`, `live, 1 new`; "" = there are none."""

    @property
    def urgent(self) -> bool:
        """Is what is said aside worth its place at any width?"""
        return self.aside.endswith("not written")

    def _left(self, ink: Palette, cells: int, room: int) -> list[Part]:
        """Chip, test set, knowledge base, configuration, baseline; the configuration is what is cut."""
        on, run = "raised", self.run
        wide = cells >= WIDE
        if run is None:
            return [(" triage ", ink.chip)]
        ground = ink("text", on)
        before: list[Part] = [(" ", ground)]
        if wide:
            name = one_line(f"{run.dataset or run.id} {_version(run.dataset_version)}".strip())
            before = [(" triage ", ink.chip), ("  ", ground), (name, ink("text bold", on)), (" ", ground)]
        if run.kb_version or run.dataset or not wide:
            kb = one_line(run.kb_version or run.id)
            before.append((f"{kb} ", ink("muted" if wide else "text bold", on)))
        after: list[Part] = []
        if self.against is not None:
            after = [
                ("   against " if wide else "  against ", ink("faint", on)),
                (one_line(self.against.kb_version or self.against.id), ink("muted", on)),
            ]
        k = self.view.k if self.view is not None else run.k
        left = room - length(before) - length(after)
        return [*before, (cut(one_line(configuration(run, k)), max(left, 0)), ink("muted", on)), *after]

    def _right(self, ink: Palette, cells: int) -> list[Part]:
        on, view = "raised", self.view
        ground = ink("text", on)
        parts: list[Part] = []
        if view is not None:
            if cells >= WIDE:
                noun = "case" if view.cases == 1 else "cases"
                parts += [(f"{view.cases} {noun}", ink("muted", on)), ("  ", ground)]
            failing = ink("bad bold", on) if view.failing else ink("muted", on)
            parts += [(f"{view.failing} failing", failing), (" ", ground)]
            if cells >= WIDE:
                parts.append((" ", ground))
            # Where nothing fails there is no work whose progress could be told.
            parts += self._progress(view, ink) if view.failing else []
        if self.reviewer and cells >= WIDE:
            parts += [("  ", ground), (one_line(self.reviewer), ink("muted", on))]
        if self.aside and (cells >= WIDE or self.urgent):
            parts += [(" ", ground), (self.aside, ink("bad bold" if self.urgent else "muted", on))]
        if self.live:
            said = self.live if cells >= WIDE else live_short(self.live)
            parts += [(" " if parts else "", ground), (said, ink("muted", on))]
        parts.append((" ", ground))
        kept = cells >= MIDDLE or view is None or self.live
        return parts if kept else _without_last_gap(parts)

    def _progress(self, view: RunView, ink: Palette) -> list[Part]:
        words = f" {view.triaged} of {view.failing} triaged "
        share = view.triaged / view.failing if view.failing else 0.0
        filled = round(len(words) * share)
        if view.triaged and not filled:
            filled = 1
        return [(words[:filled], ink.ground("done")), (words[filled:], ink("text", "cursor"))]

    def render_line(self, y: int) -> Strip:
        """The row; where it is too narrow the run's description is cut, not the counts."""
        ink, cells = colours(self.app), self.size.width
        right = self._right(ink, cells)
        room = cells - length(right) - 2
        left = clip(self._left(ink, cells, room), room)
        return line(left, right, cells, ink("text", "raised"))


def live_short(said: str) -> str:
    """What of `Head.live` goes first where there is little room: what came or went, else the way."""
    how, _, more = said.partition(", ")
    return more or how


def _version(version: str | None) -> str:
    if not version:
        return ""
    return version if not version[0].isdigit() else f"v{version}"


def _without_last_gap(parts: list[Part]) -> list[Part]:
    return parts[:-1] if parts and parts[-1][0] == " " else parts
