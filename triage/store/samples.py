"""Samples of a run's cases: kept by name, with the rule and the seed that drew them.

A sample hangs on its run's id, as reviews do: it outlives the run's revisions and its removal, and goes with
the run's reviews.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import DecodeError
from msgspec.json import decode, encode

from triage.errors import TriageError
from triage.models.sample import Drawn, Sample, SampleCase
from triage.store.text import safe, text_safe

if TYPE_CHECKING:
    from triage.models.run import RunSummary
    from triage.store.connection import Connection
    from triage.store.events import Who

_COLUMNS = "pk, run_id, name, revision, drawn, readings, reviewer, at"


class Samples:
    """Samples as one thread's connection sees them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._sql = connection.sql

    def keep(self, run: RunSummary, name: str, drawn: Drawn, queue: Iterable[SampleCase], who: Who) -> Sample:
        """Keep a sample by its name ("" = the next free one), with the order in which its cases are handed
        out.

        Raises:
            TriageError: the run has a sample of this name, or the run is gone; nothing was written.
            Busy: another process held the database for too long; nothing was written.
        """
        with self._connection.write(durable=True) as sql:
            if not sql.execute("SELECT 1 FROM runs WHERE run_id = ? AND newest > 0", (run.id,)).fetchone():
                raise TriageError("no such run", run.id, "it was removed just now")
            name = name or self.free_name(run.id)
            if (taken := self._row(run.id, name)) is not None:
                raise TriageError(
                    "there is a sample of this name", f"{taken[2]} in {run.id}", "choose another name"
                )
            made = sql.execute(
                """INSERT INTO samples (run_id, name, revision, dataset, rule, drawn, readings, reviewer, at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                text_safe(
                    (
                        run.id, name, run.revision, run.dataset, encode(drawn.rule).decode(),
                        encode(drawn).decode(), drawn.rule.readings, who.reviewer, who.at,
                    )
                ),
            )  # fmt: skip
            sql.executemany(
                """INSERT INTO sample_cases (sample, case_id, place, stratum, must, readings)
                    VALUES (?, ?, ?, ?, ?, ?)""",
                (
                    (made.lastrowid, safe(case.case_id), case.place, case.stratum, case.must, case.readings)
                    for case in queue
                ),
            )
        found = self.load(run.id, name)
        assert found is not None
        return found

    def of_run(self, run_id: str) -> list[Sample]:
        """The samples of a run, newest first."""
        rows = self._sql.execute(
            f"SELECT {_COLUMNS} FROM samples WHERE run_id = ? ORDER BY pk DESC", (safe(run_id),)
        )
        return [_sample(row) for row in rows]

    def load(self, run_id: str, name: str) -> Sample | None:
        """A sample by its name, else by it in other letters (`First`); None where the run has none of it."""
        row = self._row(run_id, name)
        return None if row is None else _sample(row)

    def named(self, run_id: str, name: str) -> Sample:
        """A sample by its name.

        Raises:
            TriageError: the run has none of this name, or what was drawn can't be read.
        """
        found = self.load(run_id, name)
        if found is None:
            names = ", ".join(self.names(run_id))
            hint = f"there are {names}" if names else f"draw one: triage sample {run_id}"
            raise TriageError("no such sample", f"{name} in {run_id}", hint)
        return found

    def _row(self, run_id: str, name: str) -> Sequence[Any] | None:
        row = self._exact(run_id, name)
        if row is None:
            # A filter, which asks for a sample by its name, folds case: two that differ in it would be one.
            names = self._sql.execute("SELECT name FROM samples WHERE run_id = ?", (safe(run_id),)).fetchall()
            same = next((one for (one,) in names if one.casefold() == safe(name).casefold()), None)
            row = None if same is None else self._exact(run_id, same)
        return row

    def _exact(self, run_id: str, name: str) -> Sequence[Any] | None:
        found: Sequence[Any] | None = self._sql.execute(
            f"SELECT {_COLUMNS} FROM samples WHERE run_id = ? AND name = ?", text_safe((run_id, name))
        ).fetchone()
        return found

    def cases(self, sample: int) -> list[SampleCase]:
        """The cases of a sample (its `pk`) in the order in which they are handed out."""
        rows = self._sql.execute(
            """SELECT case_id, place, stratum, must, readings FROM sample_cases
                WHERE sample = ? ORDER BY place""",
            (sample,),
        )
        return [
            SampleCase(case_id, place, stratum, bool(must), readings)
            for case_id, place, stratum, must, readings in rows
        ]

    def names(self, run_id: str) -> dict[str, int]:
        """The names of a run's samples with the number of their cases, newest first."""
        return dict(
            self._sql.execute(
                """SELECT s.name, (SELECT count(*) FROM sample_cases c WHERE c.sample = s.pk)
                    FROM samples s WHERE s.run_id = ? ORDER BY s.pk DESC""",
                (safe(run_id),),
            ).fetchall()
        )

    def free_name(self, run_id: str) -> str:
        """The next name of `sample-1`, `sample-2`, ... that no sample of the run has."""
        taken = {name.casefold() for name in self.names(run_id)}
        return next(name for number in range(1, len(taken) + 2) if (name := f"sample-{number}") not in taken)

    def remove(self, run_id: str, name: str) -> int:
        """Let go of a sample and its queue; verdicts that were given in it stay. Returns how many cases it
        had, 0 where there is none of this name.
        """
        with self._connection.write(durable=True) as sql:
            found = self._row(run_id, name)
            if found is None:
                return 0
            return _remove(sql, found[0])


def remove_of_run(sql: sqlite3.Connection, run_id: str) -> None:
    """Let go of all samples of a run. Call inside a write transaction."""
    for (pk,) in sql.execute("SELECT pk FROM samples WHERE run_id = ?", (run_id,)).fetchall():
        _remove(sql, pk)


def _remove(sql: sqlite3.Connection, pk: int) -> int:
    sql.execute("DELETE FROM slots WHERE sample = ?", (pk,))
    gone = sql.execute("DELETE FROM sample_cases WHERE sample = ?", (pk,)).rowcount
    sql.execute("DELETE FROM samples WHERE pk = ?", (pk,))
    return int(gone)


def by_key(sql: sqlite3.Connection, pk: int) -> Sample:
    """The sample with a key, which there is.

    Raises:
        TriageError: what was drawn can't be read.
    """
    return _sample(sql.execute(f"SELECT {_COLUMNS} FROM samples WHERE pk = ?", (pk,)).fetchone())


def _sample(row: Sequence[Any]) -> Sample:
    pk, run, name, revision, drawn, readings, reviewer, at = row
    try:
        found = decode(drawn, type=Drawn)
    except DecodeError as error:
        raise TriageError(
            "a sample can't be read",
            f"{name} in {run}: {error}",
            f"let go of it: triage sample {run} --remove {name}",
        ) from error
    return Sample(pk, run, name, revision, found, readings, reviewer, at)
