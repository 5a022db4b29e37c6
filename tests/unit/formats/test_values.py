"""Single values: understood, or refused with a reason; never guessed."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.formats.values import Unreadable, flag, ident, idents, number, said, shown, text, whole

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    "value",
    [
        True,
        "true",
        "True",
        " YES ",
        "y",
        "1",
        1,
        1.0,
        "是",
        "对",
        "可以",
        "ＴＲＵＥ",
        "通过",
        "On",
        "1.0",
        "正确",
        "✓",
    ],
)
def test_words_for_true(value: Any) -> None:
    assert flag(value) is True


@pytest.mark.parametrize(
    "value",
    [
        False,
        "false",
        "no",
        "N",
        "0",
        0,
        0.0,
        "否",
        "不是",
        "假",
        "不可以",
        "未通过",
        "off",
        "0.0",
        "沒有",
        "不对",
        "✗",
    ],
)
def test_words_for_false(value: Any) -> None:
    assert flag(value) is False


@pytest.mark.parametrize(
    "value", ["N/A", "maybe", "", " ", 2, -1, 0.5, math.nan, [], {}, "unknown", "真假", "null"]
)
def test_what_is_neither_true_nor_false_is_refused(value: Any) -> None:
    with pytest.raises(Unreadable, match="neither true nor false"):
        flag(value)


@pytest.mark.parametrize(
    ("value", "read"), [(3, 3.0), (0.5, 0.5), ("4", 4.0), (" -0.25 ", -0.25), ("1e-3", 0.001)]
)
def test_numbers_also_as_decimal_text(value: Any, read: float) -> None:
    assert number(value) == read


@pytest.mark.parametrize(
    "value", [True, "high", "", "nan", "inf", "1e9999", math.nan, math.inf, 10**400, [], {}, "4/5"]
)
def test_what_is_no_finite_number_is_refused(value: Any) -> None:
    with pytest.raises(Unreadable, match="is no finite number"):
        number(value)


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("KB-1", "KB-1"),
        (" KB-1", " KB-1"),
        ("", ""),
        (7, "7"),
        (7.0, "7"),
        (1.5, "1.5"),
        (0, "0"),
        (-0.0, "0"),
    ],
)
def test_ids_are_exact_text_and_whole_floats_meet_their_integers(value: Any, read: str) -> None:
    assert ident(value) == read


@pytest.mark.parametrize("value", [None, True, math.nan, math.inf, [], {}, pytest.param(10**5000, id="long")])
def test_what_is_no_id_is_refused(value: Any) -> None:
    with pytest.raises(Unreadable):
        ident(value)


def test_a_list_of_ids_is_never_made_from_the_letters_of_a_text() -> None:
    assert idents(["KB-1", 2, {"id": 3.0, "text": "x"}]) == ["KB-1", "2", "3"]
    with pytest.raises(Unreadable, match="is no list"):
        idents("KB-1")
    with pytest.raises(Unreadable, match="item 2"):
        idents(["KB-1", None])


@pytest.mark.parametrize("value", [0, -3, 2.5, "abc", True, None, "2.5", math.inf])
def test_k_is_a_whole_number_from_one_on(value: Any) -> None:
    with pytest.raises(Unreadable, match="no whole number"):
        whole(value)
    assert whole("5") == whole(5.0) == 5


@pytest.mark.parametrize("value", [2**31, 1e30, 10**400, "99999999999999999999"])
def test_a_k_that_no_database_holds_is_refused(value: Any) -> None:
    with pytest.raises(Unreadable):
        whole(value)


def test_messages_of_any_shape() -> None:
    assert said("timeout") == "timeout"
    assert said({"code": 500}) == '{"code": 500}'
    assert [said(nothing) for nothing in ("", "  ", False, None, {}, [])] == [None] * 6


@given(JSON)
def test_any_json_value_is_read_or_refused_and_can_be_shown(value: Any) -> None:
    assert isinstance(shown(value), str)
    for read in (flag, number, ident, text, whole, idents, said):
        try:
            read(value)
        except Unreadable as error:
            assert str(error)
