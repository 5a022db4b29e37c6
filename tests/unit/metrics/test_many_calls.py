"""Many tool calls, and values of odd shapes: a matching is the largest there is, found without trying all."""

from __future__ import annotations

from typing import Any

import pytest

from triage.metrics import tools
from triage.metrics.slots import conversation_slots, turn_slots
from triage.metrics.tools import differing, tool_success
from triage.metrics.values import accepts
from triage.models.record import ToolCall


def calls(*params: Any, **more: Any) -> list[ToolCall | list[ToolCall]]:
    return [ToolCall(name="a", params={"p": one}, **more) for one in params]


def test_forty_identical_calls_are_compared_once_a_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[ToolCall] = []

    def watched(expected: ToolCall, actual: ToolCall) -> list[str]:
        compared.append(actual)
        return differing(expected, actual)

    monkeypatch.setattr(tools, "differing", watched)
    same = calls(*["x"] * 40)
    assert tool_success(same, same) == (40, 40)
    assert len(compared) == 40 * 40
    assert tool_success(same, same[:39]) == (39, 40)


def test_the_largest_matching_is_found_where_each_choice_takes_another_ones_partner() -> None:
    # Expected i accepts values up to i, listed downwards, so that a greedy choice blocks those after it.
    size = 40
    expected = calls(*[{"any_of": list(range(at, -1, -1))} for at in range(size)])
    assert tool_success(expected, calls(*range(size))) == (size, size)
    assert tool_success(expected[::-1], calls(*range(size))) == (size, size)
    assert tool_success(expected, calls(*[0] * size)) == (size, size)
    assert tool_success(expected, calls(*[size - 1] * size)) == (1, size)


@pytest.mark.parametrize(
    ("expected", "actual", "right"),
    [
        (7, 7.0, True), (7, "7", False), (1, True, False), (0, False, False), (None, False, False),
        (None, "", False), (None, None, True), (" a ", "a", True), ("A", "a", False), ("3-7", "37", False),
        ([1, 2], [2, 1], False), ([1, " a"], [1.0, "a "], True), ([], [], True), ([], None, False),
        ({}, {}, True), ({"k": 1}, {"k": 1, "l": 2}, False), ({"k": {"any_of": [1, 2]}}, {"k": 2}, True),
        ([{"any_of": ["a", "b"]}, 1], ["b", 1], True), ({"any_of": []}, 1, False),
        ({"any_of": [{"any_of": [1]}]}, 1, True), ({"any_of": [[1, 2], "x"]}, [1, 2], True),
        ({"any_of": ["7"]}, 7, False), (10**30, 1e30, False), (2**53, 2.0**53, True), (0, -0.0, True),
    ],
)  # fmt: skip
def test_values_are_the_same_by_type_and_by_value(expected: Any, actual: Any, right: bool) -> None:
    assert accepts(expected, actual) is right


def test_slots_hold_any_value_and_are_compared_as_written() -> None:
    held = {"when": ["mon", {"from": 9}], "n": 1}
    assert turn_slots({"expected_slots": held, "slots": {"when": ["mon", {"from": 9.0}], "n": 1}}).joint
    for wrong in (["mon", {"from": "9"}], [{"from": 9}, "mon"], ["mon"], "mon"):
        found = turn_slots({"expected_slots": held, "slots": {"when": wrong, "n": 1}})
        assert (found.joint, found.precision, found.recall) == (False, 0.5, 0.5)
    assert turn_slots({"expected_slots": {"n": 1}, "slots": {"n": True}}).joint is False
    assert turn_slots({"expected_slots": {"n": None}, "slots": {}}).joint is False


def test_a_value_is_stale_where_the_new_turn_replaced_it_whatever_its_key() -> None:
    def stale(*turns: tuple[dict[str, Any], dict[str, Any]]) -> list[tuple[str, ...]]:
        read = conversation_slots([{"expected_slots": due, "slots": got} for due, got in turns])
        return [turn.stale for turn in read]

    first = ({"who": ["a"], "what": "x"}, {"who": ["a"], "what": "x"})
    # Under its own key and another one; a list is a value as any other.
    assert stale(first, ({"who": ["b"], "what": "x"}, {"who": ["a"], "old": ["a"], "what": "x"}))[1] == (
        "who", "old",
    )  # fmt: skip
    # A value that the turn expects under another key is right there.
    assert stale(first, ({"who": "x", "what": ["a"]}, {"who": "x", "what": ["a"]}))[1] == ()
    # A value that stays is not stale, nor one that was never expected.
    assert stale(first, ({"who": ["a"], "what": "y"}, {"who": ["a"], "what": "z"}))[1] == ()
    assert stale(first, ({"who": ["b"]}, {"who": ["b"], "n": "1"}))[1] == ()
