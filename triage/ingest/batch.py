"""Some records of a file from their texts to the rows of all tables, wherever that is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from triage.diagnosis import Examiner
from triage.formats.document import Found
from triage.formats.infer import cites, infer, undecided
from triage.formats.items import ItemReader, QuickWay, seen_before
from triage.formats.parse import Broken
from triage.formats.quick import read_quickly
from triage.formats.record import Rejected
from triage.formats.twin import read_twin
from triage.ingest.checked import checker
from triage.ingest.remarks import Remarks
from triage.models.measure import Scoring
from triage.models.record import Record
from triage.models.run import Problem
from triage.settings import Settings
from triage.store.checks import check_row
from triage.store.columns import columns_of
from triage.store.packing import CasePacker, Packer, Rows
from triage.store.rows import CaseIn, Measured
from triage.store.schema import position_of

_Found = tuple[int, int, str | bytes, Record]
"""A record that is kept: its position, its place, its text, itself."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What reading a file's batches needs; it can be pickled.

    Args:
        mapping: record field -> path.
        settings: fallback phrases, topics.
        unit: what a place in the file counts, "line" or "record".
        scoring: what the cases are measured with.
        metric_bits, rev, view, versions: as the revision's writer has them.
        check: check the answers' sentences too.
    """

    mapping: Mapping[str, str]
    settings: Settings
    unit: str
    scoring: Scoring
    metric_bits: dict[str, int]
    rev: int
    view: int
    versions: tuple[str | None, str | None]
    check: bool = False


class Job(NamedTuple):
    """A batch: the 0-based position of its first record, its texts, and whether a record before it cites."""

    first: int
    items: list[Found]
    run_cites: bool


class Outcome(NamedTuple):
    """What became of a batch.

    Args:
        ids: of each accepted record, its id and its place.
        rows: of the accepted records.
        rejected, problems: how many were not accepted; all that was wrong.
        run_cites: a record of the run, up to this batch's end, cites.
        undecided: keys of records that would read otherwise if a later one cites.
        remarks: what struck one.
        exported, unused: as `ItemReader` has them.
    """

    ids: dict[str, int]
    rows: Rows
    rejected: int
    problems: list[Problem]
    run_cites: bool
    undecided: list[int]
    remarks: Remarks
    exported: bool
    unused: frozenset[str]


def without_texts(outcome: Outcome, job: Job) -> None:
    """Take the records' texts out of an outcome, where they are the job's: who gave the job has them."""
    records = outcome.rows.records
    for at, (pk, evidence, raw) in enumerate(records):
        if raw is _text(pk, job):
            records[at] = (pk, evidence, None)


def with_texts(outcome: Outcome, job: Job) -> None:
    """Put back what `without_texts` took out."""
    records = outcome.rows.records
    for at, (pk, evidence, raw) in enumerate(records):
        if raw is None:
            records[at] = (pk, evidence, _text(pk, job))


def _text(pk: int, job: Job) -> str | bytes | None:
    return job.items[position_of(pk) - job.first].raw


class BatchReader:
    """Reads, infers, measures and packs batches; what it gives depends on the batch alone."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._ways = [QuickWay(read_twin), QuickWay(read_quickly)]
        packer = Packer(columns_of(setup.metric_bits), setup.scoring)
        self._examine = Examiner(setup.scoring).examine
        self._said = checker() if setup.check else None
        self._packer = CasePacker(setup.rev, setup.view, packer, setup.versions)

    def read(self, job: Job, known: Mapping[str, int]) -> Outcome:
        """What becomes of a batch.

        Args:
            job: the batch.
            known: ids of records before it, each with its place, as far as they are to be left out here.
        """
        settings = self._setup.settings
        items = ItemReader(self._setup.mapping, self._ways)
        ids: dict[str, int] = {}
        problems: list[Problem] = []
        # One step for all records, then the next: doing each record to its end takes half as long again.
        found = self._accepted(job, items, known, ids, problems)
        records = [record for _, _, _, record in found]
        run_cites, waiting = self._inferred(records, job.run_cites)
        said = [] if self._said is None else list(map(self._said, records))
        if said:
            results = [Measured(*self._examine(*pair)) for pair in zip(records, said, strict=True)]
        else:
            results = [Measured(*self._examine(record)) for record in records]
        remarks = Remarks()
        for record, result in zip(records, results, strict=True):
            remarks.see(record, result.diagnosis)
        cases = [
            CaseIn(position, place, raw, record, settings.is_high_risk(record.topic), result)
            for (position, place, raw, record), result in zip(found, results, strict=True)
        ]
        rows = Rows()
        keys = self._packer.pack(cases, rows)
        if said:
            rows.checks += map(check_row, keys, said)
        return Outcome(
            ids,
            rows,
            len(job.items) - len(found),
            problems,
            run_cites,
            [keys[at] for at in waiting],
            remarks,
            items.exported,
            frozenset(items.map.unused),
        )

    def _accepted(
        self,
        job: Job,
        items: ItemReader,
        known: Mapping[str, int],
        ids: dict[str, int],
        problems: list[Problem],
    ) -> list[_Found]:
        """The records that can be kept; `ids` and `problems` are added to."""
        found: list[_Found] = []
        for position, item in enumerate(job.items, job.first):
            place = item.place
            try:
                raw, record, noted = items.read(item)
                case = record.id
                if case in known or case in ids:
                    first = known[case] if case in known else ids[case]
                    raise Rejected(seen_before(case, self._setup.unit, place, first), case)
            except Broken as error:
                problems.append(Problem("record", place, None, None, str(error)))
                continue
            except Rejected as error:
                problems.append(Problem("record", place, error.case, None, error.reason))
                continue
            ids[case] = place
            problems += noted
            found.append((position, place, raw, record))
        return found

    def _inferred(self, records: list[Record], run_cites: bool) -> tuple[bool, list[int]]:
        """Fill in what the records don't say. Returns whether a record up to here cites, and which of them
        would read otherwise if a later one does.
        """
        waiting: list[int] = []
        for at, record in enumerate(records):
            infer(record, self._setup.settings, run_cites, both_sources=False)
            if not run_cites:
                run_cites = cites(record)
                if not run_cites and undecided(record):
                    waiting.append(at)
        return run_cites, waiting
