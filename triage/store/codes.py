"""The codebook: labels with their definitions, and every change that was made to them.

A label that is renamed, merged or split changes on every case by review events of its own, one batch a run:
what was written before stays as it was written.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct, convert, to_builtins

from triage.errors import TriageError
from triage.models.codes import ChangeKind, CodeChange
from triage.store import events
from triage.store.cases import chunks, marks
from triage.store.standing import recompute, undone_batches
from triage.store.text import dumps, safe, text_safe

if TYPE_CHECKING:
    from triage.store.connection import Connection
    from triage.store.events import Who

Relabel = Callable[[str, str, tuple[str, ...]], tuple[str, ...]]
"""The labels that a case gets: of a run id, a case id, and the labels that stand on it."""
_EVENT = """INSERT INTO events (batch, sitting, dataset, case_id, run_id, revision, hash_case, hash_answer,
    hash_retrieved, reviewer, at, kind, labels)
    SELECT ?, ?, dataset, case_id, run_id, revision, hash_case, hash_answer, hash_retrieved, ?, ?, 'labels', ?
    FROM events WHERE run_id = ? AND case_id = ? ORDER BY id DESC LIMIT 1"""


class Entry(Struct, frozen=True):
    """What the codebook holds of a label. `examples` are (run id, case id)."""

    definition: str = ""
    examples: tuple[tuple[str, str], ...] = ()
    reviewer: str = ""
    at: str = ""


class Codes:
    """The codebook as one thread's connection sees it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    # reading

    def entries(self) -> dict[str, Entry]:
        """What is written of each label, by name."""
        return _entries(self._connection.sql)

    def definitions(self) -> dict[str, str]:
        """What each label means, by name; those without a definition are left out."""
        return {name: entry.definition for name, entry in self.entries().items() if entry.definition}

    def uses(self) -> dict[str, dict[str, int]]:
        """Label -> run id -> cases on which it stands; runs that are no longer loaded among them."""
        found: dict[str, dict[str, int]] = {}
        with self._connection.question() as sql:
            for name, run_id, count in sql.execute(
                """SELECT j.value, r.run_id, count(*) FROM reviews_now r, json_each(r.labels) j
                    WHERE r.labels <> '[]' GROUP BY 1, 2"""
            ):
                found.setdefault(str(name), {})[run_id] = count
        return found

    def on_cases(self, run_id: str, case_ids: Sequence[str]) -> dict[str, int]:
        """Label -> on how many of some cases of a run it stands; none is left out that stands on one."""
        found: dict[str, int] = {}
        for part in chunks(list(dict.fromkeys(case_ids))):
            for name, count in self._connection.sql.execute(
                f"""SELECT j.value, count(*) FROM reviews_now r, json_each(r.labels) j
                    WHERE r.run_id = ? AND r.labels <> '[]' AND r.case_id IN ({marks(part)}) GROUP BY 1""",
                text_safe((run_id, *part)),
            ):
                found[str(name)] = found.get(str(name), 0) + count
        return found

    def bearers(self, name: str, most: int, run_id: str | None = None) -> list[tuple[str, str, str | None]]:
        """(run id, case id, verdict) of at most `most` cases on which a label stands, by run and case."""
        only, params = ("", ()) if run_id is None else ("AND r.run_id = ?", (run_id,))
        with self._connection.question() as sql:
            return sql.execute(
                f"""SELECT r.run_id, r.case_id, r.verdict FROM reviews_now r
                    WHERE r.labels <> '[]' {only}
                    AND EXISTS (SELECT 1 FROM json_each(r.labels) WHERE value = ?)
                    ORDER BY r.run_id, r.case_id LIMIT ?""",
                (*params, safe(name), most),
            ).fetchall()

    def queries(self, rev: int, case_ids: Sequence[str]) -> dict[str, str]:
        """The queries of cases of a revision, by case id."""
        found: dict[str, str] = {}
        for part in chunks(list(case_ids)):
            found.update(
                self._connection.sql.execute(
                    f"SELECT case_id, query FROM cases WHERE rev = ? AND case_id IN ({marks(part)})",
                    (rev, *part),
                )
            )
        return found

    def history(self) -> list[CodeChange]:
        """Every change, newest first; those that were taken back are marked."""
        rows = self._connection.sql.execute(
            "SELECT id, kind, names, into_names, detail, reviewer, at FROM code_changes ORDER BY id DESC"
        ).fetchall()
        return _changes(rows)

    # writing

    def define(
        self, name: str, definition: str | None, examples: Sequence[tuple[str, str]] | None, who: Who
    ) -> bool:
        """Write what a label means; None leaves a part as it is. False where it stands so already."""
        with self._connection.write(durable=True) as sql:
            old = _entries(sql).get(name, Entry())
            new = Entry(
                old.definition if definition is None else definition,
                old.examples if examples is None else tuple(examples),
                who.reviewer,
                who.at,
            )
            if (new.definition, new.examples) == (old.definition, old.examples):
                return False
            _put(sql, {name: new})
            _record(sql, "define", [name], [name], who, before={name: old}, definition=new.definition)
            return True

    def forget(self, name: str, who: Who) -> None:
        """Take a label out of the book.

        Raises:
            TriageError: it stands on cases.
        """
        with self._connection.write(durable=True) as sql:
            count = len(_bearing(sql, {name}))
            if count:
                raise TriageError("the label is in use", f"{name} on {count} cases", "merge it into another")
            old = _entries(sql).get(name, Entry())
            _put(sql, {name: None})
            _record(sql, "forget", [name], [], who, before={name: old})

    def relabel(
        self,
        kind: ChangeKind,
        names: Sequence[str],
        into: Sequence[str],
        labels: Relabel,
        book: Callable[[Mapping[str, Entry], bool], Mapping[str, Entry | None]],
        who: Who,
        refuse: Callable[[frozenset[str]], None] = lambda names: None,
    ) -> dict[str, int]:
        """Give every case that bears one of `names` other labels, in all runs, in one transaction.

        Args:
            labels: those of a case afterwards.
            book: what the codebook holds afterwards of the labels concerned (None = nothing), told what it
                holds now and whether one of `names` still stands on some case.
            refuse: raises where the labels that there are do not allow it; asked inside the transaction.

        Returns:
            Run id -> cases that were relabelled.

        Raises:
            Busy: another process held the database for too long; nothing was written.
        """
        with self._connection.write(durable=True) as sql:
            entries = _entries(sql)
            used = sql.execute("SELECT DISTINCT j.value FROM reviews_now r, json_each(r.labels) j")
            refuse(frozenset(entries) | {str(name) for (name,) in used})
            changed: dict[str, dict[str, tuple[str, ...]]] = {}
            stays = False
            for run_id, case_id, before in _bearing(sql, set(names)):
                after = tuple(dict.fromkeys(labels(run_id, case_id, before)))
                stays = stays or not set(names).isdisjoint(after)
                if after != before:
                    changed.setdefault(run_id, {})[case_id] = after
            batches = [_appended(sql, run_id, cases, who) for run_id, cases in changed.items()]
            after_book = book(entries, stays)
            old = {name: entries.get(name) for name in after_book}
            _put(sql, after_book)
            counts = {run_id: len(cases) for run_id, cases in changed.items()}
            _record(
                sql, kind, names, into, who, before=old, batches=batches, cases=sum(counts.values())
            )  # fmt: skip
            # The change must be on record: what the events add up to depends on it.
            for run_id, cases in changed.items():
                recompute(sql, run_id, cases, _revision(sql, run_id))
            return counts

    def undo(self, who: Who) -> CodeChange:
        """Take back the newest change that stands, on all its cases; returns it.

        Raises:
            TriageError: there is none, or labels of one of its cases were changed since.
        """
        with self._connection.write(durable=True) as sql:
            rows = sql.execute(
                "SELECT id, kind, names, into_names, detail, reviewer, at FROM code_changes ORDER BY id DESC"
            ).fetchall()
            standing = [one for one in _changes(rows) if one.kind != "undo" and not one.undone]
            if not standing:
                raise TriageError("nothing to take back", "the codebook has no change", "")
            change = standing[0]
            detail = next(json.loads(row[4]) for row in rows if row[0] == change.id)
            for batch in detail["batches"]:
                self._turn(sql, batch, who)
            _put(sql, {name: _entry(held) for name, held in detail["before"].items()})
            _record(sql, "undo", change.into, change.names, who, before={}, of=change.id, cases=change.cases)
            return change

    def _turn(self, sql: sqlite3.Connection, batch: str, who: Who) -> None:
        """Take a batch back; a reading in a queue since has labels of its own and is not in the way."""
        found = sql.execute("SELECT run_id FROM batches WHERE batch = ?", (batch,)).fetchone()
        if found is None:
            # The run was removed with its reviews.
            return
        (run_id,) = found
        since = sql.execute(
            """SELECT e.batch, e.case_id FROM events t CROSS JOIN events e ON e.run_id = t.run_id
                AND e.case_id = t.case_id WHERE t.batch = ? AND e.id > t.id AND e.labels IS NOT NULL
                AND NOT (e.kind = 'verdict' AND e.sample IS NOT NULL)""",
            (batch,),
        ).fetchall()
        gone = undone_batches(sql, (one for one, _ in since))
        changed = next((case_id for one, case_id in since if one not in gone), None)
        if changed is not None:
            raise TriageError(
                "can't take the change back",
                f"labels of {changed} in {run_id} were changed since",
                "rename or merge instead",
            )
        undone = os.urandom(8).hex()
        events.put_batch(sql, undone, run_id, "undo", batch, who)
        events.copy_events(sql, batch, undone, "undo", batch, who)
        cases = [case for (case,) in sql.execute("SELECT case_id FROM events WHERE batch = ?", (batch,))]
        recompute(sql, run_id, cases, _revision(sql, run_id))


