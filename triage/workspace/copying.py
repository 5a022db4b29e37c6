"""What is copied of a case: text for people, a part of it, the record as it came, or the way back to it."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Literal

from triage.plain import plain

if TYPE_CHECKING:
    from triage.models.case import CaseDetail

CopyKind = Literal["case", "id", "answer", "json", "link"]
_NOT_IN_JSON = re.compile(r"[^\n\x20-\x7e\u00a0-\ud7ff\ue000-\U0010ffff]")


def copied(kind: CopyKind, detail: CaseDetail) -> str:
    """The text to copy. No control character is in it: they are made plain, in JSON written as escapes."""
    if kind == "json":
        return _harmless_json(detail.raw)
    if kind == "id":
        return plain(detail.row.id)
    if kind == "answer":
        return plain(detail.record.answer or "")
    if kind == "link":
        return plain(f"triage open {shlex.quote(detail.run)} {shlex.quote(detail.row.id)}")
    return plain("\n".join(_lines(detail))) + "\n"


def _harmless_json(raw: str) -> str:
    """The same JSON value, whatever a terminal would take for a command escaped."""
    text = raw.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    return "".join(
        sign if plain(sign) == sign and not _NOT_IN_JSON.match(sign) else _escaped(sign) for sign in text
    )


def _escaped(sign: str) -> str:
    units = sign.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def _lines(detail: CaseDetail) -> list[str]:
    record, row = detail.record, detail.row
    lines = [f"{detail.run} {row.id}", f"asked: {record.query or ''}", f"answered: {record.answer or ''}"]
    if record.retrieved_ids is not None:
        lines.append("retrieved: " + ", ".join(record.retrieved_ids))
    if record.expected_ids is not None:
        lines.append("expected: " + ", ".join(record.expected_ids))
    suggestion = detail.diagnosis.suggestion
    if row.failing:
        lines.append(f"suggestion: {suggestion.failure_class or 'none'} ({suggestion.reason})")
    review = row.review
    if review is not None:
        if review.verdict is not None:
            lines.append(f"verdict: {review.verdict}, {review.reviewer} {review.at[:16].replace('T', ' ')}")
        if review.labels:
            lines.append("labels: " + ", ".join(review.labels))
        if review.note:
            lines.append(f"note: {review.note}")
    return lines
