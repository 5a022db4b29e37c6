"""Similar failures as proposed groups: why each is one, and its cases, all marked, behind it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace
from textual import events, getters, on
from textual.app import ComposeResult
from textual.binding import BindingType

from triage.models.groups import Group, Grouped
from triage.ui.keys import bindings
from triage.ui.screens.over import OverScreen
from triage.ui.widgets.footer import Foot, Footer, Place
from triage.ui.widgets.groups_model import GroupsSheet, narrowed, open_groups, title_of, told_of
from triage.ui.widgets.line import Words
from triage.ui.widgets.listed import Listed, ListedHead, Sheet
from triage.ui.widgets.narrow_bar import NarrowBar
from triage.ui.widgets.notice import Notice
from triage.ui.widgets.review_top import ReviewTop, Shown
from triage.ui.widgets.told_strip import ToldStrip
from triage.ui.work import codes_reading
from triage.ui.work.words import number_of

if TYPE_CHECKING:
    from triage.models.query import Scope
    from triage.ui.screens.triage import TriageScreen
    from triage.workspace import Workspace

STRIP = ((36, 13), (28, 11), (20, 9), (0, 5))
"""Least rows of the terminal, and the strip's."""


class GroupsScreen(OverScreen):
    """It follows the filter text of the Triage screen; esc leaves that as it was.

    Args:
        triage: the screen under it.
        workspace: everything it shows.
        keymap: the user's keys by action id.
        scope: the cases whose failures are grouped.
    """

    AUTO_FOCUS = "Listed"
    KEYS = "groups"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("groups")]

    table = getters.query_one(Listed)
    strip = getters.query_one(ToldStrip)

    def __init__(
        self, triage: TriageScreen, workspace: Workspace, keymap: Mapping[str, str], scope: Scope
    ) -> None:
        super().__init__(triage, workspace, keymap)
        self._reads = codes_reading.CodesReading(self, workspace)
        self._scope = replace(scope, view="failing", drill=None, sort="file")
        self.found: Grouped | None = None
        self._left_alone = True
        """Only groups with cases left to judge."""

    def compose(self) -> ComposeResult:
        """Head, what narrows, the groups under their header, the one under the cursor, footer."""
        yield ReviewTop()
        yield NarrowBar(self.keys, action="groups.filter")
        yield ListedHead()
        yield Listed()
        yield ToldStrip(self.keys, "groups.pane")
        yield Notice(id="small")
        yield Footer(self.keymap)

    def ask(self) -> None:
        """Look for the groups."""
        self._reads.groups(self._scope)

    @property
    def beside(self) -> ToldStrip:
        """What is told below the list."""
        return self.strip

    @property
    def main(self) -> Listed[Sheet]:
        """The list."""
        return self.table

    @property
    def group(self) -> Group | None:
        """The group under the cursor."""
        sheet = self.table.sheet
        if not isinstance(sheet, GroupsSheet) or self.table.position >= len(sheet.groups):
            return None
        return sheet.groups[self.table.position]

    # what is shown

    def show(self, keep: str | None = None) -> None:
        """The groups as they are narrowed."""
        found = self.found
        groups = () if found is None else open_groups(found) if self._left_alone else found.groups
        sheet = GroupsSheet(narrowed(groups, self.bar.text))
        self.table.say(self._nothing())
        self.table.show(sheet, keep)
        self.query_one(ListedHead).sheet = sheet
        self._tell()
        self.settle()

    def _nothing(self) -> tuple[Words, ...]:
        key, found = "focus bold", self.found
        back: Words = [(self.keys["groups.back"], key), (" back", "muted")]
        if found is None:
            return ([("looking for what failures have in common", "muted")],)
        under = " under this filter" if self._scope.text else ""
        if not found.failing:
            return ([(f"nothing fails{under}", "text")], back)
        if not found.groups:
            count = number_of(found.failing, "failing case")
            return ([(f"{count}{under}, no two of them by the same rule", "text")], back)
        if self.bar.text:
            return (
                [("no group matches", "text")],
                [(self.keys["groups.back"], key), (" clears it", "muted")],
            )
        return (
            [(f"every case of {number_of(len(found.groups), 'group')} has a verdict", "text")],
            [(self.keys["groups.view"], key), (" shows them", "muted")],
        )

    def _tell(self) -> None:
        group = self.group
        if group is None:
            self.strip.title, self.strip.lines, self.strip.place = (), (), ""
            return
        self.strip.title = title_of(group)
        self.strip.lines = told_of(group, self.size.width, self.keys)
        self.strip.place = f"{self.table.position + 1} of {self.table.count}"

    def settle(self) -> None:
        """Head, counts and footer."""
        top = self.query_one(ReviewTop)
        top.shown = Shown(
            "groups", self._triage.run_shown, text=self._scope.text, reviewer=self._workspace.reviewer
        )
        top.live = self._triage.live
        found = self.found
        if found is not None:
            count = self.table.count
            view = "left to judge" if self._left_alone else "all"
            alone = found.failing - found.grouped
            words: list[tuple[str, str]] = [(f"  {view} ", "muted")]
            words.append((f"{count} of {number_of(len(found.groups), 'group')}", "text"))
            words.append((f"  {found.grouped:,} of {number_of(found.failing, 'failing case')}", "muted"))
            if alone and self.size.width >= 100:
                words.append((f", {alone:,} alone", "faint"))
            self.bar.count(words)
        self.query_one(ListedHead).lit = self.focused is self.table
        place: Place = "filter" if self.bar.typing else "groups"
        self.query_one(Footer).foot = Foot(place, rows=self.main.count > 0)

    # what is told

    @on(codes_reading.GroupsRead)
    def _groups_read(self, event: codes_reading.GroupsRead) -> None:
        self.found = event.found
        self.show()

    @on(Listed.Moved)
    def _highlighted(self) -> None:
        self._tell()

    def on_resize(self, event: events.Resize) -> None:
        """The strip has what the height leaves."""
        self.strip.styles.height = next(rows for least, rows in STRIP if event.size.height >= least)
        self.call_after_refresh(self.show)

    # keys

    @on(Listed.Chosen)
    def action_groups_open(self) -> None:
        """The group's cases on the Triage screen, all marked."""
        group = self.group
        if group is not None:
            self.do(self._open(group))

    async def _open(self, group: Group) -> None:
        call = partial(self._workspace.grouping.opened, self._scope, group)
        opened = await self.off(call, "opening the group")
        if opened is None:
            return
        triage = self._triage
        triage.cases.unmark()
        triage.selection.change(drill=opened[0].drill)
        triage.action_mark("all")
        if group.judged:
            count = f"{group.judged:,} of {number_of(group.cases, 'case')}"
            triage.speech.tell(
                [
                    (f"{count} judged before   ", "text"),
                    (self.keys["mark"], "focus bold"),
                    (" lets one go", "muted"),
                ]
            )
        self.dismiss(None)

    def action_groups_view(self) -> None:
        """Groups with cases left to judge, or all."""
        self._left_alone = not self._left_alone
        self.show()
