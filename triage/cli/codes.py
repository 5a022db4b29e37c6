"""`triage codes`: the codebook. Labels with their definitions; renamed, merged and split over all runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from triage.cli.options import db_option, format_option, reviewer_option
from triage.cli.output import emit, emit_json, say, sentence, table
from triage.cli.session import Session
from triage.cli.words import when
from triage.errors import TriageError, UsageError
from triage.workspace.reviews import counted

if TYPE_CHECKING:
    from triage.models.codes import Bearer, Code, CodeChange
    from triage.workspace.coding import Coded, Coding

CASES = 20
"""Cases that `codes show` names as bearing the label."""


@click.group(
    "codes",
    invoke_without_command=True,
    short_help="The codebook: labels and what they mean.",
    epilog="Example: triage codes define stale-doc 'the cited document is out of date'",
)
@db_option
@reviewer_option
@format_option("table", "json", "markdown")
@click.pass_context
def codes_command(ctx: click.Context, /, format: str, **given: Any) -> int:
    """Every label that is used, defined or offered: on how many cases of how many runs, and what it means.

    define, rename, merge, split, forget and undo change it on every case of every run; all of it is kept in
    the history.
    """
    if ctx.invoked_subcommand is not None:
        if ctx.get_parameter_source("format") is ParameterSource.COMMANDLINE:
            command = ctx.invoked_subcommand
            raise UsageError(
                "--format stands after the command",
                f"triage codes {command}",
                f"triage codes {command} --help",
            )
        root = ctx.find_root()
        root.obj = {**(root.obj or {}), **{key: value for key, value in given.items() if value is not None}}
        return 0
    session = Session(given)
    book = session.workspace.coding.book()
    if format == "json":
        emit_json({"codes": [_code(code) for code in book.codes], "runs": list(book.runs)})
    elif format == "markdown":
        from triage.export.markdown import codebook_lines

        emit("".join(codebook_lines(book)).rstrip("\n"))
    else:
        rows = [
            [code.name, str(code.total), str(len(code.uses)), "yes" if code.offered else "",
             code.definition or "(no definition)"]
            for code in book.codes
        ]  # fmt: skip
        for line in table(
            ["label", "cases", "runs", "offered", "means"], rows, right=frozenset({1, 2})
        ) or ["no label yet"]:  # fmt: skip
            emit(line)
    return session.exit_code


def _code(code: Code) -> dict[str, Any]:
    return {
        "name": code.name,
        "definition": code.definition,
        "examples": [_bearer(one) for one in code.examples],
        "cases": code.total,
        "runs": code.uses,
        "offered": code.offered,
        "reviewer": code.reviewer or None,
        "at": code.at or None,
    }


def _bearer(one: Bearer) -> dict[str, Any]:
    return {"run": one.run, "id": one.case_id, "query": one.query}


def _change(one: CodeChange) -> dict[str, Any]:
    return {
        "id": one.id,
        "kind": one.kind,
        "names": list(one.names),
        "into": list(one.into),
        "cases": one.cases,
        "definition": one.definition,
        "reviewer": one.reviewer,
        "at": one.at,
        "undone": one.undone,
    }


def _coding(given: dict[str, Any]) -> tuple[Session, Coding]:
    session = Session(given)
    return session, session.workspace.coding


def _done(session: Session, done: Coded) -> int:
    say(done.said)
    return session.exit_code


@codes_command.command(
    "show",
    short_help="A label whole, with its cases and history.",
    epilog="Example: triage codes show stale-doc",
)
@click.argument("label")
@format_option("table", "json")
@db_option
def show_command(label: str, format: str, **given: Any) -> int:
    """A label whole: what it means, examples, the cases that bear it, what became of it."""
    session, coding = _coding(given)
    code, history = coding.book().named(label), coding.history(label)
    if code is None and not history:
        raise TriageError("no such label", label, "triage codes lists them")
    cases = coding.bearers(label, CASES) if code is not None and code.total else []
    if format == "json":
        emit_json(
            {
                "code": None if code is None else _code(code),
                "cases": [_bearer(one) for one in cases],
                "history": [_change(one) for one in history],
            }
        )
        return session.exit_code
    emit(
        sentence(
            label,
            f"{counted(code.total)} of {len(code.uses)} run{'' if len(code.uses) == 1 else 's'}"
            if code is not None
            else "no longer used",
        )
    )
    rows: list[list[str]] = []
    if code is not None:
        rows.append(["means", code.definition or "(no definition)"])
        rows += [["such as", f"{one.run} {one.case_id} {one.query}"] for one in code.examples]
        rows += [["in run", f"{run} {count}"] for run, count in code.uses.items()]
    rows += [["case", f"{one.run} {one.case_id} {one.query}"] for one in cases]
    rows += [["history", _said(one)] for one in history]
    for line in table(["", ""], rows, indent="  ", whole=True):
        emit(line)
    return session.exit_code


def _said(one: CodeChange) -> str:
    """A change in one line."""
    parts = [when(one.at), one.reviewer, one.said, f"({counted(one.cases)})" if one.cases else ""]
    return " ".join(part for part in parts if part) + (" (taken back)" if one.undone else "")


@codes_command.command(
    "define",
    short_help="Say what a label means.",
    epilog="Example: triage codes define stale-doc 'out of date' --example kb42:E06",
)
@click.argument("label")
@click.argument("definition", required=False)
@click.option(
    "--example",
    "examples",
    multiple=True,
    metavar="RUN:CASE",
    help="A case that shows it; in place of those before.",
)
@reviewer_option
@db_option
def define_command(label: str, definition: str | None, examples: tuple[str, ...], **given: Any) -> int:
    """Say what a label means, also one that the settings offer; "" takes the definition away."""
    if definition is None and not examples:
        raise UsageError("nothing to define", label, "give a definition or --example RUN:CASE")
    session, coding = _coding(given)
    named: list[tuple[str, str]] = []
    for word in examples:
        run, case = _run_and_case(session, word)
        named.append((session.loaded_run(run).id, case))
    return _done(session, coding.define(label, definition, named or None))


def _run_and_case(session: Session, word: str) -> tuple[str, str]:
    """Split RUN:CASE at the colon before which a run is named: ids may hold colons themselves."""
    parts = word.split(":")
    pairs = [(":".join(parts[:at]), ":".join(parts[at:])) for at in range(1, len(parts))]
    pairs = [pair for pair in pairs if all(pair)]
    if not pairs:
        raise UsageError("an example is RUN:CASE", word)
    return next((pair for pair in pairs if session.names_run(pair[0])), pairs[0])


@codes_command.command("rename", epilog="Example: triage codes rename stale-doc out-of-date")
@click.argument("old")
@click.argument("new")
@reviewer_option
@db_option
def rename_command(old: str, new: str, **given: Any) -> int:
    """Give a label another name on every case of every run."""
    session, coding = _coding(given)
    return _done(session, coding.rename(old, new))


@codes_command.command("merge", epilog="Example: triage codes merge old-doc stale stale-doc")
@click.argument("labels", nargs=-1, required=True, metavar="LABEL... INTO")
@reviewer_option
@db_option
def merge_command(labels: tuple[str, ...], **given: Any) -> int:
    """Make one label, the last one named, of several."""
    if len(labels) < 2:
        raise UsageError("wrong number of words", "triage codes merge LABEL... INTO")
    session, coding = _coding(given)
    return _done(session, coding.merge(labels[:-1], labels[-1]))


@codes_command.command(
    "split",
    short_help="Give the cases of a label others, by filters.",
    epilog="Example: triage codes split stale-doc --into 'stale-fee=topic:refund'",
)
@click.argument("label")
@click.option(
    "--into", "parts", multiple=True, metavar="NEW=QUERY", help="Cases that match get NEW; repeatable."
)
@click.option("--rest", metavar="NEW", help="What all other cases get. Default: they keep the label.")
@reviewer_option
@db_option
def split_command(label: str, parts: tuple[str, ...], rest: str | None, **given: Any) -> int:
    """Give the cases that bear a label others in its place, by filters over every loaded run."""
    filters: dict[str, str] = {}
    for part in parts:
        name, sign, query = part.partition("=")
        if not sign or not query.strip():
            raise UsageError("--into is NEW=QUERY", part, "such as stale-price=topic:price")
        if name.strip() in filters:
            raise UsageError("--into names a label twice", name.strip(), "give it one filter: (...) OR (...)")
        filters[name.strip()] = query
    session, coding = _coding(given)
    return _done(session, coding.split_by(label, filters, rest))


@codes_command.command("forget", epilog="Example: triage codes forget spare")
@click.argument("label")
@reviewer_option
@db_option
def forget_command(label: str, **given: Any) -> int:
    """Take a label that no case bears out of the codebook."""
    session, coding = _coding(given)
    return _done(session, coding.forget(label))


@codes_command.command("undo", epilog="Example: triage codes undo")
@reviewer_option
@db_option
def undo_command(**given: Any) -> int:
    """Take the newest change to the codebook back, on all its cases."""
    session, coding = _coding(given)
    return _done(session, coding.undo())


@codes_command.command("history", epilog="Example: triage codes history --format json")
@format_option("table", "json")
@db_option
def history_command(format: str, **given: Any) -> int:
    """Every change to the codebook, newest first."""
    session, coding = _coding(given)
    changes = coding.history()
    if format == "json":
        emit_json({"changes": [_change(one) for one in changes]})
    else:
        for line in table([""], [[_said(one)] for one in changes]) or ["no change yet"]:
            emit(line)
    return session.exit_code
