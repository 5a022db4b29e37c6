"""A revision on its way in: short transactions, seen by nobody until the last one says it is done."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from triage.models.measure import Scoring
from triage.models.run import LoadOptions, Problem
from triage.store import columns, packing, sweep, testsets, text, times
from triage.store.connection import Connection
from triage.store.identity import claim_run
from triage.store.locks import WriterLock, lock_path, try_lock
from triage.store.packing import Packer, Pattern
from triage.store.rows import CaseIn, Measured
from triage.store.totals import Totals

if TYPE_CHECKING:
    from triage.models.record import Record, RunHeader

CHUNK = 500
"""Rows a transaction: small enough that someone tagging meanwhile does not feel it."""


def _insert(table: str, columns: Sequence[str]) -> str:
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"


_INSERT_CASE = _insert("cases", packing.CASE_COLUMNS)
_INSERT_TEXTS = _insert("texts", packing.TEXT_COLUMNS)
_INSERT_RECORD = "INSERT INTO records (case_pk, evidence, raw) VALUES (?, ?, ?)"
_INSERT_FINDINGS = "INSERT OR REPLACE INTO findings (view, case_pk, evidence, secondary) VALUES (?, ?, ?, ?)"
_INSERT_PROBLEM = "INSERT INTO problems (rev, level, line, case_id, field, reason) VALUES (?, ?, ?, ?, ?, ?)"
_UPDATE_CASE = """UPDATE cases SET topic = ?, topic_inferred = ?, predicted = ?, refused = ?, inferred = ?
    WHERE pk = ?"""

Rows = list[Sequence[Any]]

_PATTERN = ("missing", "inferred", "worse", "have", "ones", "layers", "lead", "class")
_INSERT_PATTERN = _insert("patterns", _PATTERN).replace("INSERT", "INSERT OR IGNORE")
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


class _Measuring:
    """What revisions and views have in common: packing measured cases into a view's rows."""

    def __init__(self, connection: Connection, view: int, scoring: Scoring | None) -> None:
        self._connection = connection
        self._view = view
        self._columns = columns.columns(connection.sql)
        self._packer = Packer(self._columns, scoring or Scoring(), self._pattern)
        self._scored = scoring is not None

    def use(self, scoring: Scoring) -> None:
        self._packer = Packer(self._columns, scoring, self._pattern)
        self._scored = True

    def _pattern(self, pattern: Pattern) -> int:
        values = tuple(pattern)
        found = self._connection.sql.execute(_FIND_PATTERN, values).fetchone()
        if found is None:
            # A transaction of its own: a chunk that is taken back later must not take the pattern with it.
            with self._connection.write() as sql:
                sql.execute(_INSERT_PATTERN, values)
                found = sql.execute(_FIND_PATTERN, values).fetchone()
        return int(found[0])

    def rows(self, measured: Iterable[tuple[int, Measured]]) -> tuple[Rows, Rows]:
        if not self._scored:
            raise RuntimeError("measured cases came before their scoring was told")
        measures: Rows = []
        findings: Rows = []
        pack, said, view = self._packer.pack, Packer.findings, self._view
        for pk, result in measured:
            measures.append(pack(view, pk, result))
            finding = said(view, pk, result)
            if finding is not None:
                findings.append(finding)
        return measures, findings

    def write(self, work: list[tuple[str, Rows]]) -> None:
        """All rows in transactions of `CHUNK` cases; the first list decides the chunks' number."""
        try:
            with self._connection.write() as sql:
                for statement, rows in work:
                    put(sql, statement, rows)
        except _NeedsSafeText:
            with self._connection.write() as sql:
                for statement, rows in work:
                    sql.executemany(statement, [text.text_safe(row) for row in rows])

    def work(self, measured: list[tuple[int, Measured]], *, replace: bool = False) -> list[tuple[str, Rows]]:
        measures, findings = self.rows(measured)
        statement = self._packer.replace if replace else self._packer.insert
        return [(statement, measures), (_INSERT_FINDINGS, findings)]


