"""The slice under the cursor, told in sentences below the table."""

from __future__ import annotations

from msgspec import Struct
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from triage.metrics.companions import companions
from triage.metrics.metric import Metric
from triage.models.measure import MetricValue
from triage.models.sentences import CHECK_METRICS
from triage.models.slices import FAILING, SMALL, CrossCell, SliceRow
from triage.plain import cut, one_line
from triage.ui.palette import colours
from triage.ui.widgets.line import Words, clip, length, line, styled
from triage.ui.widgets.panel_model import CHECKING, compared, number
from triage.ui.widgets.slices_model import (
    COUNT,
    base_of,
    between,
    cell_value,
    effect,
    layer_of,
    surely,
    value_of,
)
from triage.ui.work.words import number_of

GUTTER = 11
_VALUE = 48


class Told(Struct, frozen=True):
    """A slice, or two crossed values' cases, with what it is held against.

    Args:
        names: dimension in words and value, one pair or two.
        metric: the metric of the table.
        whole: its value over all cases.
        row, cell: which of both it is.
        against: the baseline as it is named, "" = none.
        why_alone: why nothing is compared although there is a baseline, "" = it is.
        heads: how many cases the cell's row and column have.
        k: of the metric.
        place: `3 of 12`.
        checking: sentences are still to be checked.
    """

    names: tuple[tuple[str, str], ...]
    metric: Metric
    whole: MetricValue | None
    row: SliceRow | None = None
    cell: CrossCell | None = None
    against: str = ""
    why_alone: str = ""
    heads: tuple[int, int] = (0, 0)
    k: int = 3
    place: str = ""
    checking: bool = False


def sentences(told: Told) -> list[tuple[str, Words]]:
    """Label and words of each line: value, baseline, cost, what the metric tells and can't."""
    metric = told.metric
    cell, row = told.cell, told.row
    held = cell if cell is not None else row
    value: MetricValue | None = None
    lines: list[tuple[str, Words]] = []
    if cell is not None and metric.key != COUNT:
        value = cell_value(cell, metric.key)
    elif row is not None:
        value = value_of(row, metric.key)
    if held is not None and metric.key != COUNT:
        lines.append((metric.named(told.k), _value(told, value, held.cases)))
    if row is not None and (against := _against(told, row, value)):
        lines.append((told.against or "baseline", against))
    if held is not None and metric.key != COUNT:
        lines.append(("costs", _cost(told, held.cost)))
    if metric.key == COUNT and cell is not None:
        lines += [_share(told, cell, at) for at in (0, 1)]
    lines.append(("tells", [(metric.tells, "muted")]))
    lines.append(("can't tell", [(metric.does_not_tell, "muted")]))
    return lines


def _share(told: Told, cell: CrossCell, at: int) -> tuple[str, Words]:
    title, value = told.names[at]
    of = told.heads[at]
    share = f"{100 * cell.cases / of:.0f} %" if of else "-"
    return "is", [
        (share, "text bold"),
        (f"  of the {of} with {cut(one_line(title), 28)} {cut(one_line(value), _VALUE)}", "muted"),
    ]


def _value(told: Told, value: MetricValue | None, cases: int) -> Words:
    metric = told.metric
    if value is None or value.value is None:
        if told.checking and metric.key in CHECK_METRICS:
            return [(f"{CHECKING}: its sentences are still being read", "muted")]
        missing = value.missing if value is not None else 0
        why = f"not recorded in {number_of(missing, 'case')}" if missing else "no case in its scope"
        return [(why, "muted")]
    words: list[tuple[str, str]] = [(number(value.value, metric), "text bold")]
    if value.denominator is not None and value.numerator is not None:
        exact = f"{value.numerator:g}/{value.denominator:g}"
        words.append(
            (f"  {exact if metric.is_share or metric.micro else f'n {value.denominator:g}'}", "muted")
        )
    if interval := between(value, metric):
        words.append((f"  95 % {interval}", "muted"))
    # What a metric is never shown without; of two crossed values only the metric itself is known.
    among = told.row.metrics if told.row is not None and told.cell is None else {metric.key: value}
    beside = companions(among).get(metric.key)
    if beside is not None:
        words.append((f"  {beside.text}", "muted"))
    whole = told.whole
    if whole is not None and whole.value is not None:
        tone = surely(value, whole, metric)
        all_of_it = number(whole.value, metric)
        if tone:
            side = "below" if (tone == "worse") == metric.higher_is_better else "above"
            words.append(
                (f"  wholly {side} the {all_of_it} of all", "bad bold" if tone == "worse" else "good")
            )
        else:
            words.append((f"  all have {all_of_it}", "muted"))
    if cases < SMALL:
        words.append(("  few cases", "text"))
    if value.missing:
        words.append((f"  {value.missing} missing", "muted"))
    if value.inferred:
        words.append((f"  {value.inferred} inferred", "muted"))
    return words


