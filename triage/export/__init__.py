"""Cases on their way out: the same rows as a spreadsheet, as records, or as a sprint list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, get_args

from triage.errors import UsageError
from triage.export.rows import ExportReport, ExportRow
from triage.export.whole import write_whole

ExportFormat = Literal["csv", "jsonl", "markdown"]
FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)
_ENDINGS: dict[str, ExportFormat] = {
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".md": "markdown",
    ".markdown": "markdown",
}
_NOT_OURS = (".xlsx", ".xls", ".ods", ".parquet", ".html", ".pdf", ".gz", ".zip")

__all__ = ["FORMATS", "ExportFormat", "ExportReport", "ExportRow", "export_rows", "format_of", "write_whole"]


def format_of(target: Path | None) -> ExportFormat:
    """The format that a file name's ending asks for; CSV where it names none (cli.md, `export`).

    Raises:
        UsageError: the ending belongs to a kind of file that is not written.
    """
    ending = "" if target is None else target.suffix.lower()
    if ending in _NOT_OURS:
        raise UsageError(
            "no such export format", f"{ending} of {target}", "csv, jsonl, markdown; or name it with --format"
        )
    return _ENDINGS.get(ending, "csv")


def export_rows(
    rows: Iterable[ExportRow],
    format: ExportFormat,
    *,
    title: str,
    redact: bool = False,
    bom: bool = True,
    warnings: list[str] | None = None,
) -> Iterator[bytes]:
    """The rows as UTF-8 bytes in `format`, a chunk at a time.

    Args:
        rows: the cases in the order wanted.
        format: one of `FORMATS`.
        title: the run's id, the heading of a sprint list.
        redact: leave out what people and documents said; ids, classes and numbers stay.
        bom: begin CSV with a byte-order mark, without which spreadsheets read Chinese as garbage.
        warnings: collects what could not be given exactly as it came.
    """
    if redact:
        from triage.export.redact import redacted

        rows = map(redacted, rows)
    told = [] if warnings is None else warnings
    if format == "csv":
        from triage.export.csv import csv_lines

        chunks: Iterable[str] = csv_lines(rows, bom=bom)
    elif format == "jsonl":
        from triage.export.jsonl import jsonl_lines

        chunks = jsonl_lines(rows, told)
    else:
        from triage.export.markdown import markdown_lines

        chunks = markdown_lines(rows, title)
    # A lone surrogate has no UTF-8 form; its escape is what JSON writes for it too.
    return (chunk.encode("utf-8", "backslashreplace") for chunk in chunks)
