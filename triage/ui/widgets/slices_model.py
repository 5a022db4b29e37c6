"""What the Slices screen shows, worked out without a screen: the question, its rows, their words."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from triage.metrics.interval import wilson
from triage.metrics.metric import PANELS, Metric
from triage.metrics.registry import BY_KEY, METRICS
from triage.models.measure import MetricValue
from triage.models.sentences import CHECK_METRICS
from triage.models.slices import FAILING, CrossCell, CrossHead, SliceRow, SliceTable
from triage.plain import preview
from triage.ui.palette import CLASS_KEYS
from triage.ui.widgets.panel_model import CHECKING, Tone, compared, number

COUNT = "cases"
"""Stands for a metric where two crossed dimensions are only counted, as in a confusion table."""
NONE = "-"
"""Stands where there is no value."""
FEW = "few"
"""Said beside the cases of a small slice."""
SORTS: tuple[tuple[str, str, str, str], ...] = (
    ("cost", "what it costs the whole", "most first", "least first"),
    ("value", "the metric", "worst first", "best first"),
    ("delta", "the delta to the baseline", "worst first", "best first"),
    ("cases", "cases", "most first", "fewest first"),
    ("failing", "failing cases", "most first", "fewest first"),
    ("name", "the value's name", "a to z", "z to a"),
)
"""Orders of the rows: key, name, what the order is, and what it is turned round."""

Mode = Literal["one", "all", "cross"]
Look = Literal["worse", "fine", "plain"]
"""How a count of two crossed values is to be seen: as what should not be, as what should, as neither."""

FAILED = Metric(
    FAILING,
    "failing cases",
    "failing",
    "generation",
    " ",
    "share of cases that fail: an error, `passed` false, or a suggested class",
    "in which layer: the metrics tell",
    higher_is_better=False,
    is_share=True,
    scale="share",
)
"""The share of failing cases, told as a metric is."""
COUNTED = Metric(
    COUNT,
    "cases",
    "cases",
    "generation",
    " ",
    "how many cases have both values",
    "how good their answers are: a metric tells",
    is_share=True,
    scale="share",
)
"""How many cases there are, told as a metric is."""


class Question(Struct, frozen=True):
    """What is asked.

    Args:
        by: a dimension's name.
        metric: a metric's key, `FAILING` or, of two crossed dimensions, `COUNT`.
        mode: one metric, all metrics, or one by two crossed dimensions.
        cross: the second dimension's name; kept while it is not crossed.
        most: how many values are shown one by one; None = as many as the workspace shows.
    """

    by: str
    metric: str
    mode: Mode = "one"
    cross: str = ""
    most: int | None = None


class Order(Struct, frozen=True):
    """How the rows are sorted: a key of `SORTS`, and whether it is turned round."""

    key: str = "cost"
    turned: bool = False

    @classmethod
    def read(cls, text: str) -> Order:
        """As it was remembered: `cases`, `-cases`; what is not known is the default."""
        key = text.removeprefix("-")
        if key not in {sort[0] for sort in SORTS}:
            return cls()
        return cls(key, text.startswith("-"))

    def written(self) -> str:
        """As it is remembered."""
        return f"-{self.key}" if self.turned else self.key

    def said(self) -> str:
        """`by what it costs the whole, most first`."""
        _, name, natural, turned = next(sort for sort in SORTS if sort[0] == self.key)
        return f"by {name}, {turned if self.turned else natural}"


def metric_of(key: str) -> Metric:
    """A metric by its key, `FAILING` and `COUNT` among them; one that is not known is the failing share."""
    own = {FAILING: FAILED, COUNT: COUNTED}
    return own.get(key) or BY_KEY.get(key) or FAILED


def layer_of(metric: Metric) -> str:
    """The colour role of a metric's layer."""
    return CLASS_KEYS[int(metric.digit) - 1] if metric.digit.isdigit() else "text"


def failed(failing: int, cases: int) -> MetricValue:
    """The share of failing cases as a metric's value."""
    share = failing / cases if cases else None
    return MetricValue(FAILING, share, failing, cases, 0, 0, wilson(failing, cases), failing)


def value_of(row: SliceRow, key: str) -> MetricValue | None:
    """A metric of a slice's cases."""
    if key == FAILING:
        return failed(row.failing, row.cases)
    return row.metrics.get(key)


