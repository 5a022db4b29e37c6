"""Cases by their keys: list rows, measures, findings."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

from triage.models.case import CaseRow
from triage.models.measure import CLASSES, FailureClass, Finding, LayerState
from triage.models.verdict import Review, Verdict
from triage.store.changed import changed
from triage.store.columns import columns
from triage.store.text import safe

if TYPE_CHECKING:
    from triage.models.run import RunSummary

_CHUNK = 500
_ROW = """SELECT c.pk, c.case_id, c.query, c.topic, c.topic_inferred, c.high_risk, m.failing, m.class,
        m.reason, m.confidence, t.layers, m.first_rank,
        r.verdict, r.labels, r.note, r.reviewer, r.at, r.disputed, r.deferred, r.arbitrated,
        {changed}
    FROM cases c JOIN measures m ON m.view = ? AND m.case_pk = c.pk JOIN patterns t ON t.pk = m.pattern
    LEFT JOIN reviews_now r ON r.run_id = ? AND r.case_id = c.case_id
    WHERE c.pk IN ({marks})"""
_STATES: dict[str, LayerState | None] = {".": "ok", " ": None}


def layer_states(text: str) -> dict[FailureClass, LayerState | None]:
    """The stored four characters as a state for each class."""
    return {name: _STATES.get(sign, "fails") for name, sign in zip(CLASSES, text, strict=True)}


def make_review(values: Sequence[Any], stale: bool) -> Review | None:
    """A review from verdict, labels, note, reviewer, at, disputed, deferred, arbitrated; None
    where there is none."""
    verdict, labels, note, reviewer, at, disputed, deferred, arbitrated = values
    if reviewer is None:
        return None
    return Review(
        verdict=verdict, labels=tuple(json.loads(labels)), note=note, reviewer=reviewer, at=at,
        stale=stale and verdict is not None, disputed=bool(disputed), deferred=bool(deferred),
        arbitrated=bool(arbitrated),
    )  # fmt: skip


def chunks(keys: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """`keys` in pieces that fit one statement's parameters."""
    for start in range(0, len(keys), _CHUNK):
        yield keys[start : start + _CHUNK]


def marks(keys: Sequence[Any]) -> str:
    """As many `?` as there are keys."""
    return ",".join("?" * len(keys))


def rows(
    sql: sqlite3.Connection, run: RunSummary, view: int, keys: Sequence[int], earlier: Sequence[str]
) -> list[CaseRow]:
    """The list rows of cases, in the order of `keys`; a key that is no case of the view is left out.

    `earlier` are the ids of earlier runs of the test set, newest first, for the verdict "before".
    """
    found: dict[int, tuple[Any, ...]] = {}
    for part in chunks(keys):
        for row in sql.execute(_ROW.format(changed=changed("r"), marks=marks(part)), (view, run.id, *part)):
            found[row[0]] = row
    before = verdicts_before(sql, [row[1] for row in found.values()], earlier)
    return [_row(found[key], before) for key in keys if key in found]


def _row(row: tuple[Any, ...], before: dict[str, Verdict]) -> CaseRow:
    return CaseRow(
        pk=row[0], id=row[1], query=row[2], topic=row[3], topic_inferred=bool(row[4]), high_risk=bool(row[5]),
        failing=bool(row[6]), failure_class=row[7], reason=row[8], confidence=row[9],
        layers=layer_states(row[10]),
        first_rank=row[11], review=make_review(row[12:20], bool(row[20])), before=before.get(row[1]),
    )  # fmt: skip


def verdicts_before(
    sql: sqlite3.Connection, case_ids: Sequence[str], earlier: Sequence[str]
) -> dict[str, Verdict]:
    """Of each case that has one, the newest verdict among the earlier runs."""
    if not earlier:
        return {}
    wanted = set(earlier)
    newest: dict[str, tuple[str, Verdict]] = {}
    for part in chunks(case_ids):
        for case_id, run_id, verdict, at in sql.execute(
            f"""SELECT case_id, run_id, verdict, at FROM reviews_now
                WHERE verdict IS NOT NULL AND case_id IN ({marks(part)})""",
            tuple(part),
        ):
            if run_id in wanted and (case_id not in newest or at > newest[case_id][0]):
                newest[case_id] = (at, verdict)
    return {case_id: verdict for case_id, (_, verdict) in newest.items()}


