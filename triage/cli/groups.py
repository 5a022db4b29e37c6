"""`triage groups`: similar failures as proposed groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from triage.cli.options import (
    db_option,
    filter_options,
    format_option,
    k_option,
    load_options,
    reviewer_option,
)
from triage.cli.output import emit, emit_json, emit_jsonl, say, sentence, table
from triage.cli.session import Session
from triage.cli.verdicts import verdict_named
from triage.errors import TriageError, UsageError
from triage.models.query import Scope

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from triage.models.groups import Group, Grouped

IDS = 6
"""Case ids of a group that a table names."""


@click.command(
    "groups",
    short_help="Similar failures, proposed as groups.",
    epilog="Example: triage groups kb10-rerank --limit 3",
)
@click.argument("run", required=False)
@filter_options
@click.option(
    "--least", type=click.IntRange(2), default=2, show_default=True, metavar="N", help="Cases of a group."
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="At most so many groups, the largest.")
@click.option(
    "--group", "number", type=click.IntRange(1), metavar="N", help="The Nth of the list: its cases."
)
@click.option("--verdict", metavar="VERDICT", help="With --group: your verdict on all its cases.")
@click.option("--label", "labels", multiple=True, metavar="L", help="With --verdict: a label; repeatable.")
@k_option
@reviewer_option
@format_option("table", "json", "jsonl")
@db_option
@load_options
def groups_command(
    run: str | None,
    query: str,
    text: str | None,
    least: int,
    limit: int | None,
    number: int | None,
    verdict: str | None,
    labels: tuple[str, ...],
    k: int | None,
    format: str,
    **given: Any,
) -> int:
    """Failing cases that may have one cause: the same rule and the same document, error or like queries.

    Groups are proposals: nothing is judged unless --verdict says so. In the app a group opens with all its
    cases marked.
    """
    if number is None and (verdict is not None or labels):
        raise UsageError("which group?", "--verdict", "add --group N, as triage groups lists them")
    if labels and verdict is None:
        raise UsageError("a label comes with a verdict", "--label", "add --verdict VERDICT")
    chosen = None if verdict is None else verdict_named(verdict)
    session = Session(given)
    found = session.run(run)
    session.check(found)
    scope = Scope(found.id, k=k, text=query if text is None else text, literal=text is not None)
    grouped = session.workspace.grouping.groups(scope)
    groups = [group for group in grouped.groups if group.cases >= least][:limit]
    if number is not None:
        if number > len(groups):
            raise TriageError("no such group", str(number), f"triage groups {found.id} lists {len(groups)}")
        groups = [groups[number - 1]]
    ids = session.workspace.grouping.ids(scope, groups)
    if chosen is not None:
        given_labels = list(labels) if labels else None
        say(session.workspace.tag(found.id, ids[0], chosen, labels=given_labels).said)
        return session.exit_code
    if format == "json":
        emit_json(
            {
                "run": found.id,
                "k": k or found.k,
                "failing": grouped.failing,
                "grouped": grouped.grouped,
                "groups": [_shape(group, some) for group, some in zip(groups, ids, strict=True)],
            }
        )
    elif format == "jsonl":
        for group, some in zip(groups, ids, strict=True):
            emit_jsonl(_shape(group, some))
    else:
        for line in _lines(found.id, grouped, list(zip(groups, ids, strict=True)), number):
            emit(line)
    return session.exit_code


def _lines(
    run: str, grouped: Grouped, listed: Sequence[tuple[Group, list[str]]], number: int | None
) -> Iterator[str]:
    """The groups for people, each with its cases' ids; `number` is the one that is listed alone, with all."""
    alone = grouped.failing - grouped.grouped
    many = "" if len(grouped.groups) == 1 else "s"
    counts = f"{grouped.grouped} of {grouped.failing} failing cases in {len(grouped.groups)} group{many}"
    yield sentence(run, counts, f"{alone} alone" if alone else "")
    rows = []
    for at, (group, ids) in enumerate(listed, number or 1):
        named = ids if number is not None else ids[:IDS]
        which = " ".join(named) + (" ..." if len(ids) > len(named) else "")
        rows.append([
            str(at), group.failure_class or "-", group.reason, str(group.cases), str(group.judged),
            _common(group), which,
        ])  # fmt: skip
    heads = ["", "class", "rule", "cases", "judged", "in common", "which"]
    if rows:
        yield from table(heads, rows, right=frozenset({0, 3, 4}), indent="  ", spare=(1,))


def _common(group: Group) -> str:
    """What its cases have in common, with how like the queries are."""
    return f"{group.common} ({group.least:.2f} or more)" if group.kind == "queries" else group.common


def _shape(group: Group, ids: list[str]) -> dict[str, Any]:
    return {
        "key": group.key,
        "kind": group.kind,
        "class": group.failure_class,
        "reason": group.reason,
        "reasons": group.reasons,
        "common": group.common,
        "role": group.role,
        "name": group.name,
        "least": group.least if group.kind == "queries" else None,
        "first": group.first,
        "cases": group.cases,
        "high_risk": group.high_risk,
        "judged": group.judged,
        "verdicts": group.verdicts,
        "labels": group.labels,
        "ids": ids,
    }
