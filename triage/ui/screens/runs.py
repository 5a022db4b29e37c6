"""The Runs screen: every loaded run with its numbers and their trend, and the run under the cursor whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events, getters, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.worker import Worker, WorkerState

from triage.models.run_list import RunEntry
from triage.plain import cut, one_line
from triage.ui.keys import bindings
from triage.ui.screens.over import OverScreen
from triage.ui.widgets.footer import Foot, Footer
from triage.ui.widgets.line import Words
from triage.ui.widgets.narrow_bar import NarrowBar
from triage.ui.widgets.notice import Notice
from triage.ui.widgets.runs_model import Order, Prepared, RunsModel, arrange, name_of, prepare
from triage.ui.widgets.runs_strip import RunStrip, Told
from triage.ui.widgets.runs_table import RunHead, RunTable
from triage.ui.widgets.runs_top import RunsTop
from triage.ui.work import runs_reading
from triage.ui.work.runs_deeds import RunsDeeds
from triage.ui.work.runs_reading import RunsReading
from triage.ui.work.words import loaded, number_of, reading

if TYPE_CHECKING:
    from triage.ui.screens.triage import TriageScreen
    from triage.ui.work.memory import Memory
    from triage.workspace import Workspace


_AROUND, _LIST, _STRIP_MOST = 4, 6, 22
"""Rows of head, row, header and footer; least rows of a list; most of the strip."""
_STRIP = ((50, 16), (36, 15), (20, 10), (0, 5))
"""Least rows of the strip by the terminal's."""


