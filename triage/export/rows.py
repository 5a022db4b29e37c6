"""What is told of a case in every export."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from triage.models.measure import Finding
from triage.models.reading import Arbitration, Reading
from triage.models.verdict import Event, Review

COLUMNS = (
    "run", "case_id", "verdict", "labels", "note", "reviewer", "reviewed_at", "suggestion", "reason", "topic",
    "query_type", "query", "answer", "expected_ids", "retrieved_ids", "citations",
)  # fmt: skip
"""The columns of a CSV export, in order (cli.md, `export`)."""
LIST_SEPARATOR = "|"


class ExportRow(Struct, frozen=True):
    """A case with its record, its suggestion and its reviews.

    `raw` is the record's JSON text as it came; `record`, where set, stands in its place (a redacted one).
    `events` are newest last. `readings` are the reviewers' verdicts that stand, oldest first, `settled` what
    was decided over them.
    """

    run: str
    case_id: str
    raw: str
    query: str
    answer: str
    topic: str | None
    query_type: str | None
    high_risk: bool
    expected_ids: tuple[str, ...]
    retrieved_ids: tuple[str, ...]
    citations: tuple[str, ...]
    suggestion: Finding
    review: Review | None
    events: tuple[Event, ...] = ()
    record: dict[str, Any] | None = None
    readings: tuple[Reading, ...] = ()
    settled: Arbitration | None = None


class About(Struct, frozen=True):
    """What an export is: of which run, by which filter, when (UTC, ISO 8601)."""

    run: str
    test_set: str = ""
    filter: str = ""
    at: str = ""
    redacted: bool = False


class ExportReport(Struct, frozen=True):
    """What was written: `target` None = nothing on disk, then `content` has the bytes. `size` is in bytes."""

    target: Path | None
    format: str
    cases: int
    warnings: tuple[str, ...] = ()
    content: bytes = b""
    size: int = 0


def columns(row: ExportRow) -> dict[str, str]:
    """The row as text, by column; a list is joined by `|`, what is not recorded is empty."""
    review = row.review
    return {
        "run": row.run,
        "case_id": row.case_id,
        "verdict": (review.verdict or "") if review else "",
        "labels": LIST_SEPARATOR.join(review.labels) if review else "",
        "note": review.note if review else "",
        "reviewer": review.reviewer if review else "",
        "reviewed_at": review.at if review else "",
        "suggestion": row.suggestion.failure_class or "",
        "reason": row.suggestion.reason,
        "topic": row.topic or "",
        "query_type": row.query_type or "",
        "query": row.query,
        "answer": row.answer,
        "expected_ids": LIST_SEPARATOR.join(row.expected_ids),
        "retrieved_ids": LIST_SEPARATOR.join(row.retrieved_ids),
        "citations": LIST_SEPARATOR.join(row.citations),
    }
