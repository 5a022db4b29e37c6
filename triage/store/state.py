"""Small things that the app keeps for itself, and note drafts, which must survive a crash."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

from triage.models.sureness import Sureness
from triage.store.connection import Connection
from triage.store.text import dumps, text_safe


def get(connection: Connection, key: str, default: Any = None) -> Any:
    """The JSON value kept under a key, `default` where there is none."""
    found = connection.sql.execute("SELECT value FROM state WHERE key = ?", (key,)).fetchone()
    return default if found is None else json.loads(found[0])


def put(connection: Connection, key: str, value: Any) -> None:
    """Keep a JSON value under a key; None removes it."""
    with connection.write() as sql:
        if value is None:
            sql.execute("DELETE FROM state WHERE key = ?", (key,))
        else:
            sql.execute(
                "INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)", text_safe((key, dumps(value)))
            )


_BESIDE = "labels beside "


def _beside(*names: str) -> str:
    return _BESIDE + json.dumps(names)


class LabelsBeside:
    """The labels that a reader has set beside a case and not given yet: a pause does not lose them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def of(self, run_id: str, reviewer: str, case_id: str) -> tuple[str, ...]:
        """Those of a case, () = none."""
        return tuple(get(self._connection, _beside(run_id, reviewer, case_id), ()))

    def keep(self, run_id: str, reviewer: str, case_id: str, labels: tuple[str, ...]) -> None:
        """Keep them until the verdict is given; () forgets them, and writes only where there are some."""
        if labels or self.of(run_id, reviewer, case_id):
            put(self._connection, _beside(run_id, reviewer, case_id), labels or None)


def drop_beside(sql: sqlite3.Connection, run_id: str) -> None:
    """Forget the labels beside all cases of a run. Call inside a write transaction."""
    start = _beside(run_id).removesuffix("]") + ","
    sql.execute("DELETE FROM state WHERE substr(key, 1, ?) = ?", (len(start), start))


DEFAULT = Sureness()
"""What a view was decided by that keeps nothing of it."""
_SURENESS_OF = "failing_confidence of view "


def sureness_key(view: int) -> str:
    """The key under which a view keeps what its suggestions and its `failing` were decided by."""
    return f"{_SURENESS_OF}{view}"


def surenesses(connection: Connection) -> dict[int, Sureness]:
    """View -> what it was decided by, of every view that keeps it."""
    found = connection.sql.execute("SELECT key, value FROM state WHERE key GLOB ?", (f"{_SURENESS_OF}*",))
    return {int(key.removeprefix(_SURENESS_OF)): Sureness.read(json.loads(value)) for key, value in found}


def has_sureness(connection: Connection, view: int, sureness: Sureness) -> bool:
    """Was a view decided by this (`Settings.sureness`)?"""
    kept = get(connection, sureness_key(view))
    return (DEFAULT if kept is None else Sureness.read(kept)) == sureness


def keep_sureness(connection: Connection, view: int, sureness: Sureness) -> None:
    """Keep with a view what it was decided by; the default is not written down."""
    if not has_sureness(connection, view, sureness):
        put(connection, sureness_key(view), None if sureness == DEFAULT else sureness.written())


def draft(connection: Connection, reviewer: str, run_id: str, case_id: str) -> str | None:
    """The text of a note that was begun and not saved."""
    found = connection.sql.execute(
        "SELECT text FROM drafts WHERE reviewer = ? AND run_id = ? AND case_id = ?",
        text_safe((reviewer, run_id, case_id)),
    ).fetchone()
    return None if found is None else str(found[0])


def save_draft(connection: Connection, reviewer: str, run_id: str, case_id: str, text: str, at: str) -> None:
    """Keep the text of a note that is being written."""
    with connection.write(durable=True) as sql:
        sql.execute(
            "INSERT OR REPLACE INTO drafts (reviewer, run_id, case_id, text, at) VALUES (?, ?, ?, ?, ?)",
            text_safe((reviewer, run_id, case_id, text, at)),
        )


def drop_draft(connection: Connection, reviewer: str, run_id: str, case_id: str) -> None:
    """Forget a draft, because it was saved or thrown away."""
    with connection.write() as sql:
        sql.execute(
            "DELETE FROM drafts WHERE reviewer = ? AND run_id = ? AND case_id = ?",
            text_safe((reviewer, run_id, case_id)),
        )


def drafts(connection: Connection, reviewer: str) -> list[tuple[str, str, str]]:
    """A reviewer's drafts as (run id, case id, text), newest first."""
    return connection.sql.execute(
        "SELECT run_id, case_id, text FROM drafts WHERE reviewer = ? ORDER BY at DESC",
        text_safe((reviewer,)),
    ).fetchall()
