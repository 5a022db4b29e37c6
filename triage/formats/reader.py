"""A run file as a stream of records: what it says, line by line, and what of it can't be used."""

from __future__ import annotations

import gzip
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from triage.formats.document import Found, ObjectFile, values
from triage.formats.header import SETTINGS_KEY, build, read_header
from triage.formats.items import HeaderMet, ItemReader, seen_before
from triage.formats.options import effective
from triage.formats.parse import Broken
from triage.formats.record import Rejected
from triage.formats.shape import RECORD_KEYS, Shape, shape_of
from triage.formats.source import BOM, DAMAGED, HEAD, Source
from triage.formats.values import NOT_FINITE, shown
from triage.models.record import Record, RunHeader
from triage.models.run import LoadOptions, Problem
from triage.settings import Settings

_BATCH_BYTES = 1 << 20
_DAMAGED = "the zipped data is cut off or spoilt, what follows is lost"


class RawRecord(NamedTuple):
    """A record of a file: read, or rejected.

    Args:
        position: 0-based order in the file, rejected records counted too.
        line: physical line in JSONL, 1-based record number in JSON.
        raw: its JSON text as it came; "" where it was rejected.
        data: the record, None where it was rejected.
        problems: why it was rejected, or which fields count as not recorded.
    """

    position: int
    line: int
    raw: str
    data: Record | None
    problems: list[Problem]


def read_run(path: Path, options: LoadOptions, settings: Settings) -> RunReader:
    """A reader of one run file.

    Raises:
        RunFileError: the file can't be opened.
        UsageError: an option that can't be used.
    """
    return RunReader(path, options, settings)


