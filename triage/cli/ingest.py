"""`triage ingest`: run files into the database."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from triage.cli.options import db_option, format_option, load_options
from triage.cli.output import emit, emit_json, table
from triage.cli.session import Session
from triage.models import shapes
from triage.models.run import FileReport
from triage.plain import one_line

SHOWN_PROBLEMS = 20
"""Problems a file shows in the table; JSON has them all."""


def file_lines(report: FileReport) -> list[str]:
    """What became of one file, for people: a line, then its problems and warnings."""
    run = f" {report.run}" if report.run else ""
    head = f"{report.status}{run} from {report.path}"
    if report.status != "failed" or report.records or report.rejected:
        head += f": {report.records} records"
    if report.rejected:
        head += f", {report.rejected} of {report.records + report.rejected} rejected"
    rows = [
        (
            "" if problem.line is None else f"line {problem.line}",
            problem.level,
            problem.case or "",
            problem.field or "",
            problem.reason,
        )
        for problem in sorted(report.problems, key=lambda one: one.level != "record")[:SHOWN_PROBLEMS]
    ]
    lines = [one_line(head), *table([""] * 5, rows, indent="  ")]
    hidden = len(report.problems) - len(rows)
    if hidden > 0:
        lines.append(f"  and {hidden} more problems (--format json lists them all)")
    return lines + [f"  {one_line(warning)}" for warning in report.warnings]


@click.command(
    "ingest", short_help="Load run files.", epilog="Example: triage ingest results/ --set kb_version=kb42"
)
@click.argument("files", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
@db_option
@load_options
@click.option(
    "--index", is_flag=True, help="Build the search index of large runs now; else the app does, at leisure."
)
@format_option("table", "json")
def ingest_command(files: tuple[Path, ...], index: bool, format: str, **given: Any) -> int:
    """Load run files, and tell what was accepted and what was not.

    Folders are read with the folders in them, without lists that triage exported there: name such a file to
    read it. The same bytes again change nothing; other bytes with a known run's id or path are its next
    revision.
    """
    session = Session(given)
    reports = session.load(files)
    if format == "json":
        emit_json({"files": [shapes.file_report(report) for report in reports]})
    else:
        for report in reports:
            for line in file_lines(report):
                emit(line)
    if index:
        session.index()
    if all(report.status == "failed" for report in reports):
        return 1
    return session.exit_code
