"""`triage tag`, `note`, `label`: a person's word on a case."""

from __future__ import annotations

from typing import Any

import click

from triage.cli.options import db_option, load_options, reviewer_option, stack
from triage.cli.output import say
from triage.cli.session import Session
from triage.cli.words import run_and_case
from triage.errors import UsageError, did_you_mean
from triage.models.verdict import VERDICTS, Verdict

_review_options = stack(reviewer_option, db_option, load_options)


def verdict_named(word: str) -> Verdict:
    """The verdict of that name; UsageError with the nearest one where there is none."""
    if word not in VERDICTS:
        hint = did_you_mean(word, VERDICTS, "one of: " + ", ".join(VERDICTS), likeness=0.5)
        raise UsageError("no such verdict", word, hint)
    return word


@click.command(
    "tag",
    short_help="Give a case your verdict.",
    epilog="Example: triage tag kb42 E06 ranking --label stale-doc --note 'see KB-HUMAN'",
)
@click.argument("words", metavar="[RUN] CASE VERDICT", nargs=-1, required=True)
@click.option("--clear", is_flag=True, help="Take your verdict back; no VERDICT then.")
@click.option(
    "--label", "labels", multiple=True, metavar="L", help="A second-level code; repeat it for more."
)
@click.option("--note", metavar="TEXT", help="A note on the case.")
@_review_options
def tag_command(
    words: tuple[str, ...], clear: bool, labels: tuple[str, ...], note: str | None, **given: Any
) -> int:
    """Give a case your verdict.

    VERDICT: retrieval, ranking, refusal, citation-semantic, other, not-a-failure, test-set (the case, its
    labels or its judge is wrong).
    """
    if clear:
        if labels or note is not None:
            raise UsageError("--clear takes neither --label nor --note")
        run, case, _ = run_and_case(words, "tag [RUN] CASE --clear")
        session = Session(given)
        outcome = session.workspace.clear(session.run(run).id, [case])
    else:
        run, case, (word,) = run_and_case(words, "tag [RUN] CASE VERDICT", 1)
        verdict = verdict_named(word)
        session = Session(given)
        outcome = session.workspace.tag(
            session.run(run).id, [case], verdict, labels=list(labels) if labels else None, note=note
        )
    say(outcome.said)
    return session.exit_code


@click.command(
    "note",
    short_help="Write a note on a case.",
    epilog="Example: triage note kb42 E06 'KB-HUMAN must come first'",
)
@click.argument("words", metavar="[RUN] CASE TEXT", nargs=-1, required=True)
@_review_options
def note_command(words: tuple[str, ...], **given: Any) -> int:
    """Write a note on a case, in place of the one before; an empty TEXT takes it away."""
    run, case, (text,) = run_and_case(words, "note [RUN] CASE TEXT", 1)
    session = Session(given)
    say(session.workspace.note(session.run(run).id, case, text).said)
    return session.exit_code


@click.command(
    "label", short_help="Set the labels of a case.", epilog="Example: triage label kb42 E06 stale-doc routing"
)
@click.argument("words", metavar="[RUN] CASE LABEL...", nargs=-1, required=True)
@_review_options
def label_command(words: tuple[str, ...], **given: Any) -> int:
    """Set a case's labels, without a verdict.

    The first word is RUN only where it names a run or a file and the second is one of its cases.
    """
    if len(words) < 2:
        raise UsageError("wrong number of words", "triage label [RUN] CASE LABEL...", "triage label --help")
    session = Session(given)
    chosen, rest = None, list(words)
    if len(words) > 2 and session.names_run(words[0]):
        named = session.run(words[0])
        if session.workspace.has_case(named.id, words[1]):
            chosen, rest = named, rest[1:]
    if chosen is None:
        chosen = session.run(None)
    say(session.workspace.set_labels(chosen.id, [rest[0]], rest[1:]).said)
    return session.exit_code
