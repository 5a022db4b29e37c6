"""What many cases add up to: aggregates of every metric, and the counts beside the list.

Counts of bits are taken in one pass of plain integers: a hundred SQL sums over a hundred thousand rows
would take ten times as long.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from triage.models.case import Counts
from triage.models.measure import CLASSES, Aggregate
from triage.models.query import Scope
from triage.store import selection, versions
from triage.store.columns import MetricColumn, columns

if TYPE_CHECKING:
    from triage.models.run import RunSummary
    from triage.store.filter import Where

_Masks = tuple[int, int, int, int, int, int]
_NOTHING = Aggregate()
_WHOLE = "FROM measures m WHERE m.view = ?"
_CHOSEN = "FROM temp.chosen m"
"""The cases that pass the filter, with what is counted of them; `m` as in every selection."""

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
        ", ".join(f"total(m.{name})" for name in _names(metric)) + ("" if metric.micro else ", 0")
        for metric in wanted
    )
    found = sql.execute(f"SELECT {sums} {text}", params).fetchone()
    return {metric.key: (found[2 * at], found[2 * at + 1]) for at, metric in enumerate(wanted)}


class Summed(Struct, frozen=True):
    """What the cases that pass a filter add up to: how many there are of each kind, and every metric.

    `checked`: the metrics hold what the sentence check says.
    """

    counts: Counts
    aggregates: dict[str, Aggregate]
    checked: bool


def holds_checks(sql: sqlite3.Connection, view: int) -> bool:
    """Do a view's measures hold what the sentence check of this program says?"""
    found = sql.execute("SELECT checked FROM views WHERE pk = ?", (view,)).fetchone()
    return found is not None and found[0] == versions.checked()


def summed(sql: sqlite3.Connection, run: RunSummary, view: int, where: Where) -> Summed:
    """What the cases of a view that pass the filter add up to; the filter is asked once."""
    metrics = columns(sql)
    query = selection.base(sql, run, view, where)
    checked = holds_checks(sql, view)
    if not query.conditions:
        patterns = dict(sql.execute("SELECT pattern, cases FROM view_patterns WHERE view = ?", (view,)))
        kept = sql.execute("SELECT key, total, weight FROM view_sums WHERE view = ?", (view,))
        sums = {key: (total, weight) for key, total, weight in kept}
        text, params = selection.reviewed(query)
        return Summed(
            _counts(sql, patterns, _verdicts(sql, "m.lead", text, params)),
            aggregate_all(metrics, _masks(sql, patterns), sums),
            checked,
        )
    _choose(sql, metrics, query)
    try:
        patterns = _count_patterns(sql, _CHOSEN, [])
        masks = _masks(sql, patterns)
        sums = _add_up(sql, metrics, masks, _CHOSEN, [])
        text = """FROM reviews_now r CROSS JOIN cases c ON c.rev = ? AND c.case_id = r.case_id
            CROSS JOIN temp.chosen m ON m.case_pk = c.pk CROSS JOIN patterns t ON t.pk = m.pattern
            WHERE r.run_id = ? AND r.verdict IS NOT NULL"""
        verdicts = _verdicts(sql, "t.lead", text, [run.pk, run.id])
    finally:
        sql.execute("DROP TABLE temp.chosen")
    return Summed(_counts(sql, patterns, verdicts), aggregate_all(metrics, masks, sums), checked)


def _choose(sql: sqlite3.Connection, metrics: Sequence[MetricColumn], query: selection.Query) -> None:
    """Put the cases of a query aside, so that neither it nor their wide rows are read again."""
    kept = {key for (key,) in sql.execute("SELECT key FROM view_sums WHERE view = ?", (query.view,))}
    names = [name for metric in metrics if metric.key in kept for name in _names(metric)]
    columns_ = "".join(f", {name}" for name in names)
    values = "".join(f", m.{name}" for name in names)
    text, params = query.sql("")
    sql.execute("DROP TABLE IF EXISTS temp.chosen")
    sql.execute(f"CREATE TEMP TABLE chosen (case_pk INTEGER PRIMARY KEY, pattern{columns_})")
    sql.execute(f"INSERT INTO temp.chosen SELECT m.case_pk, m.pattern{values} {text}", params)


def _names(metric: MetricColumn) -> tuple[str, ...]:
    return (f"{metric.name}_n", f"{metric.name}_d") if metric.micro else (metric.name,)


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


_Verdicts = list[tuple[str, int, int]]
"""Verdict, lead, and how many cases have both."""


def _verdicts(sql: sqlite3.Connection, lead: str, text: str, params: list[Any]) -> _Verdicts:
    return sql.execute(f"SELECT r.verdict, {lead}, count(*) {text} GROUP BY 1, 2", params).fetchall()


def _counts(sql: sqlite3.Connection, patterns: dict[int, int], verdicts: _Verdicts) -> Counts:
    """How many cases there are, fail, are reviewed, and how they fail."""
    bad = 0
    for metric in columns(sql):
        if metric.key in GENERATION_METRICS:
            bad |= metric.mask
    groups: Counter[tuple[int, str, str, int]] = Counter()
    statement = f"SELECT lead, class, layers, (worse & {bad}) <> 0 FROM patterns WHERE pk = ?"
    for pattern, cases in patterns.items():
        groups[sql.execute(statement, (pattern,)).fetchone()] += cases
    failing = {key: cases for key, cases in groups.items() if key[0] != selection.NOT_FAILING}
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
