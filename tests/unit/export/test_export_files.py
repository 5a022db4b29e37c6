"""Exports: what a spreadsheet, a script and a sprint board get."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from export_help import make_row, read_csv, written

from triage.errors import TriageError, UsageError
from triage.export import ExportRow, format_of, write_whole
from triage.export.csv import neutral
from triage.export.jsonl import on_one_line
from triage.models.measure import Finding
from triage.models.reading import Arbitration, Reading
from triage.models.verdict import Event, Hashes, Review
from triage.plain import one_line

COLUMNS = (
    "run,case_id,verdict,labels,note,reviewer,reviewed_at,suggestion,reason,topic,query_type,query,answer,"
    "expected_ids,retrieved_ids,citations"
)


def test_csv_has_the_fixed_columns_a_byte_order_mark_and_lists_joined_by_a_bar() -> None:
    data = written([make_row()], "csv")
    assert data.startswith(b"\xef\xbb\xbf")
    assert data.decode("utf-8-sig").splitlines()[0] == COLUMNS
    (row,) = read_csv(data)
    assert row["labels"] == "stale-doc|answer"
    assert row["expected_ids"] == "KB-1|KB-2"
    assert row["answer"] == "七天内。[S1]", "a label named like a column leaves the column alone"
    assert row["verdict"] == "ranking"
    assert row["suggestion"] == "retrieval"
    assert row["reviewed_at"] == "2026-11-28T10:00:00Z"
    assert not written([make_row()], "csv", bom=False).startswith(b"\xef\xbb\xbf")


@pytest.mark.parametrize(
    "text",
    [
        "=1+1", "+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "  =1", '"=1', "'=1", "\u3000=1",
        "\ufeff=1", "＝1+1", "＋1", "－1", "＠SUM", " \"＝1", "\u200b=1",
    ],
)  # fmt: skip
def test_a_cell_that_a_spreadsheet_would_run_begins_with_a_quote_mark(text: str) -> None:
    row = make_row(case_id=text, query=text, answer=text, topic=text, expected_ids=(text,))
    (cells,) = read_csv(written([row], "csv"))
    for name in ("case_id", "query", "answer", "topic", "expected_ids"):
        assert cells[name] == "'" + text


@pytest.mark.parametrize("text", ["plain", "a=b", "KB-1", "1-2", "退款=全额", "", "it's - so"])
def test_a_harmless_cell_stays_as_it_is(text: str) -> None:
    assert neutral(text) == text


def test_a_cell_shows_control_characters_as_marks() -> None:
    assert neutral("\x00=1 \x1b[31m\x9b\tx\r\ny") == "<NUL>=1 <ESC>[31m<CSI>\tx\r\ny"


def test_csv_keeps_line_breaks_quotes_and_bars_of_a_text() -> None:
    answer = 'one\r\ntwo "three", four\n| five'
    (cells,) = read_csv(written([make_row(answer=answer)], "csv"))
    assert cells["answer"] == answer


def test_csv_of_a_lone_surrogate_is_valid_utf8() -> None:
    data = written([make_row(answer="x\ud800y")], "csv")
    assert "x\\ud800y" in data.decode("utf-8")


def test_jsonl_gives_the_record_as_it_came() -> None:
    raw = '{"id": "c1", "query": "退款", "cost": 1.10, "big": 12345678901234567890, "a": "\\u00e9"}'
    event = Event(
        1, "b", "s", "support", "c1", "kb42", 1, Hashes("a", "b", "c"), "wei", "2026-11-28T10:00:00Z",
        "verdict", verdict="ranking",
    )  # fmt: skip
    data = written([make_row(raw, events=(event,))], "jsonl").decode()
    assert raw in data, "not a character of the record changes"
    line = json.loads(data)
    assert list(line) == [
        "run", "case_id", "record", "suggestion", "verdict", "history", "readings", "arbitration",
    ]  # fmt: skip
    assert line["suggestion"]["class"] == "retrieval"
    assert line["suggestion"]["evidence"] == {"missing": ["KB-1"]}
    assert line["verdict"]["class"] == "ranking"
    assert line["verdict"]["note"] == "look again"
    assert [one["class"] for one in line["history"]] == ["ranking"]


def test_jsonl_is_one_object_a_line_whatever_the_text() -> None:
    record = {"id": "c1", "query": "a\u2028b\u2029c\x85d\ne\x0bf"}
    pretty = json.dumps(record, ensure_ascii=False, indent=2)
    data = written([make_row(pretty), make_row(pretty, case_id="c\u20282")], "jsonl").decode()
    assert len(data.splitlines()) == 2
    assert [json.loads(line)["record"] for line in data.splitlines()] == [record, record]
    assert json.loads(data.splitlines()[1])["case_id"] == "c\u20282"


def test_jsonl_writes_not_a_number_as_null_and_says_so() -> None:
    warnings: list[str] = []
    raw = '{"id": "c1", "query": "NaN and -Infinity", "scores": {"x": NaN, "y": -Infinity, "z": 1.5}}'
    data = written([make_row(raw)], "jsonl", warnings=warnings).decode()
    record = json.loads(data, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))["record"]
    assert record == {"id": "c1", "query": "NaN and -Infinity", "scores": {"x": None, "y": None, "z": 1.5}}
    assert warnings == ["c1: 2 values NaN or infinite, written as null"]


def test_jsonl_escapes_a_lone_surrogate() -> None:
    data = written([make_row('{"id": "c1", "query": "x\\ud800y"}')], "jsonl")
    assert json.loads(data)["record"]["query"] == "x\ud800y"


def test_chinese_stays_readable_in_jsonl_and_csv() -> None:
    for format in ("jsonl", "csv"):
        assert "退款" in written([make_row({"id": "c1", "query": "退款多久"})], format).decode()


def test_on_one_line_leaves_words_in_strings_alone() -> None:
    text, lost = on_one_line('{"a": "NaN \\" Infinity", "NaN": NaN}')
    assert text == '{"a": "NaN \\" Infinity", "NaN": null}'
    assert lost == 1


HOSTILE = [
    "a|b\nc || d", "x\\|y", "`1|2`", "[click](javascript:alert(1))", "![x](http://evil.example/a.png)",
    "<img src=x onerror=alert(1)>", "\n- [ ] another\n# heading", "```\ncode", "**bold** _it_ ~~s~~",
    "&lt;b&gt;", "$x$ @you #1", "<!-- comment", "http://evil.example www.evil.example", "\x1b]0;title\x07",
    "a\u2028- [ ] b",
]  # fmt: skip


def unescaped(line: str) -> str:
    return re.sub(r"\\(.)", r"\1", line)


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_keeps_each_case_one_checkbox_with_its_text_whole(text: str) -> None:
    row = make_row(
        case_id=text, query=text, answer=text, topic=text, expected_ids=(text,),
        review=Review("ranking", (text,), text, text, "2026-11-28T10:00:00Z"),
    )  # fmt: skip
    data = written([row, make_row(case_id="c2")], "markdown").decode()
    lines = data.splitlines()
    assert [line for line in lines if line.startswith("#")] == ["# Sprint list: kb42", "## ranking"]
    boxes = [line for line in lines if line.lstrip().startswith("- [ ]")]
    assert len(boxes) == 2
    assert "\x1b" not in data
    for line in lines:
        bare = re.sub(r"\\.", "", line.replace("- [ ]", "").replace("**", ""))
        assert not set("`[]<>|*_") & set(bare), line
    assert unescaped(next(line for line in lines if "answered:" in line)) == f"  - answered: {one_line(text)}"


def test_markdown_has_a_heading_a_verdict_in_fixed_order() -> None:
    rows = [
        make_row(case_id="a", review=Review("test-set")),
        make_row(case_id="b", review=None),
        make_row(case_id="c", review=Review("retrieval")),
        make_row(case_id="d", review=Review("retrieval")),
    ]
    data = written(rows, "markdown").decode()
    assert re.findall(r"^## (.+)$", data, re.MULTILINE) == ["retrieval", "test-set", "not reviewed"]
    assert re.findall(r"^- \[ \] \*\*(.)\*\*", data, re.MULTILINE) == ["c", "d", "a", "b"]
    assert "4 cases" in data


SECRET = "MARIA"


def secret_row() -> ExportRow:
    record = {
        "id": "c1", "query": SECRET, "raw_query": SECRET, "answer": SECRET, "reference_answer": SECRET,
        "answerable": True, "expected_ids": ["KB-1"], "topic": "refund", "latency_ms": 12.5,
        "retrieved": [{"id": "KB-2", "text": SECRET, "title": SECRET, "score": 0.8, "x": {"y": SECRET}},
                      "KB-9"],
        "evidence": [{"id": "KB-2", "text": SECRET}], "history": [{"role": "user", "content": SECRET}],
        "turns": [{"user": SECRET}], "meta": {"name": SECRET, "n": 1}, SECRET.lower(): 3,
        "golden": {"must": [SECRET, {"fact": SECRET, "hit": True}]}, "golden_facts": [SECRET],
        "judges": [{"judge": "j1", "scores": {"clarity": 4}, "reason": SECRET}],
        "tools": [{"name": "lookup", "params": {"user": SECRET}, "result": SECRET, "ok": True}],
        "plan": [SECRET, {"step": SECRET, "ids": ["KB-2"]}],
        "attempts": [{"answer": SECRET, "passed": False}],
        "scores": {"faithfulness": 2, "why": SECRET}, "failure_reason": SECRET, "error": SECRET,
        "citations": ["S1"], "conflict": {"expected": SECRET, "resolved": True},
        "feedback": {"thumb": "up", "says": SECRET},
    }  # fmt: skip
    event = Event(
        1, "b", "s", None, "c1", "kb42", 1, Hashes("a", "b", "c"), "wei", "2026-11-28T10:00:00Z", "note",
        note=SECRET, reason=SECRET,
    )  # fmt: skip
    return make_row(
        record, query=SECRET, answer=SECRET, events=(event,),
        readings=(Reading("c1", "wei", "ranking", ("stale-doc",), SECRET, "2026-11-28T10:00:00Z", 1),),
        settled=Arbitration("c1", "li", "ranking", SECRET, "2026-11-28T11:00:00Z", 2),
        review=Review("ranking", ("stale-doc",), SECRET, "wei", "2026-11-28T10:00:00Z"),
        suggestion=Finding("ranking", "distractor_first_and_cited", 0.8, {
            "rank": 2, "expected": ["KB-1"], "texts": {"KB-2": SECRET}, "answer": SECRET,
        }),
    )  # fmt: skip


@pytest.mark.parametrize("format", ["csv", "jsonl", "markdown"])
def test_redacting_leaves_nothing_that_somebody_said(format: Any) -> None:
    data = written([secret_row()], format, redact=True).decode()
    assert SECRET not in data
    assert "ranking" in data
    assert "KB-1" in data
    assert "stale-doc" in data


def test_redacting_keeps_ids_classes_and_numbers_of_the_record() -> None:
    line = json.loads(written([secret_row()], "jsonl", redact=True))
    record = line["record"]
    assert record["id"] == "c1"
    assert record["query"] == ""
    assert record["answer"] is None
    assert record["meta"] is None
    assert record["history"] is None
    assert record["expected_ids"] == ["KB-1"]
    assert record["retrieved"][0] == {"id": "KB-2", "text": None, "title": None, "score": 0.8, "x": None}
    assert record["retrieved"][1] == "KB-9"
    assert record["latency_ms"] == 12.5
    assert record["scores"] == {"faithfulness": 2}
    assert record["judges"][0]["scores"] == {"clarity": 4}
    evidence = line["suggestion"]["evidence"]
    assert evidence == {"rank": 2, "expected": ["KB-1"], "texts": {"KB-2": ""}, "answer": ""}
    assert line["verdict"]["class"] == "ranking"
    assert line["verdict"]["note"] == ""


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("a.csv", "csv"),
        ("a.JSONL", "jsonl"),
        ("a.md", "markdown"),
        ("a.markdown", "markdown"),
        ("a", "csv"),
        ("a.txt", "csv"),
    ],
)
def test_the_ending_chooses_the_format(name: str, format: str) -> None:
    assert format_of(Path(name)) == format


def test_no_ending_is_csv_and_a_foreign_one_is_refused() -> None:
    assert format_of(None) == "csv"
    assert format_of(Path("a.xlsx")) == "xlsx"
    with pytest.raises(UsageError, match="ods"):
        format_of(Path("a.ods"))


def test_a_failed_export_leaves_the_old_file_and_no_draft(tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    target.write_text("old")

    def broken() -> Iterator[bytes]:
        yield b"new"
        raise TriageError("gone")

    with pytest.raises(TriageError, match="gone"):
        write_whole(target, broken())
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


def test_a_file_that_is_there_is_not_replaced_unasked(tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    target.write_text("old")
    with pytest.raises(TriageError, match="is there already"):
        write_whole(target, [b"new"], overwrite=False)

    def came_meanwhile() -> Iterator[bytes]:
        (tmp_path / "later.csv").write_text("theirs")
        yield b"new"

    with pytest.raises(TriageError, match="is there already"):
        write_whole(tmp_path / "later.csv", came_meanwhile(), overwrite=False)
    assert target.read_text() == "old"
    assert (tmp_path / "later.csv").read_text() == "theirs"
    assert {path.name for path in tmp_path.iterdir()} == {"out.csv", "later.csv"}


def test_missing_folders_are_made_only_when_wanted_and_not_left_behind_empty(tmp_path: Path) -> None:
    target = tmp_path / "a" / "b" / "out.csv"
    assert write_whole(target, [b"one", b"two"], make_folder=True) == 6
    assert target.read_bytes() == b"onetwo"

    def stopped() -> Iterator[bytes]:
        yield b"x"
        raise TriageError("stopped")

    with pytest.raises(TriageError, match="stopped"):
        write_whole(tmp_path / "c" / "d" / "out.csv", stopped(), make_folder=True)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_told_in_one_line() -> None:
    with pytest.raises(TriageError, match="No space left on device") as told:
        write_whole(Path("/dev/full"), [b"x" * 100_000])
    assert "\n" not in str(told.value)


def test_a_disk_that_fills_up_leaves_the_old_file_and_no_draft(tmp_path: Path) -> None:
    program = (
        "import resource, sys, pathlib\nfrom triage.export import write_whole\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "write_whole(pathlib.Path(sys.argv[1]), (b'x' * 1000 for _ in range(100)))"
    )
    (tmp_path / "out.csv").write_text("old")
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "out.csv")], capture_output=True, text=True
    )
    assert "TriageError: can't write the export" in done.stderr
    assert (tmp_path / "out.csv").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


def test_an_export_takes_the_place_of_the_old_file_with_its_permissions(tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    target.write_text("old")
    target.chmod(0o640)
    link = tmp_path / "link.csv"
    link.symlink_to(target)
    write_whole(link, [b"ne", b"w"])
    assert target.read_bytes() == b"new"
    assert link.is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        write_whole(tmp_path / "new.md", [b"x"])
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "new.md").stat().st_mode) == 0o640


@pytest.mark.parametrize("name", ["nowhere/out.csv", "."])
def test_a_place_that_cannot_be_written_is_told_in_one_line(tmp_path: Path, name: str) -> None:
    with pytest.raises(TriageError) as told:
        write_whole(tmp_path / name, [b"x"])
    assert "\n" not in str(told.value)
    assert not (tmp_path / "nowhere").exists()


def test_the_fault_files_export_as_they_should(shared: Callable[[str], Path]) -> None:
    records = [json.loads(line) for line in shared("bugfiles/117_formula.jsonl").read_text().splitlines()]
    rows = [make_row(r, case_id=r["id"], query=r["query"], answer=r["answer"]) for r in records]
    for cells in read_csv(written(rows, "csv")):
        for cell in cells.values():
            assert not cell or cell[0] not in "=+-@\t\r"
    out = [json.loads(line)["record"] for line in written(rows, "jsonl").decode().splitlines()]
    assert out == records
