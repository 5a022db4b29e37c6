"""The commonest case, quicker still: a line in the format's plainest words, read for measuring and storing.

Validating a line as a `Record` takes three times as long as decoding it into a plain struct with the same
fields, and looking at a model's fields several times as long.
"""

from __future__ import annotations

from typing import Any, cast

import msgspec

from triage.formats.parts import SCORE_ALIASES
from triage.models.record import Document, Record

_PLAIN = (
    "id", "query", "raw_query", "answerable", "expected_ids", "answer", "refusal_reason", "citations",
    "reference_answer", "query_type", "topic", "tags", "domain", "difficulty", "dependency", "seed_id",
    "rewrite", "source", "expected_route", "route", "scores", "passed", "failure_reason", "error",
    "latency_ms", "tokens", "cost", "kb_version", "dataset_version",
)  # fmt: skip
"""Fields of a record that need no more care than their types."""


def _field(model: type[Document | Record], name: str) -> tuple[str, Any, Any]:
    field = model.model_fields[name]
    return name, field.annotation, msgspec.NODEFAULT if field.is_required() else field.default


_Document = msgspec.defstruct(
    "_Document",
    [_field(Document, name) for name in Document.model_fields],
    forbid_unknown_fields=True,
    gc=False,
)
_Documents = list[_Document] | None  # type: ignore[valid-type]
_FIELDS = [
    *(_field(Record, name) for name in _PLAIN),
    ("retrieved", _Documents, None),
    ("evidence", _Documents, None),
    ("predicted_answerable", bool | None | msgspec.UnsetType, msgspec.UNSET),
]
_ABSENT = Record.model_fields.keys() - {name for name, _, _ in _FIELDS}
_Line = msgspec.defstruct(
    "_Line",
    _FIELDS,
    namespace=dict.fromkeys(_ABSENT),
    forbid_unknown_fields=True,
    # Some attributes are not the file's: no key can set them.
    dict=True,
)
_decode = msgspec.json.Decoder(_Line).decode


def read_twin(line: str | bytes) -> Record | None:
    """Something with all attributes of the `Record` that `read_quickly` gives, or None where that, or a more
    careful way, is to be asked.
    """
    try:
        twin: Any = _decode(line)
    except (msgspec.DecodeError, UnicodeError):
        return None
    if twin.query is None or not twin.id.strip():
        return None
    if twin.scores and not SCORE_ALIASES.keys().isdisjoint(twin.scores):
        return None
    if twin.error is not None and not twin.error.strip():
        return None
    twin.decision_recorded = twin.predicted_answerable is not msgspec.UNSET
    if not twin.decision_recorded:
        twin.predicted_answerable = None
    documents = twin.retrieved
    # Asked for again and again, so it is told once.
    twin.retrieved_ids = None if documents is None else [document.id for document in documents]
    twin.inferred = []
    twin.extra = {}
    # Who measures and stores asks for attributes, not for a model.
    return cast("Record", twin)
