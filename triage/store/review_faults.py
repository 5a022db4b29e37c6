"""What is wrong with a review's own tables: what can't be read any more, and samples that lack cases."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from triage.errors import TriageError
from triage.models.upkeep import Fault
from triage.models.verdict import VERDICTS
from triage.store.samples import by_key

_VERDICTS = ", ".join(f"'{verdict}'" for verdict in VERDICTS)


def _not(column: str, kind: str, path: str = "$") -> str:
    """The condition that a column's JSON is not of a kind."""
    return f"""CASE WHEN json_valid({column}) THEN coalesce(json_type({column}, '{path}'), '') <> '{kind}'
        ELSE 1 END"""


_EVENTS = f"""labels IS NOT NULL AND {_not("labels", "array")}
    OR kind IN ('verdict', 'arbitration') AND coalesce(verdict, '') NOT IN ({_VERDICTS})"""
_CHANGES = " OR ".join(
    (
        _not("names", "array"), _not("into_names", "array"),
        _not("detail", "array", "$.batches"), _not("detail", "object", "$.before"),
    )
)  # fmt: skip
_CODES = _not("examples", "array")
_UNREADABLE = (
    ("events", _EVENTS, "review event", "review events"),
    ("code_changes", _CHANGES, "change to the codebook", "changes to the codebook"),
    ("codes", _CODES, "label of the codebook", "labels of the codebook"),
)


def unreadable(sql: sqlite3.Connection) -> bool:
    """Is there an event or a change to the codebook that can't be read, so that nobody can tell what events
    add up to?
    """
    return bool(_count(sql, "events", _EVENTS) or _count(sql, "code_changes", _CHANGES))


def faults(sql: sqlite3.Connection, restore: str) -> Iterator[Fault]:
    """What is wrong and can't be derived from anything else; `restore` says what is left to do."""
    for table, condition, one, many in _UNREADABLE:
        count = _count(sql, table, condition)
        if count:
            says = f"{count} {one if count == 1 else many} can't be read"
            yield Fault("unreadable", says, restore, False)
    for run_id, name, pk in sql.execute("SELECT run_id, name, pk FROM samples ORDER BY pk").fetchall():
        remove = f"triage sample {run_id} --remove {name} lets go of it; verdicts given in it stay"
        try:
            sample = by_key(sql, pk)
        except TriageError:
            yield Fault("unreadable", f"sample {name} of run {run_id} can't be read", remove, False)
            continue
        (held,) = sql.execute("SELECT count(*) FROM sample_cases WHERE sample = ?", (pk,)).fetchone()
        if held != sample.drawn.n:
            says = f"sample {name} of run {run_id}: {held} of {sample.drawn.n} cases are there"
            yield Fault("incomplete", says, f"{remove}; its seed draws it anew", False)


def _count(sql: sqlite3.Connection, table: str, condition: str) -> int:
    return int(sql.execute(f"SELECT count(*) FROM {table} WHERE {condition}").fetchone()[0])
