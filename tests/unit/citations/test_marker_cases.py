"""Markers, splitting and what is factual, on answers written as people and models write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest

from triage.citations.sentences import split

CASES: dict[str, list[dict[str, Any]]] = json.loads(
    Path(__file__).with_name("marker_cases.json").read_text("utf-8")
)


def bare(text: str) -> str:
    return "".join(normalize("NFKC", text).split())


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: case["text"][:20])
def test_an_answer_falls_into_its_sentences(case: dict[str, Any]) -> None:
    said = [(bare(part.text), list(part.citations)) for part in split(case["text"])]
    assert said == [(bare(each["text"]), each["citations"]) for each in case["sentences"]]


@pytest.mark.parametrize("case", CASES["factual"], ids=lambda case: case["text"][:20])
def test_code_heads_of_tables_and_lists_of_sources_state_nothing(case: dict[str, Any]) -> None:
    assert [bare(part.text) for part in split(case["text"]) if part.factual] == list(
        map(bare, case["factual"])
    )
