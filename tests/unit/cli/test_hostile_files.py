"""Files as they come from elsewhere, through the commands: what is loaded, told and given back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]


def ingest(triage: Call, path: Path) -> dict[str, Any]:
    found: dict[str, Any] = triage("ingest", str(path), "--format", "json").json["files"][0]
    return found


def test_a_number_of_any_length_is_valid_json_and_costs_no_record(triage: Call, place: Path) -> None:
    digits = "9" * 5000
    line = f'{{"id": "a", "query": "q", "scores": {{"faithfulness": {digits}}}, "seed": -{digits}}}\n'
    (place / "r.jsonl").write_text(line, encoding="utf-8")
    told = ingest(triage, place / "r.jsonl")
    assert (told["records"], told["rejected"]) == (1, 0)
    assert [one["field"] for one in told["problems"]] == ["scores.faithfulness", "seed"]
    shown = triage("case", "a", "--format", "json")
    assert shown.code == 0 and shown.json["record"]["seed"] is None
    triage("tag", "a", "other")
    for redact in ([], ["--redact"]):
        done = triage("export", "--format", "jsonl", *redact)
        assert done.code == 0 and '"id": "a"' in done.out


@pytest.mark.parametrize("k", ["1e30", "99999999999999999999", "1e400", str(2**31)])
def test_a_k_beyond_all_lists_is_told_and_the_run_loads_with_the_default(
    triage: Call, place: Path, k: str
) -> None:
    line = json.dumps({"id": "a", "query": "q"})
    (place / "r.jsonl").write_text(f'{{"run": {{"id": "r", "k": {k}}}}}\n{line}\n', encoding="utf-8")
    told = ingest(triage, place / "r.jsonl")
    assert (told["status"], [one["field"] for one in told["problems"]]) == ("loaded", ["run.k"])
    assert triage("runs", "--format", "json").json["runs"][0]["k"] == 3
