"""Cases whose judges differ so much that a person decides (metrics.md section 3), found in the records."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any

from msgspec import DecodeError, Struct
from msgspec.json import decode

from triage.formats.mapping import FieldMap
from triage.formats.parse import Broken, parse
from triage.formats.parts import judges
from triage.formats.values import Unreadable
from triage.metrics.outcome import needs_arbitration

if TYPE_CHECKING:
    from triage.models.run import RunSummary
    from triage.store import Store


class _Judged(Struct):
    """The one field of a record that counts here."""

    judges: Any = None


KEPT = 16
"""Runs of which the answer is kept: their records do not change while a revision stands."""
_FIELD = "judges"
_known: OrderedDict[tuple[object, ...], frozenset[int]] = OrderedDict()
_lock = threading.Lock()


def at_odds(store: Store, run: RunSummary) -> frozenset[int]:
    """The keys of the run's cases of which two judges need an arbitration; blocking, from any thread.

    The records are looked through once; those without the word are not taken apart.
    """
    key = (store.path, run.id, run.pk, run.loaded_at, run.records)
    with _lock:
        if key in _known:
            _known.move_to_end(key)
            return _known[key]
    mapping = store.options(run.pk)[0].mapping
    shares = run.score_scale == "0-1"
    found = frozenset(
        pk
        for pk, scores in _judged(store, run.pk, mapping)
        if any(
            needs_arbitration(one, other)
            for one, other in combinations(map(_on_five, scores) if shares else scores, 2)
        )
    )
    with _lock:
        _known[key] = found
        while len(_known) > KEPT:
            _known.popitem(last=False)
    return found


def _on_five(scores: Mapping[str, float]) -> dict[str, float]:
    return {name: 1 + 4 * score for name, score in scores.items()}


def _judged(
    store: Store, rev: int, mapping: Mapping[str, str]
) -> Iterator[tuple[int, list[dict[str, float]]]]:
    """The keys of cases with several judges, and the scores of each of them."""
    field_map = FieldMap(mapping)
    word = None if _FIELD in mapping else f'"{_FIELD}"'
    for batch in store.raw_records(rev):
        store.heed()
        for pk, raw in batch:
            if word is not None and word not in raw:
                continue
            try:
                value = field_map.apply(parse(raw)).get(_FIELD) if mapping else _alone(raw)
                read = [] if value is None else judges(value, _unheard)
            except (Broken, Unreadable):
                continue
            if len(read) > 1:
                yield pk, [one.get("scores", {}) for one in read]


def _alone(raw: str) -> Any:
    """What a record says of its judges, without the rest of it."""
    try:
        return decode(raw, type=_Judged).judges
    except (DecodeError, UnicodeEncodeError):
        # What only the patient parser reads: lone surrogates, numbers beyond all bounds.
        return parse(raw).get(_FIELD)


def _unheard(where: str, reason: str) -> None:
    """What could not be read of a record was told when it was loaded."""
