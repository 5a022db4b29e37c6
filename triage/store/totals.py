"""What many cases add up to: aggregates of every metric, and the counts beside the list.

Counts of bits are taken in one pass of plain integers: a hundred SQL sums over a hundred thousand rows
would take ten times as long.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from triage.models.case import Counts
from triage.models.measure import CLASSES, Aggregate
from triage.models.query import Scope
from triage.store import selection
from triage.store.columns import MetricColumn, columns

if TYPE_CHECKING:
    from triage.models.run import RunSummary
    from triage.store.filter import Where

_Masks = tuple[int, int, int, int, int, int]
_NOTHING = Aggregate()
_WHOLE = "FROM measures m WHERE m.view = ?"

GENERATION_METRICS = ("faithfulness", "answer_correctness")
"""A failing case that one of these calls bad falls short in generation (look.md section 9)."""


class Totals:
    """What a whole view adds up to, counted once when it is finished: its patterns, and the sums of its
    means.
    """

    def __init__(self, sql: sqlite3.Connection, view: int) -> None:
        self._view = view
        self._patterns = _count_patterns(sql, _WHOLE, [view])
        self._sums = _add_up(sql, columns(sql), _masks(sql, self._patterns), _WHOLE, [view])

    def keep(self, sql: sqlite3.Connection) -> None:
        """Write them down. Call inside the transaction that finishes the view."""
        sql.executemany(
            "INSERT INTO view_patterns (view, pattern, cases) VALUES (?, ?, ?)",
            [(self._view, pattern, cases) for pattern, cases in self._patterns.items()],
        )
        sql.executemany(
            "INSERT INTO view_sums (view, key, total, weight) VALUES (?, ?, ?, ?)",
            [(self._view, key, *sums) for key, sums in self._sums.items()],
        )


def _count_patterns(sql: sqlite3.Connection, text: str, params: list[Any]) -> dict[int, int]:
    """How many cases of a selection have each pattern."""
    return {key: cases for (key,), cases in Counter(sql.execute(f"SELECT m.pattern {text}", params)).items()}


def _masks(sql: sqlite3.Connection, patterns: dict[int, int]) -> list[_Masks]:
    """Each pattern's cases, and its bits: missing, inferred, worse, have, ones."""
    statement = "SELECT missing, inferred, worse, have, ones FROM patterns WHERE pk = ?"
    return [(cases, *sql.execute(statement, (pattern,)).fetchone()) for pattern, cases in patterns.items()]


def _add_up(
    sql: sqlite3.Connection,
    metrics: Sequence[MetricColumn],
    masks: list[_Masks],
    text: str,
    params: list[Any],
) -> dict[str, tuple[float, float]]:
    """Sum and weight of the metrics that have a value and are more than a share."""
    seen = 0
    for *_, have, _ in masks:
        seen |= have
    wanted = [metric for metric in metrics if metric.mask & seen and not metric.is_share]
    if not wanted:
        return {}
    sums = ", ".join(
        f"total(m.{metric.name}_n), total(m.{metric.name}_d)"
        if metric.micro
        else f"total(m.{metric.name}), 0"
        for metric in wanted
    )
    found = sql.execute(f"SELECT {sums} {text}", params).fetchone()
    return {metric.key: (found[2 * at], found[2 * at + 1]) for at, metric in enumerate(wanted)}


def aggregates(sql: sqlite3.Connection, run: RunSummary, view: int, where: Where) -> dict[str, Aggregate]:
    """Every measured metric summed over the cases that pass the filter."""
    metrics = columns(sql)
    query = selection.base(sql, run, view, where)
    patterns = _patterns_of(sql, query)
    masks = _masks(sql, patterns)
    if query.conditions:
        sums = _add_up(sql, metrics, masks, *query.sql(""))
    else:
        kept = sql.execute("SELECT key, total, weight FROM view_sums WHERE view = ?", (view,))
        sums = {key: (total, weight) for key, total, weight in kept}
    return aggregate_all(metrics, masks, sums)


def aggregate_all(
    metrics: Sequence[MetricColumn],
    masks: Sequence[_Masks],
    sums: Mapping[str, tuple[float, float]],
) -> dict[str, Aggregate]:
    """Every metric from counted patterns (cases; missing, inferred, worse, have, ones) and sums."""
    seen = 0
    for _, missing, _, _, have, _ in masks:
        seen |= missing | have
    return {
        metric.key: _aggregate(metric, masks, sums) if metric.mask & seen else _NOTHING for metric in metrics
    }


def _patterns_of(sql: sqlite3.Connection, query: selection.Query) -> dict[int, int]:
    if query.conditions:
        return _count_patterns(sql, *query.sql(""))
    return dict(sql.execute("SELECT pattern, cases FROM view_patterns WHERE view = ?", (query.view,)))


def _aggregate(
    metric: MetricColumn,
    masks: Sequence[_Masks],
    sums: Mapping[str, tuple[float, float]],
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
    groups: Counter[tuple[int, str, str, int]] = Counter()
    statement = f"SELECT lead, class, layers, (worse & {bad}) <> 0 FROM patterns WHERE pk = ?"
    for pattern, cases in _patterns_of(sql, query).items():
        groups[sql.execute(statement, (pattern,)).fetchone()] += cases
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
