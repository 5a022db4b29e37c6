"""Who is in the scope of the agents' and users' metrics, who is missing, and what a case's value is."""

from __future__ import annotations

from typing import Any

import pytest

from triage.formats import record_from
from triage.metrics.facts import Facts
from triage.metrics.registry import measure, measure_facts
from triage.models.measure import Measure, Scoring
from triage.models.sentences import SentenceSummary

OUT, MISSING = "out", "missing"


def state(item: Measure | None) -> float | str:
    if item is None:
        return OUT
    return MISSING if item.value is None else item.value


def states(fields: dict[str, Any], *keys: str, scoring: Scoring | None = None) -> tuple[float | str, ...]:
    record, problems = record_from({"id": "c", "query": "q", **fields})
    assert not problems
    measures = measure(record, scoring or Scoring())
    return tuple(state(measures.get(key)) for key in keys)


YES, NO = {"fact": "f", "hit": True}, {"fact": "f", "hit": False}


@pytest.mark.parametrize(
    ("golden", "coverage", "passed", "violated"),
    [
        (None, OUT, OUT, OUT),
        ({"must": []}, OUT, OUT, OUT),
        ({"must": [YES, NO], "compare": [YES]}, pytest.approx(2 / 3), 0, OUT),
        ({"must": [YES], "exclude": [YES, "f"]}, 1, 0, 1),
        ({"must": [YES], "exclude": [NO, "f"]}, 1, MISSING, MISSING),
        ({"must": ["f", YES]}, MISSING, MISSING, OUT),
        ({"must": ["f", NO]}, MISSING, 0, OUT),
        ({"exclude": [NO]}, OUT, 1, 0),
    ],
)
def test_golden(golden: Any, coverage: Any, passed: Any, violated: Any) -> None:
    got = states({"golden": golden}, "golden_coverage", "golden_pass", "exclusion_violations")
    assert got == (coverage, passed, violated)


@pytest.mark.parametrize(
    ("feedback", "right"),
    [
        (None, (OUT, OUT, OUT, OUT)),
        ({"thumb": "up"}, (1, MISSING, MISSING, MISSING)),
        ({"thumb": "down", "repeated": True, "no_follow_up": False}, (0, 1, 0, MISSING)),
        ({"handed_off": False}, (MISSING, MISSING, MISSING, 0)),
    ],
)
def test_a_session_is_a_case_with_feedback(feedback: Any, right: Any) -> None:
    keys = ("satisfaction", "repeat_question_rate", "no_follow_up_rate", "transfer_rate")
    assert states({"feedback": feedback}, *keys) == right


@pytest.mark.parametrize(
    ("fields", "right"),
    [
        ({}, (OUT, OUT, OUT)),
        ({"expected_route": "a+b", "route": "b+a"}, (1, OUT, OUT)),
        ({"expected_route": "a"}, (MISSING, OUT, OUT)),
        ({"route": "a"}, (MISSING, OUT, OUT)),
        ({"expected_plan": ["one"]}, (OUT, MISSING, OUT)),
        ({"plan": ["one"]}, (OUT, MISSING, OUT)),
        ({"expected_plan": [], "plan": []}, (OUT, 1, OUT)),
        ({"expected_plan": ["one"], "plan": ["one", ["two", "three"]]}, (OUT, pytest.approx(1 / 3), OUT)),
        ({"plan": [{"step": "s", "ids": ["A"]}]}, (OUT, MISSING, MISSING)),
        ({"plan": [{"step": "s", "ids": ["A"]}, {"step": "t", "ids": ["B"]}], "retrieved": ["B"]},
         (OUT, MISSING, 0.5)),
        ({"plan": [{"step": "s", "ids": ["A"]}], "retrieved": ["A"], "evidence": [{"id": "B"}]},
         (OUT, MISSING, 1)),
        ({"plan": [{"step": "s", "ids": ["A"]}], "retrieved": ["A"], "evidence": [{"id": "B"}],
          "citations": ["S1"]}, (OUT, MISSING, 0)),
    ],
)  # fmt: skip
def test_routes_and_plans(fields: dict[str, Any], right: Any) -> None:
    assert states(fields, "routing_accuracy", "plan_efficiency", "wasted_retrievals") == right


@pytest.mark.parametrize(
    ("fields", "right"),
    [
        ({}, (OUT, OUT, OUT)),
        ({"expected_tools": ["a", "b"], "tools": ["b", "a"]}, (1, 0, 0)),
        ({"expected_tools": ["a", "b"], "tools": ["b"]}, (0.5, 0.5, 0)),
        ({"expected_tools": [["a", "b"]], "tools": [["b", "a"]]}, (1, 1, 1)),
        ({"expected_tools": [], "tools": ["a"]}, (OUT, 0, 0)),
        ({"expected_tools": [], "tools": []}, (OUT, 1, 1)),
        ({"expected_tools": ["a"]}, (MISSING, MISSING, MISSING)),
        ({"expected_tools": []}, (OUT, MISSING, MISSING)),
        ({"expected_tools": [[]]}, (OUT, MISSING, MISSING)),
        ({"tools": []}, (MISSING, MISSING, MISSING)),
        ({"expected_tools": ["a"], "tools": [{"name": "a", "result": []}]}, (0, 1, 1)),
    ],
)
def test_tools(fields: dict[str, Any], right: Any) -> None:
    assert states(fields, "tool_success", "trajectory", "trajectory_exact") == right


