"""Records and measures as the tuples that the tables take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from pydantic_core import to_json

from triage.models.case import QUERY_CUT
from triage.models.hashes import hash_answer, hash_case, hash_retrieved
from triage.models.measure import CLASSES, Finding, Scoring
from triage.store import text
from triage.store.columns import HIGHEST_BIT, MetricColumn
from triage.store.rows import Measured
from triage.store.schema import POSITION_BITS

if TYPE_CHECKING:
    from triage.models.measure import Measure
    from triage.models.record import Record
    from triage.store.rows import CaseIn

# Known keys without a column or a measure of their own; a filter reaches them by their own names.
_ALSO_EXTRA = (
    "scores", "tags", "seed_id", "rewrite", "dependency", "failure_reason", "reference_answer",
    "expected_route",
)  # fmt: skip
_also_extra = attrgetter(*_ALSO_EXTRA)
_MODELS_EXTRA = ("feedback", "conflict")
_models_extra = attrgetter(*_MODELS_EXTRA)


# SQLite stores a NaN as NULL, and binding one is far quicker than None, which Python tries to adapt.
NULL = float("nan")
_TRUTH: dict[bool | None, float] = {None: NULL, True: 1, False: 0}
_UNTRUTH: dict[bool | None, float] = {None: NULL, True: 0, False: 1}

Row = Sequence[Any]
Pattern = tuple[Any, ...]
"""A row of `patterns` without its key: missing, inferred, worse, have, ones, layers, lead, class."""

CASE_COLUMNS = (
    "pk", "rev", "pos", "line", "case_id", "topic", "topic_inferred", "high_risk", "query_type", "domain",
    "difficulty", "source", "kb_version", "dataset_version", "answerable", "predicted", "refused", "route",
    "has_error",
    "passed", "turns", "latency_ms", "cost", "tokens", "inferred", "hash_case", "hash_answer",
    "hash_retrieved", "query",
)  # fmt: skip
TEXT_COLUMNS = (
    "case_pk", "query", "raw_query", "answer", "refusal_reason", "error", "expected", "retrieved", "cited",
    "extra",
)  # fmt: skip
MEASURE_COLUMNS = (
    "view", "case_pk", "pattern", "missing", "failing", "lead", "class", "first_rank", "confidence", "reason",
)  # fmt: skip


PATTERN = MEASURE_COLUMNS.index("pattern")


def dumps(value: Any) -> str:
    """Compact JSON; a number that is not finite becomes null. Several times as quick as the standard
    library's.
    """
    try:
        return to_json(value, inf_nan_mode="null").decode()
    except ValueError:
        # A lone surrogate, or an object that only the standard library takes.
        return text.dumps(value)


def strings(values: list[str] | None) -> str | None:
    """A list of ids as JSON, None where it is not recorded."""
    if values is None:
        return None
    if not values:
        return "[]"
    joined = '","'.join(values)
    plain = joined.isascii() and joined.isprintable() and "\\" not in joined
    # Most ids need no escaping, and putting them together by hand takes a third of the time.
    return f'["{joined}"]' if plain and joined.count('"') == 2 * (len(values) - 1) else dumps(values)


def extra_of(record: Record) -> dict[str, Any]:
    """The record's own keys, and those known ones that have no column."""
    extra = dict(record.extra)
    for name, value in zip(_ALSO_EXTRA, _also_extra(record), strict=True):
        if value is not None and value != {}:
            extra.setdefault(name, value)
    for name, model in zip(_MODELS_EXTRA, _models_extra(record), strict=True):
        if model is not None:
            extra.setdefault(name, model.model_dump(exclude_none=True))
    return extra


def dotted_keys(value: dict[str, Any], found: set[str], prefix: str = "") -> None:
    """Add the dotted names of an object's keys to `found` (`meta`, `meta.lang`)."""
    for key, item in value.items():
        name = prefix + key
        if name not in found:
            found.add(name)
        if isinstance(item, dict):
            dotted_keys(item, found, f"{name}.")


def _evidence_text(record: Record) -> str | None:
    texts = [text for document in record.retrieved or () if (text := document.text)]
    texts += [text for document in record.evidence or () if (text := document.text)]
    return "\n".join(dict.fromkeys(texts)) or None


def _bytes(text: str | bytes) -> str | bytes:
    """A text as SQLite stores it, which is quicker to hand on where it is long; the statement casts it.

    One with lone surrogates, which SQLite cannot hold, stays as it is.
    """
    try:
        return text if isinstance(text, bytes) else text.encode()
    except UnicodeEncodeError:
        return text


def _last_user(record: Record) -> str:
    user = record.turns[-1].get("user") if record.turns else None
    return user if isinstance(user, str) else ""


