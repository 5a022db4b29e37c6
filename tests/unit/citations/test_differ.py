"""The citations field against the markers of the answer: told where they name different documents."""

from __future__ import annotations

from typing import Any

import pytest

from triage.citations.differ import disagreement
from triage.formats import record_from
from triage.formats.infer import infer
from triage.models.record import Record
from triage.settings import Settings


def record(**data: Any) -> Record:
    read, _ = record_from({"id": "a", "query": "q", "retrieved": ["KB-1", "KB-2"], **data})
    return infer(read, Settings(), True)


@pytest.mark.parametrize(
    ("citations", "answer", "used"),
    [
        ([], "Seven days [S1].", "text"),
        (["S1"], "Seven days.", "field"),
        (["S1"], "Seven days [2].", "field"),
    ],
)
def test_both_are_given_and_which_is_measured(citations: list[str], answer: str, used: str) -> None:
    differ = disagreement(record(citations=citations, answer=answer))
    assert differ is not None
    assert (list(differ.field), differ.used) == (citations, used)
    assert used in str(differ)


@pytest.mark.parametrize(
    ("citations", "answer"),
    [
        (["S1"], "Seven [1]."),
        (["KB-2"], "Seven [S2]."),
        ([], "Seven."),
        (None, "Seven [S1]."),
        (["S1"], None),
    ],
)
def test_the_same_documents_in_other_words_and_single_sources_do_not_differ(
    citations: list[str] | None, answer: str | None
) -> None:
    assert disagreement(record(citations=citations, answer=answer)) is None
