"""The report's advice, printed and as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Call = Callable[..., Any]


def write(path: Path, misses: int) -> None:
    """A run of ten cases, some of which miss their document."""
    cases = [
        {
            "id": f"c{number}", "query": "q", "answerable": True, "expected_ids": ["A"],
            "retrieved": [{"id": "B" if number < misses else "A"}], "predicted_answerable": True,
            "answer": "So. [S1]", "citations": ["S1"],
        }
        for number in range(10)
    ]  # fmt: skip
    lines = [{"run": {"id": path.stem}}, *cases]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")


def test_a_line_has_its_numbers_and_the_filter_that_lists_its_cases(triage: Call, place: Path) -> None:
    write(place / "low.jsonl", 3)
    (line,) = triage("report", "low.jsonl", "--format", "json").json["advice"]
    assert set(line) == {
        "signal", "layer", "value", "said", "try_first", "watch", "first", "query", "cases",
    }  # fmt: skip
    assert (line["signal"], line["layer"], line["value"]) == ("Hit@3 low", "retrieval", 0.7)
    assert (line["said"], line["first"], line["cases"]) == (".700 7/10, reference .85", True, 3)
    listed = triage("cases", "low", "--filter", line["query"], "--format", "jsonl").lines
    assert [case["id"] for case in listed] == ["c0", "c1", "c2"]
    printed = triage("report", "low").out
    assert "> retrieval       Hit@3 low: .700 7/10, reference .85\n" in printed
    assert "3 cases, --filter hit:0\n" in printed
    assert "not recorded, so nothing is told of: generation" in printed


def test_advice_is_of_the_cases_selected(triage: Call, place: Path) -> None:
    write(place / "some.jsonl", 3)
    (line,) = triage("report", "some.jsonl", "--filter", "id:c0 OR id:c9", "--format", "json").json["advice"]
    assert line["said"] == ".500 1/2, reference .85"
    assert line["query"] == "(id:c0 OR id:c9) hit:0"


def test_a_run_above_its_references_is_not_called_passed(triage: Call, place: Path) -> None:
    write(place / "good.jsonl", 0)
    assert triage("report", "good.jsonl", "--format", "json").json["advice"] == []
    printed = triage("report", "good").out
    assert "nothing that is recorded falls short of its reference" in printed
    (place / "triage.toml").write_text("[reference]\nprecision = 1\n", "utf-8")
    write(place / "other.jsonl", 1)
    advice = triage("report", "other.jsonl", "--format", "json").json["advice"]
    assert [line["signal"] for line in advice] == ["precision@3 low, Hit@3 is not"]
