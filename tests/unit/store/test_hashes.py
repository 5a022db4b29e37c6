"""Hashes stand in databases and exports, so they stay what they are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from triage.models.hashes import hash_answer, hash_case, hash_retrieved, hashes_of
from triage.models.record import Record


def test_hashes_never_change() -> None:
    record = Record.model_validate(
        {"id": "E02", "query": "改地址", "answerable": True, "expected_ids": ["b", "a"],
        "answer": "可以 [S1]",
         "retrieved": [{"id": "a"}, {"id": "c"}]}
    )  # fmt: skip
    hashes = hashes_of(record)
    assert (hashes.case, hashes.answer, hashes.retrieved) == ("8582ac077ef4", "4beffb0945e5", "a676b5353a2a")


def test_absent_and_empty_differ() -> None:
    assert hash_answer(None) != hash_answer("")
    assert len({hash_retrieved(None), hash_retrieved([]), hash_retrieved([""])}) == 3
    assert len({hash_case("q", answerable, None) for answerable in (None, True, False)}) == 3


def test_rank_matters_for_retrieved_ids_and_order_does_not_for_expected_ones() -> None:
    assert hash_retrieved(["a", "b"]) != hash_retrieved(["b", "a"])
    assert hash_case("q", True, ["a", "b", "a"]) == hash_case("q", True, ["b", "a"])


@given(st.text(), st.lists(st.text()))
def test_any_text_has_a_hash(text: str, ids: list[str]) -> None:
    for found in (hash_case(text, None, ids), hash_answer(text + "\ud800"), hash_retrieved(ids)):
        assert len(found) == 12 and int(found, 16) >= 0
