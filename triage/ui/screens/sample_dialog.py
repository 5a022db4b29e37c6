"""Drawing a sample: how many cases, out of which strata; what it can claim is said while it is typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input, Static
from textual.worker import Worker, WorkerState, get_current_worker

from triage.errors import TriageError, UsageError
from triage.models.query import Scope
from triage.models.sample import DEFAULT_SEED, DEFAULT_SIZE, Drawn, Sample, SampleRule
from triage.plain import cut, one_line, width
from triage.review.claims import LADDER, needed, percent
from triage.ui.screens.dialogs import Dialog
from triage.ui.screens.export_fields import Chooser
from triage.ui.widgets.fields import Field
from triage.ui.widgets.strata_pane import StrataPane
from triage.ui.work import bugs
from triage.ui.work.words import number_of

if TYPE_CHECKING:
    from triage.ui.screens.triage import TriageScreen
    from triage.workspace import Workspace

HINT = "enter draws it   esc leaves it   arrows: the fields and what is chosen"
FIRST, *FURTHER = LADDER
NEEDED = (
    f"{needed(FIRST)} clean: at most {percent(FIRST)}",
    *(f"{needed(rate)}: {percent(rate)}" for rate in FURTHER),
)
"""Read cases without a failure, and the failure rate that they bound (metrics.md section 7)."""
SEED = "another seed draws other cases"
PAUSE = 0.08
"""Seconds after the last sign that is typed before it is looked what would be drawn."""
FILTER, ALL = "filter", "all"
IN_ALL, EACH = "in all", "of each topic"
SHORT = 250
"""Most cells of what is short, which may name many topics."""
_ASIDE = 44
"""Cells beside a choice of yes and no, on 80."""
MOST = 9
"""Digits of a number of cases."""


class Named(Static):
    """A row's name, which is lit while its field has the keys."""


