"""The Triage screen: panels over the list over its cases. It routes; its helpers in `ui/work` do the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.reactive import reactive
from textual.worker import Worker, WorkerState

from triage.models.run import LoadOptions
from triage.paths import is_there
from triage.ui import messages
from triage.ui.keys import shown_keys
from triage.ui.paging import first_columns
from triage.ui.screens.keyed import Keyed
from triage.ui.terminal_app import hold_keys
from triage.ui.widgets.case_detail import CaseDetail
from triage.ui.widgets.case_list import CaseList
from triage.ui.widgets.filter_bar import Doors, FilterBar
from triage.ui.widgets.filter_input import FilterInput
from triage.ui.widgets.footer import Footer
from triage.ui.widgets.head import Head
from triage.ui.widgets.list_head import ListHead
from triage.ui.widgets.metric_panel import MetricPanels
from triage.ui.widgets.notice import Notice
from triage.ui.work.loader import Loader
from triage.ui.work.reader import Reader
from triage.ui.work.selection import Selection
from triage.ui.work.speech import Speech
from triage.ui.work.stage import Stage
from triage.ui.work.trouble import Trouble
from triage.ui.work.verdicts import Verdicts
from triage.ui.work.watch import Watch
from triage.ui.work.writer import Writer

if TYPE_CHECKING:
    from triage.models.case import RunView
    from triage.models.run import RunSummary
    from triage.ui.paging import Ahead
    from triage.ui.work.follow import Follow
    from triage.ui.work.indexing import Indexing
    from triage.ui.work.memory import Memory
    from triage.workspace import Workspace

FOLLOW_AFTER = 0.4
"""Seconds after the first paint at which following begins, where nothing has to be read first."""
INDEX_AFTER = 2.0
"""Seconds that building search indexes waits after a start or a load: what is asked first comes first."""


class TriageScreen(Keyed):
    """What opens first.

    Args:
        workspace: everything it shows and writes.
        paths, options: files to read after the first paint.
        open_case: (run id, case id or None) to begin at.
        memory: what the last sitting left.
        ahead: the first page, as it was read while the app was loading.
        aside: said in the head after the reviewer.
        keymap: the user's keys by action id.
    """

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-middle"), (116, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (20, "-tall")]  # noqa: RUF012
    AUTO_FOCUS = "CaseList"

    view: reactive[RunView | None] = reactive(None)
    run_shown: reactive[RunSummary | None] = reactive(None)
    against: reactive[RunSummary | None] = reactive(None)
    reviewer: reactive[str] = reactive("")
    aside: reactive[str] = reactive("")
    live: reactive[str] = reactive("")

    def __init__(
        self,
        workspace: Workspace,
        memory: Memory,
        *,
        ahead: Ahead | None = None,
        paths: Sequence[Path] = (),
        options: LoadOptions | None = None,
        open_case: tuple[str, str | None] | None = None,
        aside: str = "",
        keymap: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__()
        self.workspace = workspace
        self._keymap = keymap if keymap is not None else {}
        self._ahead = ahead
        self.shown_keys = shown_keys(self._keymap)
        self._paths, self._options, self._base_aside = list(paths), options or LoadOptions(), aside
        self.reader = Reader(self, workspace, memory)
        self.writer = Writer(self)
        self.speech = Speech(self)
        self.trouble = Trouble(self, workspace)
        self.stage = Stage(self)
        self.selection = Selection(self, self.reader, open_case, memory)
        self.verdicts = Verdicts(self, workspace, self.writer, self.reader)
        self.loader = Loader(self, workspace)
        self.watching: Watch | None = None
        self.follow: Follow | None = None
        self._indexing: Indexing | None = None
        self._columns = first_columns(memory, workspace)

    def compose(self) -> ComposeResult:
        """Head, panels, filter row, list and detail, footer; and what takes their place."""
        yield Head().data_bind(
            TriageScreen.view,
            TriageScreen.against,
            TriageScreen.reviewer,
            TriageScreen.aside,
            TriageScreen.live,
            run=TriageScreen.run_shown,
        )
        yield MetricPanels(id="panels").data_bind(TriageScreen.view)
        yield FilterBar(id="bar", keys=self.shown_keys).data_bind(TriageScreen.view)
        with Horizontal(id="body"):
            with Vertical(id="cases"):
                yield ListHead()
                yield CaseList(id="list")
            yield CaseDetail(id="detail")
        yield Notice(id="stage")
        yield Notice(id="small")
        yield Footer(self._keymap)

    def on_mount(self) -> None:
        """Ask for what is to be shown; nothing of it is waited for."""
        self.reviewer = self.workspace.reviewer
        self.aside = self._base_aside
        self.watching = Watch(self, self.workspace)
        if self._columns is not None:
            # Only a list with chosen columns needs them.
            from triage.ui.work.columns import show

            show(self, self._columns)
        if present := [path for path in self._paths if is_there(path)]:
            self.load(present)
        else:
            self.selection.start(self._ahead)
            self.set_timer(FOLLOW_AFTER, self.follow_files)
        self.set_timer(INDEX_AFTER, self.index)

    def on_unmount(self) -> None:
        """Let the threads go."""
        if self._indexing is not None:
            self._indexing.close()
        self.loader.close()
        self.writer.close()
        self.look_away()

    def look_away(self) -> None:
        """Notice no longer what happens elsewhere."""
        if self.watching is not None:
            self.watching.close()
        if self.follow is not None:
            self.follow.close()

    def follow_files(self) -> None:
        """Follow the files that were given, or the folders that the database knows."""
        # Imported here because nothing is followed before the first paint.
        from triage.ui.work.follow import Follow

        if self.follow is None:
            paths = None if self._base_aside == "demo" else self._paths
            self.follow = Follow(self, self.workspace, paths, self._options)
            self.follow.begin()

    def index(self) -> None:
        """Build what search indexes are missing, in the background."""
        # It comes after the first paint.
        from triage.ui.work.indexing import Indexing

        if self._indexing is None:
            self._indexing = Indexing(self, self.workspace)
        self._indexing.begin()

    def keys_changed(self) -> None:
        """The user's keys are others now."""
        self.shown_keys.update(shown_keys(self._keymap))
        for child in self.bar.children:
            child.refresh(layout=True)
        self.detail.keys_changed()
        self.stage.settle()

    def load(self, paths: Sequence[Path]) -> None:
        """Read files in the background."""
        self.loader.start(paths, self._options)
        self.stage.settle()

    @property
    def load_options(self) -> LoadOptions:
        """How files are read in this sitting."""
        return self._options

    def action_reload(self) -> None:
        """Read the run's file again."""
        if self.run_shown is not None:
            self.loader.arrive(Path(self.run_shown.path), self._options, asked=True)
            self.stage.settle()

    def action_ask(self, what: str) -> None:
        """Open a dialog by its name (`Asking.open` knows them)."""
        # The dialogs come with the first of them: the first paint does without.
        from triage.ui.work.asking import Asking

        opening = self.run_worker(Asking(self, self.workspace).open(what), group="asking")
        hold_keys(self.app, opening)

    def action_against(self, run: str, baseline: str) -> None:
        """Compare a run with another."""
        from triage.ui.work.asking import Asking

        self.run_worker(Asking(self, self.workspace).against(run, baseline), group="asking")

    def read(self) -> None:
        """Give the detail the keys; on a narrow screen it takes the list's place."""
        self.add_class("-reading")
        self.call_after_refresh(self.detail.focus)

    def watch_run_shown(self) -> None:
        """What is said of files is said of those of this run."""
        if self.follow is not None:
            self.follow.show()

    # what workers and widgets tell

    @on(messages.FirstRead)
    def _first_read(self, event: messages.FirstRead) -> None:
        self.selection.take_first(event.first)

    @on(messages.RunsRead)
    def _runs_read(self, event: messages.RunsRead) -> None:
        self.selection.take_runs(event)

    @on(messages.KeysRead)
    def _keys_read(self, event: messages.KeysRead) -> None:
        self.selection.take_keys(event)

    @on(messages.RowsRead)
    def _rows_read(self, event: messages.RowsRead) -> None:
        self.selection.take_rows(event)

    @on(messages.ViewRead)
    def _view_read(self, event: messages.ViewRead) -> None:
        self.selection.take_view(event)

    @on(messages.DetailRead)
    def _detail_read(self, event: messages.DetailRead) -> None:
        self.selection.take_detail(event)

    @on(messages.MarksMoved)
    def _marks_moved(self, event: messages.MarksMoved) -> None:
        self.selection.take_marks(event)

    @on(messages.ReadFailed)
    def _read_failed(self, event: messages.ReadFailed) -> None:
        self.selection.take_failure(event)

    @on(messages.ChangedElsewhere)
    def _changed_elsewhere(self) -> None:
        self.selection.refresh()

    @on(messages.NextFound)
    def _next_found(self, event: messages.NextFound) -> None:
        self.verdicts.arrived(event.position if event.scope == self.selection.scope else None, event.wrapped)

    @on(messages.Counted)
    @on(messages.CutFound)
    def _counted(self, event: messages.Counted | messages.CutFound) -> None:
        self.stage.take(event)

    @on(messages.Written)
    def _written(self, event: messages.Written) -> None:
        self.verdicts.written(event)
        self.trouble.over()
        self.aside = f"{event.waiting} to write" if event.waiting > 1 else self._base_aside
        self.selection.read_view()
        row = self.cases.row
        if row is not None and row.id in event.outcome.case_ids:
            self.selection.read_detail()
        self.stage.settle()

    @on(messages.WriteFailed)
    def _not_written(self, event: messages.WriteFailed) -> None:
        self.verdicts.failed(event)
        self.aside = f"{event.waiting} not written" if event.waiting else self._base_aside
        self.stage.settle()

    @on(messages.Loading)
    def _loading(self, event: messages.Loading) -> None:
        self.loader.told(event.progress)

    @on(messages.Loaded)
    def _loaded(self, event: messages.Loaded) -> None:
        found = self.loader.took(event.reports)
        if found or self.run_shown is None:
            self.reader.newest_of(found)
        self.follow_files()
        self.set_timer(INDEX_AFTER, self.index)

    @on(messages.LoadFailed)
    def _load_failed(self, event: messages.LoadFailed) -> None:
        self.loader.failed(event.error)
        self.reader.runs(self.run_shown.id if self.run_shown is not None else None)
        self.follow_files()

    @on(messages.Arrived)
    @on(messages.FileSeen)
    @on(messages.FollowFailed)
    @on(messages.FollowMode)
    @on(messages.OwnFilesChanged)
    def _live(self, event: Message) -> None:
        self.follow_files()
        if self.follow is not None:
            self.follow.take(event)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A worker that ends by something else than the user's error is a bug of ours, and says so."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            if event.worker.group == "load":
                self._load_failed(messages.LoadFailed(event.worker.error))
                return
            self.selection.take_failure(
                messages.ReadFailed(event.worker.group, self.selection.scope, event.worker.error)
            )

    @on(CaseList.Highlighted)
    def _highlighted(self, event: CaseList.Highlighted) -> None:
        self.selection.highlighted(event.pk)
        self.stage.settle()

    @on(CaseList.Opened)
    def _opened(self) -> None:
        self.read()

    @on(CaseList.PageWanted)
    def _page_wanted(self, event: CaseList.PageWanted) -> None:
        self.selection.page_wanted(event.generation, event.page, event.pks)

    @on(CaseList.Shaped)
    def _shaped(self, event: CaseList.Shaped) -> None:
        self.query_one(ListHead).columns = event.columns

    @on(FilterBar.Asked)
    def _filter_asked(self, event: FilterBar.Asked) -> None:
        self.selection.change(text=event.text.strip())

    @on(FilterBar.Completing)
    def _completing(self, event: FilterBar.Completing) -> None:
        # Imported here because the first paint offers nothing.
        from triage.ui.work.finding import complete

        complete(self, event.text, event.caret)

    @on(messages.Offered)
    async def _offered(self, event: messages.Offered) -> None:
        await self.bar.offer(event.text, event.offers)

    @on(FilterInput.Leave)
    def _filter_left(self) -> None:
        self.cases.focus()

    @on(Doors.Opened)
    def _door_opened(self, event: Doors.Opened) -> None:
        self.selection.drill_class(event.failure_class)

    @on(MetricPanels.Chosen)
    def _metric_chosen(self, event: MetricPanels.Chosen) -> None:
        self.selection.drill_metric(event.key)

    @on(MetricPanels.Focused)
    def _metric_focused(self, event: MetricPanels.Focused) -> None:
        self.bar.about([(self.panels.explain(event.key), "muted")] if event.key is not None else ())

    @on(CaseDetail.Spoke)
    def _detail_spoke(self, event: CaseDetail.Spoke) -> None:
        self.speech.say(event.text)

    def on_descendant_focus(self) -> None:
        """The footer follows the keys."""
        self.stage.settle()

    def on_descendant_blur(self) -> None:
        """The footer follows the keys."""
        self.stage.settle()

    def on_resize(self, event: events.Resize) -> None:
        """Below 60x15 a sentence says so; chosen columns take what room there is."""
        self.stage.measure(event.size.width, event.size.height)
        if self.cases.chosen is not None:
            from triage.ui.work.columns import fit

            fit(self)
