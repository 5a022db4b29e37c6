"""CSV for spreadsheets, in which no text from a record runs as a formula."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator

from triage.export.rows import COLUMNS, ExportRow, columns
from triage.plain import plain

_BOM = "\ufeff"
# What a spreadsheet skips before it looks for a formula: spaces, controls, quotes, zero-width marks.
_SKIPPED = r"[\s\x00-\x20\"'`\u2018-\u201d\u200b-\u200f\u2060\ufeff\u00a0\u3000]*"
# The second half are the full-width and small forms, which some spreadsheets take for the plain signs.
_FORMULA = re.compile(_SKIPPED + "[=+\\-@\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b\u2212]|[\t\r\n]")


# Everything that steers a terminal, or ends a text where others read it; tabs and line breaks stay.
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def starts_a_formula(cell: str) -> bool:
    """Would a spreadsheet take the typed text for a formula?"""
    return _FORMULA.match(cell) is not None


def neutral(cell: str) -> str:
    """The cell, with a quote mark before it where a spreadsheet would run it (OWASP, CSV injection), and
    control characters as visible marks. JSONL has them as they came.
    """
    cell = _CONTROLS.sub(lambda control: plain(control.group()), cell)
    return f"'{cell}" if starts_a_formula(cell) else cell


def csv_lines(rows: Iterable[ExportRow], *, bom: bool = True) -> Iterator[str]:
    """The header and a line a case, quoted as RFC 4180 has it; line breaks in a cell stay."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    writer.writerow(COLUMNS)
    yield (_BOM if bom else "") + buffer.getvalue()
    for row in rows:
        buffer.seek(0)
        buffer.truncate()
        cells = columns(row)
        writer.writerow([neutral(cells[name]) for name in COLUMNS])
        yield buffer.getvalue()
