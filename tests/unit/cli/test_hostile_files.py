"""Files as they come from elsewhere, through the commands: what is loaded, told and given back."""

from __future__ import annotations

import gzip
import json
import os
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


GOOD = '{"id": "a", "query": "q"}\n'
MORE = '{"id": "b", "query": "q"}\n'


def test_files_put_together_with_byte_order_marks_inside_lose_no_record(triage: Call, place: Path) -> None:
    (place / "r.jsonl").write_text("\ufeff" + GOOD + "\ufeff" + MORE, encoding="utf-8")
    told = ingest(triage, place / "r.jsonl")
    assert (told["records"], told["rejected"]) == (2, 0)
    assert triage("case", "b", "--format", "json").json["record"] == {"id": "b", "query": "q"}


def test_zipped_data_that_ends_too_early_is_a_rejected_record_and_tells_scripts(
    triage: Call, place: Path
) -> None:
    lines = "".join(json.dumps({"id": str(n), "query": str(n * 7919)}) + "\n" for n in range(3000))
    (place / "r.jsonl.gz").write_bytes(gzip.compress(lines.encode())[:-2000])
    done = triage("ingest", "r.jsonl.gz", "--format", "json")
    told = done.json["files"][0]
    assert (done.code, told["status"], told["rejected"]) == (3, "loaded", 1)
    assert told["problems"][-1]["line"] == told["records"] + 1


@pytest.mark.parametrize(
    ("header", "problems"),
    [("null", []), ("[1]", ["run"]), ('"kb42"', ["run"]), ("5", ["run"]), ("{}", [])],
)
@pytest.mark.parametrize("whole", [False, True])
def test_a_header_of_the_wrong_kind_is_told_and_costs_no_record(
    triage: Call, place: Path, header: str, problems: list[str], whole: bool
) -> None:
    text = f'{{"run": {header}}}\n{GOOD}'
    if whole:
        text = f'{{"run": {header}, "cases": [{GOOD}]}}'
    (place / "r.json").write_text(text, encoding="utf-8")
    told = ingest(triage, place / "r.json")
    assert (told["records"], told["rejected"]) == (1, 0)
    if not (whole and header == "[1]"):
        assert [one["field"] for one in told["problems"]] == problems


def test_keys_beside_the_header_are_told(triage: Call, place: Path) -> None:
    (place / "r.jsonl").write_text('{"run": {"id": "r"}, "note": 1}\n' + GOOD, encoding="utf-8")
    assert any("note" in one for one in ingest(triage, place / "r.jsonl")["warnings"])


@pytest.mark.parametrize(("cases", "said"), [("{}", "an object"), ("null", "null"), ('"x"', "a text")])
def test_cases_that_are_no_list_are_told_as_such(triage: Call, place: Path, cases: str, said: str) -> None:
    (place / "r.json").write_text(f'{{"run": {{"id": "r"}}, "cases": {cases}}}', encoding="utf-8")
    done = triage("ingest", "r.json", "--format", "json")
    assert done.code == 1
    assert f"`cases` is {said}" in done.json["files"][0]["problems"][0]["reason"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32-le"])
def test_wider_encodings_are_named(triage: Call, place: Path, encoding: str) -> None:
    (place / "r.jsonl").write_text(GOOD, encoding=encoding)
    assert "UTF-16" in triage("ingest", "r.jsonl").out


def test_a_pipe_among_the_files_keeps_nobody_waiting(triage: Call, place: Path) -> None:
    os.mkfifo(place / "pipe.jsonl")
    (place / "r.jsonl").write_text(GOOD, encoding="utf-8")
    (place / "loop.jsonl").symlink_to("loop.jsonl")
    done = triage("ingest", "pipe.jsonl", "loop.jsonl", "--format", "json")
    reasons = [one["problems"][0]["reason"] for one in done.json["files"]]
    assert done.code == 1 and not (place / ".triage").exists()
    assert "not a regular file" in reasons[0] and "symbolic links" in reasons[1]
    assert triage("ingest", ".").code == 3
    assert triage("runs").code == 0


def test_a_run_id_is_an_id_whatever_it_looks_like(triage: Call, place: Path) -> None:
    for name in ("/runs/kb42", "~", "report", "a b", "中文/版"):
        (place / "r.jsonl").write_text(f'{{"run": {{"id": {json.dumps(name)}}}}}\n{GOOD}', encoding="utf-8")
        triage("ingest", "r.jsonl")
        assert triage("case", name, "a", "--format", "json").json["run"] == name
    assert "no such file" in triage("report", "/nothing/here.jsonl").err


def test_a_case_tells_where_its_citations_and_its_text_differ(
    triage: Call, shared: Callable[[str], Path]
) -> None:
    triage("ingest", str(shared("bugfiles/103_field_vs_text.jsonl")))
    differ = {
        case: triage("case", case, "--format", "json").json["citations_differ"] for case in ("f1", "f2", "f3")
    }
    assert differ["f1"] == {"field": [], "text": ["S1"], "used": "text"}
    assert differ["f2"] == {"field": ["S1"], "text": [], "used": "field"}
    assert differ["f3"] is None
    assert "the text cites S1" in triage("case", "f1").out


def test_no_control_character_of_a_record_leaves_by_any_format(triage: Call, place: Path) -> None:
    hostile = "a\x1b]52;c;x\x07 \x9b31m \x7f \x00 b\r\nc\td"
    record = {"id": "a", "query": hostile, "answer": hostile, "topic": hostile}
    (place / "r.jsonl").write_text(json.dumps(record, ensure_ascii=False) + "\n", encoding="utf-8")
    triage("ingest", "r.jsonl")
    triage("tag", "a", "other", "--note", hostile.replace("\x00", ""), "--reviewer", "x\x9by")
    words = [["export", "--format", name] for name in ("csv", "jsonl", "markdown")]
    words += [["case", "a"], ["case", "a", "--format", "json"], ["cases"], ["cases", "--format", "jsonl"]]
    for call in words:
        shown = triage(*call).out.replace("\ufeff", "")
        assert not [
            sign for sign in shown if (sign < " " or "\x7f" <= sign < "\xa0") and sign not in "\t\r\n"
        ]
    exported = triage("export", "--format", "jsonl").lines[0]
    assert exported["record"] == record
    assert "<ESC>]52;c;x<BEL>" in triage("export", "--format", "csv").out
