"""The run under the cursor, told whole below the list: metrics, what changed, notes, file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from textual.reactive import reactive

from triage.models.case import RunView
from triage.models.run import RunSummary, configuration
from triage.models.run_list import RunEntry
from triage.plain import cut, cut_left, one_line, plain, preview
from triage.ui.palette import LAYER_WORDS
from triage.ui.text import wrap
from triage.ui.widgets.line import Words
from triage.ui.widgets.panel_model import Figure, reduce
from triage.ui.widgets.runs_model import test_set_of, when
from triage.ui.widgets.told_strip import ToldStrip
from triage.workspace.run_list import differences, file_size

if TYPE_CHECKING:
    from collections.abc import Mapping

GUTTER, FIGURE, NARROW_FIGURE, GAP, NARROW_GAP, MIDDLE = 12, 26, 20, 3, 2, 100


class Told(Struct, frozen=True):
    """A run with what its strip tells beside: its baseline, what it is to the run shown, its place."""

    entry: RunEntry
    base: RunEntry | None = None
    shown: bool = False
    against: bool = False
    place: str = ""

    @property
    def run(self) -> RunSummary:
        """The run."""
        return self.entry.run

    @property
    def gone(self) -> bool:
        """Is its file no longer there?"""
        return self.entry.present is False


def _view(entry: RunEntry) -> RunView | None:
    figures, run = entry.figures, entry.run
    if figures is None:
        return None
    return RunView(
        matching=run.records, failing=figures.failing, reviewed=figures.reviewed, triaged=figures.triaged,
        classes={}, verdicts=figures.verdicts, layer_fails={}, generation_fails=0, class_free=0, run=run.id,
        k=run.k, cases=run.records, metrics=figures.metrics, baseline=run.baseline,
        base_metrics=figures.base_metrics,
    )  # fmt: skip


def title(told: Told) -> Words:
    """Which run it is, and what it is to the one on the Triage screen."""
    run = told.run
    words: list[tuple[str, str]] = [(one_line(run.id), "text bold")]
    test_set = test_set_of(told.entry)
    if test_set:
        words.append((f"  {test_set}", "muted"))
    if told.shown:
        words.append(("  shown", "focus"))
    if told.against:
        words.append(("  against it the run shown is compared", "focus"))
    if told.entry.pinned:
        words.append(("  pinned baseline", "muted"))
    if told.gone:
        words.append(("  file is gone", "bad"))
    return words


def body(told: Told, cells: int, rows: int, keys: Mapping[str, str]) -> list[Words]:
    """What is told of a run, in lines of at most `cells` cells; the first `rows` of them are seen at once."""
    rest = [*_about(told, cells, keys)]
    grouped = [*_metrics(told, cells, None)]
    if len(grouped) + len(rest) <= rows:
        return [*grouped, *([()] if len(grouped) + len(rest) < rows else []), *rest]
    # Where not all is seen at once each layer has a line, and the other metrics come last.
    return [*_metrics(told, cells, 1), *rest, *_metrics(told, cells, -1)]


def _metrics(told: Told, cells: int, most: int | None) -> Iterator[Words]:
    """Lines of metrics a layer: all of them, the first, or (-1) all but the first."""
    view = _view(told.entry)
    if view is None:
        if most != -1:
            wait = "reading" if told.entry.present is None else "not measured yet: enter measures it"
            yield _labelled("metrics", [(wait, "muted")])
        return
    wide = cells >= MIDDLE
    step = FIGURE if wide else NARROW_FIGURE
    gap = GAP if wide else NARROW_GAP
    a_line = max((cells - GUTTER - 1 + gap) // (step + gap), 1)
    model = reduce(view)
    for panel in model.panels:
        figures = [figure for figure in panel.figures if not figure.said]
        chunks = [figures[at : at + a_line] for at in range(0, len(figures), a_line)]
        wanted = chunks if most is None else chunks[:1] if most == 1 else chunks[1:]
        for at, chunk in enumerate(wanted):
            label = panel.name if at == 0 else ""
            words = [part for figure in chunk for part in [*_figure(figure, wide), (" " * gap, "")]]
            yield _labelled(label, words[:-1], bold=True)
    if model.folded and most != -1:
        yield _labelled("", [("not recorded: " + ", ".join(model.folded), "faint italic")])


def _figure(figure: Figure, wide: bool) -> list[tuple[str, str]]:
    voice = {"worse": "bad bold", "better": "good"}.get(figure.tone, "faint")
    parts = [(f"{figure.short:<8}", "muted"), (f"{figure.value:>6}", "text")]
    if wide:
        # A delta that takes all its cells would touch the fraction, which moves aside or gives way.
        tight = len(figure.delta) > 5
        fraction = figure.fraction if not tight or len(figure.fraction) < 5 else ""
        parts.append((f"{fraction:>5} " if tight else f"{fraction:>6}", "faint"))
    return [*parts, (f"{figure.delta:>6}", voice)]


def _labelled(label: str, words: Words, *, bold: bool = False) -> Words:
    return [(f" {label:<{GUTTER - 1}}", "text bold" if bold else "faint"), *words]


def _wrapped(label: str, text: str, role: str, cells: int, most: int = 6) -> Iterator[Words]:
    """A text in lines beside its label; after `most` lines it is cut."""
    room = max(min(cells - GUTTER - 2, 96), 10)
    safe = plain(text[: room * (most + 1)])
    for at, (start, end) in enumerate(wrap(" ".join(safe.split()), room)):
        if at == most:
            return
        piece = " ".join(safe.split())[start:end]
        yield _labelled("" if at else label, [(piece, role)])


def _about(told: Told, cells: int, keys: Mapping[str, str]) -> Iterator[Words]:
    run, room = told.run, max(cells - GUTTER - 2, 10)
    if run.rejected or run.field_problems:
        parts = []
        if run.rejected:
            parts.append(f"{run.rejected} of {run.records + run.rejected} records rejected")
        if run.field_problems:
            parts.append(f"{run.field_problems} fields not recorded")
        yield _labelled(
            "problems",
            [
                (", ".join(parts), "bad"),
                ("   ", ""),
                (keys["runs.problems"], "focus bold"),
                (" reads them", "muted"),
            ],
        )
    yield from _changed(told, cells)
    if run.notes:
        yield from _wrapped("notes", run.notes, "text", cells)
    model = [part for part in (run.model, configuration(run, run.k) if run.retrieval else None) if part]
    config = "   ".join([*map(one_line, model), f"K {run.k}"])
    yield _labelled("model" if run.model else "retrieval", [(cut(config, room), "muted")])
    yield from _verdicts(told)
    tail = (
        f"   {file_size(run.size)}   revision {run.revision}   loaded {when(run.loaded_at, with_year=False)}"
    )
    path = cut_left(one_line(run.path), max(room - len(tail), 12))
    yield _labelled("file", [(path, "bad" if told.gone else "muted"), (cut(tail, room), "faint")])


def _changed(told: Told, cells: int) -> Iterator[Words]:
    base = told.base
    if base is None:
        yield _labelled("changed", [("no baseline: no earlier run of its test set is loaded", "faint")])
        return
    name = cut(preview(base.run.id), 24)
    if not told.entry.config and not base.config:
        return
    found = differences(told.entry, base)
    if not found:
        yield _labelled("changed", [(f"nothing in the configuration against {name}", "muted")])
        return
    says = [f"{one_line(key)} {_worded(now)}, was {_worded(was)}" for key, was, now in found]
    yield from _wrapped("changed", f"against {name}: " + "; ".join(says), "text", cells)


def _worded(value: str | None) -> str:
    return "none" if value is None else cut(one_line(value), 40) or '""'


def _verdicts(told: Told) -> Iterator[Words]:
    figures = told.entry.figures
    if figures is None or not figures.verdicts:
        return
    words: list[tuple[str, str]] = []
    for verdict, count in figures.verdicts.items():
        words += [(f"{count} ", "text"), (f"{LAYER_WORDS.get(verdict, verdict)}   ", verdict)]
    words.append((f"{figures.triaged} of {figures.failing} failing triaged", "muted"))
    yield _labelled("verdicts", words)


class RunStrip(ToldStrip):
    """The run's title, and below it as much as there is room for."""

    told: reactive[Told | None] = reactive(None)

    def __init__(self, keys: Mapping[str, str], *, id: str | None = None) -> None:
        super().__init__(keys, "runs.pane", id=id)
        self._drawn: tuple[object, ...] = ()
        self._body: Sequence[Words] = ()

    def watch_told(self, told: Told | None) -> None:
        """Another run begins at its top."""
        self.title, self.place = (title(told), told.place) if told is not None else ((), "")
        self.refresh()

    def body(self) -> Sequence[Words]:
        """What is told of the run, in lines as the room has them."""
        at = (self.told, self.size)
        if at != self._drawn:
            self._drawn = at
            told = self.told
            self._body = body(told, self.size.width, self.size.height - 1, self._keys) if told else ()
        return self._body
