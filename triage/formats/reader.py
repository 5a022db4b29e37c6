"""A run file as a stream of records: what it says, line by line, and what of it can't be used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from triage.formats.document import Found, ObjectFile, values
from triage.formats.header import SETTINGS_KEY, build, read_header
from triage.formats.mapping import FieldMap
from triage.formats.options import effective
from triage.formats.parse import Broken, parse
from triage.formats.quick import read_quickly
from triage.formats.record import Rejected, is_export, record_from
from triage.formats.shape import RECORD_KEYS, Shape, shape_of
from triage.formats.source import BOM, DAMAGED, HEAD, Source
from triage.formats.values import NOT_FINITE, Unreadable, ident, shown
from triage.models.record import Record, RunHeader
from triage.models.run import LoadOptions, Problem
from triage.settings import Settings

_TRIES = 50
"""Records in a row that the quick way could not read, after which it is only tried now and then."""
_HEADER_RIVALS = frozenset({"id", "query", "turns", "cases"})


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
        header_known: the file's header was met (`header` is final), or the file has come to its end.
    """

    def __init__(self, path: Path, options: LoadOptions, settings: Settings) -> None:
        self._options = effective(options, settings)
        self._map = FieldMap(self._options.mapping)
        self._source = Source(path)
        self._shape: Shape = self._tell_shape()
        self._said: dict[str, Any] = {}
        self._header: RunHeader | None = None
        self._seen: dict[str, int] = {}
        self._not_finite: Counter[str] = Counter()
        self._exported = False
        self._misses = 0
        self.warnings: list[str] = []
        self.problems: list[Problem] = []
        self.records = 0
        self.rejected = 0
        self.header_known = False

    def _tell_shape(self) -> Shape:
        limit = HEAD
        # Under a mapping a record may be known by what the paths of its id and query begin with.
        own = RECORD_KEYS | self._map.places("id", "query", "turns")
        while (shape := shape_of(*self._source.look(limit), own)) is None:
            limit *= 8
        return shape

    @property
    def format(self) -> str:
        """The format's name; `line` in problems is a physical line for "jsonl"."""
        return "jsonl" if self._shape == "lines" else "json"

    @property
    def header_first(self) -> bool:
        """Is the header known, so that what is measured from now on holds? Asked once a record has come."""
        return self.header_known

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
        try:
            for item in self._found():
                record = self._read(item, position)
                if record is not None:
                    position += 1
                    # Only an object may bring its header after its records.
                    self.header_known = self.header_known or self._shape != "object"
                    yield record
        except DAMAGED as error:
            self.warnings.append(f"the zipped data is cut off or spoilt, what follows is lost: {error}")
        self.header_known = True
        self._conclude()

    def _found(self) -> Iterator[Found]:
        if self._shape == "lines":
            yield from self._lines()
        elif self._shape == "values":
            yield from values(self._source.stream, self.warnings.append)
        else:
            yield from self._object()

    def _lines(self) -> Iterator[Found]:
        for number, line in enumerate(self._source.stream, 1):
            text = line.strip()
            if number == 1:
                text = text.removeprefix(BOM).lstrip()
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
        raw = item.raw
        if raw is None:
            return self._reject(item, position, item.reason, None)
        if not self._map and (self._misses < _TRIES or position % _TRIES == 0):
            record = read_quickly(raw)
            self._misses = self._misses + 1 if record is None else 0
            if record is not None:
                return self._accept(raw if isinstance(raw, str) else raw.decode(), record, [], item, position)
        try:
            return self._read_carefully(raw if isinstance(raw, str) else _decoded(raw), item, position)
        except Broken as error:
            return self._reject(item, position, str(error), None)
        except Rejected as error:
            return self._reject(item, position, error.reason, error.case)

    def _read_carefully(self, raw: str, item: Found, position: int) -> RawRecord | None:
        data = parse(raw)
        if not isinstance(data, dict):
            raise Rejected(f"the record is no object but {shown(data)}")
        if is_export(data):
            raw, data = inner_record(raw, data)
            self._exported = True
        data = self._map.apply(data) if self._map else data
        if "run" in data and _HEADER_RIVALS.isdisjoint(data) and isinstance(data["run"], dict):
            if position or self.header_known:
                raise Rejected("a run header stands here, but only the first line can be one")
            self._take_header(data["run"], item.place)
            return None
        record, problems = record_from(data, item.place)
        return self._accept(raw, record, problems, item, position)

    def _accept(
        self, raw: str, record: Record, problems: list[Problem], item: Found, position: int
    ) -> RawRecord:
        first = self._seen.setdefault(record.id, item.place)
        if first != item.place:
            what = "line" if self._shape == "lines" else "record"
            reason = f"id {record.id!r} was seen before, in {what} {first}: {what} {item.place} is left out"
            return self._reject(item, position, reason, record.id)
        for problem in problems:
            if problem.reason.endswith(NOT_FINITE):
                self._not_finite[_without_places(problem.field or "")] += 1
        self.records += 1
        return RawRecord(position, item.place, raw, record, problems)

    def _reject(self, item: Found, position: int, reason: str, case: str | None) -> RawRecord:
        self.rejected += 1
        problem = Problem("record", item.place, case, None, reason)
        return RawRecord(position, item.place, "", None, [problem])

    def _take_header(self, data: Any, line: int | None) -> None:
        def note(key: str, reason: str) -> None:
            self.problems.append(Problem("field", line, None, f"run.{key}", reason))

        self._said = read_header(data, note)
        self._header = None
        self.header_known = True

    def _conclude(self) -> None:
        """What can be said only after the last record."""
        if self._exported:
            self.warnings.append("an export of triage: the records inside it are read")
        for field, count in sorted(self._not_finite.items()):
            values_are = "value is" if count == 1 else "values are"
            self.warnings.append(f"{field}: {count} {values_are} no finite number and not recorded")
        if self.records:
            for field, path in self._map.unused.items():
                self.warnings.append(f"no record has {path}, which is to be read as {field}")


def read_stored(raw: str, mapping: FieldMap) -> tuple[Record, list[Problem]]:
    """A stored JSON text of a record, read as it was when it came; nothing is inferred.

    Raises:
        Broken, Rejected: the text was never accepted under this mapping.
    """
    if not mapping and (record := read_quickly(raw)) is not None:
        return record, []
    data = parse(raw)
    return record_from(mapping.apply(data) if mapping else data)


def inner_record(raw: str, data: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The record inside a line of our own export: its JSON text, and the object."""
    import json

    record = data["record"]
    if "id" not in record:
        # A record that was reached by a mapping has its id elsewhere; the export names it.
        try:
            record = {"id": ident(data["case_id"]), **record}
        except Unreadable:
            return raw, record
    return json.dumps(record, ensure_ascii=False), record


def _decoded(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data":
            raise Broken("broken JSON: cut off inside a character") from None
        where = f"byte 0x{line[error.start]:02x} at byte {error.start + 1} of the line"
        raise Broken(f"not UTF-8: {where}") from None


def _without_places(field: str) -> str:
    import re

    return re.sub(r"\[\d+\]", "", field)
