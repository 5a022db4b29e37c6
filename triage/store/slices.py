"""A run's cases told apart by the values of a field, a metric or a key of the records' own."""

from __future__ import annotations

import json
import re
import sqlite3
from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from triage.models.slices import NOT_RECORDED
from triage.store import selection, totals
from triage.store.columns import columns
from triage.store.filter.fields import BY_NAME, RECORDED, Field
from triage.store.run_totals import stamps
from triage.store.slice_sums import Base, Masks, Sums
from triage.store.slice_values import Reader, Source, Values, gather_names, read_json

if TYPE_CHECKING:
    from triage.models.run import RunSummary
    from triage.store.connection import Connection
    from triage.store.filter import Where

PORTION = 10_000
MANY = 10_000
"""Different values from which on they are no longer counted."""
FAILING = Field("failing", "truth", "does the case fail", "is:failing", "m.failing", True)
ALSO: dict[str, Field] = {
    field.name: field
    for field in (
        FAILING,
        Field(
            "retrieved_count", "number", "how many documents came back", "", "json_array_length(p.retrieved)"
        ),
        Field("refusal_reason", "word", "the reason given for a refusal", "", "p.refusal_reason"),
    )
}
"""Dimensions that are no fields of the filter language: their cases are chosen by their keys."""


class Told(Struct, frozen=True):
    """A dimension as the store finds it: the filter's field for it, and where its values stand."""

    field: Field
    source: Source


