"""The loaded runs: what is known of them, which one is compared with which, and letting go of them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from triage.errors import TriageError
from triage.models.run import LoadOptions, Problem, RunSummary
from triage.store import sweep, versions
from triage.store.connection import Connection
from triage.store.testsets import TestSets
from triage.store.text import safe

if TYPE_CHECKING:
    from triage.models.record import RunHeader

_RUN = """SELECT v.pk, r.run_id, v.path, v.format, v.created_at, v.loaded_at, v.k, v.records, v.rejected,
        v.number, v.size, v.field_problems, v.header
    FROM runs r JOIN revisions v ON v.pk = r.newest"""


def _summary(row: tuple[Any, ...], sets: TestSets) -> RunSummary:
    header = json.loads(row[12])
    dataset = header.get("dataset") or {}
    return RunSummary(
        pk=row[0], id=row[1], path=row[2], format=row[3], created_at=row[4], loaded_at=row[5],
        dataset=dataset.get("name"), dataset_version=dataset.get("version"),
        kb_version=header.get("kb_version"),
        retrieval=header.get("retrieval"), model=header.get("model"), k=row[6],
        score_scale=header.get("score_scale") or "1-5", records=row[7], rejected=row[8], revision=row[9],
        size=row[10],
        baseline=sets.baseline(row[1]), notes=header.get("notes"), field_problems=row[11],
    )  # fmt: skip


def runs(sql: sqlite3.Connection, sets: TestSets) -> list[RunSummary]:
    """Every loaded run at its newest finished revision, newest first."""
    rows = sql.execute(f"{_RUN} ORDER BY v.created_at DESC, v.loaded_at DESC, r.run_id DESC").fetchall()
    return [_summary(row, sets) for row in rows]


def run(sql: sqlite3.Connection, run_id: str, sets: TestSets) -> RunSummary | None:
    """A run by its id, None where it is not loaded."""
    row = sql.execute(f"{_RUN} WHERE r.run_id = ?", (safe(run_id),)).fetchone()
    return None if row is None else _summary(row, sets)


def newest(sql: sqlite3.Connection, sets: TestSets) -> RunSummary | None:
    """The newest run by `created_at`, then loading time, then id; None where there is none."""
    row = sql.execute(
        f"{_RUN} ORDER BY v.created_at DESC, v.loaded_at DESC, r.run_id DESC LIMIT 1"
    ).fetchone()
    return None if row is None else _summary(row, sets)


def news(sql: sqlite3.Connection) -> tuple[Any, ...]:
    """What differs once runs, baselines, reviews, samples, labels or checks have changed; no two batches had
    one number.
    """
    found: tuple[Any, ...] = sql.execute(
        """SELECT (SELECT max(id) FROM batches), (SELECT count(*) FROM batches),
            (SELECT group_concat(run_id || ' ' || COALESCE(newest, '')) FROM runs),
            (SELECT group_concat(run_id || ' ' || baseline) FROM baselines),
            (SELECT group_concat(run_id || ' ' || at) FROM pins),
            (SELECT group_concat(pk) FROM samples), (SELECT max(id) FROM code_changes),
            (SELECT group_concat(pk) FROM views WHERE done = 1 AND checked IS NOT ?)""",
        (versions.checked(),),
    ).fetchone()
    return found


def header(sql: sqlite3.Connection, rev: int, *, with_kb_ids: bool = True) -> RunHeader:
    """A revision's header as it was read. `kb_ids` may be long, and is left out where it is not asked for.

    Raises:
        TriageError: there is no such revision.
    """
    # Imported here because pydantic is not needed to show a list of cases.
    from triage.models.record import RunHeader

    column = "kb_ids" if with_kb_ids else "NULL"
    found = sql.execute(f"SELECT header, {column} FROM revisions WHERE pk = ?", (rev,)).fetchone()
    if found is None:
        raise TriageError("no such revision", str(rev))
    values = json.loads(found[0])
    if found[1] is not None:
        values["kb_ids"] = json.loads(found[1])
    return RunHeader.model_validate(values)


def options(sql: sqlite3.Connection, rev: int) -> tuple[LoadOptions, bool]:
    """How a revision's file was read, and whether any of its records cites.

    Raises:
        TriageError: there is no such revision.
    """
    found = sql.execute("SELECT options, run_cites FROM revisions WHERE pk = ?", (rev,)).fetchone()
    if found is None:
        raise TriageError("no such revision", str(rev))
    return LoadOptions(**json.loads(found[0])), bool(found[1])


def problems(sql: sqlite3.Connection, rev: int, case_id: str | None = None) -> list[Problem]:
    """What could not be used of a revision's file, in file order; of one case where `case_id` is given."""
    condition, params = (
        ("", (rev,)) if case_id is None else (" AND case_id = ? AND level = 'field'", (rev, case_id))
    )
    rows = sql.execute(
        f"""SELECT level, line, case_id, field, reason FROM problems
            WHERE rev = ?{condition} ORDER BY line, rowid""",
        params,
    )
    return [Problem(*row) for row in rows]


