"""What could not be used of a run's file: every rejected record and field, with its line and the reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.reactive import reactive
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from triage.plain import cut, cut_left, fit, one_line, plain, preview
from triage.ui.keys import same_keys, shown_keys
from triage.ui.palette import Palette, colours
from triage.ui.text import wrap
from triage.ui.widgets.cursor_list import CursorList
from triage.ui.widgets.line import Part, Words, line, styled
from triage.ui.widgets.narrow_bar import NarrowBar
from triage.ui.work.words import number_of

if TYPE_CHECKING:
    from triage.models.run import FileReport, Problem, RunSummary

PLACE, CASE, WHAT, GUTTER = 11, 12, 21, 10


_PATH = 44
"""Most cells of the path of another file."""


class Fault(Struct, frozen=True):
    """One of them, as recorded: where (`line 12`), of which case, what it came to, why.

    `searched` is all of it, case-folded. `file` is the path of a file that is not the run's own.
    """

    place: str
    case: str
    what: str
    reason: str
    lost: bool
    searched: str
    file: str = ""


class Faults(Struct, frozen=True):
    """All of a run, in file order, after its file's warnings; `says` counts them."""

    title: str
    path: str
    says: Words
    items: tuple[Fault, ...]


def faults_of(
    run: RunSummary, problems: Sequence[Problem], warnings: Sequence[str], others: Sequence[FileReport] = ()
) -> Faults:
    """What is told of a run; `others` are files of the last reading that are not this run."""
    items = [*_of_file(problems, warnings, "")]
    for report in others:
        if report.run != run.id and (report.rejected or report.status == "failed"):
            rejected = f", {number_of(report.rejected, 'record')} rejected" if report.rejected else ""
            # The name is what tells files apart, so a long path loses its head.
            name = cut_left(one_line(report.path), _PATH)
            items.append(_fault("", "", "another file", f"{name}{rejected}", True, report.path))
            items += _of_file(report.problems, report.warnings, report.path)
    records = sum(problem.level == "record" for problem in problems)
    fields = len(problems) - records
    says = [f"{records} rejected"] if records else []
    says += [f"{number_of(fields, 'field')} not recorded"] if fields else []
    says += [number_of(len(warnings), "warning")] if warnings else []
    words: Words = [("   ".join(says) or "all of it could be read", "bad" if records else "muted")]
    return Faults(run.id, run.path, words, tuple(items))


def _of_file(problems: Sequence[Problem], warnings: Sequence[str], file: str) -> list[Fault]:
    out = [_fault("file", "", "warning", warning, False, file) for warning in warnings]
    for problem in problems:
        place = "file" if problem.line is None else f"line {problem.line}"
        lost = problem.level == "record"
        what = "rejected" if lost else problem.field or "field"
        out.append(_fault(place, problem.case or "", what, problem.reason, lost, file))
    return out


def _fault(place: str, case: str, what: str, reason: str, lost: bool, file: str) -> Fault:
    searched = f"{place} {case} {what} {reason} {file}".casefold()
    return Fault(place, case, what, reason, lost, searched, file)


class FaultList(CursorList):
    """One line a fault; only what is on screen is painted, however many there are."""

    def __init__(self, items: Sequence[Fault]) -> None:
        super().__init__()
        self.items = items

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.items)

    @property
    def fault(self) -> Fault | None:
        """The one under the cursor."""
        return self.items[self.position] if self.position < len(self.items) else None

    def paint(self, position: int, cells: int, *, cursor: bool, ink: Palette) -> Strip:
        """Place, case, what it came to, reason."""
        fault, on = self.items[position], "cursor" if cursor else "bg"
        ground, quiet = ink("text", on), ink("muted", on)
        head = (">", ink.fill("focus") if self.has_focus else ground) if cursor else (" ", ground)
        parts: list[Part] = [
            head,
            (fit(fault.place, PLACE), ink("text bold", on) if cursor else quiet),
            (fit(cut_left(preview(fault.case), CASE - 2), CASE), ground),
            (fit(cut(one_line(fault.what), WHAT - 2), WHAT), ink("bad", on) if fault.lost else quiet),
            (preview(fault.reason[: 4 * cells]), ground),
        ]
        return line(parts, [(" ", ground)], cells, ground)


class FaultHead(Widget):
    """Two header lines: what is listed, and the names of the columns."""

    DEFAULT_CSS = "FaultHead { height: 1; width: 1fr; }"

    def __init__(self, left: Words, right: Words) -> None:
        super().__init__()
        self._left, self._right = left, right

    def render_line(self, y: int) -> Strip:
        """The row."""
        ink = colours(self.app)
        ground = ink("text", "raised")
        right = [("  ", ground), *styled(self._right, ink, "raised"), (" ", ground)] if self._right else []
        return line(styled(self._left, ink, "raised"), right, self.size.width, ground)


