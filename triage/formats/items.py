"""One record's text at a time: read, refused, or found to be the file's header."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from triage.formats.document import Found
from triage.formats.mapping import FieldMap
from triage.formats.parse import Broken, parse
from triage.formats.quick import read_quickly
from triage.formats.record import Rejected, is_export, record_from
from triage.formats.values import Unreadable, ident, shown
from triage.models.record import Record
from triage.models.run import Problem

_TRIES = 50
"""Records in a row that a quick way could not read, after which it is only tried now and then."""
_HEADER_RIVALS = frozenset({"id", "query", "turns", "cases"})


class HeaderMet(Exception):
    """The text is the file's header; `data` stands under `run`, other keys `beside` it."""

    def __init__(self, data: Any, beside: list[str]) -> None:
        super().__init__()
        self.data = data
        self.beside = beside


class QuickWay:
    """A way of reading that is quick, and leads nowhere with some records; with most of a file's, or none.

    Args:
        read: gives a text's record, or None.
    """

    def __init__(self, read: Callable[[str | bytes], Record | None]) -> None:
        self._read = read
        self._count = 0
        self._misses = 0

    def read(self, raw: str | bytes) -> Record | None:
        """The record, or None: another way is to be tried."""
        self._count += 1
        if self._misses >= _TRIES and self._count % _TRIES:
            return None
        record = self._read(raw)
        self._misses = 0 if record is not None else self._misses + 1
        return record


class ItemReader:
    """Reads records, knowing nothing of the ones before; so any of a file's records can be read anywhere.

    Args:
        mapping: record field -> path.
        ways: tried in this order before the careful way; by default the one that gives a `Record`.

    Attributes:
        map: the mapping, with what of it no record had so far.
        exported: some record came inside a line of our own export.
    """

    def __init__(self, mapping: Mapping[str, str], ways: Sequence[QuickWay] | None = None) -> None:
        self.map = FieldMap(mapping)
        self.exported = False
        # A mapping may put anything in the place of what a quick way reads.
        self._ways = () if self.map else [QuickWay(read_quickly)] if ways is None else ways

    def read(
        self, item: Found, *, header_may_come: bool = False
    ) -> tuple[str | bytes, Record, list[Problem]]:
        """The record's JSON text as it came (bytes are UTF-8), the record, and its fields that count as not
        recorded.

        Raises:
            Broken, Rejected: it is none, or can't be kept.
            HeaderMet: it is the header, where one may come.
        """
        raw = item.raw
        if raw is None:
            raise Broken(item.reason)
        for way in self._ways:
            record = way.read(raw)
            if record is not None:
                return raw, record, []
        return self._carefully(raw if isinstance(raw, str) else _decoded(raw), item.place, header_may_come)

    def _carefully(self, raw: str, place: int, header_may_come: bool) -> tuple[str, Record, list[Problem]]:
        data = parse(raw)
        if not isinstance(data, dict):
            raise Rejected(f"the record is no object but {shown(data)}")
        if is_export(data):
            raw, data = inner_record(raw, data)
            self.exported = True
        data = self.map.apply(data) if self.map else data
        if "run" in data and _HEADER_RIVALS.isdisjoint(data):
            if not header_may_come:
                raise Rejected("a run header stands here, but only the first line can be one")
            raise HeaderMet(data["run"], [key for key in data if key != "run"])
        record, problems = record_from(data, place)
        return raw, record, problems


def seen_before(case: str, unit: str, place: int, first: int) -> str:
    """Why a record is left out whose id was seen before; `unit` is "line" or "record"."""
    return f"id {case!r} was seen before, in {unit} {first}: {unit} {place} is left out"


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
