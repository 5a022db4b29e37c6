"""A revision on its way in: short transactions, seen by nobody until the last one says it is done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from triage.models.measure import Scoring
from triage.models.run import LoadOptions, Problem
from triage.store import checks, columns, packing, sweep, testsets, text, times, versions
from triage.store.connection import Connection
from triage.store.identity import LoadedMeanwhile, claim_run, same_loads
from triage.store.locks import WriterLock, lock_path, try_lock
from triage.store.measuring import CHUNK, Measuring, Rows, insert_into, put
from triage.store.packing import CasePacker
from triage.store.rows import CaseIn, Measured
from triage.store.totals import Totals

if TYPE_CHECKING:
    from triage.models.record import Record, RunHeader
    from triage.models.sentences import SentenceSummary

_INSERT_CASE = insert_into("cases", packing.CASE_COLUMNS)
_INSERT_TEXTS = insert_into("texts", packing.TEXT_COLUMNS)
_INSERT_RECORD = "INSERT INTO records (case_pk, evidence, raw) VALUES (?, CAST(? AS TEXT), CAST(? AS TEXT))"
_INSERT_PROBLEM = "INSERT INTO problems (rev, level, line, case_id, field, reason) VALUES (?, ?, ?, ?, ?, ?)"
_UPDATE_CASE = """UPDATE cases SET topic = ?, topic_inferred = ?, predicted = ?, refused = ?, inferred = ?
    WHERE pk = ?"""


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
        grows: int | None = None,
    ) -> None:
        self._connection = connection
        self._path, self._format, self._mtime_ns = path, format, mtime_ns
        said = packing.dumps(asdict(options))
        self._bytes = (path, sha256, said)
        self.again = False
        """After `finish`: the run had a revision before this one."""
        self._grows = grows
        self.checked = False
        """Sentences are checked as the records come: to be set before the first."""
        self.grown = False
        """After `finish`: it took the place and the number of the one before."""
        with connection.write() as sql:
            columns.ensure_columns(sql)
            self._same = same_loads(sql, *self._bytes)
            cursor = sql.execute(
                """INSERT INTO revisions (path, format, sha256, size, mtime_ns, options)
                    VALUES (?, ?, ?, ?, ?, ?)""",
                (str(path), format, sha256, size, mtime_ns, said),
            )
            self.pk = int(cursor.lastrowid or 0)
            view = sql.execute(
                "INSERT INTO views (rev, version) VALUES (?, ?)", (self.pk, versions.measured())
            )
            self.view = int(view.lastrowid or 0)
            # Taken inside the transaction: a revision that can be seen is always locked or abandoned.
            lock = try_lock(lock_path(connection.path, "rev", self.pk))
            if lock is None:
                raise RuntimeError(f"revision {self.pk} is locked by someone else")
            self._lock: WriterLock | None = lock
        self._measuring = Measuring(connection, self.view, scoring)
        self._keys: set[str] = set()
        self._field_problems = 0
        self._versions = (header.kb_version, header.dataset.version) if header is not None else (None, None)

    def measure_with(self, scoring: Scoring) -> None:
        """Tell with what the cases that follow were measured; it decides which values make a metric worse."""
        self._measuring.use(scoring)

    @property
    def metric_bits(self) -> dict[str, int]:
        """The bit (0 = lowest) of every metric that has a column: what packing elsewhere needs."""
        return {metric.key: metric.mask.bit_length() - 1 for metric in self._measuring.columns}

    @property
    def versions(self) -> tuple[str | None, str | None]:
        """`kb_version` and `dataset.version` that records without their own are given as they come."""
        return self._versions

    def add(self, cases: Sequence[CaseIn]) -> list[int]:
        """Store records, with their measures where they have them. Returns their primary keys.

        Raises:
            Busy: another process held the database for too long; the records of this call may be stored
                in part, so the revision is to be given up.
        """
        packer = CasePacker(self.pk, self.view, self._measuring.packer, self._versions)
        keys: list[int] = []
        for start in range(0, len(cases), CHUNK):
            rows = packing.Rows()
            keys += packer.pack(cases[start : start + CHUNK], rows)
            self.add_packed(rows)
        return keys

    def add_packed(self, rows: packing.Rows) -> None:
        """Store what a `CasePacker` made for this revision and view, in one transaction: a few hundred cases.

        Raises:
            as `add`.
        """
        self._keys |= rows.keys
        measures = self._measuring.placed(rows.measures)
        self._measuring.write(
            [
                (_INSERT_CASE, rows.cases),
                (_INSERT_TEXTS, rows.texts),
                (_INSERT_RECORD, rows.records),
                (checks.INSERT_CHECK, rows.checks),
                *self._measuring.inserts(measures, rows.findings),
            ]
        )

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

    def summaries(self, pks: Sequence[int]) -> dict[int, SentenceSummary]:
        """Of stored cases what the sentence check says: what the second pass measures with."""
        return checks.summaries(self._connection.sql, pks)

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
        fewest_attempts: int | None = None,
    ) -> tuple[str, int, int]:
        """Make the revision visible, and let go of the one before the previous.

        Args:
            run_id: the header's id, or None for a run that is known by its path.
            k: the K the cases were measured at.
            records: accepted records; with `rejected` all that the file has.
            fewest_attempts: the smallest number of attempts at a case, 0 = none; None = nobody looked.

        Where `grows` is still the run's newest revision, this one takes its number and its place.

        Returns:
            The run's id, the revision's number (1-based) and its primary key.

        Raises:
            LoadedMeanwhile: the same bytes came to their end in another process since this revision began.
        """
        self._fill_versions(header)
        dataset = header.dataset.name
        whole = Totals(self._connection.sql, self.view)
        shared = testsets.shared_ids(self._connection.sql, self.pk, dataset)
        with self._connection.write() as sql:
            if same_loads(sql, *self._bytes) - self._same:
                raise LoadedMeanwhile(self._path)
            claim = claim_run(sql, run_id, self._path, self._format, self._grows)
            sql.execute(
                """UPDATE revisions SET run_pk = ?, number = ?, created_at = ?, loaded_at = ?, done = 1,
                    dataset = ?, k = ?, records = ?, rejected = ?, field_problems = ?, run_cites = ?,
                    warnings = ?, header = ?, kb_ids = ?, fewest_attempts = ? WHERE pk = ?""",
                text.text_safe(
                    (
                        claim.pk, claim.number,
                        times.normal(header.created_at) or times.from_ns(self._mtime_ns),
                        times.now(), dataset, k, records, rejected, self._field_problems, run_cites,
                        packing.dumps(list(warnings)), packing.dumps(header.model_dump(exclude={"kb_ids"})),
                        packing.strings(header.kb_ids), fewest_attempts, self.pk,
                    )
                ),
            )  # fmt: skip
            sql.execute("UPDATE runs SET newest = ? WHERE pk = ?", (self.pk, claim.pk))
            sql.execute("UPDATE views SET done = 1, k = ? WHERE pk = ?", (k, self.view))
            whole.keep(sql)
            if self.checked:
                checks.conclude(sql, self.pk, self.view)
            sql.executemany(
                "INSERT OR REPLACE INTO overlaps (rev, other, shared) VALUES (?, ?, ?)",
                [(self.pk, other, count) for other, count in shared.items()],
            )
            put(sql, "INSERT OR IGNORE INTO extra_keys (rev, key) VALUES (?, ?)", self._key_rows())
            if claim.grown and self._grows is not None:
                sweep.outgrow(sql, self._grows)
            sweep.retire_old(sql, claim.pk)
        self.again, self.grown = claim.again, claim.grown
        self._release()
        # Who reads the records that were outgrown may read on until the next load.
        sweep.remove_retired(self._connection, but=self._grows)
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
