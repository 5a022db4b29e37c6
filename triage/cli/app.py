"""The ways into the app: `triage [PATH...]`, `demo`, `open`. Without a terminal they print instead."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from triage import paths
from triage.cli.group import LITERAL, no_such_word
from triage.cli.options import format_option, shared_options
from triage.cli.output import say
from triage.cli.session import Session, failure
from triage.cli.words import run_and_case, scope_of
from triage.errors import TriageError
from triage.models.query import Scope
from triage.models.run import RunSummary


def on_terminal() -> bool:
    """Can an app be shown and typed into?"""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _run_app(
    session: Session, files: Sequence[Path], *, open_case: tuple[str, str] | None = None, demo: bool = False
) -> int:
    from triage.ui.start import run_app

    return run_app(
        session.workspace,
        paths=files,
        options=session.load_options,
        theme=session.theme,
        open_case=open_case,
        demo=demo,
    )


def _report_of(session: Session, files: Sequence[Path], format: str) -> int:
    """Load files, and report on the newest run among them; without files, on the latest of the database."""
    # Imported here because the app, which starts by way of this module, prints nothing.
    from triage.cli.report import print_report

    chosen: RunSummary | None = None
    if files:
        reports = session.load(files)
        for report in reports:
            if report.status == "failed":
                say(f"can't load {report.path}: {failure(report)}")
        ids = {report.run for report in reports if report.run is not None and report.status != "failed"}
        chosen = next((run for run in session.workspace.runs() if run.id in ids), None)
        if chosen is None:
            raise TriageError(
                "nothing was loaded", ", ".join(str(path) for path in files), "triage ingest tells more"
            )
    chosen = chosen or session.workspace.find_run(None)
    print_report(session, chosen, scope_of(chosen, "", None), format)
    return session.exit_code


@click.command("<app>")
@click.argument("files", metavar="PATH...", nargs=-1, type=click.Path(path_type=Path))
@shared_options
@format_option("table", "json")
@click.pass_context
def open_app(ctx: click.Context, /, files: tuple[Path, ...], format: str, **given: Any) -> int:
    """Open the app on files and folders, or print the report where there is no terminal."""
    for file in files:
        if not file.exists():
            if ctx.meta.get(LITERAL):
                raise TriageError("no such file or folder", str(file))
            raise no_such_word(str(file))
    session = Session(given)
    if on_terminal():
        return _run_app(session, files)
    return _report_of(session, files, format)


@click.command(
    "demo",
    short_help="Open the app on the sample runs, throw-away.",
    epilog="Example: triage demo --keep ./triage-demo",
)
@click.option(
    "--keep",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Keep the database in DIR.",
)
@shared_options
@format_option("table", "json")
def demo_command(keep: Path | None, format: str, **given: Any) -> int:
    """Open the app on the sample runs, in a database that is thrown away afterwards."""
    samples = paths.bundled("sample_runs")
    if not samples.is_dir():
        raise TriageError("no sample runs", str(samples), "install triage anew")
    if keep is not None or given.get("db") is not None:
        place = given.get("db") or _kept(keep or Path())
        say(f"demo: the sample runs and what you tag are kept in {place}")
        return _demo(Session(given, database=place), samples, format)
    with tempfile.TemporaryDirectory(prefix="triage-demo-", ignore_cleanup_errors=True) as folder:
        say("demo: the sample runs in a throw-away database; nothing is kept (--keep DIR keeps it)")
        return _demo(Session(given, database=Path(folder) / paths.DATABASE), samples, format)


def _kept(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TriageError("can't make the folder", str(folder), error.strerror or str(error)) from error
    return folder / paths.DATABASE


def _demo(session: Session, samples: Path, format: str) -> int:
    try:
        if on_terminal():
            return _run_app(session, [samples], demo=True)
        _report_of(session, [samples], format)
        # That one of the sample runs has rejected records is part of the show.
        return 0
    finally:
        session.workspace.close()


@click.command("open", short_help="Open the app on one case.", epilog="Example: triage open kb42 E06")
@click.argument("words", metavar="[RUN] CASE", nargs=-1, required=True)
@shared_options
def open_command(words: tuple[str, ...], **given: Any) -> int:
    """Open the app on one case; without a terminal, print the case."""
    run, case, _ = run_and_case(words, "open [RUN] CASE")
    session = Session(given)
    chosen = session.run(run)
    if not session.workspace.has_case(chosen.id, case):
        raise TriageError("no such case", f"{case} in {chosen.id}", f"triage cases {chosen.id} lists them")
    if on_terminal():
        return _run_app(session, (), open_case=(chosen.id, case))
    from triage.cli.cases import print_case

    print_case(session, Scope(chosen.id), case, "table")
    return session.exit_code
