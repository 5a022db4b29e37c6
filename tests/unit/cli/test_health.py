"""The test set's health in `triage report`: of the whole run, printed and as JSON."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

Call = Callable[..., Any]


def test_health_is_told_of_the_whole_set(triage: Call, place: Path, make: Any) -> None:
    kinds = [
        {
            "seed_id": "s1",
            "rewrite": "base",
            "dependency": "weak",
            "expected_route": ["b+a", "a"],
            "route": "a",
        },
        {"seed_id": "s1", "rewrite": "extended", "dependency": "strong", **make.missed},
        {"rewrite": "reverse", "expected_route": "sql"},
        {"answerable": False, "expected_ids": []},
        {"seed_id": "", "rewrite": "\x1b[31m"},
    ]
    run = make.write(place / "set.jsonl", [make.record(f"c{at}", **kind) for at, kind in enumerate(kinds)])
    found = triage("report", str(run), "--format", "json").json["health"]
    assert found == {
        "cases": 5,
        "stage": "too few",
        "unanswerable": {
            "value": 0.2, "numerator": 1, "denominator": 5, "reference": [0.15, 0.2], "fits": True,
        },
        "dependence": {
            "weak": 1, "medium": 0, "strong": 1, "n": 2, "off": ["weak", "medium", "strong"], "few": True,
        },
        "routes": {"cases": {"a or a+b": 1, "sql": 1}, "thin": ["a or a+b", "sql"]},
        "seeds": {"seeds": 1, "orphans": ["c2", "c4"], "first_failing": {"extended": 1}, "holding": 0},
    }  # fmt: skip
    said = triage("report", "set").out
    for line in (
        "size          5 cases: fewer than the 50 to start with",
        "unanswerable  0.2000 (1/5), within 0.15-0.20",
        "dependence    weak 1, medium 0, strong 1 (mark 3:5:2); more than 10 points off: weak, medium, "
        "strong; n < 30, too few to tell",
        "routes        fewer than 20 cases: a or a+b 1, sql 1",
        "seeds         1: first fail at extended 1; 0 fail at no level",
        "orphans       rewrites without a seed_id, mistakes of the test set: c2, c4",
    ):
        assert f"  {line}\n" in said
    assert "\x1b" not in said
    assert triage("report", "set", "--filter", "id:c0", "--format", "json").json["health"] == found
    assert "orphans" not in triage("report", "set", "--filter", "id:c0").out


def test_what_nothing_is_recorded_for_is_null(triage: Call, place: Path) -> None:
    (place / "bare.jsonl").write_text('{"id": "a", "query": "q"}\n', "utf-8")
    found = triage("report", "bare.jsonl", "--format", "json").json["health"]
    assert found == {
        "cases": 1, "stage": "too few", "unanswerable": None, "dependence": None,
        "routes": None, "seeds": None,
    }  # fmt: skip
