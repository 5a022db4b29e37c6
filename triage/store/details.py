"""A case whole, as far as the store knows it."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from msgspec import Struct

from triage.errors import TriageError
from triage.models.case import CaseRow, Earlier
from triage.models.measure import Diagnosis
from triage.models.run import Problem
from triage.models.verdict import Event
from triage.store import cases, runs, standing, versions
from triage.store.testsets import TestSets

if TYPE_CHECKING:
    from triage.models.run import RunSummary


class DetailParts(Struct, frozen=True):
    """What a case's detail is made of. `raw` is the record's JSON text as it came, `line` as in `Problem`.

    `inferred` are fields that reading filled in, `missing` metric keys. `events` are newest last,
    `earlier` newest first.
    """

    row: CaseRow
    raw: str
    line: int
    measures: dict[str, float | None]
    missing: tuple[str, ...]
    inferred: tuple[str, ...]
    diagnosis: Diagnosis
    problems: tuple[Problem, ...]
    events: tuple[Event, ...]
    earlier: tuple[Earlier, ...]


def detail_parts(sql: sqlite3.Connection, run: RunSummary, view: int, pk: int, sets: TestSets) -> DetailParts:
    """Everything about one case of a run's view.

    Raises:
        TriageError: there is no such case, or no longer.
    """
    rows = cases.rows(sql, run, view, [pk], [member.run_id for member in sets.earlier(run.id)])
    found = sql.execute(
        "SELECT c.line, d.raw FROM cases c JOIN records d ON d.case_pk = c.pk WHERE c.pk = ?", (pk,)
    ).fetchone()
    if not rows or found is None:
        raise TriageError("no such case", f"it is no longer in {run.id}", "the run was loaded anew")
    row = rows[0]
    values, missing, _ = cases.measures(sql, view, [pk])[pk]
    suggestion, secondary = cases.findings(sql, view, [pk])[pk]
    return DetailParts(
        row=row,
        raw=found[1],
        line=found[0],
        measures=values,
        missing=missing,
        inferred=cases.inferred_fields(sql, [pk])[pk],
        diagnosis=Diagnosis(suggestion, secondary, row.failing, row.layers, row.first_rank),
        problems=tuple(runs.problems(sql, run.pk, row.id)),
        events=tuple(standing.load(sql, run.id, row.id)),
        earlier=earlier(sql, run, row.id, sets),
    )


def earlier(sql: sqlite3.Connection, run: RunSummary, case_id: str, sets: TestSets) -> tuple[Earlier, ...]:
    """The same case in the other runs of the test set, newest first; each at its own run's K."""
    out = []
    for member in sets.others(run.id):
        found = sql.execute(
            """SELECT json_extract(v.header, '$.kb_version'), v.created_at, m.failing, m.class, m.reason,
                m.first_rank FROM revisions v JOIN cases c ON c.rev = v.pk AND c.case_id = ?
                JOIN views w ON w.rev = v.pk AND w.k = v.k AND w.done = 1 AND w.version = ?
                JOIN measures m ON m.view = w.pk AND m.case_pk = c.pk
                WHERE v.pk = ? ORDER BY w.pk DESC LIMIT 1""",
            (case_id, versions.measured(), member.rev),
        ).fetchone()
        if found is not None:
            kb_version, created_at, failing, name, reason, rank = found
            review = standing.review(sql, member.run_id, case_id, member.rev)
            out.append(
                Earlier(member.run_id, kb_version, created_at, bool(failing), name, reason, rank, review)
            )
    return tuple(out)