class Slices:
    """Questions about one run's cases under a filter; each reads them once."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def stamp(self, view: int) -> tuple[str, str, int]:
        """What a view was made of: whoever keeps an answer keeps it for this."""
        return stamps(self._connection.sql, [view])[view]

    def checked(self, view: int) -> bool:
        """Do a view's metrics hold what the sentence check says?"""
        return totals.holds_checks(self._connection.sql, view)

    def told(self, rev: int, name: str) -> Told | None:
        """What a dimension's name stands for in a run, as the filter language reads it; None: nothing."""
        own = BY_NAME.get(name) or (None if self._is_key(rev, name) else ALSO.get(name))
        prefix, dot, rest = name.partition(".")
        of_record = prefix == "record" and dot == "."
        if own is None and of_record and rest in RECORDED and not self._is_key(rev, rest):
            own = BY_NAME[rest]
        if own is not None:
            tells = own.column and own.kind not in ("state", "missing", "date")
            return Told(own, _source(own)) if tells else None
        for metric in columns(self._connection.sql):
            if metric.key == name:
                field = Field(name, "number", "", f"{name}:*", f"m.{metric.name}", True)
                return Told(field, Source(field.column))
        for key in (rest, name) if of_record else (name,):
            if self._is_key(rev, key):
                return Told(Field(name, "key", "a key of the record", f"{name}:*"), _at(key))
        return None

    def _is_key(self, rev: int, name: str) -> bool:
        # Bytes that were no text come from a command line as lone surrogates; keys hold them written out.
        key = name.encode("utf-8", "backslashreplace").decode("utf-8")
        found = self._connection.sql.execute(
            "SELECT 1 FROM extra_keys WHERE rev = ? AND key = ?", (rev, key)
        ).fetchone()
        return found is not None

    def headers(self, revs: Sequence[int]) -> dict[int, dict[str, Any]]:
        """The headers of revisions as they were read, without a list of all ids."""
        rows = self._connection.sql.execute(
            "SELECT v.pk, v.header FROM json_each(?) w CROSS JOIN revisions v ON v.pk = w.value",
            (json.dumps(list(revs)),),
        )
        return {rev: json.loads(header) for rev, header in rows}

    def base(self, run: RunSummary, view: int, where: Where) -> Base:
        """The cases that pass a filter, with what is counted of them."""
        with self._connection.question() as sql:
            kept = {key for (key,) in sql.execute("SELECT key FROM view_sums WHERE view = ?", (view,))}
            metrics = columns(sql)
            wanted = [metric for metric in metrics if metric.key in kept]
            names = {
                metric.key: (f"{metric.name}_n", f"{metric.name}_d") if metric.micro else (metric.name,)
                for metric in wanted
            }
            sums = Sums({key: len(found) for key, found in names.items()})
            keys, patterns = array("q"), array("i")
            numbers: dict[int, int] = {}
            values = "".join(f", m.{name}" for found in names.values() for name in found)
            text, params = selection.base(sql, run, view, where).sql("")
            for pks, found, *rest in _portions(
                sql, f"SELECT m.case_pk, m.pattern{values} {text} ORDER BY m.case_pk", params
            ):
                keys.extend(pks)
                for pattern in set(found):
                    numbers.setdefault(pattern, len(numbers))
                patterns.extend(map(numbers.__getitem__, found))
                if rest:
                    sums.extend(rest)
            return Base(metrics, keys, patterns, [_masks(sql, pattern) for pattern in numbers], sums)

    def values(self, run: RunSummary, view: int, where: Where, sources: Sequence[Source]) -> list[Values]:
        """The values of the cases that pass a filter, in file order, of several sources in one reading."""
        readers = [Reader(source) for source in sources]
        names = list(dict.fromkeys(source.column for source in sources))
        objects = {source.column for source in sources if source.reading == "key"}
        with self._connection.question() as sql:
            query = selection.base(sql, run, view, where)
            text, params = query.sql("".join(_aliases(names)))
            statement = f"SELECT {', '.join(names)} {text} ORDER BY m.case_pk"
            for portion in _portions(sql, statement, params) if sources else ():
                found = dict(zip(names, portion, strict=True))
                # Many cases have the same few keys and values: what is the same is read once.
                read = {name: {text: read_json(text) for text in set(found[name])} for name in objects}
                for reader in readers:
                    name = reader.source.column
                    if reader.source.reading == "key":
                        reader.take_keyed(found[name], read[name])
                    else:
                        reader.take(found[name])
        return [reader.values() for reader in readers]

    def differing(self, run: RunSummary, view: int) -> dict[str, int | None]:
        """How many different values each field and each key of the run's own has; None = more than `MANY`.

        One that no case has is left out.
        """
        fields = [field for field in {**ALSO, **BY_NAME}.values() if _is_counted(field)]
        names = list(dict.fromkeys(field.column for field in fields))
        seen: dict[str, set[Any]] = {name: set() for name in names}
        keys: dict[str, set[str]] = {}
        with self._connection.question() as sql:
            query = selection.Query(run, view, [], [], set())
            text, params = query.sql("".join(_aliases([*names, "p.extra"])))
            statement = f"SELECT p.extra, {', '.join(names)} {text}"
            for extras, *portion in _portions(sql, statement, params):
                for extra in set(extras):
                    if extra != "{}":
                        gather_names(read_json(extra), keys, MANY)
                for name, found in zip(names, portion, strict=True):
                    if len(seen[name]) <= MANY:
                        seen[name].update(found)
        out: dict[str, int | None] = {}
        for field in fields:
            reader = Reader(_source(field))
            reader.take(seen[field.column])
            recorded = [held for held in reader.values().held if held.shown != NOT_RECORDED]
            if recorded:
                out[field.name] = len(recorded) if len(seen[field.column]) <= MANY else None
        for key, values in keys.items():
            out[f"record.{key}" if key in BY_NAME else key] = len(values) if len(values) <= MANY else None
        return out


def _is_counted(field: Field) -> bool:
    return bool(field.column) and field.kind in ("word", "truth", "number", "list") and field.name != "id"


def _source(field: Field) -> Source:
    if field.name in ("label", "inferred"):
        return Source(field.column, "labels")
    if field.name == "note":
        return Source("nullif(r.note, '')")
    if field.kind == "list":
        return Source(field.column, "list")
    return Source(field.column, "truth" if field.kind == "truth" else "scalar")


def _at(key: str) -> Source:
    return Source("p.extra", "key", key)


def _aliases(names: Sequence[str]) -> set[str]:
    return set(re.findall(r"\b([cmpr])\.", " ".join(names)))


def _portions(sql: sqlite3.Connection, text: str, params: list[Any]) -> Iterator[list[tuple[Any, ...]]]:
    """A query's rows as columns, some thousand at a time."""
    cursor = sql.execute(text, params)
    while rows := cursor.fetchmany(PORTION):
        yield list(zip(*rows, strict=True))


def _masks(sql: sqlite3.Connection, pattern: int) -> Masks:
    missing, inferred, worse, have, ones, lead = sql.execute(
        "SELECT missing, inferred, worse, have, ones, lead FROM patterns WHERE pk = ?", (pattern,)
    ).fetchone()
    return missing, inferred, worse, have, ones, lead != selection.NOT_FAILING
