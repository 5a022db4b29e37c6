"""tag, note, label, export: a person's word, and the list that goes out."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import triage as package

Call = Callable[..., Any]


@pytest.fixture
def loaded(triage: Call, small: Path) -> Call:
    assert triage("ingest", "kb42.jsonl").code == 0
    return triage


def verdict(triage: Call, case: str) -> Any:
    return triage("case", case, "--format", "json").json["verdict"]


def test_tag_by_the_count_of_words(loaded: Call) -> None:
    assert loaded("tag", "b", "ranking").code == 0
    assert verdict(loaded, "b")["class"] == "ranking"
    for run in ("kb42", "latest", "kb42.jsonl", "./kb42.jsonl"):
        assert loaded("tag", run, "b", "other").code == 0, run
    assert verdict(loaded, "b")["class"] == "other"
    assert loaded("tag", "nothing", "b", "other").code == 1
    assert loaded("tag", "zz", "other").code == 1


@pytest.mark.parametrize(
    "word", ["retrieval", "ranking", "refusal", "citation-semantic", "other", "not-a-failure", "test-set"]
)
def test_every_verdict(loaded: Call, word: str) -> None:
    assert (
        loaded(
            "tag", "b", word, "--label", "stale-doc", "--label", "x", "--note", "看 KB-1", "--reviewer", "韦"
        ).code
        == 0
    )
    said = verdict(loaded, "b")
    assert set(said) >= {"class", "labels", "note", "reviewer", "at", "stale", "disputed"}
    assert (said["class"], said["labels"], said["note"], said["reviewer"]) == (
        word,
        ["stale-doc", "x"],
        "看 KB-1",
        "韦",
    )
    assert said["stale"] is False
    assert said["disputed"] is False
    assert loaded("report", "--format", "json").json["verdicts"] == {word: 1}


def test_a_verdict_never_changes_what_the_machine_says(loaded: Call) -> None:
    loaded("tag", "b", "not-a-failure")
    case = loaded("case", "b", "--format", "json").json
    assert case["failing"] is True
    assert case["suggestion"]["class"] == "ranking"


def test_clear_takes_it_back_and_the_history_keeps_both(loaded: Call) -> None:
    loaded("tag", "b", "ranking")
    assert loaded("tag", "b", "--clear").code == 0
    case = loaded("case", "b", "--format", "json").json
    assert case["verdict"] is None
    assert [one["kind"] for one in case["verdicts"]] == ["verdict", "clear"]
    done = loaded("tag", "b", "--clear")
    assert done.code == 0
    assert "no verdict of yours" in done.err
    assert loaded("tag", "zz", "--clear").code == 1


def test_two_reviewers_who_differ_are_a_dispute(loaded: Call) -> None:
    loaded("tag", "b", "ranking", "--reviewer", "wei")
    loaded("tag", "b", "other", "--reviewer", "ana")
    assert verdict(loaded, "b")["disputed"] is True
    assert verdict(loaded, "b")["class"] == "other"
    loaded("tag", "b", "ranking", "--reviewer", "ana")
    assert verdict(loaded, "b")["disputed"] is False


def test_note_and_label_need_no_verdict(loaded: Call) -> None:
    assert loaded("note", "kb42", "b", "first\nsecond").code == 0
    assert loaded("label", "b", "routing", "stale-doc").code == 0
    said = verdict(loaded, "b")
    assert said["class"] is None
    assert said["note"] == "first\nsecond"
    assert said["labels"] == ["routing", "stale-doc"]
    assert loaded("report", "--format", "json").json["reviewed"] == 0
    assert loaded("note", "b", "").code == 0
    assert loaded("note", "b", "x" * 70000).code == 1


def test_labels_first_word_is_a_run_only_with_one_of_its_cases(loaded: Call, make: Any, place: Path) -> None:
    make.write(place / "two.jsonl", [make.record("kb42"), make.record("b")], {"id": "two"})
    loaded("ingest", "two.jsonl")
    assert loaded("label", "kb42", "b", "x").code == 0
    assert loaded("case", "kb42", "b", "--format", "json").json["verdict"]["labels"] == ["x"]
    assert loaded("label", "kb42", "routing").code == 0
    assert loaded("case", "two", "kb42", "--format", "json").json["verdict"]["labels"] == ["routing"]
    assert loaded("label", "two", "nothing", "x").code == 1


def test_reviews_survive_loading_by_any_path(loaded: Call, place: Path) -> None:
    loaded("tag", "b", "ranking")
    loaded("tag", "c", "retrieval")
    (place / "link.jsonl").symlink_to(place / "kb42.jsonl")
    for words in (["kb42.jsonl"], [str(place / "kb42.jsonl")], ["link.jsonl"]):
        done = loaded("ingest", *words, "--format", "json")
        assert done.json["files"][0]["status"] == "unchanged"
        assert done.json["files"][0]["run"] == "kb42"
    assert len(loaded("runs", "--format", "json").json["runs"]) == 1
    assert loaded("report", "--format", "json").json["reviewed"] == 2


def test_a_corrected_file_is_a_revision_and_marks_stale_verdicts(
    loaded: Call, make: Any, place: Path
) -> None:
    loaded("tag", "a", "other")
    loaded("tag", "b", "ranking")
    records = [make.record("a"), make.record("b", **{**make.second, "answer": "Eight.[S2]"})]
    make.write(place / "kb42.jsonl", records, {"id": "kb42"})
    done = loaded("ingest", "kb42.jsonl", "--format", "json")
    assert done.json["files"][0]["status"] == "updated"
    assert verdict(loaded, "a")["stale"] is False
    assert verdict(loaded, "b")["stale"] is True
    assert loaded("runs", "--format", "json").json["runs"][0]["revision"] == 2


def test_export_defaults_to_the_tagged_cases_as_csv(loaded: Call) -> None:
    loaded("tag", "b", "ranking", "--note", "=1+1", "--label", "answer")
    loaded("tag", "c", "not-a-failure")
    done = loaded("export")
    assert done.code == 0
    assert done.raw.startswith(b"\xef\xbb\xbfrun,case_id,verdict,labels,note,")
    (row,) = csv.DictReader(io.StringIO(done.raw.decode("utf-8-sig"), newline=""))
    assert row["run"] == "kb42"
    assert row["case_id"] == "b"
    assert row["note"] == "'=1+1"
    assert row["labels"] == "answer"
    assert row["answer"] == "Seven.[S2]"
    assert row["expected_ids"] == "KB-1"
    assert row["retrieved_ids"] == "KB-7|KB-1"
    assert row["citations"] == "S2"
    assert row["reviewer"] == "tester"
    assert row["reviewed_at"]
    assert not loaded("export", "--no-bom").raw.startswith(b"\xef\xbb\xbf")


def test_nothing_tagged_exports_an_empty_table_and_says_so(loaded: Call) -> None:
    done = loaded("export")
    assert done.code == 0
    assert len(done.out.splitlines()) == 1
    assert "is:tagged" in done.err


@pytest.mark.parametrize(
    ("name", "start"), [("x.csv", "\ufeffrun,"), ("x.jsonl", '{"run": "kb42"'), ("x.md", "# Sprint")]
)
def test_export_writes_the_format_of_the_ending(loaded: Call, place: Path, name: str, start: str) -> None:
    done = loaded("export", "--filter", "is:failing", "-o", name)
    assert done.code == 0
    assert done.out == ""
    assert f"3 cases of kb42 to {name}" in done.err
    assert (place / name).read_text(encoding="utf-8").startswith(start)


def test_an_export_into_a_folder_that_is_not_there_fails_in_one_line(loaded: Call, place: Path) -> None:
    done = loaded("export", "-o", "no/where.csv")
    assert done.code == 1
    assert done.err.count("\n") == 1
    assert not (place / "no").exists()


def test_jsonl_goes_out_as_it_came_and_comes_back(loaded: Call, make: Any, place: Path) -> None:
    wanted = make.record("z|1", query="控\x1b]0;制\u2028x", meta={"n": 1.10})
    make.write(place / "x.jsonl", [wanted, make.record("y", **make.missed)], {"id": "x"})
    loaded("ingest", "x.jsonl")
    loaded("tag", "x", "z|1", "other", "--note", "n")
    assert loaded("export", "x", "--filter", "id:*", "-o", "out.jsonl").code == 0
    lines = (place / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["record"] for line in lines] == [wanted, make.record("y", **make.missed)]
    assert json.loads(lines[0])["history"][0]["note"] == "n"
    back = loaded("ingest", "out.jsonl", "--format", "json").json["files"][0]
    assert (back["records"], back["rejected"]) == (2, 0)
    assert back["run"] != "x", "a part of a run is not the run"
    case = loaded("case", "out.jsonl", "z|1", "--format", "json").json
    assert case["query"] == wanted["query"]
    assert case["suggestion"]["reason"] == "ok"


def test_a_redacted_export_says_nothing_and_comes_back(loaded: Call, place: Path) -> None:
    loaded("tag", "b", "ranking", "--note", "SECRET")
    assert loaded("export", "--redact", "-o", "out.jsonl").code == 0
    text = (place / "out.jsonl").read_text(encoding="utf-8")
    assert "SECRET" not in text
    assert "query of b" not in text
    assert "Seven" not in text
    assert loaded("ingest", "out.jsonl").code == 0


def test_formula_file_is_harmless_and_whole(loaded: Call, shared: Callable[[str], Path]) -> None:
    path = shared("bugfiles/117_formula.jsonl")
    loaded("ingest", str(path))
    records = {
        json.loads(line)["id"]: json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()
    }
    for case in records:
        assert loaded("tag", "117_formula", case, "other", "--note", "+1").code == 0
    rows = list(
        csv.DictReader(io.StringIO(loaded("export", "117_formula").raw.decode("utf-8-sig"), newline=""))
    )
    assert len(rows) == 5
    for row in rows:
        for cell in row.values():
            assert not cell or cell[0] not in "=+-@\t\r"
        assert row["answer"].removeprefix("'") == records[row["case_id"].removeprefix("'")]["answer"]
    out = [
        json.loads(line)
        for line in loaded("export", "117_formula", "--format", "jsonl").out.split("\n")
        if line
    ]
    assert {line["case_id"]: line["record"] for line in out} == records


def test_markdown_of_pipes_is_one_item_a_case(loaded: Call, shared: Callable[[str], Path]) -> None:
    loaded("ingest", str(shared("bugfiles/121_md_pipes.jsonl")))
    for case in ("p1", "p2", "p3|x"):
        assert loaded("tag", "121_md_pipes", case, "ranking").code == 0
    out = loaded("export", "121_md_pipes", "--format", "markdown").out
    assert out.count("- [ ] ") == 3
    assert "## ranking" in out
    assert "a\\|b c \\|\\| d" in out
    assert "**p3\\|x**" in out


def test_ctrl_c_during_a_load_is_130_and_leaves_nothing_half(place: Path) -> None:
    line = json.dumps({"id": "%d", "query": "q" * 300, "retrieved": [{"id": "KB-1", "text": "t" * 600}]})
    with (place / "big.jsonl").open("w", encoding="utf-8") as stream:
        stream.writelines(line.replace("%d", str(number)) + "\n" for number in range(60000))
    environment = {**os.environ, "PYTHONPATH": str(Path(package.__file__).parent.parent)}
    process = subprocess.Popen(
        [sys.executable, "-m", "triage", "ingest", "big.jsonl"],
        cwd=place, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    database = place / ".triage" / "triage.db"
    limit = time.monotonic() + 30
    while time.monotonic() < limit and not (database.exists() and database.stat().st_size > 500_000):
        time.sleep(0.02)
        wal = database.with_name("triage.db-wal")
        if wal.exists() and wal.stat().st_size > 2_000_000:
            break
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, (out, err)
    assert "Traceback" not in err
    done = subprocess.run(
        [sys.executable, "-m", "triage", "runs", "--format", "json"],
        cwd=place, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert json.loads(done.stdout) == {"runs": []}