def _appended(sql: sqlite3.Connection, run_id: str, cases: Mapping[str, tuple[str, ...]], who: Who) -> str:
    """Append the events that give cases of a run their labels; their batch."""
    batch = os.urandom(8).hex()
    events.put_batch(sql, batch, run_id, "labels", None, who)
    sql.executemany(
        _EVENT,
        (
            (batch, who.sitting, who.reviewer, who.at, json.dumps(labels, ensure_ascii=False), run_id, case)
            for case, labels in cases.items()
        ),
    )
    return batch


def _revision(sql: sqlite3.Connection, run_id: str) -> int | None:
    """Key of a run's newest revision, None where it is not loaded."""
    found = sql.execute("SELECT newest FROM runs WHERE run_id = ? AND newest > 0", (run_id,)).fetchone()
    return None if found is None else int(found[0])


def _bearing(sql: sqlite3.Connection, names: set[str]) -> list[tuple[str, str, tuple[str, ...]]]:
    """(run id, case id, labels) of the cases on which one of the labels stands."""
    wanted = {safe(name) for name in names}
    found = []
    for run_id, case_id, text in sql.execute(
        "SELECT run_id, case_id, labels FROM reviews_now WHERE labels <> '[]' ORDER BY run_id, case_id"
    ):
        labels = tuple(json.loads(text))
        if not wanted.isdisjoint(labels):
            found.append((run_id, case_id, labels))
    return found


