"""The twin of a record: where there is one, it says what the record says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from triage.formats.quick import read_quickly
from triage.formats.record import RECORD_KEYS
from triage.formats.twin import read_twin
from triage.models.record import Document, Record

FULL = {
    "id": "E02", "query": "包裹还没发出", "answerable": True, "expected_ids": ["KB-1"],
    "retrieved": [{"id": "KB-1", "text": "t", "score": 0.8, "title": "T", "version": "2"}, {"id": "KB-2"}],
    "evidence": [{"id": "KB-1"}], "predicted_answerable": True, "answer": "可以[S1]", "citations": ["S1"],
    "scores": {"faithfulness": 5, "own": 0.25}, "topic": "shipping", "tags": [], "passed": False,
    "latency_ms": 12, "tokens": 1e3, "cost": -0.0, "error": "timeout", "kb_version": "kb1",
}  # fmt: skip


def said(value: Any) -> Any:
    """A value, with documents as their fields, so that twins and records compare; -0.0 is not 0.0."""
    if isinstance(value, list):
        return [said(item) for item in value]
    if isinstance(value, dict):
        return {key: said(item) for key, item in value.items()}
    if hasattr(value, "score"):
        return [said(getattr(value, name)) for name in Document.model_fields]
    return repr(value)


def agree(line: str | bytes) -> bool:
    """Whether there is a twin; if so it must agree."""
    twin = read_twin(line)
    if twin is None:
        return False
    record = read_quickly(line)
    assert record is not None
    for name in (*Record.model_fields, "retrieved_ids", "decision_recorded"):
        assert said(getattr(twin, name)) == said(getattr(record, name)), name
    return True


def test_a_record_in_plain_words_has_a_twin() -> None:
    assert agree(json.dumps(FULL))
    assert agree(json.dumps(FULL, ensure_ascii=False).encode())
    assert agree('{"id": "a", "query": ""}')


@pytest.mark.parametrize("decision", [None, True, False])
def test_an_unknown_decision_is_not_an_absent_one(decision: bool | None) -> None:
    line = json.dumps({"id": "a", "query": "q", "predicted_answerable": decision})
    assert agree(line)
    twin = read_twin(line)
    assert twin is not None
    assert (twin.decision_recorded, twin.predicted_answerable) == (True, decision)


VALUE = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4)
PART = st.dictionaries(
    st.sampled_from(["id", "text", "score", "title", "version", "meta"]), VALUE, max_size=4
)
JSON = VALUE | st.lists(VALUE | PART, max_size=3) | st.dictionaries(st.text(max_size=3), VALUE, max_size=2)
OWN = {"id": "a", "query": "q"}


@settings(max_examples=500, deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(RECORD_KEYS | {"extra", "inferred"})), JSON, max_size=4))
def test_a_twin_agrees_with_the_record_whatever_stands_there(data: dict[str, Any]) -> None:
    agree(json.dumps({**OWN, **data}))


NUMBERS = (
    "0 -0 -0.0 1e5 1E+5 1e400 -1e400 123456789012345678901234567890 9007199254740993 1. 01 .5 +1 - 1e NaN "
    "Infinity 4.9e-324 1e-400 2.2250738585072011e-308 179769313486231580793728971405301e277 "
    "18446744073709551616 -9223372036854775809 0.30000000000000004"
).split()
TEXTS = (
    rb'"\ud800"', rb'"\ud83d\ude00"', rb'"\ude00\ud83d"', rb'"\u0000"', b'"\x01"', b'"\x7f"', b'"\xff"',
    b'"\xc0\x80"', b'"\xed\xa0\x80"', b'"\xf4\x90\x80\x80"', b'"\xe4\xb8"', rb'"\x"', rb'"\/"', rb'"\u12"',
    b'"\t"', b'"a', b"'a'", b'"\xe2\x80\xa8"', b'"\xf0\x9f\x98\x80"',
)  # fmt: skip
SHAPES = (
    b'{"id": "a", "query": "q", "id": "b"}', b'{"id": "a", "query": 1, "query": "q"}',
    b'{"id": "a", "query": "q", "scores": {"x": 1, "y": 2, "x": 3}}', rb'{"\u0069d": "a", "query": "q"}',
    b'{"id": "a", "query": "q"} x', b'{"id": "a", "query": "q",}', b'{"id": "a", "query": "q"}\0', b"[]", b"",
    b'{"id": " ", "query": "q"}', b'{"id": "a", "query": "q", "scores": {"relevancy": 1}}',
    b'{"id": "a", "query": "q", "retrieved": [{"id": "x", "own": "\xff"}]}',
    b'{"id": "a", "query": "q", "retrieved": ["x"]}', b'{"id": "a", "query": "q", "error": " "}',
)  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        *SHAPES,
        *(b'{"id": "a", "query": "q", "latency_ms": %s}' % number.encode() for number in NUMBERS),
        *(b'{"id": "a", "query": "q", "scores": {"x": %s}}' % number.encode() for number in NUMBERS),
        *(b'{"id": "a", "query": %s}' % text for text in TEXTS),
        *(b'{"id": "a", "query": "q", "scores": {%s: 1}}' % text for text in TEXTS),
        *(b'{"id": "a", "query": "q", %s: 1}' % text for text in TEXTS),
    ],
)
def test_a_twin_agrees_where_parsers_differ(line: bytes) -> None:
    agree(line)
