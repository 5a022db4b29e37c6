"""`triage cases --similar`: cases by the likeness of their queries."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

Call = Callable[..., Any]


def test_similar_cases_come_with_their_similarity_best_first(triage: Call, small: Path) -> None:
    triage("ingest", "kb42.jsonl")
    every = [case["id"] for case in triage("cases", "--format", "jsonl").lines]
    found = triage("cases", "--similar", every[0], "--format", "jsonl").lines
    assert found[0]["id"] == every[0] and found[0]["similarity"] == 1.0
    scores = [case["similarity"] for case in found]
    assert scores == sorted(scores, reverse=True)
    table = triage("cases", "--similar", every[0]).out
    assert " like " in table and "1.00" in table
    assert "similarity" not in triage("cases", "--format", "jsonl").lines[0]


def test_a_case_that_is_not_there_is_an_error(triage: Call, small: Path) -> None:
    triage("ingest", "kb42.jsonl")
    done = triage("cases", "--similar", "nowhere")
    assert done.code == 1 and "no such case" in done.err
