"""Measured cases into the rows of a view, and rows into tables."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

from triage.store import columns, packing, text
from triage.store.connection import Connection
from triage.store.packing import PATTERN, Packer, Pattern

if TYPE_CHECKING:
    from triage.models.measure import Scoring
    from triage.store.rows import Measured

CHUNK = 500
"""Rows a transaction: small enough that someone tagging meanwhile does not feel it."""
Rows = list[Sequence[Any]]


def insert_into(table: str, columns: Sequence[str]) -> str:
    """The statement that takes whole rows of these columns."""
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"


_INSERT_FINDINGS = "INSERT INTO findings (view, case_pk, evidence, secondary) VALUES (?, ?, ?, ?)"
_DELETE_FINDINGS = "DELETE FROM findings WHERE view = ? AND case_pk = ?"
_PATTERN = ("missing", "inferred", "worse", "have", "ones", "layers", "lead", "class")
_INSERT_PATTERN = insert_into("patterns", _PATTERN).replace("INSERT", "INSERT OR IGNORE")
_FIND_PATTERN = f"SELECT pk FROM patterns WHERE {' AND '.join(f'{name} = ?' for name in _PATTERN)}"


def put(connection: sqlite3.Connection, statement: str, rows: Rows) -> None:
    """`executemany`, also for rows that hold lone surrogates."""
    if not rows:
        return
    try:
        connection.executemany(statement, rows)
    except UnicodeEncodeError:
        # Rows before the bad one are in already: take the statement back as a whole.
        raise _NeedsSafeText from None


class _NeedsSafeText(Exception):
    """Some text of this chunk cannot be held by SQLite as it is."""


class Measuring:
    """What revisions and views have in common: packing measured cases into a view's rows."""

    def __init__(self, connection: Connection, view: int, scoring: Scoring | None) -> None:
        self._connection = connection
        self._view = view
        self.columns = columns.columns(connection.sql)
        self._insert, self._replace = packing.statements(self.columns)
        self._known: dict[Pattern, int] = {}
        self.packer: Packer | None = None
        if scoring is not None:
            self.use(scoring)

    def use(self, scoring: Scoring) -> None:
        """Measure what follows with `scoring`."""
        self.packer = Packer(self.columns, scoring)

    def _pattern(self, pattern: Pattern) -> int:
        found = self._connection.sql.execute(_FIND_PATTERN, pattern).fetchone()
        if found is None:
            # A transaction of its own: a chunk that is taken back later must not take the pattern with it.
            with self._connection.write() as sql:
                sql.execute(_INSERT_PATTERN, pattern)
                found = sql.execute(_FIND_PATTERN, pattern).fetchone()
        key = self._known[pattern] = int(found[0])
        return key

    def placed(self, measures: list[list[Any]]) -> Rows:
        """Rows of `measures` with the keys of their patterns put in."""
        known, placed = self._known, Packer.placed
        for row in measures:
            pattern = row[PATTERN]
            placed(row, known.get(pattern) or self._pattern(pattern))
        return cast("Rows", measures)

    def _rows(self, measured: Iterable[tuple[int, Measured]]) -> tuple[Rows, Rows]:
        if self.packer is None:
            raise RuntimeError("measured cases came before their scoring was told")
        measures: list[list[Any]] = []
        findings: Rows = []
        pack, said, view = self.packer.pack, Packer.findings, self._view
        for pk, result in measured:
            measures.append(pack(view, pk, result))
            finding = said(view, pk, result)
            if finding is not None:
                findings.append(finding)
        return self.placed(measures), findings

    def write(self, work: list[tuple[str, Rows]]) -> None:
        """Statements with their rows, in one transaction."""
        try:
            with self._connection.write() as sql:
                for statement, rows in work:
                    put(sql, statement, rows)
        except _NeedsSafeText:
            with self._connection.write() as sql:
                for statement, rows in work:
                    sql.executemany(statement, [text.text_safe(row) for row in rows])

    def work(self, measured: list[tuple[int, Measured]], *, replace: bool = False) -> list[tuple[str, Rows]]:
        """What `write` is to do for measured cases; `replace`: they are measured already."""
        measures, findings = self._rows(measured)
        if not replace:
            return self.inserts(measures, findings)
        # What fired before may not fire now, and would stay behind.
        gone: Rows = [(self._view, pk) for pk, _ in measured]
        return [(self._replace, measures), (_DELETE_FINDINGS, gone), (_INSERT_FINDINGS, findings)]

    def inserts(self, measures: Rows, findings: Rows) -> list[tuple[str, Rows]]:
        """What `write` is to do for rows of `placed`, and of `findings`."""
        return [(self._insert, measures), (_INSERT_FINDINGS, findings)]
