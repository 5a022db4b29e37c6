"""Cases on their way out: the same rows as a table, a workbook, records, or a sprint list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal, get_args

from triage.errors import UsageError
from triage.export.rows import About, ExportReport, ExportRow
from triage.export.whole import write_whole

ExportFormat = Literal["csv", "jsonl", "markdown", "xlsx"]
FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)
_ENDINGS: dict[str, ExportFormat] = {
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".md": "markdown",
    ".markdown": "markdown",
    ".xlsx": "xlsx",
}
ENDINGS: dict[ExportFormat, str] = {"csv": ".csv", "jsonl": ".jsonl", "markdown": ".md", "xlsx": ".xlsx"}
"""The ending that a file of each format has by itself."""
_NOT_OURS = (".xls", ".xlsm", ".xlsb", ".ods", ".parquet", ".html", ".pdf", ".gz", ".zip")

__all__ = [
    "ENDINGS", "FORMATS", "About", "ExportFormat", "ExportReport", "ExportRow", "export_rows", "format_of",
    "named_format", "write_whole",
]  # fmt: skip


def named_format(target: Path) -> ExportFormat | None:
    """The format that a file name's ending asks for, None where it names none.

    Raises:
        UsageError: the ending belongs to a kind of file that is not written.
    """
    ending = target.suffix.lower()
    if ending in _NOT_OURS:
        raise UsageError("no such export format", f"{ending} of {target}", "csv, jsonl, markdown or xlsx")
    return _ENDINGS.get(ending)


def format_of(target: Path | None) -> ExportFormat:
    """The format that a file name's ending asks for; CSV where it names none (cli.md, `export`).

    Raises:
        UsageError: the ending belongs to a kind of file that is not written.
    """
    return "csv" if target is None else named_format(target) or "csv"


def export_rows(
    rows: Iterable[ExportRow],
    format: ExportFormat,
    *,
    title: str,
    redact: bool = False,
    bom: bool = True,
    warnings: list[str] | None = None,
    about: About | None = None,
    counts: Mapping[str, int] | None = None,
    definitions: Mapping[str, str] | None = None,
) -> Iterator[bytes]:
    """The rows as bytes in `format` (text is UTF-8), a chunk at a time.

    Args:
        rows: the cases in the order wanted.
        format: one of `FORMATS`.
        title: the run's id, the heading of a sprint list.
        redact: leave out what people and documents said; ids, classes and numbers stay.
        bom: begin CSV with a byte-order mark, without which spreadsheets read Chinese as garbage.
        warnings: collects what could not be given exactly as it came.
        about: told on the second sheet of a workbook; default: the title as its run.
        counts: for a sprint list whose `rows` are only its first cases, how many each verdict has in all.
        definitions: what labels mean, for a sprint list; left out where it is redacted.
    """
    if redact:
        from triage.export.redact import redacted

        rows = map(redacted, rows)
    told = [] if warnings is None else warnings
    if format == "xlsx":
        from triage.export.xlsx import xlsx_bytes

        return xlsx_bytes(rows, about or About(title, redacted=redact), told)
    if format == "csv":
        from triage.export.csv import csv_lines

        chunks: Iterable[str] = csv_lines(rows, bom=bom)
    elif format == "jsonl":
        from triage.export.jsonl import jsonl_lines

        chunks = jsonl_lines(rows, told)
    else:
        from triage.export.markdown import markdown_lines

        chunks = markdown_lines(rows, title, counts, None if redact else definitions)
    # A lone surrogate has no UTF-8 form; its escape is what JSON writes for it too.
    return (chunk.encode("utf-8", "backslashreplace") for chunk in chunks)