class RunsScreen(OverScreen):
    """Esc leaves the Triage screen as it was.

    Args:
        triage: the screen under it, whose run is "the run shown".
        workspace: everything it shows and writes.
        memory: keeps its order and its metric.
        keymap: the user's keys by action id.
    """

    CSS_PATH = "runs.tcss"
    AUTO_FOCUS = "RunTable"
    KEYS = "runs"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("runs")]

    table = getters.query_one(RunTable)
    strip = getters.query_one(RunStrip)

    def __init__(
        self, triage: TriageScreen, workspace: Workspace, memory: Memory, keymap: Mapping[str, str]
    ) -> None:
        super().__init__(triage, workspace, keymap)
        self.reading = RunsReading(self, workspace)
        self._memory = memory
        self._deeds = RunsDeeds(self, triage, workspace)
        self._entries: Sequence[RunEntry] = ()
        self._filled = self._there = False
        self._prepared: tuple[object, Prepared] | None = None
        self.order = Order.read(memory.runs_sort)
        self._metric = memory.runs_metric

    def compose(self) -> ComposeResult:
        """Head, what narrows, the list under its header, the run under the cursor, footer."""
        yield RunsTop()
        yield NarrowBar(self.keys)
        yield RunHead()
        yield RunTable()
        yield RunStrip(self.keys)
        yield Notice(id="small")
        yield Footer(self.keymap)

    def begin(self) -> None:
        """Read the runs; they are shown before their figures."""
        self.table.say(([("reading the runs", "muted")],))
        self.reading.entries(first=True)
        self.settle()
        # A run that came is marked, and told in the head, as soon as it is told at all.
        self.watch(self._triage, "live", lambda: self.show(), init=False)

    def on_unmount(self) -> None:
        """Let the thread that reads go."""
        self.reading.close()

    @property
    def filled(self) -> bool:
        """Are the figures of the runs here?"""
        return self._filled

    @property
    def model(self) -> RunsModel:
        """The list as it is shown."""
        return self.table.model

    def ask(self) -> None:
        """Read the runs anew."""
        self.reading.entries()

    @property
    def beside(self) -> RunStrip:
        """What is told below the list."""
        return self.strip

    @property
    def main(self) -> RunTable:
        """The list."""
        return self.table

    # what is shown

    def show(self, keep: str | None = None) -> None:
        """The list as it is ordered and narrowed."""
        shown = self._triage.run_shown
        against = next(
            (one.run.baseline for one in self._entries if shown is not None and one.run.id == shown.id), None
        )
        run = shown.id if shown is not None else None
        new = self._deeds.new
        of = (self._entries, run, against, self._metric, new)
        if self._prepared is None or self._prepared[0] != of:
            made = prepare(self._entries, shown=run, against=against, metric=self._metric, new=new)
            self._prepared = of, made
        model = arrange(self._prepared[1], self.order, self.bar.text)
        self.table.say(self._nothing())
        self.table.show(model, keep)
        self.query_one(RunHead).model = model
        self._tell()
        self.settle()

    def _nothing(self) -> tuple[Words, ...]:
        key = "focus bold"
        if not self._there:
            return ([("reading the runs", "muted")],)
        if not self._entries:
            load = (self.keys["runs.open.file"], key)
            return ([("no runs are loaded", "text")], [load, (" loads a run file or a folder", "muted")])
        return ([("no run matches", "text")], [(self.keys["runs.back"], key), (" clears it", "muted")])

    def _tell(self) -> None:
        line, model = self.table.line, self.model
        if line is None:
            self.strip.told = None
            return
        entry = line.entry
        base = next((one for one in self._entries if one.run.id == entry.run.baseline), None)
        place = f"{self.table.position + 1} of {len(model.lines)}"
        self.strip.told = Told(entry, base, line.mark == "shown", line.mark == "against", place)

    def settle(self) -> None:
        """Head, counts and footer."""
        model = self.model
        top = self.query_one(RunsTop)
        top.told, top.live = (self._entries, self._triage.run_shown), self._triage.live
        count = len(model.lines)
        of = (
            f"{count} of {number_of(model.total, 'run')}" if count != model.total else number_of(count, "run")
        )
        order = self.order.said(model.k or 3) if model.k else self.order.said(3).replace("@3", "@K")
        self.bar.count([(f"  {of}", "text"), (f"  {order}", "muted")] if self._there else ())
        self.query_one(RunHead).lit = self.focused is self.table
        self.query_one(Footer).foot = Foot("filter" if self.bar.typing else "runs")

    def sort_by(self, order: Order) -> None:
        """Another order; the cursor stays on its run."""
        self.order = order
        self._memory.remember(runs_sort=order.written())
        self.show()

    def draw_trend(self, metric: str) -> None:
        """Another metric's trend."""
        self._metric = metric
        self._memory.remember(runs_metric=metric)
        self.show()

    # what is told

    @on(runs_reading.EntriesRead)
    def _entries_read(self, event: runs_reading.EntriesRead) -> None:
        first, came = not self._there, set[str]()
        if event.filled and self._filled:
            known = {one.run.id for one in self._entries}
            came = {one.run.id for one in event.entries} - known
        elif not event.filled and self._filled:
            return
        self._entries, self._there = event.entries, True
        self._filled = self._filled or event.filled
        self._share()
        newest = max(event.entries, key=lambda one: (one.run.created_at, one.run.loaded_at), default=None)
        self.show(newest.run.id if first and newest is not None else None)
        if came and not self.reading.loading:
            self._deeds.tell(came)

    @on(runs_reading.EntryMeasured)
    def _measured(self, event: runs_reading.EntryMeasured) -> None:
        entry = event.entry
        self._entries = [entry if one.run.id == entry.run.id else one for one in self._entries]
        self.show()

    @on(runs_reading.Failed)
    def _failed(self, event: runs_reading.Failed) -> None:
        self.reading.loading = self.reading.loading and event.doing != "reading files"
        self.wrong(event.error, event.doing)

    @on(runs_reading.FilesReading)
    def _files_reading(self, event: runs_reading.FilesReading) -> None:
        self.bar.say(reading(event.progress))

    @on(runs_reading.FilesRead)
    def _files_read(self, event: runs_reading.FilesRead) -> None:
        self.reading.loading = False
        said, bad = loaded(event.reports)
        if bad:
            self.bar.error(one_line(said))
        else:
            self.say("the file is as it was loaded" if _same(event) else said)
        self.reading.entries()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """What broke reads no more."""
        if event.state is WorkerState.ERROR and event.worker.group == "load":
            self.reading.loading = False

    @on(RunTable.Moved)
    def _highlighted(self) -> None:
        self._tell()

    @on(RunTable.Chosen)
    def _chosen(self) -> None:
        self.action_runs_open()

    def _share(self) -> None:
        """What a short list leaves free is the strip's, so that it need not be scrolled."""
        height = self.size.height
        least = next(rows for above, rows in _STRIP if height >= above)
        room = height - _AROUND - max(len(self._entries) + 1, _LIST)
        self.strip.styles.height = max(least, min(room, _STRIP_MOST))

    def on_resize(self, event: events.Resize) -> None:
        """The strip has what the list leaves."""
        self._share()

    # keys

    def action_runs_open(self) -> None:
        """Show the run under the cursor on the Triage screen."""
        line = self.table.line
        if line is not None:
            self._open(line.entry.run.id)

    def _open(self, run_id: str) -> None:
        self._triage.selection.open_run(run_id)
        self.dismiss(None)

    def action_runs_against(self) -> None:
        """Compare the run shown with the one under the cursor."""
        if self.table.line is not None:
            self.do(self._deeds.against(self.table.line.entry.run.id))

    def action_runs_default(self) -> None:
        """Compare the run shown with its default baseline again."""
        self.do(self._deeds.default())

    def action_runs_pin(self) -> None:
        """Pin the run as its test set's baseline, or take the pin back."""
        if self.table.line is not None:
            self.do(self._deeds.pin(self.table.line.entry))

    def action_runs_problems(self) -> None:
        """Read what could not be used of the run's file."""
        if self.table.line is not None:
            self.do(self._deeds.problems(self.table.line.entry))

    def action_runs_remove(self) -> None:
        """Ask, then let go of the run."""
        if self.table.line is not None:
            self.do(self._deeds.remove(self.table.line.entry.run.id))

    def action_runs_reload(self) -> None:
        """Read the run's file again."""
        from pathlib import Path

        line = self.table.line
        if line is None:
            return
        run = line.entry.run
        if not self.reading.load([Path(run.path)], again=run.id):
            self.say("a reading is still under way")

    def action_runs_open_file(self) -> None:
        """Load a file or a folder."""
        self.do(self._deeds.open_file())

    def action_runs_sort(self) -> None:
        """Choose the order."""
        self.do(self._deeds.sort())

    def action_runs_metric(self) -> None:
        """Choose the metric whose trend is drawn."""
        self.do(self._deeds.metric())

    def action_runs_metric_step(self, step: int) -> None:
        """The trend of the next or previous metric."""
        metrics, model = self.model.metrics, self.model
        if metrics:
            at = metrics.index(model.metric) if model.metric in metrics else 0
            metric = metrics[(at + step) % len(metrics)]
            self.draw_trend(metric)
            self.say(f"trend of {cut(name_of(metric, model.k, short=False), 40)}")

    def action_go(self, what: str, name: str) -> None:
        """To another run, as the palette offers it."""
        if what == "run":
            self._open(name)

    def action_against(self, run: str, baseline: str) -> None:
        """Compare a run with another, as the palette offers it."""
        self.do(self._deeds.against(baseline))


def _same(event: runs_reading.FilesRead) -> bool:
    return all(report.status == "unchanged" for report in event.reports)
