"""JSONL with each record exactly as it came, which `triage` reads back."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from triage.export.rows import ExportRow
from triage.models import shapes

# A JSON text's strings, and what outside them no JSON reader or no single line allows.
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b|[\r\n]+', re.DOTALL)
# Legal inside a JSON string, but some readers end a line there, and terminals obey some.
_LINE_ENDS = re.compile("[\x0b\x0c\x1c-\x1e\x7f-\x9f\u2028\u2029\ud800-\udfff\r\n]")


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match.group()):04x}"


def on_one_line(raw: str) -> tuple[str, int]:
    """A JSON text on one line with its value unchanged, and how many NaN or infinite numbers became null.

    Digits, key order, repeated keys and escapes stay as written.
    """
    lost = 0

    def one(match: re.Match[str]) -> str:
        nonlocal lost
        token = match.group()
        if token[0] == '"':
            return token
        if token[0] in "\r\n":
            return " "
        lost += 1
        return "null"

    return _LINE_ENDS.sub(_escape, _TOKENS.sub(one, raw.strip())), lost


def jsonl_lines(rows: Iterable[ExportRow], warnings: list[str]) -> Iterator[str]:
    """A line a case: run, case_id, record, suggestion, verdict, history (cli.md, `export`), what each reader
    says, and what was decided over them.

    Args:
        rows: the cases.
        warnings: gets a line for each record in which a NaN or an infinite number became null.
    """
    for row in rows:
        if row.record is None:
            record, lost = on_one_line(row.raw)
        else:
            record, lost = on_one_line(json.dumps(row.record, ensure_ascii=False))
        if lost:
            warnings.append(f"{row.case_id}: {lost} value{'s' * (lost > 1)} NaN or infinite, written as null")
        rest = shapes.dump(
            {
                "suggestion": shapes.suggestion(row.suggestion),
                "verdict": shapes.review(row.review),
                "history": [shapes.event(event) for event in row.events],
                "readings": [shapes.reading(one) for one in row.readings],
                "arbitration": shapes.arbitration(row.settled),
            }
        )
        head = shapes.dump({"run": row.run, "case_id": row.case_id})
        yield _LINE_ENDS.sub(_escape, f'{head[:-1]}, "record": {record}, {rest[1:]}') + "\n"
