"""Agents, attempts, golden facts and judges against the pinned right values."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.formats import record_from
from triage.metrics.attempts import pass_at_k, pass_hat_k
from triage.metrics.golden import golden_result
from triage.metrics.outcome import DIMENSIONS, final_pass, largest_gap, needs_arbitration
from triage.metrics.plans import step_efficiency, wasted_steps
from triage.metrics.routes import route_match
from triage.metrics.slots import conversation_pass, conversation_slots, joint_accuracy, turn_slots
from triage.metrics.tools import differing, fits, flat, match_calls, tool_success
from triage.metrics.trajectory import call_names, distance, edit_score
from triage.models.record import Golden, Record, ToolCall

Shared = Callable[[str], Path]


def load(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def read(**fields: Any) -> Record:
    return record_from({"id": "c", "query": "q", **fields})[0]


def calls(*items: Any) -> list[ToolCall | list[ToolCall]]:
    return read(tools=list(items)).tools or []


def test_tool_success(shared: Shared) -> None:
    vectors = load(shared("vectors/agent_metrics.json"))["tool_success"]
    assert len(vectors) > 10
    for case in vectors:
        record = read(expected_tools=case["expected_calls"], tools=case["actual_calls"])
        right = None if case["value"] is None else tuple(case["value"])
        assert tool_success(record.expected_tools or [], record.tools or []) == right, case["note"]


def test_slots(shared: Shared) -> None:
    for case in load(shared("vectors/agent_metrics.json"))["slots"]:
        turns = [{"expected_slots": one["expected"], "slots": one["actual"]} for one in case["turns"]]
        got = conversation_slots(turns)
        for turn, right in zip(got, case["expected"]["turns"], strict=True):
            assert turn.joint == right["joint"]
            assert (turn.precision, turn.recall, turn.f1) == pytest.approx(
                (right["precision"], right["recall"], right["f1"])
            )
            assert list(turn.stale) == right["stale"]
        assert joint_accuracy(got) == case["expected"]["joint_goal_accuracy"]
        assert conversation_pass(got) is case["expected"]["conversation_pass"]


def test_routes(shared: Shared) -> None:
    for case in load(shared("vectors/agent_metrics.json"))["route_match"]:
        record = read(expected_route=case["expected"], route=case["actual"])
        assert route_match(record.expected_route, record.route) is case["value"], case


def test_steps(shared: Shared) -> None:
    for case in load(shared("vectors/agent_metrics.json"))["step_efficiency"]:
        if case["value"] is not None:
            assert step_efficiency(case["expected_steps"], case["actual_steps"]) == case["value"]


def test_golden_facts(shared: Shared) -> None:
    for case in load(shared("vectors/agent_metrics.json"))["golden_facts"]:
        given = {kind.removesuffix("_violated"): hits for kind, hits in case["facts"].items()}
        golden = Golden.model_validate(
            {kind: [{"fact": "f", "hit": hit} for hit in hits] for kind, hits in given.items()}
        )
        got = golden_result(golden)
        assert {"coverage": got.coverage, "violations": got.violations, "passed": got.passed} == case[
            "expected"
        ]


def test_final_pass(shared: Shared) -> None:
    for case in load(shared("vectors/agent_metrics.json"))["final_pass"]:
        row = case["row"]
        scores = {name: row[name] for name in DIMENSIONS if name in row}
        tools = None if row["tool_success"] is None else tuple(row["tool_success"])
        assert final_pass(row["route_match"], tools, None, scores) is case["value"], row["case_id"]


def test_judges(shared: Shared) -> None:
    for case in load(shared("vectors/agent_metrics.json"))["judge_pairs"]:
        assert largest_gap(case["a"], case["b"]) == case["expected"]["max_gap"]
        assert needs_arbitration(case["a"], case["b"]) is case["expected"]["arbitrate"]


def test_trajectories(shared: Shared) -> None:
    vectors = load(shared("vectors/trajectory.json"))
    assert len(vectors["cases"]) > 20
    for case in vectors["cases"]:
        expected, actual = case["expected"], case["actual"]
        assert distance(expected, actual) == case["distance"]
        assert edit_score(expected, actual) == pytest.approx(case["score"], abs=vectors["tolerance"])
        assert (expected == actual) is case["exact"]


def test_attempts(shared: Shared) -> None:
    vectors = load(shared("vectors/pass_at_k.json"))
    assert len(vectors["cases"]) > 15
    for case in vectors["cases"]:
        n, c, k = case["n"], case["c"], case["k"]
        for got, right in ((pass_at_k(n, c, k), "pass_at_k"), (pass_hat_k(n, c, k), "pass_hat_k")):
            assert got == (None if case[right] is None else pytest.approx(case[right], abs=1e-9))


def test_no_k_below_one() -> None:
    assert pass_at_k(0, 0, 0) is None
    assert pass_hat_k(0, 0, 0) is None


def test_a_call_that_falls_short_says_in_what() -> None:
    expected, actual = flat(
        calls(
            {"name": "a", "params": {"x": 1, "y": {"any_of": ["u ", "v"]}, "z": [1, 2]}, "strict": True},
            {"name": "a", "arguments": {"x": True, "y": "u", "more": 1}},
        )
    )
    assert differing(expected, actual) == ["x", "z", "more"]
    assert not fits(expected, actual)


def test_calls_are_paired_and_what_is_left_over_stands_last() -> None:
    expected = flat(
        calls(
            {"name": "a", "params": {"x": {"any_of": [1, 2]}}},
            {"name": "b"},
            {"name": "a", "params": {"x": 1}},
        )
    )
    actual = flat(
        calls([{"name": "c"}, {"name": "a", "params": {"x": 1}}], {"name": "a", "params": {"x": 2}})
    )
    assert match_calls(expected, actual) == [(0, 2), (1, None), (2, 1), (None, 0)]


_SMALL = st.lists(st.sampled_from([1, 2, 3, 4]), max_size=5)
_WANTED = st.lists(st.lists(st.sampled_from([1, 2, 3, 4]), min_size=1, max_size=3), max_size=5)


@given(_WANTED, _SMALL)
def test_no_pairing_has_more_pairs(wanted: list[list[int]], given_: list[int]) -> None:
    expected = [ToolCall(name="a", params={"x": {"any_of": each}}) for each in wanted]
    actual = [ToolCall(name="a", params={"x": each}) for each in given_]

    def most(left: int, free: frozenset[int]) -> int:
        if left == len(wanted):
            return 0
        tries = [most(left + 1, free - {at}) + 1 for at in free if given_[at] in wanted[left]]
        return max([most(left + 1, free), *tries])

    pairs = [
        (one, other) for one, other in match_calls(expected, actual) if one is not None and other is not None
    ]
    assert len(pairs) == most(0, frozenset(range(len(given_))))
    assert all(fits(expected[one], actual[other]) for one, other in pairs)
    assert len({other for _, other in pairs}) == len(pairs)


@given(st.lists(st.sampled_from("abc"), max_size=8), st.lists(st.sampled_from("abc"), max_size=8))
def test_distance_is_rapidfuzz(left: list[str], right: list[str]) -> None:
    fuzz = pytest.importorskip("rapidfuzz.distance")
    assert distance(left, right) == fuzz.Levenshtein.distance(left, right)
    assert edit_score(left, right) == pytest.approx(fuzz.Levenshtein.normalized_similarity(left, right))


def test_the_order_within_a_parallel_group_says_nothing() -> None:
    assert call_names(calls("z", [{"name": "b"}, {"name": "a"}])) == ["z", "a", "b"]


def test_a_step_that_brought_nothing_used_is_wasted() -> None:
    plan = read(
        plan=[
            "think",
            {"step": "one", "ids": ["A"]},
            [{"step": "two", "ids": ["B", "C"]}, {"step": "three", "ids": []}],
        ]
    ).plan
    assert wasted_steps(plan or [], {"A"}) == [None, False, True, True]


def test_a_value_that_moved_to_another_slot_is_not_stale() -> None:
    before = {"from": "A", "to": "B"}
    turned = {"expected_slots": {"from": "B", "to": "A"}, "slots": {"from": "B", "to": "A"}}
    assert turn_slots(turned, before).stale == ()
    kept = {**turned, "slots": {"from": "A", "to": "A"}}
    assert turn_slots(kept, before).stale == ("from",)


@pytest.mark.parametrize(
    ("turns", "right"),
    [
        ([{"passed": True}, {"passed": True}], True),
        ([{"passed": True}, {"user": "and?"}], None),
        ([{"passed": False}, {"user": "and?"}], False),
        ([{"expected_slots": {"a": 1}, "slots": {"a": 1}, "passed": False}], False),
        ([{"expected_slots": {"a": 1}, "slots": {"a": True}}], False),
        ([{"expected_slots": {"a": 1}, "slots": "a=1"}], None),
        ([], None),
    ],
)
def test_a_conversation_passes_when_all_its_turns_do(turns: list[dict[str, Any]], right: bool | None) -> None:
    assert conversation_pass(conversation_slots(turns)) is right


def test_facts_that_nobody_judged_leave_it_open() -> None:
    def of(**kinds: list[Any]) -> tuple[float | None, bool | None]:
        got = golden_result(read(golden=kinds).golden or Golden())
        return got.coverage, got.passed

    yes, no = {"fact": "f", "hit": True}, {"fact": "f", "hit": False}
    assert of(must=["f"]) == (None, None)
    assert of(must=["f", no]) == (None, False)
    assert of(must=[yes], exclude=["f"]) == (1.0, None)
    assert of(must=[yes, "f"], exclude=[yes]) == (None, False)
    assert of() == (None, None)


def test_what_is_expected_and_not_recorded_leaves_a_final_pass_open() -> None:
    assert final_pass(None, None, None, {}) is None
    assert final_pass(True, None, None, {}, unknown=True) is None
    assert final_pass(True, None, None, {"clarity": 3}, unknown=True) is False
    assert final_pass(None, None, 1, {"clarity": 5}) is False
    assert final_pass(None, None, 0, {}) is True
