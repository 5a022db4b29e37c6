"""The columns that the case list may show beside its own: how wide each is, and what stands in it for a row.

What a row or its review holds comes from there, so that it follows a verdict at once; the rest is read with
the page (`CaseRow.cells`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from triage.metrics.registry import METRICS
from triage.models.case import CaseRow
from triage.plain import cut, one_line, width
from triage.store.filter.fields import BY_NAME
from triage.ui.widgets.row import NAMES, Column

NONE = "-"
"""Stands for a value that is not recorded or out of scope."""
RECORD = "record."
"""Stands before a record's own key."""
_TEXT_CELLS, _SCORE_CELLS = 16, 5
_OWN_LEAST, _OWN_CELLS = 8, 12


class _Own(Struct, frozen=True):
    """What a row knows by itself."""

    text: Callable[[CaseRow], str | None]


def _of_review(text: Callable[[Any], str | None]) -> _Own:
    return _Own(lambda row: text(row.review) if row.review is not None else None)


def _number(value: float, digits: int = 2) -> str:
    text = f"{value:.{digits}f}" if abs(value) < 1000 else f"{value:.0f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text or "0"


def _share(value: float) -> str:
    """0..1 as look.md writes it: two digits, no leading zero."""
    return f"{value:.2f}".removeprefix("0") if 0 < value < 1 else f"{value:g}"


_OWN: Mapping[str, _Own] = {
    "topic": _Own(lambda row: row.topic),
    "rank": _Own(lambda row: None if row.first_rank is None else str(row.first_rank)),
    "suggestion": _Own(lambda row: None if row.failure_class is None else NAMES[row.failure_class]),
    "reason": _Own(lambda row: row.reason),
    "confidence": _Own(lambda row: _share(row.confidence)),
    "high_risk": _Own(lambda row: "yes" if row.high_risk else "no"),
    "verdict": _of_review(lambda review: None if review.verdict is None else NAMES[review.verdict]),
    "label": _of_review(lambda review: ", ".join(review.labels)),
    "note": _of_review(lambda review: review.note),
    "reviewer": _of_review(lambda review: review.reviewer),
    "reviewed_at": _of_review(lambda review: _local(review.at)),
}
_HEADS = {
    "query_type": "type", "difficulty": "level", "kb_version": "kb", "dataset_version": "set",
    "answerable": "can", "latency_ms": "ms", "confidence": "sure", "high_risk": "risk", "reviewer": "by",
    "reviewed_at": "reviewed", "label": "labels", "suggestion": "suggests", "reason": "rule",
    "raw_query": "raw query", "mismatch": "clash",
}  # fmt: skip
_CELLS = {
    "topic": 8, "query_type": 10, "rank": 4, "confidence": 4, "suggestion": 9, "reason": 14, "label": 12,
    "check": 11, "mismatch": 10,
    "reviewer": 8, "reviewed_at": 11, "verdict": 9, "route": 10, "domain": 6, "difficulty": 6, "source": 8,
    "latency_ms": 6, "cost": 6, "tokens": 6, "turns": 5, "answerable": 3, "refused": 7, "passed": 6,
    "high_risk": 4, "kb_version": 6, "dataset_version": 5,
}  # fmt: skip
_NOT_SHOWN = ("is", "missing", "id", "query", "evidence")


def _local(at: str) -> str:
    # Imported here because few lists show when a verdict was given.
    from triage.ui.widgets.detail.story import local

    return local(at)


def _own(text: Callable[[CaseRow], str | None], row: CaseRow) -> str:
    return text(row) or NONE


def _read(key: str, said: Callable[[Any], str], row: CaseRow) -> str:
    value = row.cells.get(key)
    return NONE if value is None else said(value) or NONE


def _listed(value: Any) -> str:
    items = json.loads(value) if isinstance(value, str) else None
    return ", ".join(str(item) for item in items) if isinstance(items, list) else ""


def _field(key: str) -> Column:
    field = BY_NAME[key]
    head, cells = _HEADS.get(key, key), _CELLS.get(key, _TEXT_CELLS)
    right = field.kind == "number"
    if key in _OWN:
        return Column(key, head, cells, partial(_own, _OWN[key].text), right)
    said: dict[str, Callable[[Any], str]] = {
        "number": _number,
        "truth": lambda value: "yes" if value else "no",
        "list": _listed,
    }
    return Column(key, head, cells, partial(_read, key, said.get(field.kind, str)), right)


def column(key: str, k: int) -> Column | None:
    """The column of a field, of a metric at a K, or of a record's own key `record.KEY`; None where there is
    no such.
    """
    if key in BY_NAME:
        return None if key in _NOT_SHOWN else _field(key)
    own = key.removeprefix(RECORD)
    if own and own != key:
        head = cut(one_line(own.rpartition(".")[2] or own), _OWN_CELLS)
        return Column(key, head, max(_OWN_LEAST, width(head)), partial(_read, key, str))
    metric = next((metric for metric in METRICS if metric.key == key and _has_values(metric)), None)
    if metric is None:
        return None
    said = partial(_number, digits=1) if metric.scale == "judge" else _share
    head = metric.named(k)
    return Column(key, head, max(_SCORE_CELLS, len(head)), partial(_read, key, said), True)


def _has_values(metric: Any) -> bool:
    return not metric.derived


def columns_of(keys: Iterable[str], k: int) -> tuple[list[Column], list[str]]:
    """The columns of fields, of metrics at a K and of records' own keys, and the keys that are none."""
    found = {key: column(key, k) for key in dict.fromkeys(keys)}
    return [one for one in found.values() if one], [key for key, one in found.items() if one is None]


def to_read(columns: Sequence[Column] | None) -> tuple[str, ...]:
    """The keys of columns whose values are read with the page."""
    return tuple(one.key for one in columns or () if one.key not in _OWN)


def choices(k: int, own: Iterable[str] = ()) -> list[tuple[str, str, str]]:
    """Every column there is: key, its name, what it is; short fields, metrics, texts, then the records' `own`
    keys.
    """
    fields = [name for name in BY_NAME if name not in _NOT_SHOWN]
    short = sorted((name for name in fields if name in _CELLS), key=list(_CELLS).index)
    texts = [name for name in fields if name not in _CELLS]
    metrics = [(one.key, one.key, one.titled(k)) for one in METRICS if _has_values(one)]
    said = [[(name, name, BY_NAME[name].means) for name in names] for names in (short, texts)]
    keys = [f"{RECORD}{key}" for key in sorted(own)]
    return [*said[0], *metrics, *said[1], *((key, key, "a key of the record") for key in keys)]