def case_rows(
    pk: int, item: CaseIn, extra: str, kb_version: str | None, dataset_version: str | None
) -> tuple[Row, Row, Row]:
    """One record's rows of `cases`, `texts` and `records`; the versions are the header's, for records
    without one.
    """
    record = item.record
    query, answer, turns, inferred = record.query, record.answer, record.turns, record.inferred
    expected, answerable, predicted = record.expected_ids, record.answerable, record.predicted_answerable
    retrieved = record.retrieved_ids
    case = (
        pk, pk >> POSITION_BITS, item.position, item.line, record.id, record.topic,
        _TRUTH["topic" in inferred], _TRUTH[item.high_risk],
        record.query_type, record.domain, record.difficulty, record.source, record.kb_version or kb_version,
        record.dataset_version or dataset_version, _TRUTH[answerable], _TRUTH[predicted],
        _UNTRUTH[predicted], record.route, _TRUTH[record.error is not None], _TRUTH[record.passed],
        None if turns is None else len(turns), record.latency_ms, record.cost, record.tokens,
        strings(inferred), hash_case(query, answerable, expected), hash_answer(answer),
        hash_retrieved(retrieved), (_last_user(record) if query is None else query)[:QUERY_CUT],
    )  # fmt: skip
    written = (
        pk, query, record.raw_query, answer, record.refusal_reason, record.error, strings(expected),
        strings(retrieved), strings(record.citations), extra,
    )  # fmt: skip
    evidence = _evidence_text(record)
    return (
        [NULL if value is None else value for value in case],
        [NULL if value is None else value for value in written],
        (pk, NULL if evidence is None else _bytes(evidence), _bytes(item.raw)),
    )


def _strip(states: Sequence[Any], failing: bool) -> tuple[str, int]:
    """The four characters of a case's layers, and its `lead`."""
    text = "".join(
        " " if state is None else "." if state == "ok" else str(digit)
        for digit, state in enumerate(states, 1)
    )
    fails = text.replace(".", "").replace(" ", "")
    return text, 9 if not failing else int(fails[0]) if fails else 5


def _said(finding: Finding) -> dict[str, Any]:
    return {
        "class": finding.failure_class,
        "reason": finding.reason,
        "confidence": finding.confidence,
        "evidence": finding.evidence,
    }


_FIELD = HIGHEST_BIT + 1
_MISSING, _INFERRED, _WORSE, _HAVE, _ONES = (1 << _FIELD * number for number in range(5))
_FIELD_MASK = (1 << _FIELD) - 1
_REMEMBERED = 4096


def _names(column: MetricColumn) -> tuple[str, ...]:
    return (column.name, f"{column.name}_n", f"{column.name}_d") if column.micro else (column.name,)


def statements(columns: Iterable[MetricColumn]) -> tuple[str, str]:
    """The statement that takes the rows of `Packer.pack`, and the one for cases that may be measured
    already.
    """
    every = [*MEASURE_COLUMNS, *(name for column in columns for name in _names(column))]
    statement = f"INTO measures ({', '.join(every)}) VALUES ({', '.join('?' * len(every))})"
    return f"INSERT {statement}", f"INSERT OR REPLACE {statement}"


