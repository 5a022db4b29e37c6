"""`triage report --by`: metrics by the values of dimensions, each by itself or two crossed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from triage.cli.options import stack
from triage.cli.output import sentence, table
from triage.cli.words import decimals
from triage.metrics.metric import PANELS
from triage.metrics.registry import BY_KEY, panel
from triage.models.slices import (
    FAILING,
    MOST_ROWS,
    SMALL,
    CrossCell,
    CrossHead,
    CrossTable,
    SliceRow,
    SliceTable,
)
from triage.plain import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triage.metrics.metric import Metric
    from triage.models.measure import MetricValue
    from triage.models.query import Scope
    from triage.workspace import Workspace

MOST = 1000
"""Values of a dimension in JSON, each with all metrics; a table folds sooner (`MOST_ROWS`)."""

slice_options = stack(
    click.option(
        "--by",
        "dimensions",
        multiple=True,
        metavar="DIMENSION",
        help="All metrics by the values of a field, a key or a header key; A,B crosses two. Repeatable.",
    ),
    click.option(
        "--metric",
        "metric",
        default=FAILING,
        metavar="KEY",
        help="What --by tells the cost of. Default: the share of failing cases.",
    ),
)


class Sliced:
    """What `--by` asked for, over one scope.

    Args:
        workspace: where the runs are.
        scope: the run, its K and the filter text.
        dimensions: as given; `a,b` is a crossing unless there is a dimension of that very name.
        metric: a metric's key, or `FAILING`.
        most: values in rows of their own.

    Raises:
        UsageError: no such dimension or metric.
    """

    def __init__(
        self, workspace: Workspace, scope: Scope, dimensions: Sequence[str], metric: str, most: int
    ) -> None:
        names = list(dict.fromkeys(dimensions))
        pairs = {name: tuple(name.split(",")) for name in names if name.count(",") == 1}
        pairs = {name: pair for name, pair in pairs.items() if not workspace.slicing.has(scope, name)}
        single = [name for name in names if name not in pairs]
        self.tables = workspace.slicing.tables(scope, single, metric, most) if single else []
        self.crossings = [
            workspace.slicing.cross(scope, rows.strip(), columns.strip(), metric)
            for rows, columns in pairs.values()
        ]


def sliced(workspace: Workspace, scope: Scope, dimensions: Sequence[str], metric: str, format: str) -> Sliced:
    """What `--by` asks for; raises as `Sliced` does."""
    return Sliced(workspace, scope, dimensions, metric, MOST if format == "json" else MOST_ROWS)


# JSON


def slices_json(found: Sliced) -> dict[str, Any]:
    """What `--by` fills: `slices` as cli.md fixes it, `folded` (the values beyond the most), `crossed`."""
    return {
        "slices": {
            one.dimension.name: {row.value: _row(row) for row in one.rows} for one in found.tables
        },
        "folded": {
            one.dimension.name: {"values": one.tail.folded, **_row(one.tail)}
            for one in found.tables
            if one.tail is not None
        },
        "crossed": {
            f"{one.rows_by.name},{one.columns_by.name}": {
                "metric": one.metric,
                "cells": {
                    head.part.value: {
                        cell.parts[1].value: _cell(cell) for cell in cells if cell is not None
                    }
                    for head, cells in zip(one.rows, one.cells, strict=True)
                },
            }
            for one in found.crossings
        },
    }  # fmt: skip


def _row(row: SliceRow) -> dict[str, Any]:
    beside = {key: value.value for key, value in row.base.items()}
    return {
        "cases": row.cases,
        "failing": row.failing,
        "query": row.query,
        "cost": row.cost,
        "small": row.small,
        "runs": list(row.part.runs),
        "metrics": {key: _metric(value) for key, value in row.metrics.items()},
        "baseline": None if row.base_cases is None else {"cases": row.base_cases, "metrics": beside},
    }


def _metric(value: MetricValue) -> dict[str, Any]:
    return {
        "value": value.value,
        "numerator": value.numerator,
        "denominator": value.denominator,
        "missing": value.missing,
        "interval": None if value.interval is None else list(value.interval),
    }


def _cell(cell: CrossCell) -> dict[str, Any]:
    return {
        "cases": cell.cases,
        "failing": cell.failing,
        "query": cell.query,
        "cost": cell.cost,
        "small": cell.small,
        "metric": None if cell.value is None else _metric(cell.value),
    }


# for people


def slices_lines(found: Sliced) -> list[str]:
    """The tables, costliest slice first, and the crossings."""
    lines: list[str] = []
    for one in found.tables:
        lines += ["", *_table_lines(one)]
    for crossing in found.crossings:
        lines += ["", *_cross_lines(crossing)]
    return lines


def _headlines(one: SliceTable) -> list[Metric]:
    """The table's metric, then the first of each panel that has a value, in the order of the layers."""
    chosen = [] if one.metric == FAILING else [BY_KEY[one.metric]]
    for name in PANELS:
        found = (metric for metric in panel(name) if one.whole.metrics[metric.key].value is not None)
        first = next(found, None)
        if first is not None and first not in chosen:
            chosen.append(first)
    return chosen