def _against(told: Told, row: SliceRow, value: MetricValue | None) -> Words:
    if not told.against:
        return []
    if told.why_alone:
        return [(told.why_alone, "muted")]
    if row.base_cases == 0:
        return [("has no such cases", "muted")]
    base = base_of(row, told.metric.key)
    if value is None or value.value is None or base is None or base.value is None:
        return [("not compared", "muted")] if told.metric.key == FAILING else [("has no value here", "muted")]
    delta, tone = compared(value, base, told.metric)
    words: list[tuple[str, str]] = [(number(base.value, told.metric), "text")]
    if base.numerator is not None and base.denominator is not None:
        shared = told.metric.is_share or told.metric.micro
        behind = f"{base.numerator:g}/{base.denominator:g}" if shared else f"n {base.denominator:g}"
        words.append((f"  {behind}", "muted"))
    if tone == "same":
        words.append(("  the same", "muted"))
    elif tone:
        words.append((f"  {delta} is {tone}", "bad bold" if tone == "worse" else "good"))
    return words


def _cost(told: Told, cost: float | None) -> Words:
    metric, whole = told.metric, told.whole
    said, tone = effect(cost, metric)
    if cost is None or whole is None or whole.value is None:
        return [("nothing that could be told: there are no other cases with a value", "muted")]
    if tone == "same":
        return [("nothing: it is as the others are", "muted")]
    other = whole.value + (cost if metric.higher_is_better else -cost)
    name, now = metric.named(told.k), number(whole.value, metric)
    rest = f"without it {name} would be {number(other, metric)} in place of {now}"
    return [(f"{said} of the whole", "bad" if tone == "worse" else "good"), (f"  {rest}", "muted")]


class SliceStrip(Widget):
    """As many of the sentences as there is room for, under the slice's name."""

    DEFAULT_CSS = "SliceStrip { width: 1fr; }"

    told: reactive[Told | None] = reactive(None)

    def render_line(self, y: int) -> Strip:
        """The line `y`."""
        ink, cells, on = colours(self.app), self.size.width, "raised"
        ground, told = ink("text", on), self.told
        if told is None:
            return Strip.blank(cells, ground)
        if y == 0:
            names, counts = self._names(told), styled(self._counts(told), ink, on)
            place = [(f"{told.place} ", ink("faint", on))]
            room = cells - length(counts) - length(place) - 4
            kept = [*clip(styled(names, ink, on), room), ("  ", ground), *counts]
            return line([(" ", ground), *kept], place, cells, ground)
        lines = sentences(told)
        if y > len(lines):
            return Strip.blank(cells, ground)
        label, words = lines[y - 1]
        first = y == 1 and told.metric.digit.isdigit() and told.metric.key != COUNT
        role = layer_of(told.metric) if first else "faint"
        parts = [(" ", ground), (f"{cut(label, GUTTER - 1):<{GUTTER}}", ink(role, on))]
        return line([*parts, *styled(words, ink, on)], [(" ", ground)], cells, ground)

    def _names(self, told: Told) -> Words:
        words: list[tuple[str, str]] = []
        for title, value in told.names:
            gap = "  " if words else ""
            words += [
                (f"{gap}{cut(one_line(title), 28)} ", "muted"),
                (cut(one_line(value), _VALUE), "text bold"),
            ]
        return words

    def _counts(self, told: Told) -> Words:
        held = told.cell if told.cell is not None else told.row
        if held is None:
            return [("no case has both", "muted")]
        failing = f"  {held.failing} failing" if held.failing else "  none failing"
        return [
            (number_of(held.cases, "case"), "text"),
            (failing, "text" if held.failing else "muted"),
        ]