def _entries(sql: sqlite3.Connection) -> dict[str, Entry]:
    return {
        name: Entry(definition, tuple((run, case) for run, case in json.loads(examples)), reviewer, at)
        for name, definition, examples, reviewer, at in sql.execute(
            "SELECT name, definition, examples, reviewer, at FROM codes ORDER BY name"
        )
    }


def _put(sql: sqlite3.Connection, book: Mapping[str, Entry | None]) -> None:
    for name, entry in book.items():
        if entry is None or not (entry.definition or entry.examples):
            sql.execute("DELETE FROM codes WHERE name = ?", (safe(name),))
        else:
            sql.execute(
                """INSERT OR REPLACE INTO codes (name, definition, examples, reviewer, at)
                    VALUES (?, ?, ?, ?, ?)""",
                (safe(name), safe(entry.definition), dumps(entry.examples), safe(entry.reviewer), entry.at),
            )


def _entry(held: Any) -> Entry | None:
    return None if held is None else convert(held, Entry)


def _record(
    sql: sqlite3.Connection,
    kind: ChangeKind,
    names: Sequence[str],
    into: Sequence[str],
    who: Who,
    *,
    before: Mapping[str, Entry | None],
    batches: Sequence[str] = (),
    cases: int = 0,
    definition: str = "",
    of: int | None = None,
) -> None:
    detail = {
        "before": {name: None if entry is None else to_builtins(entry) for name, entry in before.items()},
        "batches": list(batches), "cases": cases, "definition": definition, "of": of,
    }  # fmt: skip
    sql.execute(
        """INSERT INTO code_changes (kind, names, into_names, detail, reviewer, at)
            VALUES (?, ?, ?, ?, ?, ?)""",
        (
            kind, *(dumps([safe(name) for name in some]) for some in (names, into)), safe(dumps(detail)),
            who.reviewer, who.at,
        ),
    )  # fmt: skip


def _before(detail: Mapping[str, Any], names: str) -> str:
    """The definition that the first of a change's labels had before it."""
    held = detail.get("before") or {}
    return next(((held.get(name) or {}).get("definition", "") for name in json.loads(names)), "")


def _changes(rows: Iterable[tuple[Any, ...]]) -> list[CodeChange]:
    """Rows of `code_changes`, newest first."""
    undone: set[int] = set()
    found = []
    for ident, kind, names, into, text, reviewer, at in rows:
        detail = json.loads(text)
        if detail.get("of") is not None:
            undone.add(detail["of"])
        found.append(
            CodeChange(
                ident, kind, tuple(json.loads(names)), tuple(json.loads(into)), detail.get("cases", 0),
                reviewer, at, detail.get("definition", ""), ident in undone, _before(detail, names),
            )
        )  # fmt: skip
    return found