def key_of(sql: sqlite3.Connection, rev: int, case_id: str) -> int | None:
    """The primary key of a case by its id, None where the revision has no such case."""
    found = sql.execute("SELECT pk FROM cases WHERE rev = ? AND case_id = ?", (rev, safe(case_id))).fetchone()
    return None if found is None else int(found[0])


def keys_of(sql: sqlite3.Connection, rev: int, case_ids: Sequence[str]) -> dict[str, int]:
    """The primary keys of cases by their ids; a case that the revision does not have is left out."""
    out: dict[str, int] = {}
    for part in chunks([safe(case_id) for case_id in case_ids]):
        out.update(
            sql.execute(
                f"SELECT case_id, pk FROM cases WHERE rev = ? AND case_id IN ({marks(part)})", (rev, *part)
            )
        )
    return out


def ids_of(sql: sqlite3.Connection, keys: Sequence[int]) -> dict[int, str]:
    """The case ids of primary keys."""
    out: dict[int, str] = {}
    for part in chunks(keys):
        out.update(sql.execute(f"SELECT pk, case_id FROM cases WHERE pk IN ({marks(part)})", tuple(part)))
    return out


def measures(
    sql: sqlite3.Connection, view: int, keys: Sequence[int]
) -> dict[int, tuple[dict[str, float | None], tuple[str, ...], tuple[str, ...]]]:
    """Of each case: its value by metric key (None = out of scope or missing), the missing keys, the
    inferred keys.
    """
    metrics = columns(sql)
    names = "".join(f", {metric.name}" for metric in metrics)
    out: dict[int, tuple[dict[str, float | None], tuple[str, ...], tuple[str, ...]]] = {}
    for part in chunks(keys):
        for pk, missing, inferred, *values in sql.execute(
            f"""SELECT case_pk, t.missing, t.inferred{names}
                FROM measures m JOIN patterns t ON t.pk = m.pattern
                WHERE view = ? AND case_pk IN ({marks(part)})""",
            (view, *part),
        ):
            out[pk] = (
                {metric.key: value for metric, value in zip(metrics, values, strict=True)},
                tuple(metric.key for metric in metrics if missing & metric.mask),
                tuple(metric.key for metric in metrics if inferred & metric.mask),
            )
    return out


def findings(
    sql: sqlite3.Connection, view: int, keys: Sequence[int]
) -> dict[int, tuple[Finding, tuple[Finding, ...]]]:
    """Of each case: the suggestion, and the other rules that fired."""
    out: dict[int, tuple[Finding, tuple[Finding, ...]]] = {}
    for part in chunks(keys):
        for pk, name, reason, confidence, evidence, secondary in sql.execute(
            f"""SELECT m.case_pk, m.class, m.reason, m.confidence, f.evidence, f.secondary
                FROM measures m LEFT JOIN findings f ON f.view = m.view AND f.case_pk = m.case_pk
                WHERE m.view = ? AND m.case_pk IN ({marks(part)})""",
            (view, *part),
        ):
            suggestion = Finding(name, reason, confidence, json.loads(evidence) if evidence else {})
            out[pk] = (
                suggestion,
                tuple(_finding(item) for item in (json.loads(secondary) if secondary else ())),
            )
    return out


def _finding(item: dict[str, Any]) -> Finding:
    return Finding(
        cast("FailureClass | None", item["class"]),
        item["reason"],
        item["confidence"],
        item.get("evidence") or {},
    )


def raws(sql: sqlite3.Connection, keys: Iterable[int]) -> dict[int, str]:
    """The records as they came, by primary key."""
    out: dict[int, str] = {}
    for part in chunks(list(keys)):
        out.update(
            sql.execute(f"SELECT case_pk, raw FROM records WHERE case_pk IN ({marks(part)})", tuple(part))
        )
    return out


def inferred_fields(sql: sqlite3.Connection, keys: Iterable[int]) -> dict[int, tuple[str, ...]]:
    """Of each case: the fields that reading filled in."""
    out: dict[int, tuple[str, ...]] = {}
    for part in chunks(list(keys)):
        for pk, fields in sql.execute(
            f"SELECT pk, inferred FROM cases WHERE pk IN ({marks(part)})", tuple(part)
        ):
            out[pk] = tuple(json.loads(fields))
    return out
