"""`triage runs`: the numbers of the Runs screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from triage.cli import output
from triage.plain import width

Call = Callable[..., Any]


@pytest.fixture
def two(triage: Call, place: Path, make: Any) -> Path:
    """`old` and `new` of one test set; `new` has one case that fails and one rejected record."""
    head = {"dataset": {"name": "客服测试集", "version": "3"}, "retrieval": {"top_k": 3, "embedding": "bge"}}
    old = head | {"id": "old", "created_at": "2026-10-01T10:00:00Z"}
    new = head | {"id": "new", "created_at": "2026-10-02T10:00:00Z", "kb_version": "kb42"}
    make.write(place / "old.jsonl", [make.record("a")], old)
    cases = [make.record("a"), make.record("b", **make.missed), {"id": "x"}]
    make.write(place / "new.jsonl", cases, new)
    triage("ingest", "old.jsonl", "new.jsonl")
    return place


def test_failing_progress_size_and_file_are_in_the_json(triage: Call, two: Path) -> None:
    triage("tag", "new", "b", "retrieval")
    (two / "old.jsonl").unlink()
    new, old = triage("runs", "--format", "json").json["runs"]
    assert (new["failing"], new["triaged"], new["reviewed"]) == (1, 1, 1)
    assert new["verdicts"] == {"retrieval": 1} and new["metrics"]["hit"] is not None
    assert (new["baseline"], new["rejected"], new["revision"]) == ("old", 1, 1)
    assert new["file_present"] is True and new["size"] == (two / "new.jsonl").stat().st_size
    assert old["file_present"] is False and old["dataset_version"] == "3"


def test_a_file_that_has_gone_and_a_pin_stand_in_the_table(triage: Call, two: Path) -> None:
    assert "file" not in triage("runs").out.splitlines()[0].split()
    (two / "old.jsonl").unlink()
    triage("baseline", "old")
    head, new, old = triage("runs").out.splitlines()
    assert head.split()[-1] == "file" and old.endswith("gone")
    assert "old" in new.split() and "pinned" in old.split()


@pytest.mark.parametrize("cells", [60, 80, 120, 200])
def test_on_a_terminal_the_least_telling_columns_are_left_out(
    triage: Call, two: Path, monkeypatch: pytest.MonkeyPatch, cells: int
) -> None:
    monkeypatch.setattr(output, "room", lambda: cells)
    monkeypatch.setattr("triage.cli.runs.room", lambda: cells)
    lines = triage("runs").out.splitlines()
    assert all(width(line) <= cells for line in lines)
    assert {"run", "records", "failing"} <= set(lines[0].split())
    assert ("retrieval" in lines[0].split()) == (cells == 200)
