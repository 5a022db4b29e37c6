"""Which cases, in which order: a scope and a compiled filter as SQL.

The aliases are the contract between the filter and the store: c cases, m measures, p payloads, r reviews_now.
"""

from __future__ import annotations

import json
import sqlite3
from array import array
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.json import decode

from triage.errors import UsageError
from triage.models.measure import CLASSES
from triage.models.query import Drill, Scope
from triage.models.sentences import CHECK_STATES
from triage.models.verdict import VERDICTS
from triage.store.columns import MetricColumn, columns

if TYPE_CHECKING:
    from triage.models.query import First
    from triage.models.run import RunSummary
    from triage.store.filter import Where

NOT_FAILING = 9
"""`measures.lead` of a case that does not fail."""


def _ordinal(column: str, words: tuple[str, ...]) -> str:
    cases = " ".join(f"WHEN '{word}' THEN {number}" for number, word in enumerate(words))
    return f"CASE {column} {cases} END"


_CHECKED = "(SELECT k.state FROM checks k WHERE k.case_pk = m.case_pk)"
_READ = """nullif((SELECT count(DISTINCT one.reviewer) FROM samples every CROSS JOIN slots one
    ON one.sample = every.pk AND one.case_id = r.case_id
    WHERE every.run_id = r.run_id AND one.batch IS NOT NULL), 0)"""
"""How many people have read a case in the queues of its run's samples."""
SORTS: dict[str, str] = {
    "id": "c.case_id", "query": "p.query", "raw_query": "p.raw_query", "answer": "p.answer",
    "error": "p.error",
    "topic": "c.topic", "query_type": "c.query_type", "domain": "c.domain", "difficulty": "c.difficulty",
    "source": "c.source", "kb_version": "c.kb_version", "dataset_version": "c.dataset_version",
    "answerable": "c.answerable", "refused": "c.refused", "route": "c.route", "passed": "c.passed",
    "turns": "c.turns",
    "latency_ms": "c.latency_ms", "cost": "c.cost", "tokens": "c.tokens", "high_risk": "c.high_risk",
    "failing": "m.failing", "rank": "m.first_rank", "confidence": "m.confidence", "reason": "m.reason",
    "check": _ordinal(_CHECKED, tuple(CHECK_STATES)),
    "suggestion": _ordinal("m.class", CLASSES), "verdict": _ordinal("r.verdict", VERDICTS),
    "reviewer": "r.reviewer",
    "reviewed_at": "r.at", "note": "nullif(r.note, '')", "label": "nullif(r.labels, '[]')",
    "readings": _READ,
}  # fmt: skip
"""What `Scope.sort` takes beside every metric key, `file` and the empty text."""


class Query(Struct):
    """A query's conditions while they are gathered; joins are made for the aliases that are used."""

    run: RunSummary
    view: int
    conditions: list[str]
    params: list[Any]
    needs: set[str]

    def also(self, condition: str, needs: str, *params: Any) -> None:
        """Narrow the query by one more condition, which uses the aliases in `needs`."""
        self.conditions.append(condition)
        self.params += params
        self.needs |= set(needs)

    def sql(self, wanted: str, *further: str) -> tuple[str, list[Any]]:
        """`FROM ... WHERE ...` and its parameters.

        `wanted` names aliases that the result needs beside, `further` are conditions on m without parameters.
        """
        needs = self.needs | set(wanted)
        if needs & set("pr"):
            needs.add("c")
        parts = ["FROM measures m"]
        params: list[Any] = []
        if "c" in needs:
            # CROSS JOIN fixes the order of the loops: in file order through one view, each case by its key.
            parts.append("CROSS JOIN cases c ON c.pk = m.case_pk")
        if "p" in needs:
            parts.append("CROSS JOIN payloads p ON p.case_pk = m.case_pk")
        if "r" in needs:
            parts.append("LEFT JOIN reviews_now r ON r.run_id = ? AND r.case_id = c.case_id")
            params.append(self.run.id)
        text = " AND ".join(["m.view = ?", *further, *self.conditions])
        return f"{' '.join(parts)} WHERE {text}", [*params, self.view, *self.params]