class RevisionWriter:
    """Writes one revision of one run. Use as a context manager: leaving it without `finish` takes
    everything back.

    An operating-system lock is held from `Store.begin` to the end, so that `cleanup` can tell a revision
    at work from one whose writer was killed. `scoring` must be told (here or with `measure_with`) before
    measured cases come.
    """

    def __init__(
        self,
        connection: Connection,
        *,
        path: Path,
        format: str,
        sha256: str,
        size: int,
        mtime_ns: int,
        options: LoadOptions,
        header: RunHeader | None,
        scoring: Scoring | None,
    ) -> None:
        self._connection = connection
        self._path, self._format, self._mtime_ns = path, format, mtime_ns
        said = packing.dumps(
            {"mapping": options.mapping, "header": options.header, "dedup_docs": options.dedup_docs}
        )
        with connection.write() as sql:
            columns.ensure_columns(sql)
            cursor = sql.execute(
                """INSERT INTO revisions (path, format, sha256, size, mtime_ns, options)
                    VALUES (?, ?, ?, ?, ?, ?)""",
                (str(path), format, sha256, size, mtime_ns, said),
            )
            self.pk = int(cursor.lastrowid or 0)
            view = sql.execute("INSERT INTO views (rev, version) VALUES (?, ?)", (self.pk, columns.version()))
            self.view = int(view.lastrowid or 0)
            # Taken inside the transaction: a revision that can be seen is always locked or abandoned.
            lock = try_lock(lock_path(connection.path, "rev", self.pk))
            if lock is None:
                raise RuntimeError(f"revision {self.pk} is locked by someone else")
            self._lock: WriterLock | None = lock
        self._measuring = _Measuring(connection, self.view, scoring)
        self._keys: set[str] = set()
        self._field_problems = 0
        self._versions = (header.kb_version, header.dataset.version) if header is not None else (None, None)

    def measure_with(self, scoring: Scoring) -> None:
        """Tell with what the cases that follow were measured; it decides which values make a metric worse."""
        self._measuring.use(scoring)

    def add(self, cases: Sequence[CaseIn]) -> list[int]:
        """Store records, with their measures where they have them. Returns their primary keys.

        Raises:
            Busy: another process held the database for too long; the records of this call may be stored
                in part, so the revision is to be given up.
        """
        keys: list[int] = []
        for start in range(0, len(cases), CHUNK):
            keys += self._add(cases[start : start + CHUNK])
        return keys

    def _add(self, cases: Sequence[CaseIn]) -> list[int]:
        rows: Rows = []
        written: Rows = []
        records: Rows = []
        measured: list[tuple[int, Measured]] = []
        keys: list[int] = []
        for item in cases:
            extra = packing.extra_of(item.record)
            if extra:
                packing.dotted_keys(extra, self._keys)
            case, texts, record = packing.case_rows(
                self.pk, item, packing.dumps(extra) if extra else "{}", *self._versions
            )
            rows.append(case)
            written.append(texts)
            records.append(record)
            keys.append(case[0])
            if item.measured is not None:
                measured.append((case[0], item.measured))
        work = [(_INSERT_CASE, rows), (_INSERT_TEXTS, written), (_INSERT_RECORD, records)]
        self._measuring.write(work + self._measuring.work(measured) if measured else work)
        return keys

    def add_problems(self, problems: Sequence[Problem]) -> None:
        """Keep what could not be used of the file."""
        rows: Rows = [
            (self.pk, problem.level, problem.line, problem.case, problem.field, problem.reason)
            for problem in problems
        ]
        self._field_problems += sum(problem.level == "field" for problem in problems)
        for start in range(0, len(rows), CHUNK):
            self._measuring.write([(_INSERT_PROBLEM, rows[start : start + CHUNK])])

    def replace_measured(self, results: Sequence[tuple[int, Record, Measured]]) -> None:
        """The second pass: measures of stored cases, and what reading now infers of them."""
        for start in range(0, len(results), CHUNK):
            chunk = results[start : start + CHUNK]
            cases: Rows = []
            cited: Rows = []
            for pk, record, _ in chunk:
                predicted = record.predicted_answerable
                cases.append(
                    (
                        record.topic, "topic" in record.inferred, predicted,
                        None if predicted is None else not predicted, packing.strings(record.inferred), pk,
                    )
                )  # fmt: skip
                cited.append((packing.strings(record.citations), pk))
            work = [(_UPDATE_CASE, cases), ("UPDATE texts SET cited = ? WHERE case_pk = ?", cited)]
            self._measuring.write(
                work + self._measuring.work([(pk, measured) for pk, _, measured in chunk], replace=True)
            )

    def raw_records(self, batch: int = 2000) -> Iterable[list[tuple[int, str]]]:
        """The records stored so far, as (primary key, JSON text), in file order: what the second pass
        reads.
        """
        return sweep.raw_records(self._connection, self.pk, batch)

    def finish(
        self,
        *,
        run_id: str | None,
        header: RunHeader,
        k: int,
        warnings: Sequence[str],
        records: int,
        rejected: int,
        run_cites: bool,
    ) -> tuple[str, int, int]:
        """Make the revision visible, and let go of the one before the previous.

        Args:
            run_id: the header's id, or None for a run that is known by its path.
            k: the K the cases were measured at.
            records: accepted records; with `rejected` all that the file has.

        Returns:
            The run's id, the revision's number (1-based) and its primary key.
        """
        self._fill_versions(header)
        dataset = header.dataset.name
        whole = Totals(self._connection.sql, self.view)
        shared = testsets.shared_ids(self._connection.sql, self.pk, dataset)
        with self._connection.write() as sql:
            claim = claim_run(sql, run_id, self._path, self._format)
            sql.execute(
                """UPDATE revisions SET run_pk = ?, number = ?, created_at = ?, loaded_at = ?, done = 1,
                    dataset = ?, k = ?, records = ?, rejected = ?, field_problems = ?, run_cites = ?,
                    warnings = ?, header = ?, kb_ids = ? WHERE pk = ?""",
                text.text_safe(
                    (
                        claim.pk, claim.number,
                        times.normal(header.created_at) or times.from_ns(self._mtime_ns),
                        times.now(), dataset, k, records, rejected, self._field_problems, run_cites,
                        packing.dumps(list(warnings)), packing.dumps(header.model_dump(exclude={"kb_ids"})),
                        packing.strings(header.kb_ids), self.pk,
                    )
                ),
            )  # fmt: skip
            sql.execute("UPDATE runs SET newest = ? WHERE pk = ?", (self.pk, claim.pk))
            sql.execute("UPDATE views SET done = 1, k = ? WHERE pk = ?", (k, self.view))
            whole.keep(sql)
            sql.executemany(
                "INSERT OR REPLACE INTO overlaps (rev, other, shared) VALUES (?, ?, ?)",
                [(self.pk, other, count) for other, count in shared.items()],
            )
            put(sql, "INSERT OR IGNORE INTO extra_keys (rev, key) VALUES (?, ?)", self._key_rows())
            sweep.retire_old(sql, claim.pk)
        self._release()
        sweep.remove_retired(self._connection)
        return claim.run_id, claim.number, self.pk

    def _key_rows(self) -> Rows:
        return [text.text_safe((self.pk, key)) for key in sorted(self._keys)]

    def _fill_versions(self, header: RunHeader) -> None:
        # The header may come after the records; a record without a version of its own has the header's.
        wanted = (header.kb_version, header.dataset.version)
        for name, value, used in zip(("kb_version", "dataset_version"), wanted, self._versions, strict=True):
            if value is None or value == used:
                continue
            condition = f"{name} IS NULL" if used is None else f"({name} IS NULL OR {name} = ?)"
            for low, high in sweep.key_ranges(self._connection, self.pk):
                with self._connection.write() as sql:
                    sql.execute(
                        f"UPDATE cases SET {name} = ? WHERE pk BETWEEN ? AND ? AND {condition}",
                        (value, low, high) if used is None else (value, low, high, used),
                    )

    def abort(self) -> None:
        """Take everything back; does nothing after `finish`."""
        if self._lock is None:
            return
        sweep.remove_revision(self._connection, self.pk)
        self._release()

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def __enter__(self) -> RevisionWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.abort()


