"""`triage review` without a terminal: the report of a run's reading, or what is wrong with the question."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def read(make: Any, place: Path) -> str:
    """A run of six answered cases."""
    records = [make.record(f"c{number}") for number in range(6)]
    return str(make.write(place / "six.jsonl", records, {"id": "six"}))


def test_without_a_terminal_it_prints_what_came_of_the_reading(triage: Any, place: Path, make: Any) -> None:
    run = read(make, place)
    triage("sample", run, "--n", "4", "--name", "first")
    for number in range(6):
        triage("tag", "six", f"c{number}", "retrieval" if number == 0 else "not-a-failure")
    found = triage("review", "six", "--format", "json")
    assert found.code == 0
    assert triage("review", "six", "--report", "--sample", "first", "--format", "json").json == found.json
    assert triage("review", "six", "--report").out.strip()
    assert triage("review", "six", "--format", "markdown").out.startswith("#")


def test_a_sample_that_is_not_there_is_told_with_those_that_are(triage: Any, place: Path, make: Any) -> None:
    run = read(make, place)
    triage("sample", run, "--n", "4", "--name", "first")
    found = triage("review", "six", "--sample", "second")
    assert found.code == 1
    assert "no such sample" in found.err and "first" in found.err
    assert triage("review", "nowhere").code == 1
