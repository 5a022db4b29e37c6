"""The ways into the app: `triage [PATH...]`, `demo`, `open`. Without a terminal they print instead."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import click

from triage import paths
from triage.cli.group import LITERAL
from triage.cli.opening import looked_for, on_terminal, open_paths, report_of, run_app_on
from triage.cli.options import format_option, shared_options
from triage.cli.output import say
from triage.cli.session import Session
from triage.cli.words import run_and_case
from triage.errors import TriageError
from triage.models.query import Scope


@click.command("<app>")
@click.argument("files", metavar="PATH...", nargs=-1, type=click.Path())
@shared_options
@format_option("table", "json")
@click.pass_context
def open_app(ctx: click.Context, /, files: tuple[str, ...], format: str, **given: Any) -> int:
    """Open the app on files and folders, or print the report where there is no terminal."""
    named = looked_for(files, literal=bool(ctx.meta.get(LITERAL)))
    return open_paths(Session(given, lenient=on_terminal()), named, format)


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
        return _demo(Session(given, database=place, lenient=on_terminal()), samples, format)
    with tempfile.TemporaryDirectory(prefix="triage-demo-", ignore_cleanup_errors=True) as folder:
        say("demo: the sample runs in a throw-away database; nothing is kept (--keep DIR keeps it)")
        database = Path(folder) / paths.DATABASE
        return _demo(Session(given, database=database, lenient=on_terminal()), samples, format)


def _kept(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TriageError("can't make the folder", str(folder), error.strerror or str(error)) from error
    return folder / paths.DATABASE


def _demo(session: Session, samples: Path, format: str) -> int:
    try:
        if on_terminal():
            return run_app_on(session, [samples], demo=True)
        report_of(session, [samples], format)
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
    session = Session(given, lenient=on_terminal())
    chosen = session.run(run)
    if not session.workspace.has_case(chosen.id, case):
        raise TriageError("no such case", f"{case} in {chosen.id}", f"triage cases {chosen.id} lists them")
    if on_terminal():
        return run_app_on(session, (), open_case=(chosen.id, case))
    from triage.cli.cases import print_case

    print_case(session, Scope(chosen.id), case, "table")
    return session.exit_code