def base_of(row: SliceRow, key: str) -> MetricValue | None:
    """The same of the baseline's same slice."""
    return row.base.get(key)


def cell_value(cell: CrossCell | CrossHead, key: str) -> MetricValue | None:
    """A metric of two crossed values' cases."""
    if key in (FAILING, COUNT):
        return failed(cell.failing, cell.cases)
    return cell.value


def surely(value: MetricValue | None, whole: MetricValue | None, metric: Metric) -> Tone:
    """Does the interval of a value lie wholly on the bad ("worse") or good side of the whole's value?"""
    if value is None or whole is None or value.interval is None or whole.value is None:
        return ""
    low, high = value.interval
    if high < whole.value:
        return "worse" if metric.higher_is_better else "better"
    if low > whole.value:
        return "better" if metric.higher_is_better else "worse"
    return ""


def effect(cost: float | None, metric: Metric) -> tuple[str, Tone]:
    """What a slice does to the whole, with the sign of the metric: `-.024` where it pulls it down."""
    if cost is None:
        return "", ""
    change = -cost if metric.higher_is_better else cost
    if abs(cost) < 5e-5:
        return "=", "same"
    return number(change, metric, signed=True), "worse" if cost > 0 else "better"


def between(value: MetricValue | None, metric: Metric) -> str:
    """A 95 % interval, `.564-.829`; "" where there is none."""
    if value is None or value.interval is None:
        return ""
    low, high = value.interval
    return f"{number(low, metric)}-{number(high, metric)}"


class Line(Struct, frozen=True):
    """One slice as its row shows it: texts that are safe to print; the widgets cut and paint them.

    `tone` is of the value against the whole, where the interval is sure of it.
    """

    row: SliceRow
    name: str
    cases: str
    few: bool
    failing: str
    value: str
    interval: str
    tone: Tone
    delta: str
    delta_tone: Tone
    cost: str
    cost_tone: Tone
    at: float | None
    low: float | None
    high: float | None

    @property
    def tail(self) -> bool:
        """Does it stand for many values?"""
        return bool(self.row.folded)


class Axis(Struct, frozen=True):
    """The part of a metric's scale on which the values of a table lie apart; `whole` is the whole's value."""

    low: float
    high: float
    whole: float | None

    def place(self, value: float, cells: int) -> int:
        """The cell (0-based) of `cells` in which a value lies."""
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return round(min(max(share, 0.0), 1.0) * (cells - 1))


class OneModel(Struct, frozen=True):
    """One metric by one dimension: rows in order, the tail last, and the whole."""

    table: SliceTable
    metric: Metric
    lines: tuple[Line, ...]
    whole: Line
    axis: Axis
    total: int

    @property
    def compares(self) -> bool:
        """Is there a baseline with such slices?"""
        return self.table.baseline is not None and any(line.row.base for line in self.lines)


def named(value: str) -> str:
    """A value as a list shows it; one of blanks alone in quotes, since nothing would be seen of it."""
    return preview(value) if value.strip() else preview(json.dumps(value))


def said(value: MetricValue | None, metric: Metric, checking: bool) -> str:
    """A metric's value in a cell: `.833`, `-` where there is none, `checking` where it is to come."""
    if value is not None and value.value is not None:
        return number(value.value, metric)
    return CHECKING if checking and metric.key in CHECK_METRICS else NONE


def line_of(row: SliceRow, whole: SliceRow, metric: Metric, *, costs: bool, checking: bool = False) -> Line:
    """A slice as its row shows it; without `costs` what it costs is still being worked out."""
    key = metric.key
    value, of_all = value_of(row, key), value_of(whole, key)
    # What the baseline's failing cases are is not compared: only metrics are.
    delta, delta_tone = compared(value, base_of(row, key), metric) if value is not None else ("", "")
    if not delta and row.base_cases == 0:
        delta = "new"
    cost, cost_tone = effect(row.cost, metric) if costs else ("-", "")
    there = value is not None and value.value is not None
    interval = value.interval if value is not None else None
    return Line(
        row=row,
        name=named(row.value) if row is not whole else "whole",
        cases=str(row.cases),
        few=row.small and row is not whole,
        failing=str(row.failing),
        value=said(value, metric, checking),
        interval=between(value, metric) if there else "",
        tone=surely(value, of_all, metric) if row is not whole else "",
        delta=delta,
        delta_tone=delta_tone,
        cost=cost if row is not whole else "",
        cost_tone=cost_tone if row is not whole else "",
        at=value.value if value is not None else None,
        low=interval[0] if interval is not None else None,
        high=interval[1] if interval is not None else None,
    )


