"""`triage reweigh`: proposed, printed, and written only where asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from triage.settings import Settings, load_settings
from triage.workspace import Workspace


def _record(number: int, **changes: object) -> str:
    record = {
        "id": f"E{number:02}", "query": f"q{number}", "answerable": True, "expected_ids": ["KB-2"],
        "retrieved": [{"id": "KB-1"}, {"id": "KB-2"}], "answer": "a", "predicted_answerable": True,
        "citations": ["KB-2"],
    }  # fmt: skip
    return json.dumps({**record, **changes}) + "\n"


Call = Callable[..., Any]


@pytest.fixture
def run(place: Path) -> str:
    """15 cases at rank 2: 13 read, 11 of them called fine; one failed by its runner, one disputed."""
    path = place / "kb42.jsonl"
    lines = [_record(at) for at in range(14)] + [_record(14, passed=False)]
    path.write_text("".join(lines), "utf-8")
    workspace = Workspace(place / "t.db", Settings(), reviewer="wei")
    workspace.ingest([path])
    workspace.tag("kb42", [f"E{at:02}" for at in range(11)], "not-a-failure")
    workspace.tag("kb42", ["E11", "E12"], "ranking")
    workspace.reviewer = "ana"
    workspace.tag("kb42", ["E12"], "retrieval")
    workspace.close()
    return "kb42"


def test_the_proposal_holds_the_share_against_the_fixed_confidence(run: str, triage: Call) -> None:
    done = triage("reweigh", "--db", "t.db", "--format", "json")
    found = done.json
    assert done.code == 0 and found["runs"] == ["kb42"]
    rule = found["rules"]["expected_below_rank1"]
    # 1 of 12 agrees: (1 + 10 x .6) / 22 = .318...
    assert (rule["n"], rule["agree"], rule["fixed"], rule["holds"]) == (12, 1, 0.6, 0.6)
    assert found["confidence"] == {"expected_below_rank1": 0.32}
    assert found["left_out"] == {"disputed": 1}
    # 15 fail by the rule, and one of them by its runner's word too.
    assert found["turned"] == [{"run": "kb42", "no_longer_failing": 14, "newly_failing": 0}]


def test_nothing_is_written_without_being_asked(run: str, place: Path, triage: Call) -> None:
    done = triage("reweigh", "--db", "t.db")
    assert done.code == 0 and not (place / "triage.toml").exists()
    assert "[confidence]\nexpected_below_rank1 = 0.32\n" in done.out
    assert "crosses 0.4" in done.out and "kb42: 14 cases would fail no longer" in done.out
    assert "1 disputed" in done.out


def test_written_it_holds_and_what_it_turned_is_what_was_told(run: str, place: Path, triage: Call) -> None:
    (place / "triage.toml").write_text("# ours\nadvance = false\n", "utf-8")
    done = triage("reweigh", "--db", "t.db", "--write")
    assert done.code == 0 and "expected_below_rank1 0.60 to 0.32" in done.err
    assert "14 cases would fail no longer" in done.err
    text = (place / "triage.toml").read_text("utf-8")
    assert text == "# ours\nadvance = false\n\n[confidence]\nexpected_below_rank1 = 0.32\n"
    assert triage("report", "--db", "t.db", "--format", "json").json["failing"] == 1
    # Proposals start from the fixed confidence, so the same verdicts do not move it again.
    again = triage("reweigh", "--db", "t.db", "--write")
    assert "nothing is proposed that would change anything" in again.out
    assert "stays as it is" in again.err
    other = triage("reweigh", "--db", "t.db", "--write", str(place / "new.toml"))
    assert "new.toml is not made" in other.err and not (place / "new.toml").exists()
    assert (place / "triage.toml").read_text("utf-8") == text


def test_it_goes_back_where_verdicts_say_so(run: str, place: Path, triage: Call) -> None:
    (place / "triage.toml").write_text("confidence.expected_below_rank1 = 0.1\n", "utf-8")
    workspace = Workspace(place / "t.db", load_settings(place), reviewer="wei")
    workspace.tag("kb42", [f"E{at:02}" for at in range(12)], "ranking")
    workspace.close()
    found = triage("reweigh", "--db", "t.db", "--format", "json").json
    # 12 of 12: (12 + 6) / 22 = .818...
    assert found["confidence"] == {"expected_below_rank1": 0.82}
    assert found["turned"] == [{"run": "kb42", "no_longer_failing": 0, "newly_failing": 14}]


def test_a_file_that_is_no_settings_file_is_not_written(run: str, place: Path, triage: Call) -> None:
    done = triage("reweigh", "--db", "t.db", "--write", "kb42")
    assert done.code == 2 and "--write takes a settings file" in done.err and not (place / "kb42").exists()
    (place / "odd.toml").write_text("confidence = { ok = 0.5 }\n", "utf-8")
    done = triage("reweigh", "--db", "t.db", "--write", "odd.toml")
    assert done.code == 1 and "by hand" in done.err
    assert (place / "odd.toml").read_text("utf-8") == "confidence = { ok = 0.5 }\n"


def test_without_runs_or_verdicts_it_says_so(place: Path, triage: Call) -> None:
    done = triage("reweigh")
    assert done.code == 1 and "no runs" in done.err
    (place / "one.jsonl").write_text(_record(1), "utf-8")
    done = triage("reweigh", "--db", "t.db", "one.jsonl")
    assert done.code == 0 and "nothing to weigh" in done.out


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[confidence]\r\nok = 0.5", "[confidence]\r\nok = 0.5\r\nRULE\r\n"),
        (
            "[confidence]\nok = 0.5\n\n# of keys\n[keys]\n",
            "[confidence]\nok = 0.5\nRULE\n\n# of keys\n[keys]\n",
        ),
        ("[confidence]\n# by us\n\n[keys]\n", "[confidence]\n# by us\nRULE\n\n[keys]\n"),
        ("[confidence] # by us", "[confidence] # by us\nRULE\n"),
    ],
)
def test_an_entry_stands_where_a_person_would_put_it(
    before: str, after: str, run: str, place: Path, triage: Call
) -> None:
    path = place / "triage.toml"
    path.write_bytes(before.encode())
    assert triage("reweigh", "--db", "t.db", "--write").code == 0
    assert path.read_bytes().decode() == after.replace("RULE", "expected_below_rank1 = 0.32")


def test_a_read_only_file_stays(run: str, place: Path, triage: Call) -> None:
    path = place / "triage.toml"
    path.write_text("# ours\n", "utf-8")
    path.chmod(0o444)
    done = triage("reweigh", "--db", "t.db", "--write")
    assert done.code == 1 and "triage.toml is read-only" in done.err
    assert path.read_text("utf-8") == "# ours\n"


def test_a_link_stays_a_link(run: str, place: Path, triage: Call) -> None:
    (place / "real.toml").write_text("# ours\n", "utf-8")
    (place / "triage.toml").symlink_to("real.toml")
    done = triage("reweigh", "--db", "t.db", "--write")
    assert done.code == 0 and "does not hold here" not in done.err
    assert (place / "triage.toml").is_symlink()
    assert "expected_below_rank1 = 0.32" in (place / "real.toml").read_text("utf-8")


def test_a_file_that_nothing_reads_is_told(run: str, place: Path, triage: Call) -> None:
    done = triage("reweigh", "--db", "t.db", "--write", "other.toml")
    assert done.code == 0 and "other.toml does not hold here" in done.err
    assert "judged anew" not in done.err


def test_a_wrong_name_is_told_before_anything_is_printed(run: str, triage: Call) -> None:
    done = triage("reweigh", "--db", "t.db", "--write", "kb42")
    assert done.code == 2 and not done.out


def test_the_lines_that_are_printed_are_those_of_the_file_that_holds(
    run: str, place: Path, triage: Call
) -> None:
    path = place / "pyproject.toml"
    path.write_text("[tool.triage]\nadvance = false\n", "utf-8")
    said = "[tool.triage.confidence]\nexpected_below_rank1 = 0.32\n"
    assert said in triage("reweigh", "--db", "t.db").out
    assert triage("reweigh", "--db", "t.db", "--write").code == 0
    assert path.read_text("utf-8") == f"[tool.triage]\nadvance = false\n\n{said}"
