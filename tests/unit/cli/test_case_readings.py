"""`triage case` and `export` tell of readings: who said what, what was decided over it, and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from triage.models.sample import SampleRule
from triage.settings import Settings
from triage.workspace import Workspace


@pytest.fixture
def disputed(triage: Any, small: Path, place: Path) -> Any:
    """Case b read by two people who differ, one of whom put it off first."""
    assert triage("ingest", small.name).code == 0
    for reviewer, verdict in (("wei", "ranking"), ("ada", "retrieval")):
        work = Workspace(place / ".triage" / "triage.db", Settings(), reviewer=reviewer)
        run = work.find_run(None).id
        if reviewer == "wei":
            work.sampling.draw(run, SampleRule(seed="1", n=5, text="id:b", readings=2), "重要")
            work.queue.next(run, "重要")
            work.queue.defer(run, "重要", "b", "ask billing")
        work.queue.next(run, "重要")
        work.queue.give(
            run,
            "重要",
            "b",
            verdict,
            labels=[f"by {reviewer}"],
            note=f"{reviewer}: \x1b[31m读",
            seconds=12.4,
        )  # type: ignore[arg-type]
        work.close()
    return triage


def test_case_tells_each_reading_and_every_event_with_its_reason(disputed: Any) -> None:
    found = disputed("case", "b", "--format", "json").json
    assert [(one["reviewer"], one["class"], one["labels"], one["sample"]) for one in found["readings"]] == [
        ("wei", "ranking", ["by wei"], "重要"),
        ("ada", "retrieval", ["by ada"], "重要"),
    ]
    assert found["readings"][0]["seconds"] == 12.4 and found["arbitration"] is None
    assert next((one["kind"], one["reason"]) for one in found["verdicts"]) == ("defer", "ask billing")
    text = disputed("case", "b").out
    assert "retrieval (disputed)" in text and "\x1b[31m" not in text
    assert "ask billing  wei" in text and "in 重要  12 s" in text


def test_case_tells_what_was_decided_and_why(disputed: Any, place: Path) -> None:
    lead = Workspace(place / ".triage" / "triage.db", Settings(), reviewer="lead")
    lead.queue.arbitrate(lead.find_run(None).id, "b", "ranking", "KB-HUMAN stands at 2")
    lead.close()
    found = disputed("case", "b", "--format", "json").json
    assert found["arbitration"]["reviewer"] == "lead"
    assert found["arbitration"]["reason"] == "KB-HUMAN stands at 2"
    assert len(found["readings"]) == 2
    assert found["verdict"]["class"] == "ranking" and found["verdict"]["arbitrated"]
    text = disputed("case", "b").out
    assert "ranking (arbitrated)" in text
    settled = next(line for line in text.splitlines() if line.startswith("settled"))
    assert "ranking  lead" in settled and settled.endswith("KB-HUMAN stands at 2")


def test_an_export_carries_the_history_and_redacted_no_reason(disputed: Any) -> None:
    line = json.loads(disputed("export", "--filter", "id:b", "--format", "jsonl").out)
    assert [one["sample"] for one in line["history"]] == ["重要"] * 3
    hidden = disputed("export", "--filter", "id:b", "--format", "jsonl", "--redact").out
    assert "ask billing" not in hidden and json.loads(hidden)["history"][0]["reason"] == ""


def test_a_sprint_list_says_whose_verdict_is_in_dispute_and_which_was_settled(
    disputed: Any, place: Path
) -> None:
    assert ", disputed\n" in disputed("export", "--format", "markdown").out
    work = Workspace(place / ".triage" / "triage.db", Settings(), reviewer="李四")
    work.queue.arbitrate(work.find_run(None).id, "b", "ranking", "an old page stood above")
    work.close()
    text = disputed("export", "--format", "markdown").out
    assert "reviewed: 李四" in text and ", arbitrated\n" in text and "disputed" not in text
    assert [
        case["id"] for case in disputed("cases", "--filter", "is:arbitrated", "--format", "jsonl").lines
    ] == ["b"]


def test_a_rule_that_found_nothing_shows_no_empty_braces(triage: Any, small: Path) -> None:
    assert triage("ingest", small.name).code == 0
    fine = [
        one["id"]
        for one in triage("cases", "--format", "json").json["cases"]
        if one["suggestion"]["reason"] == "ok"
    ]
    assert fine and "{}" not in triage("case", fine[0]).out