class SampleDialog(Dialog[Sample]):
    """Answers with the sample that was drawn and kept; stays open where it could not be.

    Args:
        triage: its filter text is the population, where it is of this run.
        workspace: looks, draws and keeps.
        run_id: the run whose cases are drawn.
    """

    AUTO_FOCUS = "#n"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "draw", show=False),
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
    ]

    class Looked(Message):
        """What a rule would draw, or why it draws nothing."""

        def __init__(self, rule: SampleRule, found: Drawn | TriageError) -> None:
            super().__init__()
            self.rule, self.found = rule, found

    class Free(Message):
        """The name that a sample gets without one, and the dimensions that there are."""

        def __init__(self, name: str, dimensions: tuple[str, ...]) -> None:
            super().__init__()
            self.name, self.dimensions = name, dimensions

    class Ended(Message):
        """It is kept, or it could not be."""

        def __init__(self, result: Sample | TriageError) -> None:
            super().__init__()
            self.result = result

    def __init__(self, triage: TriageScreen, workspace: Workspace, run_id: str) -> None:
        super().__init__(f"draw a sample of {run_id}", HINT)
        self._workspace, self._run = workspace, run_id
        scope = triage.selection.scope
        self._scope = scope if scope is not None and scope.run == run_id else Scope(run_id)
        settings = workspace.settings
        self._begins = SampleRule(
            DEFAULT_SEED, DEFAULT_SIZE, must=settings.must_review, must_cap=settings.must_review_cap,
            readings=settings.readings, must_readings=settings.must_readings,
        )  # fmt: skip
        """The rule that the fields begin with."""
        self._dimensions: tuple[str, ...] = ()
        self._pause: Timer | None = None
        self._drawing = False

    # the fields

    def content(self) -> ComposeResult:
        """The fields, what so many cases can claim, and the strata."""
        begins, settings = self._begins, self._workspace.settings
        with Vertical(id="asks"):
            if self._text:
                yield Chooser("of", (FILTER, ALL), FILTER, id="of")
            yield from self._row("cases", "n", str(begins.n))
            yield Chooser("so many", (IN_ALL, EACH), IN_ALL, id="quota")
            yield from self._row("strata", "by", ", ".join(begins.by))
            if settings.must_review:
                yield Chooser("must", ("yes", "no"), "yes", id="must")
            times = sorted({1, 2, 3, begins.readings})
            yield Chooser("readings", tuple(map(str, times)), str(begins.readings), id="readings")
            yield from self._row("seed", "seed", begins.seed)
            yield from self._row("name", "name", "")
        yield Static(id="claim")
        yield StrataPane()

    def _row(self, label: str, id: str, value: str) -> ComposeResult:
        with Horizontal(classes="row"):
            yield Named(Content(label), id=f"label-{id}")
            # A number or a seed is replaced by what is typed; strata are gone on with.
            yield Field(value, id=id, compact=True, select_on_focus=id in ("n", "seed"))
            yield Static(id=f"aside-{id}", classes="aside")

    @property
    def _text(self) -> str:
        return self._scope.text.strip()

    def on_mount(self) -> None:
        """Look what the defaults would draw, and which name is free."""
        super().on_mount()
        settings = self._workspace.settings
        if self._text:
            shown = f"text {self._text}" if self._scope.literal else self._text
            asides = {FILTER: cut(one_line(shown), 50), ALL: "the whole run, whatever the filter"}
            self.query_one("#of", Chooser).asides = asides
        if settings.must_review:
            rules = ", ".join(settings.must_review)
            which = f"at most {settings.must_review_cap}" if settings.must_review_cap else "every case"
            self.query_one("#must", Chooser).asides = {
                "yes": cut(f"{which} of {one_line(rules)}", _ASIDE), "no": "by chance alone",
            }  # fmt: skip
            twice = f"{settings.must_readings} where it must be reviewed"
            self.query_one("#readings", Chooser).asides = dict.fromkeys("123456789", twice)
        self._look()
        self._off("sample names", self._free)

    def _free(self) -> Message:
        names = [
            one.name for one in self._workspace.slicing.dimensions(Scope(self._run)) if one.kind != "run"
        ]
        own = ("class", *(name for name in names if name != "suggestion"))
        return self.Free(self._workspace.sampling.free_name(self._run), own)

    @on(Free)
    def _named(self, event: Free) -> None:
        self._dimensions = event.dimensions
        field = self.query_one("#name", Field)
        field.placeholder = event.name
        self._offer()

    # what would be drawn

    def _value(self, id: str) -> str:
        return self.query_one(f"#{id}", Field).value.strip()

    def _chosen(self, id: str, other: str) -> str:
        found = self.query(f"#{id}").results(Chooser)
        return next((one.chosen for one in found), other)

    def _rule(self) -> SampleRule:
        """The rule as it is typed.

        Raises:
            UsageError: the number of cases is none.
        """
        typed = self._value("n")
        if not typed.isdecimal() or not int(typed[:MOST]) or len(typed) > MOST:
            raise UsageError("how many cases?", typed or "nothing is typed", "a whole number from 1 on")
        by = tuple(word.strip() for word in self._value("by").replace("，", ",").split(",") if word.strip())
        settings = self._workspace.settings
        of_filter = self._chosen("of", ALL) == FILTER
        return replace(
            self._begins,
            seed=self._value("seed") or DEFAULT_SEED,
            n=int(typed),
            per_topic=int(typed) if self._chosen("quota", IN_ALL) == EACH else None,
            by=() if by == ("none",) else by,
            must=settings.must_review if self._chosen("must", "no") == "yes" else (),
            must_cap=settings.must_review_cap,
            text=self._text if of_filter else "",
            literal=self._scope.literal if of_filter else False,
            k=self._scope.k,
            readings=int(self._chosen("readings", "1")),
        )

    @on(Input.Changed)
    @on(Chooser.Changed)
    def _changed(self) -> None:
        self._offer()
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(PAUSE, self._look)

    def on_descendant_focus(self) -> None:
        """The name of the field that has the keys is lit."""
        for id in ("n", "by", "seed", "name"):
            self.query_one(f"#label-{id}").set_class(self.query_one(f"#{id}").has_focus, "-focused")

    def _offer(self) -> None:
        """Name the dimensions that what is typed last may become."""
        typed = self._value("by").rpartition(",")[2].strip().casefold()
        fits = [name for name in self._dimensions if typed in name.casefold() and typed != name.casefold()]
        known = [*fits, *(name for name in self._dimensions if name not in fits)]
        # Behind the asides' padding on both sides nothing is cut in the middle of a word.
        room = self.query_one("#aside-by").size.width - 2
        self.query_one("#aside-by", Static).update(fitting([*map(one_line, known), "none"], room, "  "))
        self.query_one("#aside-n", Static).update(fitting(NEEDED, room, "   "))
        self.query_one("#aside-seed", Static).update(fitting((SEED,), room, ""))

    def on_resize(self) -> None:
        """Another width has room for other words."""
        self.call_after_refresh(self._offer)

    def _look(self) -> None:
        try:
            rule = self._rule()
        except UsageError as error:
            self._say_wrong(error)
            return

        def call() -> Message:
            try:
                return self.Looked(rule, self._workspace.sampling.preview(self._run, rule))
            except TriageError as error:
                return self.Looked(rule, error)

        self._off("sample preview", call)

    def _off(self, group: str, call: Callable[[], Message]) -> None:
        def work() -> None:
            worker = get_current_worker()
            message = call()
            if not worker.is_cancelled:
                self.post_message(message)

        self.run_worker(work, name=group, group=group, thread=True, exclusive=True, exit_on_error=False)

    @on(Looked)
    def _looked(self, event: Looked) -> None:
        if isinstance(event.found, TriageError):
            self._say_wrong(event.found)
            return
        self.query_one("#claim", Static).update(told(event.found))
        self.query_one(StrataPane).drawn = event.found
        if not self._drawing:
            self.tell(self._hint)

    def _say_wrong(self, error: TriageError) -> None:
        self.query_one("#claim", Static).update(Content(""))
        self.query_one(StrataPane).drawn = None
        self.tell(cut(one_line(str(error)), 200), bad=True)

    # drawing

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_draw()

    def action_draw(self) -> None:
        """Draw what is typed, and keep it."""
        if self._drawing:
            return
        try:
            rule = self._rule()
        except UsageError as error:
            self._say_wrong(error)
            return
        self._drawing = True
        self.tell("drawing   esc leaves it")
        draw = partial(self._workspace.sampling.draw, self._run, rule, self._value("name"))

        def call() -> Message:
            try:
                return self.Ended(draw())
            except TriageError as error:
                return self.Ended(error)

        self._off("sample draw", call)

    @on(Ended)
    def _ended(self, event: Ended) -> None:
        self._drawing = False
        if isinstance(event.result, TriageError):
            self.tell(cut(one_line(str(event.result)), 200), bad=True)
        else:
            self.dismiss(event.result)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A worker that ends by something else than the user's error is a bug of ours, and says so."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            self._drawing = False
            self.tell(bugs.in_words(event.worker.error, "looking what to draw"), bad=True)


