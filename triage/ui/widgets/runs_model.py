"""What the list of runs shows, worked out without a screen: which runs, in what order, their numbers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Literal

from msgspec import Struct

from triage.metrics.registry import BY_KEY, METRICS
from triage.models.run import configuration
from triage.models.run_list import RunEntry
from triage.plain import preview, width
from triage.ui.widgets.panel_model import Tone, compared, number
from triage.workspace.run_list import file_size, headlines, recorded, runs_of_family, value_of

SORTS: tuple[tuple[str, str, str, str], ...] = (
    ("when", "when", "newest first", "oldest first"),
    ("id", "run id", "a to z", "z to a"),
    ("set", "test set", "a to z", "z to a"),
    ("kb", "kb version", "a to z", "z to a"),
    ("n", "n", "most cases first", "fewest first"),
    ("rejected", "rejected records", "most first", "fewest first"),
    ("size", "size", "largest first", "smallest first"),
    ("failing", "failing", "most first", "fewest first"),
    ("left", "left to triage", "most first", "least first"),
)
"""Sort keys beside the metrics: key, name, what the order is, and what it is turned round."""
BLOCKS = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587"
"""Eighths of a cell; the whole one would run into the row above.

Their width class is A, so they stand in the last column of a row alone (look.md section 4).
"""
Mark = Literal["shown", "against", "no file", "new", "pinned", ""]


class Order(Struct, frozen=True):
    """How the runs are sorted: a key of `SORTS` or a metric's, and whether it is turned round."""

    key: str = "when"
    turned: bool = False

    @classmethod
    def read(cls, text: str | None) -> Order:
        """As it was remembered: `n`, `-n`; what is not known is the default."""
        key = (text or "").removeprefix("-")
        if key not in BY_KEY and key not in {sort[0] for sort in SORTS}:
            return cls()
        return cls(key, (text or "").startswith("-"))

    def written(self) -> str:
        """As it is remembered."""
        return f"-{self.key}" if self.turned else self.key

    def said(self, k: int) -> str:
        """`by when, newest first`."""
        for key, name, natural, turned in SORTS:
            if key == self.key:
                return f"by {name}, {turned if self.turned else natural}"
        return f"by {BY_KEY[self.key].titled(k)}, {'worst' if self.turned else 'best'} first"


class Figured(Struct, frozen=True):
    """A metric of a run as its cells show it: `-` while it is not known, "" where it is not recorded."""

    value: str = ""
    delta: str = ""
    tone: Tone = ""


class RunLine(Struct, frozen=True):
    """One run as its row shows it: texts that are safe to print; the widget cuts and paints them.

    `trend` are the levels (0..6, None = no value) of the chosen metric over the runs of the test set up to
    this one, oldest first.
    """

    entry: RunEntry
    mark: Mark
    when: str
    id: str
    test_set: str
    kb: str
    config: str
    records: str
    rejected: str
    size: str
    revision: str
    headlines: tuple[Figured, ...]
    failing: str
    left: bool
    triaged: str
    chosen: Figured
    trend: tuple[int | None, ...]


class RunsModel(Struct, frozen=True):
    """All of it, in the order shown. `keys` are the headline metrics, `metric` is the chosen one."""

    lines: tuple[RunLine, ...]
    keys: tuple[str, ...]
    metric: str
    k: int
    total: int
    sets: int
    metrics: tuple[str, ...]
    """Every metric that some run has, in the order of the registry."""

    def place(self, run_id: str | None) -> int | None:
        """Where a run stands, None where it is not shown."""
        return next((at for at, line in enumerate(self.lines) if line.entry.run.id == run_id), None)


class Prepared(Struct, frozen=True):
    """Every run as a line, in no order yet, with what they have in common: see `RunsModel`."""

    lines: dict[str, RunLine]
    keys: tuple[str, ...]
    metric: str
    k: int
    sets: int
    metrics: tuple[str, ...]


def prepare(
    entries: Sequence[RunEntry],
    *,
    shown: str | None,
    against: str | None,
    metric: str | None,
    new: Collection[str] = (),
) -> Prepared:
    """The lines of these runs.

    Args:
        entries: every loaded run.
        shown, against: ids of the run on the Triage screen and of its baseline.
        metric: whose trend is drawn; one that no run has gives way to the first headline.
        new: ids of those that came while files were followed, and were not opened.
    """
    keys = tuple(headlines(entries))
    known = tuple(one.key for one in METRICS if any(recorded(entry, one.key) for entry in entries))
    chosen = metric if metric in known else next(iter(keys), metric or "hit")
    ks = {entry.run.k for entry in entries}
    k = entries[0].run.k if entries else 3
    trends = _trends(entries, chosen)
    one_year = len({entry.run.created_at[:4] for entry in entries}) < 2
    lines = {
        entry.run.id: _line(entry, keys, chosen, trends, _mark(entry, shown, against, new), one_year)
        for entry in entries
    }
    sets = len({entry.family for entry in entries})
    return Prepared(lines, keys, chosen, k if len(ks) < 2 else 0, sets, known)


def arrange(made: Prepared, order: Order, text: str = "") -> RunsModel:
    """The lines in an order; those alone that hold every word of `text`, anywhere."""
    words = text.casefold().split()
    entries = ordered([line.entry for line in made.lines.values()], order)
    lines = [made.lines[entry.run.id] for entry in entries]
    if words:
        lines = [line for line in lines if all(word in _haystack(line) for word in words)]
    return RunsModel(tuple(lines), made.keys, made.metric, made.k, len(made.lines), made.sets, made.metrics)


