"""Searches that went wrong in other tools (bugs.md 77 and 79)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def load(table: Any, path: Path) -> None:
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        record["retrieved"] = [{"id": name} for name in record.pop("retrieved_ids")]
        table.add(record.pop("id"), **record)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("POL-358", "s1"),
        ("kb:1", "s1"),
        ("don't", "s1"),
        ("AND", "s2"),
        ("*", "s2"),
        ("(", "s2"),
        ("-x", "s3"),
        ("a'b", ""),
        ('say "hi', "s2"),
    ],
)
def test_marks_of_a_query_language_are_found_as_text(
    table: Any, shared: Callable[[str], Path], text: str, ids: str
) -> None:
    load(table, shared("bugfiles/077_search_terms.jsonl"))
    where = table.where(text)
    assert where.said == f"text: {text}"
    assert " ".join(table.run(where)) == ids


@pytest.mark.parametrize(
    ("text", "ids"),
    [("退货", "c1"), ("退", "c1"), ("货政", "c1"), ("政策规定", "c1"), ("退款", ""), ("ITGC后50", "c2")],
)
def test_chinese_is_found_whatever_its_length(
    table: Any, shared: Callable[[str], Path], text: str, ids: str
) -> None:
    load(table, shared("bugfiles/079_chinese_search.jsonl"))
    assert table.find(text) == ids
    assert table.find(f"query:{text}") == ids