def fitting(words: Sequence[str], room: int, gap: str) -> Content:
    """As many of the words as fit whole."""
    line = ""
    for word in words:
        longer = f"{line}{gap if line else ''}{word}"
        if width(longer) > room:
            break
        line = longer
    return Content(line)


def told(drawn: Drawn) -> Content:
    """What a sample can claim, what must be reviewed, what is short."""
    of = f"{drawn.n} of {number_of(drawn.population, 'case')}"
    lines = [
        Content.styled(f"{drawn.claim}.", "$text bold"),
        Content.styled("   ".join([of, *drawn.further]), "$muted"),
    ]
    if drawn.must and not any(one.cases for one in drawn.must):
        rules = one_line(", ".join(one.rule for one in drawn.must))
        says = f"{rules} selects no case; the setting must_review names what must be"
        lines.append(Content.styled(cut(says, SHORT), "$muted"))
    elif len(drawn.must) > 1 or any(one.left_out for one in drawn.must):
        said = Content("")
        for one in drawn.must:
            said += Content.styled(f"{one_line(one.rule)} {number_of(one.cases, 'case')}", "$muted")
            if one.left_out:
                said += Content.styled(f", {one.left_out} left out by the cap", "$bad")
            said += Content("   ")
        lines.append(said)
    lines += [Content.styled(cut(one_line(text), SHORT), "$bad") for text in drawn.shortages]
    return Content("\n").join(lines)
