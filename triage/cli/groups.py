"""`triage groups`: similar failures as proposed groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from triage.cli.options import db_option, filter_options, format_option, k_option, load_options
from triage.cli.output import emit, emit_json, emit_jsonl, sentence, table
from triage.cli.session import Session
from triage.models.query import Scope

if TYPE_CHECKING:
    from triage.models.groups import Group

IDS = 6
"""Case ids of a group that a table names."""


@click.command(
    "groups",
    short_help="Similar failures, proposed as groups.",
    epilog="Example: triage groups kb42 --filter topic:refund --least 3",
)
@click.argument("run", required=False)
@filter_options
@click.option(
    "--least", type=click.IntRange(2), default=2, show_default=True, metavar="N", help="Cases of a group."
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="At most so many groups, the largest.")
@k_option
@format_option("table", "json", "jsonl")
@db_option
@load_options
def groups_command(
    run: str | None,
    query: str,
    text: str | None,
    least: int,
    limit: int | None,
    k: int | None,
    format: str,
    **given: Any,
) -> int:
    """Failing cases that may have one cause: the same rule and the same document, error or like queries.

    Groups are proposals; nothing is judged. In the app a group opens with all its cases marked.
    """
    session = Session(given)
    found = session.run(run)
    session.check(found)
    scope = Scope(found.id, k=k, text=query if text is None else text, literal=text is not None)
    grouped = session.workspace.grouping.groups(scope)
    groups = [group for group in grouped.groups if group.cases >= least][:limit]
    ids = session.workspace.grouping.ids(scope, groups)
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
        alone = grouped.failing - grouped.grouped
        many = "" if len(grouped.groups) == 1 else "s"
        counts = f"{grouped.grouped} of {grouped.failing} failing cases in {len(grouped.groups)} group{many}"
        emit(sentence(found.id, counts, f"{alone} alone" if alone else ""))
        rows = [
            [group.failure_class or "-", group.reason, str(group.cases), str(group.judged), group.common,
             " ".join(some[:IDS]) + (" ..." if len(some) > IDS else "")]
            for group, some in zip(groups, ids, strict=True)
        ]  # fmt: skip
        heads = ["class", "rule", "cases", "judged", "in common", "which"]
        for line in table(heads, rows, right=frozenset({2, 3}), indent="  ") if rows else ():
            emit(line)
    return session.exit_code


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
