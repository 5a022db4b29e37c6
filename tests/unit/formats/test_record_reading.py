"""A record's fields: aliases, wrong types, parts; only the listed faults reject."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from triage.formats import Rejected, record_from
from triage.formats.quick import read_quickly
from triage.formats.record import RECORD_KEYS
from triage.models.record import Record
from triage.models.run import Problem


def read(**data: Any) -> Record:
    record, problems = record_from({"id": "c1", "query": "q", **data})
    assert problems == []
    return record


def told(**data: Any) -> tuple[Record, list[tuple[str | None, str]]]:
    record, problems = record_from({"id": "c1", "query": "q", **data}, line=7)
    assert all(
        problem.level == "field" and problem.line == 7 and problem.case == "c1" for problem in problems
    )
    return record, [(problem.field, problem.reason) for problem in problems]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"query": "q"}, "no usable id: it is absent"),
        ({"id": None, "query": "q"}, "no usable id: it is null"),
        ({"id": " ", "query": "q"}, "no usable id: it is blank"),
        ({"id": {"a": 1}, "query": "q"}, "no usable id: an object is no id"),
        ({"id": True, "query": "q"}, "no usable id: true is no id"),
        ({"id": "a"}, "neither query nor turns"),
        ({"id": "a", "query": None, "turns": []}, "neither query nor turns"),
        ({"id": "a", "query": ["x"]}, "neither query nor turns can be read: query is a list of 1"),
        ({"id": "a", "turns": "x"}, 'neither query nor turns can be read: turns is "x"'),
    ],
)
def test_what_rejects_a_record(data: dict[str, Any], reason: str) -> None:
    with pytest.raises(Rejected) as caught:
        record_from(data)
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    ("given_id", "read_id"), [(1, "1"), (1.0, "1"), (2.5, "2.5"), ("01", "01"), (0, "0")]
)
def test_numbers_as_case_ids_are_text(given_id: Any, read_id: str) -> None:
    assert record_from({"id": given_id, "query": "q"})[0].id == read_id


def test_missing_is_not_empty() -> None:
    record = read(expected_ids=[], retrieved=None)
    assert record.expected_ids == []
    assert record.retrieved is None
    assert record.citations is None


def test_retrieved_as_ids_objects_and_by_its_other_name() -> None:
    assert read(retrieved=["A", 2]).retrieved_ids == ["A", "2"]
    assert read(retrieved_ids=["A"]).retrieved_ids == ["A"]
    documents = read(
        retrieved=[{"id": 7.0, "text": "t", "score": 0.5, "title": "T", "version": 3, "x": 1}]
    ).retrieved
    assert documents is not None
    assert documents[0].model_dump() == {"id": "7", "text": "t", "score": 0.5, "title": "T", "version": "3"}


def test_a_part_of_a_document_that_cannot_be_read_does_not_take_the_list_along() -> None:
    record, problems = told(retrieved=[{"id": "A"}, {"id": "B", "score": math.nan, "text": ["x"]}])
    assert record.retrieved_ids == ["A", "B"]
    assert problems == [
        ("retrieved[2].text", "a list of 1 is no text"),
        ("retrieved[2].score", "NaN is no finite number"),
    ]


@pytest.mark.parametrize("value", ["KB-1", {"id": "KB-1"}, [None], [{"text": "no id"}], [["A"]], 5, True])
def test_a_list_that_cannot_be_read_is_not_recorded_and_told(value: Any) -> None:
    record, problems = told(retrieved=value)
    assert record.retrieved is None
    assert [field for field, _ in problems] == ["retrieved"]


def test_two_different_lists_of_retrieved_documents_are_told() -> None:
    record, problems = told(retrieved=["A"], retrieved_ids=["B"])
    assert record.retrieved_ids == ["A"]
    assert problems == [("retrieved_ids", "differs from retrieved, which is used")]
    assert read(retrieved=["A"], retrieved_ids=["A"]).retrieved_ids == ["A"]


def test_refused_is_the_negation_and_null_stays_unknown() -> None:
    assert read(refused="否").predicted_answerable is True
    assert read(refused=True).predicted_answerable is False
    assert read(predicted_answerable=None, refused=True).predicted_answerable is False
    for data in ({"refused": None}, {"predicted_answerable": None}):
        record = read(**data)
        assert record.predicted_answerable is None
        assert "predicted_answerable" in record.model_fields_set
    assert "predicted_answerable" not in read().model_fields_set


def test_an_unreadable_decision_is_told_and_stays_unknown() -> None:
    record, problems = told(predicted_answerable="maybe")
    assert record.predicted_answerable is None
    assert "predicted_answerable" in record.model_fields_set
    assert problems == [("predicted_answerable", '"maybe" is neither true nor false')]


def test_contradicting_decisions_are_told() -> None:
    record, problems = told(predicted_answerable=True, refused=True)
    assert record.predicted_answerable is True
    assert problems == [("refused", "contradicts predicted_answerable, which is used")]


def test_scores_by_their_names_aliases_and_at_the_top() -> None:
    record = read(scores={"relevancy": 4, "RL_F": 0.5, "gone": None}, correctness=2, faithfulness="3")
    assert record.scores == {"answer_relevancy": 4, "RL_F": 0.5, "answer_correctness": 2, "faithfulness": 3}


def test_the_scores_object_wins_over_the_top() -> None:
    assert read(scores={"faithfulness": 1}, faithfulness=5).scores == {"faithfulness": 1}


def test_a_score_that_is_no_number_is_told_and_its_details_are_kept() -> None:
    record, problems = told(scores={"faithfulness": 0.5, "detail": {"claims": [1, 0]}, "clarity": True})
    assert record.scores == {"faithfulness": 0.5}
    assert record.extra == {"scores": {"detail": {"claims": [1, 0]}}}
    assert problems == [
        ("scores.detail", "an object is no finite number"),
        ("scores.clarity", "true is no finite number"),
    ]


def test_several_judges_give_their_mean() -> None:
    record = read(
        judges=[
            {"judge": "a", "scores": {"faithfulness": 5, "clarity": 4}, "reason": "fine"},
            {"scores": {"faithfulness": 4}},
        ]
    )
    assert record.scores == {"faithfulness": 4.5, "clarity": 4}
    assert record.judges is not None
    assert [judge.judge for judge in record.judges] == ["a", "2"]


def test_a_score_that_is_not_its_judges_mean_is_told() -> None:
    record, problems = told(
        scores={"faithfulness": 1, "RL": 2}, judges=[{"judge": "a", "scores": {"faithfulness": 5}}]
    )
    assert record.scores == {"faithfulness": 5, "RL": 2}
    assert problems == [("scores.faithfulness", "1 is not the judges' mean 5, which is used")]


def test_golden_facts_judged_and_not() -> None:
    record = read(golden={"must": ["a", {"fact": "b", "hit": "否"}], "exclude": [{"fact": "c", "hit": True}]})
    assert record.golden is not None
    assert record.golden.model_dump() == {
        "must": [{"fact": "a", "hit": None}, {"fact": "b", "hit": False}],
        "compare": None,
        "exclude": [{"fact": "c", "hit": True}],
    }
    alias = read(golden_facts=["a"]).golden
    assert alias is not None
    assert alias.must is not None
    assert alias.must[0].fact == "a"


@pytest.mark.parametrize("name", ["params", "arguments", "args", "kwargs"])
def test_tool_parameters_by_any_name(name: str) -> None:
    tools = read(tools=[{"name": "t", name: {"days": 7}}]).tools
    assert tools is not None
    assert tools[0].model_dump() == {
        "name": "t", "params": {"days": 7}, "ok": True, "empty": False, "result": None, "strict": False,
    }  # fmt: skip


def test_tool_calls_as_chat_apis_write_them_and_in_groups() -> None:
    tools = read(
        tools=[
            {"function": {"name": "a", "arguments": '{"x": 1}'}},
            [{"name": "b", "ok": "no"}, {"name": "c", "strict": True}],
        ]
    ).tools
    assert tools is not None
    assert (tools[0].name, tools[0].params) == ("a", {"x": 1})
    assert isinstance(tools[1], list)
    assert [(call.name, call.ok, call.strict) for call in tools[1]] == [
        ("b", False, False),
        ("c", True, True),
    ]


@pytest.mark.parametrize(
    ("call", "empty"),
    [
        ({"empty": True}, True), ({"result": None}, True), ({"result": ""}, True), ({"result": []}, True),
        ({"result": {}}, True), ({"result": 0}, False), ({"result": False}, False), ({"result": [0]}, False),
        ({}, False),
    ],
)  # fmt: skip
def test_what_counts_as_an_empty_result(call: dict[str, Any], empty: bool) -> None:
    tools = read(tools=[{"name": "t", **call}]).tools
    assert tools is not None
    assert tools[0].empty is empty


def test_plans_steps_and_parallel_groups() -> None:
    plan = read(plan=["find", {"step": "look", "ids": [1]}, ["a", "b"]]).plan
    assert plan is not None
    assert [step if isinstance(step, list) else (step.step, step.ids) for step in plan[:2]] == [
        ("find", None),
        ("look", ["1"]),
    ]
    assert isinstance(plan[2], list)


def test_an_expected_route_is_one_or_several() -> None:
    assert read(expected_route="a+b").expected_route == ["a+b"]
    assert read(expected_route=["a", "b"]).expected_route == ["a", "b"]


def test_what_a_user_said_last_in_parts_is_the_query() -> None:
    parts = [{"type": "text", "text": "change"}, {"type": "text", "text": "the address"}]
    record, problems = record_from({"id": "a", "turns": [{"role": "user", "content": parts}]})
    assert (record.query, problems) == ("change\nthe address", [])


def test_turns_with_roles_are_history() -> None:
    turns = [
        {"role": "user", "text": "hello"},
        {"role": "assistant", "content": [{"type": "text", "text": "yes"}], "tool_calls": [{"name": "x"}]},
    ]
    record = read(turns=turns)
    assert record.turns is None
    assert record.history is not None
    assert [(message.role, message.content) for message in record.history] == [
        ("user", "hello"),
        ("assistant", "yes"),
    ]
    assert record.history[1].tool_calls == [{"name": "x"}]


def test_a_chat_without_a_query_is_asked_its_last_user_message() -> None:
    record, _ = record_from(
        {"id": "a", "turns": [{"role": "user", "text": "hi"}, {"role": "assistant", "text": "?"}]}
    )
    assert record.query == "hi"


def test_what_is_measured_of_a_turn_is_understood_or_told() -> None:
    turns = [
        {"user": "a", "passed": "否", "slots": {"s": 1}},
        {"user": "b", "passed": "perhaps", "slots": [], "expected_slots": "s", "own": [1]},
    ]
    record, problems = record_from({"id": "a", "turns": turns})
    assert record.turns == [
        {"user": "a", "passed": False, "slots": {"s": 1}},
        {"user": "b", "passed": None, "slots": None, "expected_slots": None, "own": [1]},
    ]
    told = {problem.field for problem in problems}
    assert told == {"turns[2].passed", "turns[2].slots", "turns[2].expected_slots", "passed"}


def test_an_alias_speaks_where_its_name_can_not_be_read() -> None:
    record, problems = record_from(
        {"id": "a", "query": "q", "scores": {"correctness": "4", "answer_correctness": "good"}}
    )
    assert record.scores == {"answer_correctness": 4}
    assert [problem.field for problem in problems] == ["scores.answer_correctness"]


def test_case_level_fields_come_from_the_last_turn_where_the_top_is_silent() -> None:
    turns = [
        {"user": "first", "answer": "old", "retrieved": ["X"]},
        {"user": "second", "answer": "new", "retrieved_ids": ["A"], "expected_ids": ["A"], "refused": False,
         "slots": {"a": 1}, "faithfulness": 4, "id": "t2"},
    ]  # fmt: skip
    record, problems = record_from({"id": "a", "turns": turns, "expected_ids": ["B"], "retrieved": None})
    assert problems == []
    assert (record.id, record.query, record.answer) == ("a", "second", "new")
    assert record.expected_ids == ["B"]
    assert record.retrieved_ids == ["A"]
    assert record.predicted_answerable is True
    assert record.scores == {"faithfulness": 4}
    assert record.turns == turns
    assert record.extra == {}


def test_the_last_turn_does_not_overrule_an_unknown_decision() -> None:
    record, _ = record_from(
        {"id": "a", "refused": None, "turns": [{"user": "u", "predicted_answerable": True}]}
    )
    assert record.predicted_answerable is None


def test_errors_of_any_shape() -> None:
    assert read(error={"code": 500}).error == '{"code": 500}'
    assert read(error=True).error == "true"
    assert [read(error=nothing).error for nothing in ("", False, None, {})] == [None] * 4


def test_unknown_keys_are_kept_and_our_own_names_among_them() -> None:
    record = read(labels={"pass": True}, extra={"a": 1}, inferred=["x"], citation_field=["y"])
    assert record.extra == {
        "labels": {"pass": True},
        "extra": {"a": 1},
        "inferred": ["x"],
        "citation_field": ["y"],
    }
    assert record.inferred == []
    assert record.citation_field is None


def test_no_number_in_unknown_keys_is_null_and_told() -> None:
    record, problems = told(meta={"a": [1.5, math.inf]}, score=math.nan)
    assert record.extra == {"meta": {"a": [1.5, None]}, "score": None}
    assert problems == [("meta.a[2]", "Infinity is no finite number"), ("score", "NaN is no finite number")]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "a", "role", "fact"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(RECORD_KEYS)), JSON, max_size=8))
def test_no_value_of_any_known_field_breaks_reading(data: dict[str, Any]) -> None:
    record, problems = record_from({**data, "id": "a", "query": "q"})
    assert record.id == "a"
    assert all(isinstance(problem, Problem) and problem.reason for problem in problems)


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(RECORD_KEYS | {"extra", "meta"})), JSON, max_size=5))
def test_the_quick_way_agrees_with_the_careful_one(data: dict[str, Any]) -> None:
    data = {"id": "a", "query": "q", **data}
    quick = read_quickly(json.dumps(data))
    if quick is not None:
        careful, problems = record_from(data)
        assert problems == []
        assert quick.model_dump() == careful.model_dump()
        assert ("predicted_answerable" in quick.model_fields_set) == (
            "predicted_answerable" in careful.model_fields_set
        )


def test_the_quick_way_is_taken_for_the_formats_own_words() -> None:
    line = {
        "id": "E02", "query": "包裹还没发出", "answerable": True, "expected_ids": ["KB-1"],
        "retrieved": [{"id": "KB-1", "text": "t", "score": 0.8}], "predicted_answerable": True,
        "answer": "可以[S1]", "citations": ["S1"], "scores": {"faithfulness": 5}, "meta": {"lang": "zh"},
        "history": [{"role": "user", "content": "x"}], "topic": "shipping",
    }  # fmt: skip
    quick = read_quickly(json.dumps(line).encode())
    assert quick is not None
    assert quick.extra == {"meta": {"lang": "zh"}}
    assert isinstance(quick, Record)


def test_the_quick_way_agrees_on_real_records(shared: Any) -> None:
    seen = 0
    for path in sorted(Path(shared("realdata")).glob("*/*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines()[:40]:
            quick = read_quickly(line)
            careful, _ = record_from(json.loads(line))
            if quick is not None:
                seen += 1
                assert quick.model_dump() == careful.model_dump()
    assert seen == 0, "these records all use aliases"
