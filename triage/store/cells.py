"""Values of single fields and metrics of some cases: what further columns of the list show."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from triage.models.case import QUERY_CUT
from triage.store.cases import chunks, marks
from triage.store.columns import columns
from triage.store.filter.fields import BY_NAME

if TYPE_CHECKING:
    from triage.models.run import RunSummary


def cells(
    sql: sqlite3.Connection, run: RunSummary, view: int, keys: Sequence[int], names: Sequence[str]
) -> dict[int, dict[str, Any]]:
    """Of each case the values of fields and metrics by name, None where there is none; texts are cut.

    `record.KEY` is a key of the record's own; of a list or an object the JSON text. A name that is none of
    them, or has no single value, is left out.
    """
    metrics = {metric.key: f"m.{metric.name}" for metric in columns(sql)}
    wanted = {name: _expression(name, metrics) for name in dict.fromkeys(names)}
    wanted = {name: expression for name, expression in wanted.items() if expression}
    if not wanted:
        return {}
    used = " ".join(wanted.values())
    joins = ["JOIN measures m ON m.view = ? AND m.case_pk = c.pk"]
    params: list[Any] = [view]
    if "p." in used:
        joins.append("JOIN payloads p ON p.case_pk = c.pk")
    if "r." in used:
        joins.append("LEFT JOIN reviews_now r ON r.run_id = ? AND r.case_id = c.case_id")
        params.append(run.id)
    out: dict[int, dict[str, Any]] = {}
    for part in chunks(keys):
        statement = f"""SELECT c.pk, {", ".join(wanted.values())} FROM cases c {" ".join(joins)}
            WHERE c.pk IN ({marks(part)})"""
        for pk, *values in sql.execute(statement, (*params, *part)):
            out[pk] = dict(zip(wanted, values, strict=True))
    return out


_SAMPLES = """(SELECT nullif(json_group_array(name), '[]') FROM (SELECT s.name FROM samples s
    JOIN sample_cases x ON x.sample = s.pk AND x.case_id = c.case_id
    WHERE s.run_id = (SELECT n.run_id FROM revisions v JOIN runs n ON n.pk = v.run_pk WHERE v.pk = c.rev)
    ORDER BY s.pk))"""


def _expression(name: str, metrics: dict[str, str]) -> str:
    if name == "sample":
        return _SAMPLES
    field = BY_NAME.get(name)
    if field is not None:
        return f"substr({field.column}, 1, {QUERY_CUT})" if field.kind == "text" else field.column
    return metrics.get(name) or _of_record(name)


def _of_record(name: str) -> str:
    """The value of a record's own key as text; keys whose names no JSON path can hold have none."""
    key = name.removeprefix("record.")
    if key == name or not key or '"' in key or "\0" in key:
        return ""
    path = "$" + "".join(f'."{part}"' for part in key.replace("'", "''").split("."))
    return f"""substr(CASE json_type(p.extra, '{path}') WHEN 'true' THEN 'true' WHEN 'false' THEN 'false'
        ELSE json_extract(p.extra, '{path}') END, 1, {QUERY_CUT})"""