def name_of(key: str, k: int, *, short: bool = True) -> str:
    """A metric's name; where the runs have different K (`k` 0) it says so: `Hit@K`."""
    metric = BY_KEY[key]
    if not k:
        return (metric.short if short else metric.title).replace("{k}", "K")
    return metric.named(k) if short else metric.titled(k)


def ordered(entries: Sequence[RunEntry], order: Order) -> list[RunEntry]:
    """The runs sorted; what has no value stands last either way, ties the newest first."""
    newest = sorted(
        entries, key=lambda one: (one.run.created_at, one.run.loaded_at, one.run.id), reverse=True
    )
    valued = [(one, _sort_value(one, order.key)) for one in newest]
    there = [(one, value) for one, value in valued if value is not None]
    downward = order.key not in ("id", "set", "kb")
    if order.key in BY_KEY:
        downward = BY_KEY[order.key].higher_is_better
    if order.key == "when":
        there = list(reversed(there)) if order.turned else there
    else:
        there.sort(key=lambda pair: pair[1], reverse=downward != order.turned)
    return [one for one, _ in there] + [one for one, value in valued if value is None]


def _sort_value(entry: RunEntry, key: str) -> tuple[int, float, str] | None:
    run, figures = entry.run, entry.figures
    words = {
        "id": run.id,
        "set": f"{run.dataset} {run.dataset_version or ''}" if run.dataset else None,
        "kb": run.kb_version,
    }
    if key in words:
        text = words[key]
        return None if text is None else (0, 0.0, text.casefold())
    numbers: dict[str, float | None] = {
        "when": 0.0,
        "n": run.records,
        "rejected": run.rejected,
        "size": run.size,
        "failing": figures.failing if figures is not None else None,
        "left": figures.failing - figures.triaged if figures is not None else None,
    }
    value = numbers[key] if key in numbers else value_of(entry, key)
    return None if value is None else (0, float(value), "")


def _mark(entry: RunEntry, shown: str | None, against: str | None, new: Collection[str]) -> Mark:
    if entry.run.id == shown:
        return "shown"
    if entry.run.id == against:
        return "against"
    if entry.present is False:
        return "no file"
    if entry.run.id in new:
        return "new"
    return "pinned" if entry.pinned else ""


def when(stamp: str, *, with_year: bool) -> str:
    """A UTC time as local `11-29 10:41`, or `2026-11-29` where the year matters."""
    try:
        time = datetime.fromisoformat(stamp).astimezone()
    except (ValueError, OverflowError, OSError):
        return preview(stamp)
    return time.strftime("%Y-%m-%d" if with_year else "%m-%d %H:%M")


def test_set_of(entry: RunEntry) -> str:
    """`support-zh v3`."""
    run = entry.run
    version = preview(run.dataset_version or "")
    return f"{preview(run.dataset or '')} {'v' if version[:1].isdigit() else ''}{version}".strip()


def figured(entry: RunEntry, key: str) -> Figured:
    """A metric of a run, with its delta to its baseline."""
    if entry.figures is None:
        return Figured("-")
    value = entry.figures.metrics.get(key)
    if value is None or value.value is None:
        return Figured()
    metric = BY_KEY[key]
    return Figured(number(value.value, metric), *compared(value, entry.figures.base_metrics.get(key), metric))


def _line(
    entry: RunEntry,
    keys: Sequence[str],
    chosen: str,
    trends: dict[str, tuple[int | None, ...]],
    mark: Mark,
    one_year: bool,
) -> RunLine:
    run, figures = entry.run, entry.figures
    failing = triaged = "-"
    left = False
    if figures is not None:
        failing = str(figures.failing)
        left = figures.triaged < figures.failing
        done = "all" if not left else str(figures.triaged) if figures.triaged else ""
        triaged = done if figures.failing else ""
    return RunLine(
        entry=entry,
        mark=mark,
        when=when(run.created_at, with_year=not one_year),
        id=preview(run.id),
        test_set=test_set_of(entry),
        kb=preview(run.kb_version or ""),
        config=preview(configuration(run, run.k)) if run.retrieval else "",
        records=str(run.records),
        rejected=str(run.rejected) if run.rejected else "",
        size=file_size(run.size),
        revision=str(run.revision),
        headlines=tuple(figured(entry, key) for key in keys),
        failing=failing,
        left=left,
        triaged=triaged,
        chosen=figured(entry, chosen),
        trend=trends.get(run.id, ()),
    )


def _haystack(line: RunLine) -> str:
    run = line.entry.run
    parts = (run.id, line.test_set, line.kb, line.config, line.mark, run.model, run.notes, run.path)
    return " ".join(part for part in parts if part).casefold()


TREND = 60
"""Most runs of a trend: no row has more cells for it."""


def _trends(entries: Sequence[RunEntry], key: str) -> dict[str, tuple[int | None, ...]]:
    """Of each run: the metric's levels over its test set's runs up to it, all on one scale."""
    out: dict[str, tuple[int | None, ...]] = {}
    for family in runs_of_family(entries).values():
        values = [value_of(entry, key) for entry in family]
        there = [value for value in values if value is not None]
        if not there:
            continue
        low, high = min(there), max(there)
        levels = tuple(None if value is None else _level(value, low, high) for value in values)
        for at, entry in enumerate(family, 1):
            if values[at - 1] is not None:
                out[entry.run.id] = levels[max(at - TREND, 0) : at]
    return out


def _level(value: float, low: float, high: float) -> int:
    top = len(BLOCKS) - 1
    # Where nothing moves, a line in the middle says so.
    return top // 2 if high - low < 1e-9 else round((value - low) / (high - low) * top)


def longest(lines: Sequence[RunLine], name: str) -> int:
    """Cells of the longest text of a column."""
    return max((width(getattr(line, name)) for line in lines), default=0)
