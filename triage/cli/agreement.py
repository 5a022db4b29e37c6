"""`triage agreement`: how far reviewers agree, and what the rules' suggestions are worth."""

from __future__ import annotations

from typing import Any

import click

from triage.cli.agreement_words import agreement_json, headline, sections
from triage.cli.judges import judge_asked, judge_options, print_judges
from triage.cli.options import db_option, filter_options, format_option, load_options
from triage.cli.output import emit, emit_json, table
from triage.cli.session import Session
from triage.cli.words import scope_of
from triage.errors import UsageError
from triage.models.agreement import Agreement


@click.command(
    "agreement",
    short_help="How far reviewers agree; suggestions and judges against people.",
    epilog="Example: triage agreement kb42 --sample first --format markdown",
)
@click.argument("run", required=False)
@click.option("--sample", metavar="NAME", help="Only the cases of this sample.")
@click.option("--all", "every", is_flag=True, help="The readings of all loaded runs together.")
@filter_options
@judge_options
@db_option
@load_options
@format_option("table", "json", "markdown")
def agreement_command(
    run: str | None,
    sample: str | None,
    every: bool,
    query: str,
    text: str | None,
    format: str,
    **given: Any,
) -> int:
    """Print how far the reviewers of RUN (default: the latest) agree: raw agreement, kappa, alpha."""
    asked = judge_asked(given)
    if every and (run is not None or sample is not None or asked is not None):
        raise UsageError("--all takes every run", "leave RUN, --sample and --judge out")
    session = Session(given)
    if every:
        # With nothing loaded it says so, as it does of the latest run.
        session.run(None)
        for one in session.workspace.runs():
            session.check(one)
        found = session.workspace.agreeing.of(
            None, text=query if text is None else text, literal=text is not None
        )
        print_agreement(found, format)
        return session.exit_code
    chosen = session.run(run)
    session.check(chosen)
    scope = scope_of(chosen, query, text)
    if asked is not None:
        print_judges(session, scope, asked, format, sample)
        return session.exit_code
    agreeing = session.workspace.agreeing
    print_agreement(agreeing.of(chosen.id, sample, scope.text, literal=scope.literal), format)
    return session.exit_code


def print_agreement(found: Agreement, format: str) -> None:
    """Write the agreement to standard output; `format` is `table`, `json` or `markdown`."""
    if format == "json":
        emit_json(agreement_json(found))
        return
    for line in agreement_markdown(found) if format == "markdown" else agreement_lines(found):
        emit(line)


def agreement_lines(found: Agreement) -> list[str]:
    """The agreement for people."""
    from triage.plain import one_line

    lines = [one_line(said) for said in headline(found)]
    for part in sections(found):
        lines += ["", one_line(part.title), *(f"  {one_line(said)}" for said in part.says)]
        lines += table(
            part.heads, part.rows, right=part.right, indent="  ", spare=part.spare, whole=part.whole
        )
    return lines


def agreement_markdown(found: Agreement) -> list[str]:
    """The agreement as a Markdown page."""
    from triage.export.markdown import escape, escaped_table

    lines = ["## Agreement", "", *(f"{escape(said)}  " for said in headline(found))]
    for part in sections(found):
        lines += ["", f"### {escape(part.title)}"]
        lines += ["", *(f"- {escape(said)}" for said in part.says)] if part.says else []
        lines += ["", *escaped_table(part.heads, part.rows, part.right)] if part.rows else []
    return lines
