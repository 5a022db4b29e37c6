"""The list of runs: its lines under their header, with a cursor that keeps its run."""

from __future__ import annotations

from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from triage.ui.palette import Palette, colours
from triage.ui.widgets.cursor_list import CursorList
from triage.ui.widgets.runs_model import RunLine, RunsModel
from triage.ui.widgets.runs_row import RunColumns, heading, paint

EMPTY = RunsModel((), (), "hit", 3, 0, 0, ())


class RunHead(Widget):
    """The header line over the list of runs."""

    DEFAULT_CSS = "RunHead { height: 1; width: 1fr; }"

    model: reactive[RunsModel] = reactive(EMPTY)
    lit: reactive[bool] = reactive(True)

    def render_line(self, y: int) -> Strip:
        """The row."""
        columns = RunColumns.at(self.size.width, self.model)
        return heading(columns, self.model, self.lit, colours(self.app))


class RunTable(CursorList):
    """One line a run. The cursor stays on its run, whatever comes, goes or is sorted."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.model = EMPTY
        self._columns = RunColumns(0, 0)

    @property
    def count(self) -> int:
        """How many runs are shown."""
        return len(self.model.lines)

    @property
    def line(self) -> RunLine | None:
        """The run under the cursor."""
        lines = self.model.lines
        return lines[self.position] if self.position < len(lines) else None

    def show(self, model: RunsModel, keep: str | None = None) -> None:
        """Show other lines; the cursor goes to the run `keep`, else stays on its own or where that stood."""
        old = self.line
        place = model.place(keep) if keep is not None else None
        if place is None and old is not None:
            place = model.place(old.entry.run.id)
        self.model, self._columns = model, RunColumns(0, 0)
        self.changed(self.position if place is None else place)

    def paint(self, position: int, cells: int, *, cursor: bool, ink: Palette) -> Strip:
        """The run's row."""
        if self._columns.cells != cells:
            self._columns = RunColumns.at(cells, self.model)
        run = self.model.lines[position]
        return paint(run, self._columns, cursor=cursor, focused=self.has_focus, ink=ink)
