"""Records and measures as the tuples that the tables take."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from triage.models.hashes import hash_answer, hash_case, hash_retrieved
from triage.models.measure import CLASSES, FailureClass, Finding, Scoring
from triage.store.columns import MetricColumn
from triage.store.rows import Measured
from triage.store.schema import POSITION_BITS

if TYPE_CHECKING:
    from triage.models.record import Record
    from triage.store.rows import CaseIn

QUERY_CUT = 200
"""Characters of the query that stand in a row of the list."""

# Known keys without a column or a measure of their own; a filter reaches them by their own names.
_ALSO_EXTRA = (
    "scores", "tags", "seed_id", "rewrite", "dependency", "failure_reason", "reference_answer",
    "expected_route",
)  # fmt: skip
_MODELS_EXTRA = ("feedback", "conflict")

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode
_encode_strictly = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode

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
    "view", "case_pk", "failing", "class", "layers", "lead", "missing", "inferred", "worse", "have", "ones",
    "first_rank", "confidence", "reason",
)  # fmt: skip


def dumps(value: Any) -> str:
    """Compact JSON; a number that is not finite becomes null."""
    try:
        return _encode_strictly(value)
    except ValueError:
        return _encode(_finite(value))


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def strings(values: list[str] | None) -> str | None:
    """A list of ids as JSON, None where it is not recorded."""
    if values is None:
        return None
    return _encode(values) if values else "[]"


def text_safe(row: Sequence[Any]) -> tuple[Any, ...]:
    """`row` with lone surrogates, which SQLite cannot hold, written as `\\ud800`; in JSON that means the
    same.
    """
    return tuple(
        item.encode("utf-8", "backslashreplace").decode("utf-8") if isinstance(item, str) else item
        for item in row
    )


def extra_of(record: Record) -> dict[str, Any]:
    """The record's own keys, and those known ones that have no column."""
    extra = dict(record.extra)
    for name in _ALSO_EXTRA:
        value = getattr(record, name)
        if value:
            extra.setdefault(name, value)
    for name in _MODELS_EXTRA:
        value = getattr(record, name)
        if value is not None:
            extra.setdefault(name, value.model_dump(exclude_none=True))
    return extra


def dotted_keys(value: dict[str, Any], found: set[str], prefix: str = "") -> None:
    """Add the dotted names of an object's keys to `found` (`meta`, `meta.lang`)."""
    for key, item in value.items():
        name = prefix + key
        found.add(name)
        if isinstance(item, dict):
            dotted_keys(item, found, f"{name}.")


def _evidence_text(record: Record) -> str | None:
    texts = [document.text for document in record.retrieved or () if document.text]
    if record.evidence:
        texts += [document.text for document in record.evidence if document.text]
    return "\n".join(dict.fromkeys(texts)) or None


def _last_user(record: Record) -> str:
    user = record.turns[-1].get("user") if record.turns else None
    return user if isinstance(user, str) else ""


def case_rows(
    rev: int, item: CaseIn, extra: str, kb_version: str | None, dataset_version: str | None
) -> tuple[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]:
    """One record's rows of `cases`, `texts` and `records`; the versions are the header's, for records
    without one.
    """
    record = item.record
    pk = (rev << POSITION_BITS) | item.position
    query, answer = record.query, record.answer
    shown = query if query is not None else _last_user(record)
    expected, retrieved, inferred = record.expected_ids, record.retrieved_ids, record.inferred
    predicted = record.predicted_answerable
    case = (
        pk, rev, item.position, item.line, record.id, record.topic, "topic" in inferred, item.high_risk,
        record.query_type, record.domain, record.difficulty, record.source, record.kb_version or kb_version,
        record.dataset_version or dataset_version, record.answerable, predicted,
        None if predicted is None else not predicted, record.route, record.error is not None, record.passed,
        None if record.turns is None else len(record.turns), record.latency_ms, record.cost, record.tokens,
        strings(inferred), hash_case(query, record.answerable, expected), hash_answer(answer),
        hash_retrieved(retrieved), shown[:QUERY_CUT],
    )  # fmt: skip
    texts = (
        pk, query, record.raw_query, answer, record.refusal_reason, record.error, strings(expected),
        strings(retrieved),
        strings(record.citations), extra,
    )  # fmt: skip
    return case, texts, (pk, _evidence_text(record), item.raw)


_DIGITS: dict[FailureClass, str] = {name: str(number) for number, name in enumerate(CLASSES, start=1)}


def _layers(layers: dict[FailureClass, Any]) -> str:
    signs = ""
    for name, digit in _DIGITS.items():
        state = layers.get(name)
        signs += " " if state is None else "." if state == "ok" else digit
    return signs


def _lead(failing: bool, layers: str) -> int:
    if not failing:
        return 9
    first = layers.replace(".", "").replace(" ", "")
    return int(first[0]) if first else 5


def _said(finding: Finding) -> dict[str, Any]:
    return {
        "class": finding.failure_class,
        "reason": finding.reason,
        "confidence": finding.confidence,
        "evidence": finding.evidence,
    }


class Packer:
    """Turns measured cases into rows of `measures` and `findings`.

    Args:
        columns: the metrics of this database.
        scoring: what the cases were measured with; decides which values make a metric worse.
    """

    def __init__(self, columns: Iterable[MetricColumn], scoring: Scoring) -> None:
        self._places: dict[str, tuple[int, MetricColumn]] = {}
        names: list[str] = []
        for column in columns:
            self._places[column.key] = (len(names), column)
            names += [column.name, f"{column.name}_n", f"{column.name}_d"] if column.micro else [column.name]
        self._width = len(names)
        self._scoring = scoring
        every = (*MEASURE_COLUMNS, *names)
        self.insert = (
            f"INSERT OR REPLACE INTO measures ({', '.join(every)}) VALUES ({', '.join('?' * len(every))})"
        )
        """The statement that takes the rows of `pack`."""

    def pack(self, view: int, pk: int, measured: Measured) -> tuple[Any, ...]:
        """The row of `measures` of one case. Keys without a column (not built, derived) are left out."""
        values: list[float | None] = [None] * self._width
        missing = inferred = worse = have = ones = 0
        places, scoring = self._places, self._scoring
        for key, measure in measured.measures.items():
            place = places.get(key)
            if place is None:
                continue
            at, column = place
            value = measure.value
            if value is None:
                if measure.missing:
                    missing |= column.mask
                continue
            mask = column.mask
            values[at] = value
            have |= mask
            if measure.inferred:
                inferred |= mask
            if column.is_share and value == 1:
                ones |= mask
            if column.worse(value, scoring):
                worse |= mask
            if column.micro:
                values[at + 1], values[at + 2] = measure.numerator, measure.denominator
        diagnosis = measured.diagnosis
        suggestion = diagnosis.suggestion
        layers = _layers(diagnosis.layers)
        return (
            view, pk, diagnosis.failing, suggestion.failure_class, layers, _lead(diagnosis.failing, layers),
            missing,
            inferred, worse, have, ones, diagnosis.first_rank, suggestion.confidence, suggestion.reason,
            *values,
        )  # fmt: skip

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
