"""What judges say, heard without the rest of the record, is what reading the whole record finds."""

from __future__ import annotations

import json
from typing import Any

import pytest

from triage.formats.heard import heard
from triage.formats.infer import infer
from triage.formats.items import read_stored
from triage.formats.mapping import FieldMap
from triage.settings import Settings

BASE = {"id": "c1", "query": "退款", "answer": "好 [S1]", "refused": False, "scores": {"faithfulness": 4}}
JUDGES = [
    {"judge": "a", "scores": {"faithfulness": 5, "clarity": 2}},
    {"judge": "b", "scores": {"clarity": 3}},
]


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"predicted_answerable": True, "refused": True},
        {
            "answerable": False,
            "query_type": "同义",
            "domain": "d",
            "difficulty": "hard",
            "labels": {"x": [1]},
        },
        {"judges": JUDGES},
        {"judges": [{"scores": {"clarity": 1}}]},
        {"judges": [{"judge": 7, "scores": {"clarity": "2"}}]},
        {"judges": [{"judge": "a", "scores": {"correctness": 2}}]},
        {"scores": {"relevancy": 2, "clarity": None}},
        {"scores": {"clarity": True}},
        {"faithfulness": 1},
        {"correctness": "3", "clarity": None},
        {"clarity": [1]},
        {"turns": [{"user": "x", "query_type": "last"}]},
        {"query_type": 3},
        {"scores": None, "judges": None, "refused": None},
    ],
)
def test_is_as_the_record_reads(more: dict[str, Any]) -> None:
    raw = json.dumps({**BASE, **more}, ensure_ascii=False)
    found = heard(raw)
    if found is None:
        return
    record = infer(read_stored(raw, FieldMap({}))[0], Settings(), False)
    for name in ("predicted_answerable", "scores", "answerable", "query_type", "domain", "difficulty"):
        assert getattr(found, name) == getattr(record, name), name
    assert [(one.judge, one.scores) for one in found.judges or ()] == [
        (one.judge, one.scores) for one in record.judges or ()
    ]


def test_the_common_words_are_heard_and_others_are_left_to_the_reader() -> None:
    assert heard(json.dumps({**BASE, "judges": JUDGES, "labels": {"x": 1}})) is not None
    others: tuple[dict[str, Any], ...] = (
        {"faithfulness": None},
        {"turns": [1]},
        {"judges": [{"scores": {}}]},
        {"predicted_answerable": True},
    )
    for more in others:
        assert heard(json.dumps({**BASE, **more})) is None
    silent = {key: value for key, value in BASE.items() if key != "refused"}
    assert heard(json.dumps(silent)) is None, "what is refused is inferred from the answer"
    assert heard("{") is None