class RunReader:
    """Iterates over a run file's records once, in flat memory.

    Attributes:
        format: "jsonl" or "json".
        warnings: sentences about the file as a whole; complete after the last record.
        problems: what was wrong with the header.
        records, rejected: how many so far.
        seen: the ids of the records so far, each with its place.
        header_known: the file's header was met (`header` is final), or the file has come to its end.
    """

    def __init__(self, path: Path, options: LoadOptions, settings: Settings) -> None:
        self._options = effective(options, settings)
        self._items = ItemReader(self._options.mapping)
        self._source = Source(path)
        self._shape: Shape = self._tell_shape()
        self._said: dict[str, Any] = {}
        self._header: RunHeader | None = None
        self._not_finite: Counter[str] = Counter()
        self._begun = False
        self.seen: dict[str, int] = {}
        self.warnings: list[str] = []
        self.problems: list[Problem] = []
        self.records = 0
        self.rejected = 0
        self.header_known = False

    def _tell_shape(self) -> Shape:
        limit = HEAD
        # Under a mapping a record may be known by what the paths of its id and query begin with.
        own = RECORD_KEYS | self._items.map.places("id", "query", "turns")
        while (shape := shape_of(*self._source.look(limit), own)) is None:
            limit *= 8
        return shape

    @property
    def format(self) -> str:
        """The format's name; `line` in problems is a physical line for "jsonl"."""
        return "jsonl" if self._shape == "lines" else "json"

    @property
    def unit(self) -> str:
        """What a place in the file counts: "line" or "record"."""
        return "line" if self._shape == "lines" else "record"

    @property
    def done_bytes(self) -> int:
        """Stored bytes read so far."""
        return self._source.done_bytes

    @property
    def total_bytes(self) -> int:
        """The file's size as stored."""
        return self._source.total_bytes

    @property
    def header(self) -> RunHeader:
        """The header as far as it is known: the settings' `[run]` below the file's word, `--set` above."""
        if self._header is None:
            below = self._options.header.get(SETTINGS_KEY, {}).get("run", {})
            self._header = build(below, self._said, self._options.header)
        return self._header

    def __enter__(self) -> RunReader:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._source.close()

    def __iter__(self) -> Iterator[RawRecord]:
        """The records, in order.

        Raises:
            RunFileError: the file holds no list of records, or several.
        """
        position = 0
        for item in self._found():
            record = self._read(item, position)
            if record is not None:
                position += 1
                # Only an object may bring its header after its records.
                self.header_known = self.header_known or self._shape != "object"
                yield record
        self.header_known = True
        self.conclude()

    def _found(self) -> Iterator[Found]:
        """The records' texts; for what is lost where zipped data ends too early stands one without a text."""
        place = 0
        try:
            for item in self._all():
                place = item.place
                yield item
        except gzip.BadGzipFile as error:
            self.warnings.append(f"{_DAMAGED}: {error}")
        except DAMAGED as error:
            yield Found(place + 1, None, f"{_DAMAGED}: {error}")

    def _all(self) -> Iterator[Found]:
        if self._shape == "lines":
            yield from self._lines()
        elif self._shape == "values":
            yield from values(self._source.stream, self.warnings.append)
        else:
            yield from self._object()

    def _lines(self) -> Iterator[Found]:
        for number, line in enumerate(self._source.stream, 1):
            # Files that were put together one behind the other have a byte-order mark in their middle.
            text = line.strip().removeprefix(BOM).lstrip()
            if not text:
                continue
            yield Found(number, text)

    def _object(self) -> Iterator[Found]:
        def again() -> Any:
            self._source.rewind()
            return self._source.stream

        file = ObjectFile(again, self.warnings.append)
        for item in file:
            self._take_object_header(file)
            yield item
        self._take_object_header(file)
        if file.taken is None:
            self._shape = "values"
            yield from values(again(), self.warnings.append)

    def _take_object_header(self, file: ObjectFile) -> None:
        if file.header is not None and not self.header_known:
            self._take_header(file.header, None)

    def _read(self, item: Found, position: int) -> RawRecord | None:
        """A record, or None where the text was the header."""
        try:
            raw, record, problems = self._items.read(
                item, header_may_come=not position and not self.header_known
            )
        except HeaderMet as met:
            self._meet(met, item.place)
            return None
        except Broken as error:
            return self._reject(item, position, str(error), None)
        except Rejected as error:
            return self._reject(item, position, error.reason, error.case)
        first = self.seen.setdefault(record.id, item.place)
        if first != item.place:
            reason = seen_before(record.id, self.unit, item.place, first)
            return self._reject(item, position, reason, record.id)
        self._note(problems)
        self.records += 1
        text = raw if isinstance(raw, str) else raw.decode()
        return RawRecord(position, item.place, text, record, problems)

    def _reject(self, item: Found, position: int, reason: str, case: str | None) -> RawRecord:
        self.rejected += 1
        problem = Problem("record", item.place, case, None, reason)
        return RawRecord(position, item.place, "", None, [problem])

    def batches(self, most: int, size: int = _BATCH_BYTES) -> Iterator[list[Found]]:
        """The records' texts, some at a time, for somebody else to read; a header before them is taken.

        What became of them is told by `took`, in any case before the end.

        Args:
            most: records a batch.
            size: characters or bytes after which a batch ends.
        """
        batch: list[Found] = []
        weight = 0
        for item in self._found():
            if not self._begun:
                if self._is_header(item):
                    continue
                self._begun = True
            batch.append(item)
            weight += len(item.raw or "")
            if len(batch) >= most or weight >= size:
                self.header_known = self.header_known or self._shape != "object"
                yield batch
                batch, weight = [], 0
        if batch:
            self.header_known = self.header_known or self._shape != "object"
            yield batch
        self.header_known = True

    def _is_header(self, item: Found) -> bool:
        """Is this, before any record, the header? Then it is taken."""
        try:
            self._items.read(item, header_may_come=not self.header_known)
        except HeaderMet as met:
            self._meet(met, item.place)
            return True
        except (Broken, Rejected):
            # Told by whoever reads the batch.
            return False
        return False

    def took(
        self,
        ids: Mapping[str, int],
        rejected: int,
        problems: Iterable[Problem],
        *,
        exported: bool,
        unused: Collection[str],
    ) -> None:
        """Take note of what became of a batch's records.

        Args:
            ids: of each accepted record, its id and its place.
            rejected: how many were not accepted.
            problems: all that was wrong with them.
            exported, unused: as `ItemReader` has them.
        """
        self.seen.update(ids)
        self.records += len(ids)
        self.rejected += rejected
        self._note(problem for problem in problems if problem.level == "field")
        self._items.exported |= exported
        for target in self._items.map.unused.keys() - unused:
            del self._items.map.unused[target]

    def _note(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            if problem.reason.endswith(NOT_FINITE):
                self._not_finite[_without_places(problem.field or "")] += 1

    def _meet(self, met: HeaderMet, line: int) -> None:
        self._take_header(met.data, line)
        if met.beside:
            self.warnings.append(f"beside the run header stands what is not read: {', '.join(met.beside)}")

    def _take_header(self, data: Any, line: int | None) -> None:
        def note(key: str, reason: str) -> None:
            self.problems.append(Problem("field", line, None, f"run.{key}", reason))

        if not isinstance(data, dict):
            if data is not None:
                self.problems.append(Problem("field", line, None, "run", f"{shown(data)} is no object"))
            data = {}
        self._said = read_header(data, note)
        self._header = None
        self.header_known = True

    def conclude(self) -> None:
        """What can be said only after the last record."""
        if self._items.exported:
            self.warnings.append("an export of triage: the records inside it are read")
        for field, count in sorted(self._not_finite.items()):
            values_are = "value is" if count == 1 else "values are"
            self.warnings.append(f"{field}: {count} {values_are} no finite number and not recorded")
        if self.records:
            for field, path in self._items.map.unused.items():
                self.warnings.append(f"no record has {path}, which is to be read as {field}")


def _without_places(field: str) -> str:
    return re.sub(r"\[\d+\]", "", field)
