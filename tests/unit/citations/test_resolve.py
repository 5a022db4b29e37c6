"""Which document a citation stands for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.citations.resolve import Sources, resolve
from triage.models.record import Record

RecordOf = Callable[..., Record]


@pytest.mark.parametrize(
    ("citation", "target"),
    [
        ("KB-2", ("KB-2", 2)),
        ("S1", ("KB-1", 1)),
        ("3", ("7", 3)),
        ("7", ("7", 3)),
        ("S0", None),
        ("S9", None),
        ("0", None),
        ("kb-2", None),
        ("KB-2 ", None),
        ("KB", None),
        ("s1", None),
        ("9" * 5000, None),
        ("KB-E", ("KB-E", None)),
        ("\u0661", None),
    ],
)
def test_literal_ids_win_then_positions(citation: str, target: tuple[str, int | None] | None) -> None:
    assert Sources(["KB-1", "KB-2", "7"], ["KB-1", "KB-E"]).find(citation) == target


@pytest.mark.parametrize("retrieved", [None, []])
def test_positions_count_in_evidence_where_nothing_was_retrieved(retrieved: list[str] | None) -> None:
    assert Sources(retrieved, ["A", "B"]).find("S2") == ("B", 2)


def test_a_repeated_document_keeps_its_first_rank_and_its_positions() -> None:
    sources = Sources(["A", "A", "B"], None)
    assert (sources.find("A"), sources.find("S2"), sources.find("S3")) == (("A", 1), ("A", 2), ("B", 3))


def test_nothing_recorded_is_not_nothing_there() -> None:
    assert not Sources(None, None).recorded
    assert Sources([], None).recorded
    assert Sources(None, []).recorded


def test_citations_come_once_in_order_with_their_places_in_the_answer(record_of: RecordOf) -> None:
    record = record_of(
        retrieved_ids=["KB-A", "KB-B"],
        citations=["S2", "KB-A", "S9", "S2"],
        answer="Yes[S1, S2]. No [S2] [S9].",
    )
    states = resolve(record)
    assert [(state.marker, state.id, state.resolved_rank, state.valid) for state in states] == [
        ("S2", "KB-B", 2, True),
        ("KB-A", "KB-A", 1, True),
        ("S9", None, None, False),
    ]
    places = {state.marker: [record.answer[a:b] for a, b in state.spans] for state in states}  # type: ignore[index]
    assert places == {"S2": ["[S1, S2]", "[S2]"], "KB-A": ["[S1, S2]"], "S9": ["[S9]"]}


def test_a_record_without_citations_has_none(record_of: RecordOf) -> None:
    assert resolve(record_of(citations=None, answer="[S1]")) == []
    assert resolve(record_of(citations=[], answer=None)) == []


@given(st.lists(st.sampled_from(["A", "B", "1", "2", "S1", ""]), max_size=5), st.text("AS12B", max_size=3))
def test_a_citation_resolves_to_a_document_of_this_turn_or_to_none(ids: list[str], citation: str) -> None:
    found = Sources(ids, None).find(citation)
    if citation in ids:
        assert found == (citation, ids.index(citation) + 1)
    elif found:
        assert found[1] is not None
        assert ids[found[1] - 1] == found[0]