def _what(metric: str, k: int) -> str:
    return "the share of failing cases" if metric == FAILING else BY_KEY[metric].titled(k)


def _table_lines(one: SliceTable) -> list[str]:
    count = one.dimension.values or 0
    notes = [
        f"by {one.dimension.name}",
        f"{count} {'range' if one.dimension.binned else 'value'}{'' if count == 1 else 's'}",
        f"cost: what the slice takes from the whole in {_what(one.metric, one.k)}",
    ]
    if one.dimension.kind == "run":
        notes.append("over the loaded runs of the test set")
    elif one.baseline is not None:
        notes.append(f"against the same slice of {one.baseline}")
    elif one.on_results:
        notes.append("selected on results")
    if one.lists:
        notes.append("a case counts in each of its values")
    metrics = _headlines(one)
    heads = ["", "cases", "failing", "share", "cost"]
    for metric in metrics:
        heads += [metric.named(one.k), "n", *(["delta"] if one.baseline is not None else [])]
    heads.append("")
    rows = [
        _cells(row, metrics, one)
        for row in (*one.rows, *((one.tail,) if one.tail is not None else ()), one.whole)
    ]
    right = frozenset(range(1, len(heads) - 1))
    return [sentence(*notes), *table(heads, rows, right=right, indent="  ")]


def _cells(row: SliceRow, metrics: Sequence[Metric], one: SliceTable) -> list[str]:
    cells = [
        row.value if row is not one.whole else "all",
        str(row.cases),
        str(row.failing),
        decimals(row.failing_share),
        "" if row.cost is None else _signed(row.cost),
    ]
    for metric in metrics:
        value = row.metrics[metric.key]
        cells += [decimals(value.value), "" if value.denominator is None else f"{value.denominator:g}"]
        if one.baseline is not None:
            cells.append(_delta(value, row.base.get(metric.key)))
    cells.append(f"small: n < {SMALL}" if row.small and row is not one.whole else "")
    return cells


def _delta(now: MetricValue, base: MetricValue | None) -> str:
    if base is None or base.value is None or now.value is None:
        return ""
    return _signed(now.value - base.value)


def _signed(change: float) -> str:
    return "=" if abs(change) < 5e-5 else f"{change:+.4f}"


def _cross_lines(one: CrossTable) -> list[str]:
    title = f"{one.rows_by.name} by {one.columns_by.name}"
    heads = ["", *(text for head in one.columns for text in (one_line(head.part.value), "n")), "all", "n"]
    rows = []
    for head, cells in zip(one.rows, one.cells, strict=True):
        row = [head.part.value]
        for cell in (*cells, head):
            row += ["", ""] if cell is None else [decimals(_shown(cell)), _behind(cell)]
        rows.append(row)
    last = ["all"]
    for head in (*one.columns, one.whole):
        last += [decimals(_shown(head)), _behind(head)]
    right = frozenset(range(1, len(heads)))
    notes = sentence(title, _what(one.metric, one.k), "selected on results" if one.on_results else "")
    return [notes, *table(heads, [*rows, last], right=right, indent="  ")]


def _shown(cell: CrossCell | CrossHead) -> float | None:
    return cell.share if cell.value is None else cell.value.value


def _behind(cell: CrossCell | CrossHead) -> str:
    """How many cases stand behind a cell's number."""
    if cell.value is None:
        return str(cell.cases)
    return "" if cell.value.denominator is None else f"{cell.value.denominator:g}"
