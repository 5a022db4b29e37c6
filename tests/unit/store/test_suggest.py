"""Where the caret stands in a filter, and that what is completed there is read back as it was meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.plain import plain
from triage.store.filter.match import wildcard
from triage.store.filter.scan import scan
from triage.store.suggest import Spot, name_text, spot, taken, value_text

NAMES = frozenset(("topic", "is", "rank", "meta.lang", "my key"))


def known(name: str) -> bool:
    return name in NAMES


@pytest.mark.parametrize(
    ("text", "field", "typed"),
    [
        ("topic:", "topic", ""),
        ("topic: re", "topic", "re"),
        ("topic：re", "topic", "re"),
        ("-topic:re", "topic", "re"),
        ("!topic:re", "topic", "re"),
        ("NOT topic:re", "topic", "re"),
        ("is:failing topic:re", "topic", "re"),
        ("(is:failing OR topic:re", "topic", "re"),
        ("（topic：re", "topic", "re"),
        ("topic:(a OR b", "topic", "b"),
        ("topic:(a OR ", "topic", ""),
        ("topic:(a) is:", "is", ""),
        ('topic:"re fu', "topic", "re fu"),
        ("topic:“re fu", "topic", "re fu"),
        (r"topic:a\:b", "topic", "a:b"),
        ("meta.lang:zh", "meta.lang", "zh"),
        ('"my key":v', "my key", "v"),
        ("rank:[1 TO 3] topic:物", "topic", "物"),
    ],
)
def test_a_value_is_typed_after_its_name_wherever_that_stands(text: str, field: str, typed: str) -> None:
    found = spot(text, len(text), known)
    assert found is not None
    assert (found.kind, found.field, found.typed, found.end) == ("value", field, typed, len(text))


@pytest.mark.parametrize(
    ("text", "typed", "start"),
    [("", "", 0), ("to", "to", 0), ("-to", "to", 1), ("is:failing to", "to", 11), ("(to", "to", 1),
     ("a OR to", "to", 5), ("topic:(a) to", "to", 10), ("http://x", "http://x", 0), ("-", "", 1)],
)  # fmt: skip
def test_a_name_is_typed_where_a_term_begins(text: str, typed: str, start: int) -> None:
    assert spot(text, len(text), known) == Spot("name", typed, start, len(text))


@pytest.mark.parametrize("text", ["rank:>", "rank:>=3", "rank:[1 TO ", '"a phr', "a OR", "NOT", "x\uf8ff"])
def test_nothing_is_offered_in_a_comparison_a_phrase_or_an_operator(text: str) -> None:
    assert spot(text, len(text), known) is None


def test_a_choice_takes_the_whole_word_under_the_caret_and_leaves_the_rest() -> None:
    text = "topic:refund is:failing"
    name = spot(text, 2, known)
    assert name is not None and taken(text, name, "domain:") == ("domain:refund is:failing", 7)
    value = spot(text, 8, known)
    assert value is not None and taken(text, value, '"a b"') == ('topic:"a b" is:failing', 11)
    quoted = spot('topic:"a b" is:failing', 8, known)
    assert quoted is not None and taken('topic:"a b" is:failing', quoted, "x") == ("topic:x is:failing", 7)


VALUES = st.one_of(
    st.text(max_size=12),
    st.text(alphabet=" \\\"“”:：()（）-!*?&|<>=[]{}'+~^/@\n\t\x1b物aAND0.,", max_size=12),
    st.sampled_from(
        ["AND", "OR", "NOT", "-x", "a b", "\\", '"', "a\\", '\\"', "*", "", "@me", "，", "\u3000"]
    ),
)


@given(VALUES)
def test_a_completed_value_is_read_as_the_value_or_as_a_pattern_of_it(value: str) -> None:
    written = value_text(value)
    scanned = scan(f"topic:{written}", known)
    assert scanned.fault is None and scanned.names == ["topic"] and len(scanned.words) == 1
    word = scanned.words[0]
    if plain(value) == value and "\n" not in value:
        assert word.pattern is None and word.text == value
    else:
        assert plain(written) == written and "\n" not in written
        assert word.pattern is not None and wildcard(word.pattern, inside=False)(value)


@given(VALUES)
def test_a_completed_name_is_read_as_that_name(name: str) -> None:
    written = name_text(name)
    if not written:
        assert plain(name) != name or "\n" in name
        return
    if name:
        scanned = scan(f"{written}x", lambda one: one == name)
        assert scanned.names == [name] and scanned.words[0].text == "x"
