"""`triage export`: cases out as a file or to standard output."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from triage.cli.options import db_option, filter_options, k_option, load_options
from triage.cli.output import say
from triage.cli.session import Session
from triage.cli.words import scope_of
from triage.errors import UsageError
from triage.export import FORMATS, ExportFormat, format_of

TAGGED = "is:tagged"
SHOWN_WARNINGS = 5


@click.command(
    "export",
    short_help="Tagged cases as CSV, JSONL, Markdown or XLSX.",
    epilog="Example: triage export kb42 -o sprint.md",
)
@click.argument("run", required=False)
@k_option
@filter_options
@click.option(
    "--format", "format", type=click.Choice(FORMATS), help="Default: by the ending of FILE, else csv."
)
@click.option(
    "-o", "--output", "target", type=click.Path(path_type=Path), metavar="FILE", help="Default: stdout."
)
@click.option(
    "--redact", is_flag=True, help="Blank what people and documents said; ids, classes, numbers stay."
)
@click.option("--no-bom", is_flag=True, help="CSV without the byte-order mark that spreadsheets need.")
@db_option
@load_options
def export_command(
    run: str | None,
    k: int | None,
    query: str,
    text: str | None,
    format: ExportFormat | None,
    target: Path | None,
    redact: bool,
    no_bom: bool,
    **given: Any,
) -> int:
    """Write the tagged cases of RUN (default: the latest): CSV, JSONL, a Markdown sprint list, a workbook.

    Without --filter: every case with a verdict other than not-a-failure. FILE is written whole or not at all,
    and takes the place of one that is there. CSV is UTF-8 with a byte-order mark. A workbook goes to standard
    output only where that is no terminal.
    """
    if target is not None and str(target) == "-":
        target = None
    chosen_format = format or format_of(target)
    if chosen_format == "xlsx" and target is None and sys.stdout.isatty():
        raise UsageError(
            "a workbook is no text for a terminal", "--format xlsx", "name a file: -o tagged.xlsx"
        )
    session = Session(given)
    chosen = session.run(run)
    session.check(chosen)
    scope = scope_of(chosen, query or (TAGGED if text is None else ""), text, k)
    report = session.workspace.export(scope, chosen_format, target, redact=redact, bom=not no_bom)
    if target is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(report.content)
        sys.stdout.buffer.flush()
    for warning in report.warnings[:SHOWN_WARNINGS]:
        say(f"warning: {warning}")
    if len(report.warnings) > SHOWN_WARNINGS:
        say(f"warning: and {len(report.warnings) - SHOWN_WARNINGS} more records like these")
    cases = f"{report.cases} case{'s' * (report.cases != 1)}"
    if target is not None or not report.cases:
        place = f" to {target}" if target is not None else ""
        empty = "" if report.cases else f": none matches {scope.text}"
        say(f"{cases} of {chosen.id}{place}{empty}")
    return session.exit_code