def base(sql: sqlite3.Connection, run: RunSummary, view: int, where: Where) -> Query:
    """All cases of a run's view that pass the filter."""
    query = Query(run, view, [], [], set())
    if where.sql != "1":
        # Imported here because the first paint of an unfiltered list needs none of it.
        from triage.store.filter.functions import register_functions

        register_functions(sql)
        needs = "cm" + ("p" if where.needs_payload else "") + ("r" if where.needs_reviews else "")
        query.also(f"({where.sql})", needs, *where.params)
    return query


def scoped(sql: sqlite3.Connection, run: RunSummary, view: int, scope: Scope, where: Where) -> Query:
    """The cases of a scope: those that pass the filter and stand in its view or behind its drill."""
    query = base(sql, run, view, where)
    _narrow(query, scope, {metric.key: metric for metric in columns(sql)})
    return query


def reviewed(query: Query) -> tuple[str, list[Any]]:
    """`FROM ... WHERE ...` of a query's cases that have a verdict, found from the verdicts' side.

    A run has few verdicts beside its cases.
    """
    payload = "CROSS JOIN payloads p ON p.case_pk = c.pk" if "p" in query.needs else ""
    text = " AND ".join(["r.run_id = ?", "r.verdict IS NOT NULL", *query.conditions])
    return (
        f"""FROM reviews_now r CROSS JOIN cases c ON c.rev = ? AND c.case_id = r.case_id
            CROSS JOIN measures m ON m.view = ? AND m.case_pk = c.pk {payload} WHERE {text}""",
        [query.run.pk, query.view, query.run.id, *query.params],
    )


def _narrow(query: Query, scope: Scope, metrics: dict[str, MetricColumn]) -> None:
    if scope.drill is not None:
        _drill(query, scope.drill, metrics)
    elif scope.view == "failing":
        query.also(f"m.lead < {NOT_FAILING}", "m")
    elif scope.view == "passing":
        query.also(f"m.lead = {NOT_FAILING}", "m")
    elif scope.view == "unreviewed":
        # A run has few verdicts beside its cases, so they are looked up once and not case by case.
        query.also(
            """m.case_pk NOT IN (SELECT x.pk FROM reviews_now v CROSS JOIN cases x ON x.rev = ? AND
                x.case_id = v.case_id WHERE v.run_id = ? AND v.verdict IS NOT NULL)""",
            "m", query.run.pk, query.run.id,
        )  # fmt: skip


def _drill(query: Query, drill: Drill, metrics: dict[str, MetricColumn]) -> None:
    if drill.keys is not None:
        query.also("m.case_pk IN (SELECT value FROM json_each(?))", "m", json.dumps(drill.keys))
        return
    if drill.named:
        # SQLite ends a text out of JSON at its first NUL.
        odd = [case_id for case_id in drill.ids if "\0" in case_id]
        further = f" UNION VALUES {','.join('(?)' for _ in odd)}" if odd else ""
        within = f"SELECT value FROM json_each(?){further}"
        query.also(f"c.case_id IN ({within})", "cm", json.dumps(drill.ids), *odd)
        return
    if drill.metric is None:
        query.also(f"m.lead < {NOT_FAILING} AND m.class = ?", "m", drill.failure_class)
        return
    metric = _behind(drill.metric, metrics)
    if metric is None:
        query.also("0", "m")
        return
    column = {"worse": "worse", "scope": "have", "missing": "missing"}[drill.part]
    query.also(f"m.pattern IN (SELECT pk FROM patterns WHERE {column} & {metric.mask})", "m")


def _behind(key: str, metrics: dict[str, MetricColumn]) -> MetricColumn | None:
    from triage.metrics.registry import BY_KEY

    metric = BY_KEY.get(key)
    if metric is None:
        raise UsageError("no such metric", key, "see triage report for the names")
    return metrics.get(metric.behind or key)


