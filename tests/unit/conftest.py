"""Records out of the flat ones that the shared vectors hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from triage.formats import record_from
from triage.models.record import Record

ALIASES = {"relevancy": "answer_relevancy", "correctness": "answer_correctness"}


def to_record(flat: dict[str, Any]) -> Record:
    """A flat record (`retrieved_ids`, short score names, `refused`) as the model knows it, as written.

    Scores go through the reader of files: what it refuses (a NaN) no record holds.
    """
    data = {
        key: value
        for key, value in flat.items()
        if key not in ("retrieved_ids", "refused", "history", "turns")
    }
    data.setdefault("id", "c")
    if "retrieved_ids" in flat:
        ids = flat["retrieved_ids"]
        data["retrieved"] = None if ids is None else [{"id": str(name)} for name in ids]
    if data.get("expected_ids") is not None:
        data["expected_ids"] = [str(name) for name in data["expected_ids"]]
    if flat.get("refused") is not None:
        data["predicted_answerable"] = not flat["refused"]
    if data.get("scores") is not None:
        scores = {ALIASES.get(name, name): score for name, score in data["scores"].items()}
        data["scores"] = record_from({"id": "c", "query": "q", "scores": scores})[0].scores
    return Record.model_validate(data)


@pytest.fixture
def record_of() -> Callable[..., Record]:
    """`record_of({...})` or `record_of(answer="...")`."""

    def make(flat: dict[str, Any] | None = None, **fields: Any) -> Record:
        return to_record({**(flat or {}), **fields})

    return make
