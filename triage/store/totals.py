"""What many cases add up to: aggregates of every metric, and the counts beside the list.

Counts of bits are taken in one pass of plain integers: a hundred SQL sums over a hundred thousand rows
would take ten times as long.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from triage.models.measure import CLASSES, Aggregate, FailureClass
from triage.models.query import Scope
from triage.store import selection
from triage.store.columns import MetricColumn, columns

if TYPE_CHECKING:
    from triage.models.run import RunSummary
    from triage.store.filter import Where

GENERATION_METRICS = ("faithfulness", "answer_correctness")
"""A failing case that one of these calls bad falls short in generation (look.md section 9)."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Cases under a filter text, counted; the words are those of `RunView`."""

    matching: int
    failing: int
    reviewed: int
    triaged: int
    classes: dict[FailureClass, int]
    verdicts: dict[str, int]
    layer_fails: dict[FailureClass, int]
    generation_fails: int
    class_free: int


def aggregates(sql: sqlite3.Connection, run: RunSummary, view: int, where: Where) -> dict[str, Aggregate]:
    """Every measured metric summed over the cases that pass the filter."""
    metrics = columns(sql)
    text, params = selection.base(sql, run, view, where).sql("")
    masks = [
        (
            cases,
            *sql.execute(
                "SELECT missing, inferred, worse, have, ones FROM patterns WHERE pk = ?", key
            ).fetchone(),
        )
        for key, cases in Counter(sql.execute(f"SELECT m.pattern {text}", params)).items()
    ]
    seen = 0
    for *_, have, _ in masks:
        seen |= have
    sums = _sums(
        sql, [metric for metric in metrics if metric.mask & seen and not metric.is_share], text, params
    )
    return {metric.key: _aggregate(metric, masks, sums) for metric in metrics}


def _sums(
    sql: sqlite3.Connection, metrics: list[MetricColumn], text: str, params: list[object]
) -> dict[str, tuple[float, float]]:
    if not metrics:
        return {}
    wanted = ", ".join(
        f"total({metric.name}_n), total({metric.name}_d)" if metric.micro else f"total({metric.name}), 0"
        for metric in metrics
    )
    found = sql.execute(f"SELECT {wanted} {text}", params).fetchone()
    return {metric.key: (found[2 * at], found[2 * at + 1]) for at, metric in enumerate(metrics)}


def _aggregate(
    metric: MetricColumn,
    masks: list[tuple[int, int, int, int, int, int]],
    sums: dict[str, tuple[float, float]],
) -> Aggregate:
    mask = metric.mask
    missing = inferred = worst = count = ones = 0
    for cases, missing_bits, inferred_bits, worse_bits, have_bits, one_bits in masks:
        if have_bits & mask:
            count += cases
            if inferred_bits & mask:
                inferred += cases
            if worse_bits & mask:
                worst += cases
            if one_bits & mask:
                ones += cases
        elif missing_bits & mask:
            missing += cases
    total, weight = sums.get(metric.key, (0.0, 0.0))
    return Aggregate(
        total=float(ones) if metric.is_share else total,
        count=count,
        weight=weight if metric.micro else float(count),
        missing=missing,
        inferred=inferred,
        worst=worst,
    )


def counts(sql: sqlite3.Connection, run: RunSummary, view: int, where: Where) -> Counts:
    """How many cases pass the filter, fail, are reviewed, and how they fail."""
    bad = 0
    for metric in columns(sql):
        if metric.key in GENERATION_METRICS:
            bad |= metric.mask
    query = selection.base(sql, run, view, where)
    text, params = query.sql("")
    groups: Counter[tuple[int, str, str, int]] = Counter()
    for key, cases in Counter(sql.execute(f"SELECT m.pattern {text}", params)).items():
        found = sql.execute(
            f"SELECT lead, class, layers, (worse & {bad}) <> 0 FROM patterns WHERE pk = ?", key
        )
        groups[found.fetchone()] += cases
    failing = {key: cases for key, cases in groups.items() if key[0] != selection.NOT_FAILING}
    text, params = selection.reviewed(query)
    verdicts = sql.execute(f"SELECT r.verdict, m.lead, count(*) {text} GROUP BY 1, 2", params).fetchall()
    by_verdict: Counter[str] = Counter()
    for verdict, _, cases in verdicts:
        by_verdict[verdict] += cases
    return Counts(
        matching=groups.total(),
        failing=sum(failing.values()),
        reviewed=by_verdict.total(),
        triaged=sum(cases for _, lead, cases in verdicts if lead != selection.NOT_FAILING),
        classes={
            name: sum(n for (_, found, _, _), n in failing.items() if found == name) for name in CLASSES
        },
        verdicts=dict(by_verdict),
        layer_fails={
            name: sum(n for (_, _, layers, _), n in failing.items() if layers[at] not in ". ")
            for at, name in enumerate(CLASSES)
        },
        generation_fails=sum(n for (_, found, _, low), n in failing.items() if low or not found),
        class_free=sum(n for (_, found, _, _), n in failing.items() if not found),
    )


def count(sql: sqlite3.Connection, run: RunSummary, view: int, scope: Scope, where: Where) -> int:
    """How many cases a scope has, in any order."""
    text, params = selection.scoped(sql, run, view, scope, where).sql("")
    return int(sql.execute(f"SELECT count(*) {text}", params).fetchone()[0])