class ViewWriter:
    """Writes the measures of a revision's cases at one K; seen by nobody before `finish`. Use as a
    context manager.
    """

    def __init__(self, connection: Connection, rev: int, k: int, scoring: Scoring) -> None:
        self._connection = connection
        self._rev, self._k = rev, k
        with connection.write() as sql:
            columns.ensure_columns(sql)
            cursor = sql.execute(
                "INSERT INTO views (rev, k, version) VALUES (?, ?, ?)", (rev, k, columns.version())
            )
            self.pk = int(cursor.lastrowid or 0)
            lock = try_lock(lock_path(connection.path, "view", self.pk))
            if lock is None:
                raise RuntimeError(f"view {self.pk} is locked by someone else")
            self._lock: WriterLock | None = lock
        self._measuring = _Measuring(connection, self.pk, scoring)

    def add(self, rows: Sequence[tuple[int, Measured]]) -> None:
        """Store the measures of cases, by primary key."""
        for start in range(0, len(rows), CHUNK):
            self._measuring.write(self._measuring.work(list(rows[start : start + CHUNK])))

    def finish(self) -> int:
        """Make the view the one of its revision and K. Returns its primary key."""
        whole = Totals(self._connection.sql, self.pk)
        with self._connection.write() as sql:
            sql.execute(
                "UPDATE views SET done = 2 WHERE rev = ? AND k = ? AND done = 1", (self._rev, self._k)
            )
            sql.execute("UPDATE views SET done = 1 WHERE pk = ?", (self.pk,))
            whole.keep(sql)
        self._release()
        sweep.remove_retired(self._connection)
        return self.pk

    def abort(self) -> None:
        """Take everything back; does nothing after `finish`."""
        if self._lock is None:
            return
        sweep.remove_view(self._connection, self.pk)
        self._release()

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def __enter__(self) -> ViewWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.abort()