class FaultStrip(Widget):
    """The fault under the cursor whole."""

    DEFAULT_CSS = "FaultStrip { width: 1fr; }"

    fault: reactive[Fault | None] = reactive(None)

    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path

    def _lines(self, cells: int) -> list[Words]:
        fault = self.fault
        if fault is None:
            return []
        room = max(cells - GUTTER - 3, 10)
        text = plain(fault.reason[: room * 12])
        where = f"{fault.place}{f'   case {one_line(fault.case)}' if fault.case else ''}"
        path = cut_left(one_line(fault.file or self._path), max(room - 40, 20))
        lost = fault.lost
        came = "the record was left out" if lost else f"{one_line(fault.what)} counts as not recorded"
        lines: list[Words] = [
            [(f" {'where':<{GUTTER}}", "faint"), (where, "text bold"), (f"   {path}", "muted")],
        ]
        if fault.what != "warning":
            lines.append([(f" {'so':<{GUTTER}}", "faint"), (came, "bad" if lost else "text")])
        for at, (start, end) in enumerate(wrap(text, room)):
            lines.append([(f" {'why' if at == 0 else '':<{GUTTER}}", "faint"), (text[start:end], "text")])
        return lines

    def render_line(self, y: int) -> Strip:
        """The line `y`; the first is blank."""
        ink, cells = colours(self.app), self.size.width
        ground = ink("text", "raised")
        lines = self._lines(cells)
        words = lines[y - 1] if 1 <= y <= len(lines) else ()
        return line(styled(words, ink, "raised"), [(" ", ground)], cells, ground)


class ProblemsScreen(Screen[None]):
    """A list to read; esc goes back."""

    CSS_PATH = "runs.tcss"
    AUTO_FOCUS = "FaultList"
    VERTICAL_BREAKPOINTS = [(0, "-short"), (20, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        *same_keys(runs_filter="filter", runs_back="back", runs_problems="leave", quit="leave")
    ]

    def __init__(self, faults: Faults, keymap: Mapping[str, str]) -> None:
        super().__init__()
        self._faults, self._keys = faults, shown_keys(keymap)

    def compose(self) -> ComposeResult:
        """Head, what narrows, the list, the one under the cursor, keys."""
        faults, keys = self._faults, self._keys
        title: Words = [(" problems of ", "muted"), (one_line(faults.title), "text bold")]
        yield FaultHead(title, faults.says)
        yield NarrowBar(keys)
        columns = f" {'where':<{PLACE}}{'case':<{CASE}}{'what':<{WHAT}}why"
        yield FaultHead([(columns, "faint")], ())
        yield FaultList(faults.items)
        yield FaultStrip(faults.path)
        foot: Words = [
            (f" {keys['runs.filter']}", "focus bold"), (" narrow  ", "muted"),
            (keys["runs.back"], "focus bold"), (" back", "muted"),
        ]  # fmt: skip
        yield FaultHead(foot, ())

    def on_mount(self) -> None:
        """Begin at the first."""
        self._show("")

    def _show(self, text: str) -> None:
        words, listed = text.casefold().split(), self.query_one(FaultList)
        items = self._faults.items
        if words:
            items = tuple(one for one in items if all(word in one.searched for word in words))
        none = "nothing matches" if words else "every record and every field could be read"
        listed.say(([(none, "text")],))
        listed.items = items
        listed.changed(0)
        of = f"{len(items)} of {len(self._faults.items)}"
        self.query_one(NarrowBar).count([(of if items else "", "muted")])
        self._moved()

    @on(CursorList.Moved)
    def _moved(self) -> None:
        self.query_one(FaultStrip).fault = self.query_one(FaultList).fault

    @on(NarrowBar.Typed)
    def _typed(self, event: NarrowBar.Typed) -> None:
        self._show(event.text)

    @on(NarrowBar.Left)
    def _left(self) -> None:
        self.query_one(FaultList).focus()

    def action_filter(self) -> None:
        """Narrow the list by typing."""
        self.query_one(NarrowBar).type()

    def action_back(self) -> None:
        """Take what narrows away, then leave."""
        bar = self.query_one(NarrowBar)
        if bar.typing or bar.text:
            bar.clear()
            self.query_one(FaultList).focus()
        else:
            self.dismiss(None)

    def action_leave(self) -> None:
        """Back to where it was called."""
        self.dismiss(None)