@pytest.mark.parametrize(
    ("conflict", "right"),
    [
        (None, (OUT, OUT)),
        ({"expected": "v3"}, (MISSING, MISSING)),
        ({"resolved": True}, (1, MISSING)),
        ({"resolved": True, "correct": False}, (1, 0)),
        ({"resolved": False, "correct": True}, (0, 0)),
        ({"resolved": True, "correct": True}, (1, 1)),
    ],
)
def test_conflicts(conflict: Any, right: Any) -> None:
    assert states({"conflict": conflict}, "conflict_resolution", "conflict_resolved_right") == right


RIGHT = {"expected_slots": {"a": 1}, "slots": {"a": 1}}
WRONG = {"expected_slots": {"a": 1}, "slots": {}}
UNKNOWN = {"expected_slots": {"a": 1}}


@pytest.mark.parametrize(
    ("turns", "right"),
    [
        ([{"user": "hi"}], (OUT, OUT)),
        ([RIGHT, WRONG], (0.5, 0)),
        ([RIGHT, UNKNOWN], (1, MISSING)),
        ([UNKNOWN], (MISSING, MISSING)),
        ([RIGHT, RIGHT], (1, 1)),
        ([{"passed": True}], (OUT, 1)),
    ],
)
def test_turns(turns: Any, right: Any) -> None:
    assert states({"turns": turns}, "slot_accuracy", "conversation_pass") == right


@pytest.mark.parametrize(
    ("attempts", "k", "right"),
    [
        (None, None, (OUT, OUT)),
        ([], None, (OUT, OUT)),
        ([True, False], None, (1, 0)),
        ([True, False], 1, (0.5, 0.5)),
        ([True, False], 3, (MISSING, MISSING)),
        ([True, {"answer": "so"}], None, (MISSING, MISSING)),
    ],
)
def test_attempts(attempts: Any, k: int | None, right: Any) -> None:
    got = states({"attempts": attempts}, "pass_at_k", "pass_hat_k", scoring=Scoring(pass_k=k))
    assert got == right


@pytest.mark.parametrize(
    ("fields", "right"),
    [
        ({"scores": {"faithfulness": 1}}, OUT),
        ({"scores": {"clarity": 4}}, 1),
        ({"scores": {"clarity": 3.9}}, 0),
        ({"expected_route": "a"}, MISSING),
        ({"expected_route": "a", "scores": {"clarity": 5}}, 1),
        ({"route": "a"}, OUT),
        ({"expected_tools": [], "tools": []}, OUT),
        ({"expected_tools": [[]]}, OUT),
        ({"expected_tools": ["a"]}, MISSING),
        ({"expected_tools": ["a"], "scores": {"clarity": 1}}, 0),
        ({"golden": {"must": [NO]}}, OUT),
        ({"golden": {"exclude": [NO]}}, 1),
        ({"golden": {"exclude": ["f"]}}, MISSING),
        ({"golden": {"exclude": [YES, "f"]}}, 0),
    ],
)
def test_final_pass(fields: dict[str, Any], right: Any) -> None:
    assert states(fields, "final_pass") == (right,)


def test_a_final_pass_reads_scores_on_the_scale_of_the_run() -> None:
    for score, right in ((0.75, 1), (0.74, 0)):
        assert states({"scores": {"clarity": score}}, "final_pass", scoring=Scoring(score_scale="0-1")) == (
            right,
        )


SUMMARY = SentenceSummary(factual=4, cited=3, judged=2, unsupported=1)


@pytest.mark.parametrize(
    ("summary", "fields", "right"),
    [
        (None, {}, (OUT, OUT)),
        (SUMMARY, {}, (0.75, 0.5)),
        (SUMMARY, {"citations": None}, (OUT, OUT)),
        (SUMMARY, {"predicted_answerable": False}, (OUT, OUT)),
        (SUMMARY, {"answer": " "}, (OUT, OUT)),
        (SentenceSummary(), {}, (OUT, OUT)),
        (SentenceSummary(factual=3), {"citations": []}, (0, OUT)),
        (SentenceSummary(factual=3, judged=3), {}, (MISSING, 1)),
    ],
)
def test_sentences(summary: SentenceSummary | None, fields: dict[str, Any], right: Any) -> None:
    whole = {
        "id": "c", "query": "q", "answerable": True, "answer": "So.[S1]", "citations": ["S1"],
        "predicted_answerable": True, "retrieved": ["A"], **fields,
    }  # fmt: skip
    measures = measure_facts(Facts(record_from(whole)[0], Scoring(), summary))
    keys = ("sentence_citation_coverage", "citation_support")
    assert tuple(state(measures.get(key)) for key in keys) == right
    if summary is SUMMARY and right != (OUT, OUT):
        support = measures["citation_support"]
        assert (support.numerator, support.denominator) == (1, 2)