class Packer:
    """Turns measured cases into rows of `measures` and `findings`.

    Args:
        columns: the metrics of this database.
        scoring: what the cases were measured with; decides which values make a metric worse.

    A dictionary of measures that was packed must not be changed afterwards.
    """

    def __init__(self, columns: Iterable[MetricColumn], scoring: Scoring) -> None:
        self._places: dict[str, tuple[int, MetricColumn]] = {}
        self._width = 0
        for column in columns:
            self._places[column.key] = (self._width, column)
            self._width += len(_names(column))
        self._scoring = scoring
        # Many cases share one dictionary of measures; while it is kept here its identity stands for it.
        self._known: dict[int, tuple[list[float], int, dict[str, Measure]]] = {}
        self._patterns: dict[tuple[Any, ...], tuple[Pattern, int, int]] = {}

    def _columns(self, measures: dict[str, Measure]) -> tuple[list[float], int, dict[str, Measure]]:
        """The columns of a case, and its five fields of bits in one number."""
        values = [NULL] * self._width
        bits = 0
        for key, measure in measures.items():
            if key not in self._places:
                continue
            place, column = self._places[key]
            value = measure.value
            if value is None:
                bits |= _MISSING * column.mask if measure.missing else 0
                continue
            values[place] = value
            added = _HAVE
            added += _INFERRED if measure.inferred else 0
            added += _ONES if column.is_share and value == 1 else 0
            added += _WORSE if column.worse(value, self._scoring) else 0
            bits |= added * column.mask
            if column.micro:
                values[place + 1] = NULL if measure.numerator is None else measure.numerator
                values[place + 2] = NULL if measure.denominator is None else measure.denominator
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        found = self._known[id(measures)] = values, bits, measures
        return found

    def pack(self, view: int, pk: int, measured: Measured) -> list[Any]:
        """The row of `measures` of one case. Keys without a column (derived) are left out.

        In the place `PATTERN` stands the row of `patterns` itself, for the writer to put its key there, and
        the values are one list in the last place, which many cases share: `placed` makes the row whole.
        """
        measures = measured.measures
        values, bits, _ = self._known.get(id(measures)) or self._columns(measures)
        diagnosis = measured.diagnosis
        suggestion, failing = diagnosis.suggestion, diagnosis.failing
        rank, name = diagnosis.first_rank, suggestion.failure_class
        shared = (bits, name, failing, *map(diagnosis.layers.get, CLASSES))
        pattern, missing, lead = self._patterns.get(shared) or self._pattern(shared)
        return [
            view, pk, pattern, missing, _TRUTH[failing], lead, NULL if name is None else name,
            NULL if rank is None else rank, suggestion.confidence, suggestion.reason, values,
        ]  # fmt: skip

    @staticmethod
    def placed(row: list[Any], pattern: int) -> list[Any]:
        """The row whole, with the key of its pattern. It takes the place of the one that `pack` gave."""
        row[PATTERN] = pattern
        row += row.pop()
        return row

    def _pattern(self, shared: tuple[Any, ...]) -> tuple[Pattern, int, int]:
        bits, name, failing, *states = shared
        masks = [bits >> _FIELD * number & _FIELD_MASK for number in range(5)]
        layers, lead = _strip(states, failing)
        found = self._patterns[shared] = ((*masks, layers, lead, name or ""), masks[0], lead)
        return found

    @staticmethod
    def findings(view: int, pk: int, measured: Measured) -> tuple[Any, ...] | None:
        """The row of `findings` of one case, None where the suggestion has no evidence and stands alone."""
        diagnosis = measured.diagnosis
        evidence = diagnosis.suggestion.evidence
        if not evidence and not diagnosis.secondary:
            return None
        return (
            view,
            pk,
            dumps(evidence) if evidence else None,
            dumps([_said(finding) for finding in diagnosis.secondary]) if diagnosis.secondary else None,
        )


@dataclass(slots=True)
class Rows:
    """Rows by table, of some cases in file order, and the dotted names of the records' own keys."""

    cases: list[Row] = field(default_factory=list)
    texts: list[Row] = field(default_factory=list)
    records: list[Row] = field(default_factory=list)
    measures: list[list[Any]] = field(default_factory=list)
    findings: list[Row] = field(default_factory=list)
    checks: list[Row] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)


class CasePacker:
    """Turns records on their way in into rows of all tables. Needs no database, so any process can do it.

    Args:
        rev, view: the keys of the revision and of its view.
        packer: for those that are measured.
        versions: the header's `kb_version` and `dataset.version`, for records without their own.
    """

    def __init__(
        self, rev: int, view: int, packer: Packer | None, versions: tuple[str | None, str | None]
    ) -> None:
        self._rev = rev
        self._view = view
        self._packer = packer
        self._versions = versions
        self._scores: dict[tuple[tuple[str, float], ...], tuple[str, set[str]]] = {}

    def _extra(self, record: Record, keys: set[str]) -> str:
        """The record's own keys as JSON, and their names added to `keys`."""
        extra = extra_of(record)
        if not extra:
            return "{}"
        scores = record.scores
        if not scores or extra != {"scores": scores}:
            dotted_keys(extra, keys)
            return dumps(extra)
        # Many cases have nothing but scores here, and judges give few different ones.
        shared = tuple(scores.items())
        known = self._scores.get(shared)
        if known is None:
            if len(self._scores) >= _REMEMBERED:
                self._scores.clear()
            names: set[str] = set()
            dotted_keys(extra, names)
            known = self._scores[shared] = dumps(extra), names
        keys |= known[1]
        return known[0]

    def pack(self, items: Sequence[CaseIn], rows: Rows) -> list[int]:
        """Add records' rows to `rows`. Returns their primary keys."""
        keys = [(self._rev << POSITION_BITS) | item.position for item in items]
        extras = [self._extra(item.record, rows.keys) for item in items]
        for pk, item, extra in zip(keys, items, extras, strict=True):
            case, texts, record = case_rows(pk, item, extra, *self._versions)
            rows.cases.append(case)
            rows.texts.append(texts)
            rows.records.append(record)
        measured = [(pk, item.measured) for pk, item in zip(keys, items, strict=True) if item.measured]
        if measured:
            if self._packer is None:
                raise RuntimeError("measured cases came before their scoring was told")
            rows.measures += [self._packer.pack(self._view, pk, result) for pk, result in measured]
            said = [Packer.findings(self._view, pk, result) for pk, result in measured]
            rows.findings += [finding for finding in said if finding is not None]
        return keys
