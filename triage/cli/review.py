"""`triage review`: the app at a sample's queue, or what the reading of a run says of it."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from triage.cli.opening import on_terminal, run_app_on
from triage.cli.options import format_option, shared_options
from triage.cli.session import Session


@click.command(
    "review",
    short_help="Read a sample case by case; --report says what came of it.",
    epilog="Example: triage review kb42 --sample first --blind",
)
@click.argument("run", required=False)
@click.option("--sample", metavar="NAME", help="Read this sample at once; with --report, only its cases.")
@click.option("--blind", is_flag=True, help="Hide what rules, checks and judges say of a case.")
@click.option("--report", is_flag=True, help="Print the review report, as --format does; no app.")
@shared_options
@format_option("table", "markdown", "json")
@click.pass_context
def review_command(
    ctx: click.Context,
    /,
    run: str | None,
    sample: str | None,
    blind: bool,
    report: bool,
    format: str,
    **given: Any,
) -> int:
    """Read the cases of RUN (default: the latest), one at a time; without a terminal, report on it."""
    # Who names a format wants something printed.
    printed = report or ctx.get_parameter_source("format") is ParameterSource.COMMANDLINE
    in_app = on_terminal() and not printed
    session = Session(given, lenient=in_app)
    chosen = session.run(run)
    if sample is not None:
        sample = session.workspace.sampling.sample(chosen.id, sample).name
    if in_app:
        return run_app_on(session, (), review=(chosen.id, sample, blind))
    # Imported here because the app prints no report.
    from triage.cli.review_report import print_review_report

    print_review_report(session, chosen, sample, format)
    return session.exit_code
