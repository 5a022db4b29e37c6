"""Small things that the app keeps for itself, and note drafts, which must survive a crash."""

from __future__ import annotations

import json
from typing import Any

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


DEFAULT_CONFIDENCE = 0.4
"""The threshold of a view that keeps none."""
_CONFIDENCE_OF = "failing_confidence of view "


def confidence_key(view: int) -> str:
    """The key under which a view keeps the threshold that its `failing` was decided by."""
    return f"{_CONFIDENCE_OF}{view}"


def confidences(connection: Connection) -> dict[int, float]:
    """View -> threshold, of every view that keeps one."""
    found = connection.sql.execute("SELECT key, value FROM state WHERE key GLOB ?", (f"{_CONFIDENCE_OF}*",))
    return {int(key.removeprefix(_CONFIDENCE_OF)): float(json.loads(value)) for key, value in found}


def has_confidence(connection: Connection, view: int, confidence: float) -> bool:
    """Was a view's `failing` decided by this threshold (`Settings.failing_confidence`, 0..1)?"""
    return bool(get(connection, confidence_key(view), DEFAULT_CONFIDENCE) == confidence)


def keep_confidence(connection: Connection, view: int, confidence: float) -> None:
    """Keep with a view the threshold that its `failing` was decided by; the default is not written down."""
    if not has_confidence(connection, view, confidence):
        put(connection, confidence_key(view), None if confidence == DEFAULT_CONFIDENCE else confidence)


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
