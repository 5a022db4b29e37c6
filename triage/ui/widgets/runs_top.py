"""The head of the Runs screen: which test sets the runs are of, and what the Triage screen shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from triage.plain import cut, one_line
from triage.ui.palette import colours
from triage.ui.widgets.head import WIDE, live_short
from triage.ui.widgets.line import Part, clip, length, line

if TYPE_CHECKING:
    from triage.models.run import RunSummary
    from triage.models.run_list import RunEntry

_MOST = 3


class RunsTop(Widget):
    """One row."""

    DEFAULT_CSS = "RunsTop { height: 1; width: 1fr; }"

    told: reactive[tuple[Sequence[RunEntry], RunSummary | None]] = reactive(((), None))

    live: reactive[str] = reactive("")
    """How files are followed, as in the head of the Triage screen."""

    def render_line(self, y: int) -> Strip:
        """The row: chip, `runs`, the test sets; at the right what the Triage screen shows."""
        ink, cells, on = colours(self.app), self.size.width, "raised"
        ground = ink("text", on)
        entries, shown = self.told
        sets = list(dict.fromkeys(entry.run.dataset for entry in entries if entry.run.dataset))
        names = ", ".join(cut(one_line(name), 24) for name in sets[:_MOST])
        more = f" and {len(sets) - _MOST} more" if len(sets) > _MOST else ""
        left: list[Part] = [
            (" triage ", ink.chip),
            ("  ", ground),
            ("runs", ink("text bold", on)),
            (f"  of {names}{more}" if names else "", ink("muted", on)),
        ]
        right: list[Part] = []
        if shown is not None:
            against = next((entry.run.baseline for entry in entries if entry.run.id == shown.id), None)
            right = [(cut(one_line(shown.id), 24), ink("text", on)), (" shown", ink("muted", on))]
            if against is not None:
                right += [(" against ", ink("faint", on)), (cut(one_line(against), 24), ink("muted", on))]
            right.append((" ", ground))
        if self.live:
            said = self.live if cells >= WIDE else live_short(self.live)
            right += [(" ", ground), (f"{said} ", ink("muted", on))]
        return line(clip(left, cells - length(right) - 2), right, cells, ground)