def warnings(sql: sqlite3.Connection, rev: int) -> list[str]:
    """What reading a revision's file told beside its problems."""
    found = sql.execute("SELECT warnings FROM revisions WHERE pk = ?", (rev,)).fetchone()
    return [] if found is None else list(json.loads(found[0]))


def known_keys(sql: sqlite3.Connection, rev: int) -> frozenset[str]:
    """The records' own keys seen in a revision, dotted (`meta`, `meta.lang`)."""
    return frozenset(row[0] for row in sql.execute("SELECT key FROM extra_keys WHERE rev = ?", (rev,)))


def view(sql: sqlite3.Connection, rev: int, k: int) -> int | None:
    """The view that holds a revision's measures at a K; None where it is still to be measured, or measured
    otherwise.
    """
    found = sql.execute(
        "SELECT pk FROM views WHERE rev = ? AND k = ? AND done = 1 AND version = ? ORDER BY pk DESC LIMIT 1",
        (rev, k, versions.measured()),
    ).fetchone()
    return None if found is None else int(found[0])


def _known(sql: sqlite3.Connection, run_id: str) -> None:
    if (
        sql.execute("SELECT 1 FROM runs WHERE run_id = ? AND newest IS NOT NULL", (safe(run_id),)).fetchone()
        is None
    ):
        raise TriageError("no such run", run_id, "triage runs lists them")


def set_baseline(connection: Connection, run_id: str, baseline: str | None) -> None:
    """Choose the run to compare a run with; None goes back to the default.

    Raises:
        TriageError: one of them is not loaded, or both are the same.
    """
    if run_id == baseline:
        raise TriageError("a run cannot be its own baseline", run_id)
    with connection.write() as sql:
        _known(sql, run_id)
        if baseline is None:
            sql.execute("DELETE FROM baselines WHERE run_id = ?", (run_id,))
        else:
            _known(sql, baseline)
            sql.execute(
                "INSERT OR REPLACE INTO baselines (run_id, baseline) VALUES (?, ?)", (run_id, baseline)
            )


def pin(connection: Connection, run_id: str, at: str) -> None:
    """Make a run the default baseline of its test set.

    Raises:
        TriageError: it is not loaded.
    """
    with connection.write() as sql:
        _known(sql, run_id)
        sql.execute("INSERT OR REPLACE INTO pins (run_id, at) VALUES (?, ?)", (run_id, at))


def remove(connection: Connection, run_ids: Sequence[str], with_reviews: bool) -> None:
    """Let go of runs; reviews and samples stay, and come back when the run is loaded again, unless
    `with_reviews`.

    Raises:
        TriageError: one of them is not loaded; then none is removed.
    """
    # Imported here because a start removes nothing.
    from triage.store.samples import remove_of_run
    from triage.store.state import drop_beside

    with connection.write(durable=True) as sql:
        for run_id in run_ids:
            _known(sql, run_id)
        for run_id in run_ids:
            sql.execute(
                """UPDATE revisions SET done = 2
                    WHERE done = 1 AND run_pk = (SELECT pk FROM runs WHERE run_id = ?)""",
                (run_id,),
            )
            sql.execute("DELETE FROM baselines WHERE run_id = ?", (run_id,))
            sql.execute("DELETE FROM pins WHERE run_id = ?", (run_id,))
            if with_reviews:
                for table in ("events", "batches", "reviews_now", "drafts"):
                    sql.execute(f"DELETE FROM {table} WHERE run_id = ?", (run_id,))
                drop_beside(sql, run_id)
                remove_of_run(sql, run_id)
            # The name stays taken while reviews hang on it, so that another file does not inherit them.
            kept = sql.execute(
                """SELECT 1 WHERE EXISTS (SELECT 1 FROM events WHERE run_id = :run)
                    OR EXISTS (SELECT 1 FROM samples WHERE run_id = :run)""",
                {"run": run_id},
            ).fetchone()
            sql.execute(
                "UPDATE runs SET newest = NULL WHERE run_id = ?"
                if kept
                else "DELETE FROM runs WHERE run_id = ?",
                (run_id,),
            )
    sweep.remove_retired(connection)