def _sort(sort: str, metrics: dict[str, MetricColumn]) -> tuple[str, str]:
    """The SQL expression of a sort key, and the alias that it needs.

    Raises:
        UsageError: there is no such key.
    """
    expression = SORTS.get(sort)
    if expression is not None:
        return expression, next(alias for alias in "cmpr" if f"{alias}." in expression)
    from triage.metrics.registry import BY_KEY

    if sort not in BY_KEY:
        raise UsageError(
            "no such sort key", sort, "a field or a metric's key, with - before it for descending"
        )
    metric = _behind(sort, metrics)
    return (f"m.{metric.name}" if metric is not None else "NULL"), "m"


def keys(
    sql: sqlite3.Connection,
    run: RunSummary,
    view: int,
    scope: Scope,
    where: Where,
    first: First | None = None,
) -> array[int]:
    """The primary keys of a scope's cases, in the scope's order; `first`: those alone.

    Nulls come last in either direction, ties in file order.

    Raises:
        UsageError: `scope.sort` or `scope.drill.metric` is no name that there is.
    """
    if first is not None:
        return _first(sql, run, view, scope, where, first)
    metrics = {metric.key: metric for metric in columns(sql)}
    query = scoped(sql, run, view, scope, where)
    if scope.drill is not None and scope.drill.keys is not None and not scope.drill.slice:
        passing = set(_keys(sql, *query.sql(""), "m.case_pk"))
        return array("q", [key for key in scope.drill.keys if key in passing])
    if scope.sort == "":
        out = _keys(sql, *query.sql("", f"m.lead < {NOT_FAILING}"), "m.lead, m.case_pk")
        if scope.view != "failing" or scope.drill is not None:
            out.extend(_keys(sql, *query.sql("", f"m.lead = {NOT_FAILING}"), "m.case_pk"))
        return out
    descending = scope.sort.startswith("-")
    if scope.sort in ("file", "-file"):
        return _keys(sql, *query.sql(""), f"m.case_pk {'DESC' if descending else 'ASC'}")
    expression, alias = _sort(scope.sort.removeprefix("-"), metrics)
    if descending:
        return _keys(sql, *query.sql(alias), f"{expression} DESC, m.case_pk")
    return _keys(sql, *query.sql(alias), f"{expression}, m.case_pk", f"{expression} IS NULL")


def _first(
    sql: sqlite3.Connection, run: RunSummary, view: int, scope: Scope, where: Where, first: First
) -> array[int]:
    out: array[int] = array("q")
    if scope.sort not in ("", "file", "-file") or (scope.drill is not None and scope.drill.keys is not None):
        return out
    query = scoped(sql, run, view, scope, where)
    if scope.sort == "":
        parts = [(f"m.lead < {NOT_FAILING}", "m.lead, m.case_pk"), (f"m.lead = {NOT_FAILING}", "m.case_pk")]
    else:
        parts = [("1", f"m.case_pk {'DESC' if scope.sort.startswith('-') else 'ASC'}")]
    for condition, order in parts:
        text, params = query.sql("", condition)
        rest = first.count - len(out)
        found = sql.execute(f"SELECT m.case_pk {text} ORDER BY {order} LIMIT ?", [*params, rest])
        out.extend(key for (key,) in found)
    for key in first.keep:
        text, params = query.sql("", f"m.case_pk = {key:d}")
        if key not in out and sql.execute(f"SELECT 1 {text}", params).fetchone() is not None:
            return array("q")
    return out


def _keys(sql: sqlite3.Connection, text: str, params: list[Any], order: str, last: str = "") -> array[int]:
    """The keys in an order that begins with those for which `last` holds: they are put at the end.

    SQLite sorts nulls first; told to sort them last, it compares twice as often.
    """
    # One JSON list is read faster than a hundred thousand rows; SQLite keeps the inner order for such
    # aggregates.
    first, counted = (f", {last} AS first", "sum(first)") if last else ("", "0")
    inner = f"SELECT m.case_pk AS pk{first} {text} ORDER BY {order}"
    found, leading = sql.execute(f"SELECT json_group_array(pk), {counted} FROM ({inner})", params).fetchone()
    out = array("q", decode(found, type=list[int]))
    return out[leading:] + out[:leading] if leading else out
