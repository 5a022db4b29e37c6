"""Rows to export, and exports read back as others read them."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from triage.export import ExportRow, export_rows
from triage.models.measure import Finding
from triage.models.verdict import Review


def make_row(raw: str | dict[str, Any] | None = None, **changes: Any) -> ExportRow:
    """A tagged, noted, labelled case; `changes` set its fields."""
    text = raw if isinstance(raw, str) else json.dumps(raw or {"id": "c1", "query": "q"}, ensure_ascii=False)
    values: dict[str, Any] = {
        "run": "kb42",
        "case_id": "c1",
        "raw": text,
        "query": "退款多久到账",
        "answer": "七天内。[S1]",
        "topic": "refund",
        "query_type": None,
        "high_risk": True,
        "expected_ids": ("KB-1", "KB-2"),
        "retrieved_ids": ("KB-2", "KB-9"),
        "citations": ("S1",),
        "suggestion": Finding("retrieval", "partial_recall_incomplete", 0.6, {"missing": ["KB-1"]}),
        "review": Review("ranking", ("stale-doc", "answer"), "look again", "wei", "2026-11-28T10:00:00Z"),
    }
    return ExportRow(**{**values, **changes})


def written(rows: list[ExportRow], format: Any, **options: Any) -> bytes:
    """The bytes of an export of run kb42."""
    return b"".join(export_rows(rows, format, title="kb42", **options))


def read_csv(data: bytes) -> list[dict[str, str]]:
    """A CSV's rows by column."""
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
