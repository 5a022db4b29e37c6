"""Cases that agree share their measures: nothing that a metric or a rule asks of a record is overlooked."""

from __future__ import annotations

from typing import Any

import pytest

from triage.citations.check import check, summarise
from triage.diagnosis import Examiner, examine
from triage.models.measure import Scoring
from triage.models.record import Record

ANSWERED: dict[str, Any] = {
    "id": "c", "query": "q", "answerable": True, "expected_ids": ["A"], "predicted_answerable": True,
    "retrieved": [{"id": "A"}, {"id": "B"}], "answer": "So.[S1]", "citations": ["S1"],
}  # fmt: skip
REFUSED: dict[str, Any] = {**ANSWERED, "predicted_answerable": False, "answer": "No.", "citations": None}
BARE: dict[str, Any] = {"id": "c", "query": "q"}

TEXTS = (
    "id", "query", "raw_query", "refusal_reason", "reference_answer", "query_type", "topic", "domain",
    "difficulty", "dependency", "seed_id", "rewrite", "source", "route", "failure_reason", "kb_version",
    "dataset_version",
)  # fmt: skip
OTHERS: dict[str, list[Any]] = {
    **{name: ["one", "two"] for name in TEXTS},
    **{name: [1.0, 2000.0] for name in ("latency_ms", "tokens", "cost")},
    **{name: [[{"name": "a"}], [{"name": "a", "ok": False}], []] for name in ("tools", "expected_tools")},
    **{name: [[{"step": "a"}], [{"step": "b", "ids": ["A"]}], []] for name in ("plan", "expected_plan")},
    **{name: [["S1"], ["S9"], []] for name in ("citation_field", "citation_text")},
    "answerable": [True, False, None],
    "predicted_answerable": [True, False, None],
    "passed": [True, False, None],
    "expected_ids": [["A"], ["B"], ["A", "X"], [], None],
    "retrieved": [[{"id": "A"}], [{"id": "B", "score": 0.5}], [{"id": "B", "text": "t"}], [], None],
    "evidence": [[{"id": "A", "text": "t"}], [{"id": "S9"}], [], None],
    "answer": ["So.[S1]", " ", "A longer answer without any citation.", None],
    "citations": [["S1"], ["S9"], ["A", "S9"], [], None],
    "scores": [{"faithfulness": 1.0}, {"faithfulness": 5.0}, {"clarity": 2.0}, {}, None],
    "error": ["boom", "", None],
    "inferred": [["predicted_answerable"], ["citations"], ["topic"], []],
    "extra": [{"mine": 1}, {"mine": 2}],
    "tags": [["one"], ["two"], []],
    "expected_route": [["one"], ["two"], []],
    "golden": [{"must": [{"fact": "f", "hit": True}]}, {"must": [{"fact": "f", "hit": False}]}],
    "conflict": [{"resolved": True, "correct": True}, {"resolved": False, "correct": False}],
    "judges": [[{"judge": "a", "scores": {"clarity": 1}}], [{"judge": "a", "scores": {"clarity": 5}}]],
    "attempts": [[{"passed": True}, {"passed": False}], [{"passed": True}, {"passed": True}], []],
    "history": [[{"role": "user", "content": "one"}], []],
    "turns": [[{"user": "one"}], [{"user": "one", "slots": {"a": 1}, "expected_slots": {"a": 2}}], []],
    "feedback": [{"thumb": "up"}, {"thumb": "down"}, {"repeated": True}, {"handed_off": True}],
}


def test_every_field_of_a_record_is_changed_here() -> None:
    assert set(OTHERS) == set(Record.model_fields)


@pytest.mark.parametrize("base", [ANSWERED, REFUSED, BARE], ids=["answered", "refused", "bare"])
@pytest.mark.parametrize("field", OTHERS)
def test_a_case_that_differs_in_one_field_has_the_measures_it_has_alone(
    field: str, base: dict[str, Any]
) -> None:
    examiner = Examiner(Scoring())
    for other in (base, *({**base, field: value} for value in OTHERS[field]), base):
        record = Record.model_validate(other)
        assert examiner.examine(record, summarise(check(record))) == examine(record, Scoring()), (
            f"a metric or a rule asks for {field}: name it in `_key` of triage/diagnosis/examiner.py"
        )