def one(table: SliceTable, key: str, order: Order, text: str = "") -> OneModel:
    """One metric of a table, in an order; those rows alone whose value holds every word of `text`."""
    metric = metric_of(key)
    costs = table.metric == metric.key

    def line(row: SliceRow) -> Line:
        return line_of(row, table.whole, metric, costs=costs, checking=table.checking)

    whole = line(table.whole)
    lines = arranged([line(row) for row in table.rows], order, metric, text)
    if table.tail is not None and not text.strip():
        lines.append(line(table.tail))
    return OneModel(table, metric, tuple(lines), whole, axis_of(lines, whole, metric), len(table.rows))


def arranged(lines: Sequence[Line], order: Order, metric: Metric, text: str = "") -> list[Line]:
    """The lines that hold every word of `text`, in an order; what has no value stands last either way."""
    words = text.casefold().split()
    kept = [line for line in lines if all(word in line.name.casefold() for word in words)]
    if order.key == "name":
        kept.sort(key=lambda line: line.name.casefold(), reverse=order.turned)
        return kept
    good = 1 if metric.higher_is_better else -1

    def rank(line: Line) -> float | None:
        row = line.row
        if order.key == "cost":
            return row.cost
        if order.key == "value":
            return None if line.at is None else -good * line.at
        if order.key == "delta":
            base = base_of(row, metric.key)
            there = base is not None and base.value is not None and line.at is not None
            return -good * (line.at - base.value) if there else None  # type: ignore[operator,union-attr]
        return row.cases if order.key == "cases" else row.failing

    ranks = [(line, rank(line)) for line in kept]
    there = [(line, value) for line, value in ranks if value is not None]
    there.sort(key=lambda pair: pair[1], reverse=not order.turned)
    return [line for line, _ in there] + [line for line, value in ranks if value is None]


def axis_of(lines: Sequence[Line], whole: Line, metric: Metric) -> Axis:
    """The part of the scale that the values take, rounded outward; small slices' wide intervals are cut."""
    ends = [line.at for line in [*lines, whole]]
    few = sum(line.few for line in lines)
    for line in lines:
        if not line.few or 2 * few > len(lines):
            ends += [line.low, line.high]
    there = [end for end in ends if end is not None]
    judged = metric.scale == "judge"
    step, least, most = (0.5, 0.0, 5.0) if judged else (0.1, 0.0, 1.0)
    if not there:
        return Axis(least, most, whole.at)
    low = int((min(there) + 1e-9) / step) * step
    high = -int(-(max(there) - 1e-9) // step) * step
    if high - low < 2 * step:
        low, high = high - 2 * step, high
    if low < least:
        low, high = least, max(high, least + 2 * step)
    return Axis(round(low, 6), round(max(high, low + step), 6), whole.at)


def recorded(values: Mapping[str, MetricValue], checking: bool = False) -> list[Metric]:
    """The metrics that have a value over all cases, or will have one once the sentences are checked, in the
    order of the registry.
    """
    found = []
    for metric in METRICS:
        value = values.get(metric.key)
        if (value is not None and value.value is not None) or (checking and metric.key in CHECK_METRICS):
            found.append(metric)
    return found


def headlines(metrics: Sequence[Metric], count: int) -> list[Metric]:
    """The metrics with the `count` headline ones of all panels first; each part in the order given."""
    by_panel = [[metric for metric in metrics if metric.panel == name] for name in PANELS]
    picked: list[Metric] = []
    for at in range(max((len(panel) for panel in by_panel), default=0)):
        picked += [panel[at] for panel in by_panel if at < len(panel)]
    keys = {metric.key for metric in picked[:count]}
    return [one for one in metrics if one.key in keys] + [one for one in metrics if one.key not in keys]
