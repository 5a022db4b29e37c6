"""What the keys of the Triage screen do: each is an action of `ui/keys.py`, done by the screen's helpers."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import getters
from textual.binding import BindingType
from textual.screen import Screen
from textual.widget import Widget

from triage.models.verdict import Verdict
from triage.ui import messages
from triage.ui.keys import bindings
from triage.ui.widgets.case_detail import CaseDetail
from triage.ui.widgets.case_list import CaseList
from triage.ui.widgets.filter_bar import Doors, FilterBar
from triage.ui.widgets.metric_panel import MetricPanels

if TYPE_CHECKING:
    from threading import Event

    from triage.ui.work.follow import Follow
    from triage.ui.work.marking import Marking
    from triage.ui.work.selection import Selection
    from triage.ui.work.slices_showing import Left
    from triage.ui.work.speech import Speech
    from triage.ui.work.stage import Stage
    from triage.ui.work.verdicts import Verdicts
    from triage.workspace import Workspace
    from triage.workspace.copying import CopyKind


class Keyed(Screen[None]):
    """The actions; `TriageScreen` has the panes and hears what the workers tell."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("screen")]

    cases = getters.query_one(CaseList)
    bar = getters.query_one(FilterBar)
    panels = getters.query_one(MetricPanels)
    detail = getters.query_one(CaseDetail)

    looking: Event | None = None
    """Stops the search for similar cases that is under way."""

    workspace: Workspace
    kept_labels: dict[tuple[str, str, str], tuple[str, ...]] | None = None
    """Labels set in a queue that was left before the verdict, by reviewer, run and case."""
    selection: Selection
    speech: Speech
    stage: Stage
    verdicts: Verdicts
    follow: Follow | None
    marking: Marking | None = None
    """Marks all, once that was asked for."""
    left: Left | None = None
    """Where the Slices screen was left."""
    copied: int | None = None
    """The case that was copied last."""

    @property
    def reading(self) -> bool:
        """Is the detail alone on a narrow screen?"""
        return self.has_class("-narrow") and self.has_class("-reading")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """`o` is for documents once there are some, `d` for the demo while there are none.

        Where the terminal is too small to show anything, no key does anything unseen.
        """
        if self.has_class("-tiny"):
            return False
        first = self.has_class("-first")
        if action == "demo":
            return first
        if action == "document" or (action == "review" and parameters == ("defer",)):
            return not first
        return True

    def action_verdict(self, verdict: Verdict) -> None:
        """Tag the case, or all marked."""
        if self.selection.scope is not None:
            self.verdicts.tag(self.selection.scope, verdict)

    def action_review(self, what: str) -> None:
        """accept, clear, defer, undo or redo."""
        if self.selection.scope is not None:
            self.verdicts.do(what, self.selection.scope)

    def action_mark(self, what: str) -> None:
        """Mark the `one` case, all from the last mark up `to` here, or `all` of the selection."""
        # How many are marked stands where something may be said.
        self.bar.say(())
        if what == "all":
            # Imported here because nothing is marked before the first paint.
            from triage.ui.work.marking import Marking

            self.marking = self.marking or Marking(self)  # type: ignore[arg-type]
            self.marking.all()
        else:
            self.cases.mark(what)
        self.stage.settle()

    def action_copy(self, kind: CopyKind) -> None:
        """Copy something of the case."""
        from triage.ui.work.asking_bulk import BulkAsking

        if self.selection.scope is not None:
            asking = BulkAsking(self, self.workspace)  # type: ignore[arg-type]
            self.run_worker(asking.put(self.selection.scope, kind), group="asking")

    def action_cursor(self, step: int) -> None:
        """The next or previous case, from any pane."""
        self.cases.move_to(self.cases.position + step)

    def action_edge(self, last: bool) -> None:
        """The first or last case."""
        self.cases.action_edge(last)

    def action_pane(self, direction: int) -> None:
        """The next pane that is seen and takes keys."""
        panes: list[Widget] = [self.cases, self.detail, self.panels, self.query_one(Doors)]
        panes = [
            pane
            for pane in panes
            if pane.focusable and _seen(pane) and (pane is not panes[3] or self.query_one(Doors).can_open())
        ]
        if panes:
            at = panes.index(self.focused) if self.focused in panes else -1 if direction > 0 else 0
            panes[(at + direction) % len(panes)].focus()

    def action_back(self) -> None:
        """Back by one step: an error, the detail, a drill-down, another pane, the filter, what is done."""
        if self.looking is not None:
            self.looking.set()
            return
        if self.marking is not None and self.marking.waits:
            self.marking.drop()
            return
        scope = self.selection.scope
        hushed = self.speech.hush()
        if self.reading or self.focused is self.detail:
            self.remove_class("-reading")
            self.call_after_refresh(self.cases.focus)
        elif scope is not None and scope.drill is not None:
            self.selection.change(drill=None)
        elif self.focused is not self.cases and not self.has_class("-staged"):
            self.cases.focus()
        elif scope is not None and (scope.text or self.bar.text):
            self.selection.back_out()
        elif self.stage.done:
            self.selection.change(view="all")
        elif not hushed and self.cases.marked:
            self.cases.unmark()
            self.stage.settle()

    def action_flag(self, direction: int) -> None:
        """To a flagged sentence or citation of the detail."""
        self.detail.to_flag(direction)

    def action_document(self) -> None:
        """To the cited text and back."""
        self.detail.to_document()

    def action_unfold(self) -> None:
        """Show the detail's long texts whole, or fold them."""
        self.detail.unfold()

    def action_filter(self) -> None:
        """Type a filter."""
        self.remove_class("-reading")
        self.bar.type()

    def action_view(self) -> None:
        """The next view."""
        self.stage.dismissed = True
        self.selection.next_view()

    def action_go(self, what: str, name: str) -> None:
        """To another run, or through a class count."""
        {"run": self.selection.open_run, "class": self.selection.drill_class}[what](name)

    def action_demo(self) -> None:
        """Look around in the demo runs."""
        self.post_message(messages.DemoWanted())


def _seen(pane: Widget) -> bool:
    """Does the pane stand on the screen? One that is not displayed would still take the focus."""
    return all(one.display for one in pane.ancestors_with_self if isinstance(one, Widget))
