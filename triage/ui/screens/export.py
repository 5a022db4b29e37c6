"""Which cases go out, in which format, to which file; how the file will begin; and what was written."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static
from textual.worker import Worker, WorkerState, get_current_worker

from triage.errors import TriageError, UsageError
from triage.plain import one_line
from triage.ui.screens import export_target as targets
from triage.ui.screens.dialogs import Dialog
from triage.ui.screens.export_fields import Chooser, PathField
from triage.ui.screens.export_offer import ABOUT, EMPTY, PARTS, REDACT, Asked, Part, Wanted, told, wrote
from triage.ui.screens.export_preview import PreviewPane, table_lines, text_lines
from triage.ui.work import bugs
from triage.ui.work.words import number_of
from triage.workspace.exporting import FORMATS, ExportFormat, named_format

if TYPE_CHECKING:
    from triage.export import ExportReport
    from triage.workspace import Workspace
    from triage.workspace.exporting import Preview

EVERY = 0.25
"""Seconds between two words on how far a slow export is."""


class ExportDialog(Dialog["ExportReport"]):
    """Answers with what was written; stays open where it could not be.

    Args:
        workspace: counts, previews and writes.
        wanted: what is on offer.
    """

    AUTO_FOCUS = "PathField"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "write", show=False),
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
    ]

    class Looked(Message):
        """How the file will begin, or why there is none."""

        def __init__(self, asked: Asked, preview: Preview | TriageError, lines: list[str]) -> None:
            super().__init__()
            self.asked, self.preview, self.lines = asked, preview, lines

    class Named(Message):
        """What the typed path can be completed to; `why`: typed, tab or enter asked."""

        def __init__(self, names: targets.Names, why: str) -> None:
            super().__init__()
            self.names, self.why = names, why

    class Progressed(Message):
        """How many of how many cases are written."""

        def __init__(self, done: int, of: int) -> None:
            super().__init__()
            self.done, self.of = done, of

    class Ended(Message):
        """It is written, or it could not be."""

        def __init__(self, result: ExportReport | TriageError) -> None:
            super().__init__()
            self.result = result

    def __init__(self, workspace: Workspace, wanted: Wanted) -> None:
        super().__init__(f"export {wanted.shown.run}", "")
        self._workspace, self._wanted = workspace, wanted
        part = next((one for one in ("marked", *PARTS) if wanted.counts.get(one)), "tagged")
        self._part = cast(Part, part)
        self._format: ExportFormat = "csv"
        self._proposed = targets.file_name(wanted.shown.run, part, "csv")
        self._agreed: targets.Target | None = None
        """What was asked about: enter again means yes."""
        self._refused = False
        """The hint says what is wrong, until something is changed."""
        self._stop: threading.Event | None = None
        self._report: ExportReport | None = None

    def content(self) -> ComposeResult:
        """The choices, the file's name, its beginning; and in their place what was written."""
        with Vertical(id="asks"):
            yield Chooser("which", PARTS, self._part, id="which")
            yield Chooser("format", FORMATS, self._format, id="format")
            yield Chooser("redact", ("no", "yes"), "no", id="redact")
            with Horizontal(id="file"):
                yield Static(Content("file"), id="label")
                folder = targets.shown(self._wanted.folder)
                lead = folder if not folder or folder.endswith("/") else f"{folder}/"
                yield PathField(lead + self._proposed, compact=True, select_on_focus=False)
            yield Static(id="names")
        yield PreviewPane()
        yield Static(id="done")

    def on_mount(self) -> None:
        """Count, and show how the file will begin."""
        super().on_mount()
        which = self.query_one("#which", Chooser)
        which.counts = dict(self._wanted.counts)
        which.asides = {"shown": f"the list: {self._wanted.words}", "tagged": "every verdict but fine"}
        self.query_one("#format", Chooser).asides = ABOUT
        self.query_one("#redact", Chooser).asides = REDACT
        self._look()
        self._guide()

    def on_unmount(self) -> None:
        """A dialog that is gone writes nothing."""
        if self._stop is not None:
            self._stop.set()

    # what is chosen

    @property
    def _field(self) -> PathField:
        return self.query_one(PathField)

    def _asked(self) -> Asked:
        return Asked(self._part, self._format, self.query_one("#redact", Chooser).chosen == "yes")

    def _count(self) -> int:
        return self.query_one("#which", Chooser).counts.get(self._part, 0)

    @on(Chooser.Changed, "#which")
    def _which(self, event: Chooser.Changed) -> None:
        self._part = cast(Part, event.chooser.chosen)
        name = targets.file_name(self._wanted.shown.run, self._part, self._format)
        if self._field.value.endswith(self._proposed):
            self._set(self._field.value.removesuffix(self._proposed) + name)
            self._proposed = name
        self._look()

    @on(Chooser.Changed, "#format")
    def _formatted(self, event: Chooser.Changed) -> None:
        self._format = cast(ExportFormat, event.chooser.chosen)
        self._proposed = targets.with_ending(self._proposed, self._format)
        self._set(targets.with_ending(self._field.value, self._format))
        self._look()

    @on(Chooser.Changed, "#redact")
    def _redacted(self) -> None:
        self._look()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._agreed, self._refused = None, False
        self._guide()
        self._read_names("typed")
        try:
            named = named_format(Path(event.value))
        except UsageError as error:
            self._refuse(str(error))
            return
        if named is not None and named != self._format:
            self._format = named
            self._proposed = targets.with_ending(self._proposed, named)
            self.query_one("#format", Chooser).chosen = named
            self._look()

    # looking, off the event loop

    def _off(self, group: str, call: Callable[[], Message]) -> None:
        def work() -> None:
            worker = get_current_worker()
            message = call()
            if not worker.is_cancelled:
                self.post_message(message)

        self.run_worker(work, name=group, group=group, thread=True, exclusive=True, exit_on_error=False)

    def _look(self) -> None:
        self._agreed, self._refused = None, False
        asked, scope = self._asked(), self._wanted.scope(self._part)

        def call() -> Message:
            try:
                preview = self._workspace.exporting.preview(
                    scope, asked.format, redact=asked.redact, marked=self._wanted.marked
                )
            except TriageError as error:
                return self.Looked(asked, error, [])
            lines = table_lines(preview.table) if preview.table else text_lines(preview.text)
            return self.Looked(asked, preview, lines)

        self._off("export preview", call)

    @on(Looked)
    def _looked(self, event: Looked) -> None:
        if event.asked != self._asked():
            return
        pane, which = self.query_one(PreviewPane), self.query_one("#which", Chooser)
        pane.lines = event.lines
        if isinstance(event.preview, TriageError):
            pane.about = one_line(str(event.preview))
            return
        cases, shown = event.preview.cases, event.preview.shown
        which.counts = {**which.counts, event.asked.part: cases}
        of = f", the first {shown} shown" if shown < cases else ""
        pane.about = f"{number_of(cases, 'case')}{of}" if cases else EMPTY[event.asked.part]
        pane.headed = event.asked.format in ("csv", "xlsx")
        self._guide()

    def _read_names(self, why: str) -> None:
        text = self._field.value
        # What enter asked for is not called off by what is typed meanwhile.
        group = "export target" if why == "enter" else "export names"
        self._off(group, lambda: self.Named(targets.names(text), why))

    @on(PathField.Complete)
    def _complete(self) -> None:
        agreed = self._agreed
        if agreed is not None and agreed.state == "file" and agreed.free is not None:
            self._fill(self._field.value.removesuffix(agreed.path.name) + agreed.free.name)
            self._guide()
        else:
            self._read_names("tab")

    @on(Named)
    def _named(self, event: Named) -> None:
        names, text = event.names, self._field.value
        if names.text != text:
            return
        self.query_one("#names", Static).update(Content(told(names)))
        if event.why == "enter":
            self._decide(names.target)
        elif event.why == "tab" and names.longest != text and names.found:
            self._set(names.longest)
        elif event.why == "tab" and len(names.found) < 2:
            self.focus_next()

    # writing

    def action_write(self) -> None:
        """Write, or ask first."""
        if self._report is not None:
            self.dismiss(self._report)
        elif self._stop is None:
            self._read_names("enter")

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_write()

    def _decide(self, target: targets.Target | None) -> None:
        try:
            if target is not None:
                named_format(target.path)
        except UsageError as error:
            self._refuse(str(error))
            return
        if target is None:
            self._refuse("a name for the file is wanted")
        elif not self._count():
            self._refuse(EMPTY[self._part])
        elif target.state == "unusable":
            self._refuse(f"can't write there: {target.why}")
        elif target.state == "folder":
            lead = self._field.value if self._field.value.endswith("/") else f"{self._field.value}/"
            self._fill(lead + self._proposed)
            self._refuse(f"that is a folder: enter again writes {self._proposed} in it")
        elif target == self._agreed or target.state == "new":
            self._write(target)
        elif target.state == "file":
            self._agreed = target
            free = f", tab takes {target.free.name}" if target.free is not None else ""
            size = f"{target.size:,} bytes"
            self._refuse(f"{target.path.name} is there already, {size}: enter again overwrites it{free}")
        else:
            self._agreed = target
            missing = target.missing or target.path.parent
            self._refuse(f"there is no folder {targets.shown(missing)}: enter again makes it")

    def _refuse(self, why: str) -> None:
        self._refused = True
        self.tell(one_line(why), bad=True)
        self._field.focus()

    def _set(self, text: str) -> None:
        self._field.value = text
        self._field.cursor_position = len(text)

    def _fill(self, text: str) -> None:
        """Write a path into the field as if nothing had been typed."""
        with self._field.prevent(Input.Changed):
            self._set(text)
        self._agreed, self._refused = None, False
        self._read_names("typed")

    def _write(self, target: targets.Target) -> None:
        self._stop, asked = threading.Event(), self._asked()
        self.query_one("#asks").disabled = True
        self.tell(f"writing {number_of(self._count(), 'case')}   esc stops")
        self.set_focus(None)
        told = time.monotonic()

        def progress(done: int, of: int) -> None:
            nonlocal told
            if (now := time.monotonic()) - told >= EVERY:
                told = now
                self.post_message(self.Progressed(done, of))

        write = partial(
            self._workspace.exporting.write,
            self._wanted.scope(self._part),
            asked.format,
            target.path,
            redact=asked.redact,
            marked=self._wanted.marked,
            overwrite=target.state == "file",
            make_folder=target.state == "no folder",
            progress=progress,
            cancel=self._stop,
        )

        def call() -> Message:
            try:
                return self.Ended(write())
            except TriageError as error:
                return self.Ended(error)

        self._off("export", call)

    @on(Progressed)
    def _progressed(self, event: Progressed) -> None:
        if self._stop is not None and not self._stop.is_set():
            self.tell(f"writing {event.done} of {number_of(event.of, 'case')}   esc stops")

    @on(Ended)
    def _ended(self, event: Ended) -> None:
        stopped = self._stop is not None and self._stop.is_set()
        self._stop = self._agreed = None
        if isinstance(event.result, TriageError):
            self.query_one("#asks").disabled = False
            self._refuse("stopped, nothing was written" if stopped else str(event.result))
            return
        self._report = event.result
        self.add_class("-done")
        self.query_one("#done", Static).update(wrote(event.result, self._asked().redact))
        self.tell("enter or esc goes back to the list")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A worker that fails by something else than the user's error is a bug of ours, and says so."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            self._stop = None
            self.query_one("#asks").disabled = False
            self._refuse(bugs.in_words(event.worker.error, "exporting"))

    def action_cancel(self) -> None:
        """Stop what is being written; else close."""
        if self._stop is not None:
            self._stop.set()
            self.tell("stopping")
        else:
            self.dismiss(self._report)

    # what is said

    def on_descendant_focus(self) -> None:
        """The hint says what the keys do here."""
        self.query_one("#label").set_class(self.focused is self._field, "-focused")
        self._guide()

    def _guide(self) -> None:
        if self._refused or self._stop is not None or self._report is not None:
            return
        writes = f"enter writes {number_of(self._count(), 'case')}"
        if isinstance(self.focused, Chooser):
            says = f"left, right choose   up, down: rows   {writes}"
        elif isinstance(self.focused, PreviewPane):
            says = f"arrows scroll   tab: other rows   {writes}"
        else:
            says = f"{writes}   tab completes   up, down: rows"
        self.tell(f"{says}   esc leaves")
