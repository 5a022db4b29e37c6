"""`triage report` beside itself: without the test set's mistakes, and with what must be reviewed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.unit.cli.conftest import Call


def test_corrected_metrics_stand_beside_the_raw_ones(triage: Call, small: Path) -> None:
    triage("ingest", "kb42.jsonl")
    before = triage("report", "--format", "json").json
    assert before["corrected"] is None
    assert "corrected" not in triage("report").out
    triage("tag", "c", "test-set")
    after = triage("report", "--format", "json").json
    assert after["metrics"] == before["metrics"], "the raw view is never replaced"
    assert after["corrected"]["left_out"] == 1
    corrected = after["corrected"]["metrics"]
    assert set(corrected) == set(after["metrics"])
    assert (corrected["hit"]["value"], corrected["hit"]["denominator"]) == (1, 2)
    assert set(corrected["hit"]) == set(after["metrics"]["hit"]) - {"table"}
    said = triage("report").out
    assert "corrected: without 1 case whose verdict is test-set" in said
    (hit,) = [line.split() for line in said.splitlines() if line.split()[:1] == ["Hit@3"]]
    assert hit[1] == "0.6667" and hit[2] == "1.0000"
    assert any(
        line.split() == ["raw", "corrected", "raw", "from", "raw", "95", "%"] for line in said.splitlines()
    )
    assert "raw delta" not in said, "there is no baseline"


def test_corrected_follows_the_filter(triage: Call, small: Path) -> None:
    triage("ingest", "kb42.jsonl")
    triage("tag", "c", "test-set")
    assert triage("report", "--filter", "id:a", "--format", "json").json["corrected"] is None
    assert triage("report", "--filter", "id:a OR id:c", "--format", "json").json["corrected"]["left_out"] == 1
    found = triage("report", "--text", "No idea", "--format", "json").json["corrected"]
    assert found["left_out"] == 1


def test_what_is_not_reviewed_is_named(triage: Call, small: Path) -> None:
    triage("ingest", "kb42.jsonl")
    failed = triage("report", "--fail-on", "unreviewed-high-risk")
    assert failed.code == 4
    assert "not reviewed: is:high-risk: 0 of 1 have a verdict, missing d" in failed.err
    assert "not reviewed" not in failed.out


def test_rules_of_ones_own_decide_what_must_be_reviewed(triage: Call, small: Path, place: Path) -> None:
    triage("ingest", "kb42.jsonl")
    (place / "triage.toml").write_text('must_review = ["id:b", "topic:shipping hit:0"]\n', encoding="utf-8")
    failed = triage("report", "--fail-on", "unreviewed-high-risk")
    assert failed.code == 4 and "id:b: 0 of 1" in failed.err and "missing c" in failed.err
    triage("tag", "b", "ranking")
    triage("tag", "c", "not-a-failure")
    assert triage("report", "--fail-on", "unreviewed-high-risk").code == 0
    (place / "triage.toml").write_text('must_review = ["topic:("]\n', encoding="utf-8")
    wrong = triage("report", "--fail-on", "unreviewed-high-risk")
    assert wrong.code == 2 and "a must-review rule is no filter" in wrong.err
    (place / "triage.toml").write_text("must_review = []\n", encoding="utf-8")
    assert triage("report", "--fail-on", "unreviewed-high-risk").code == 0
