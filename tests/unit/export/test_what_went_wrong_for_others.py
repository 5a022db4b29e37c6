"""Exports as others got them wrong: formulas, encodings, pipes, HTML, lost ids (bugs.md, class L)."""

from __future__ import annotations

import html
import io
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from export_help import make_row, read_csv, written
from markdown_it import MarkdownIt
from openpyxl import load_workbook

from triage.models.verdict import Event, Hashes, Review
from triage.plain import one_line

HOSTILE = [
    "a|b\nc || d", "x\\|y", "`1|2`", "\\", "trailing \\", "[click](javascript:alert(1))", "[x]: http://e.example",
    "![x](http://evil.example/a.png)", "<img src=x onerror=alert(1)>", "<script>alert(1)</script>",
    "<details><summary>s</summary>", "</li></ul><h1>x", "<!-- comment", "<http://e.example>", "<a@b.example>",
    "\n- [ ] another\n# heading", "- [x] done", "1. one", "```\ncode", "~~~", "    indented",
    "**bold** _it_ ~~s~~",
    "&lt;b&gt; &#60;script&#62; &amp;", "$x$ @you #1 :smile:", "http://evil.example www.evil.example",
    "\x1b]0;title\x07", "a\u2028- [ ] b", "| a | b |\n| --- | --- |\n| 1 | 2 |", "===\n---\n***",
    "a\x0bb\x85c",
    "\u202egnp.exe", "[^1] [^1]: note", "\t- tab", "==mark== ^up^ ~down~", "{{x}} {% y %}", "*", "_", "**",
]  # fmt: skip
SOMEBODY = {"reviewer": "wei", "at": "2026-11-28T10:00:00Z"}


def rendered(data: bytes) -> str:
    """The HTML of a renderer that lets HTML through and knows tables."""
    return str(
        MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(data.decode())
    )


def texts_of(page: str) -> list[str]:
    """The text of every element that holds text alone, unescaped."""
    return [html.unescape(part).strip() for part in re.split(r"<[^>]+>", page) if part.strip()]


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_renders_every_text_as_its_characters(text: str) -> None:
    row = make_row(
        run=text, case_id=text, query=text, answer=text, topic=text, expected_ids=(text,),
        retrieved_ids=(text,), citations=(text,), review=Review("ranking", (text,), text, text, text),
    )  # fmt: skip
    plain = make_row(case_id="c2")
    page = rendered(written([row, plain], "markdown"))
    assert set(re.findall(r"</?([a-z0-9]+)", page)) == {"h1", "h2", "p", "ul", "li", "strong"}
    assert page.count("<li>") == rendered(written([plain, plain], "markdown")).count("<li>")
    assert "\x1b" not in page
    shown = one_line(text)
    found = texts_of(page)
    assert shown in found, "the id, alone in its emphasis"
    assert f"answered: {shown}" in found
    assert f"note: {shown}" in found
    assert f"labels: {shown}" in found
    assert f"topic: {shown}" in found
    assert f"(high risk) {shown}" in found
    assert f"reviewed: {shown}, {shown}" in found


@pytest.mark.parametrize("text", HOSTILE)
def test_the_heading_of_a_sprint_list_is_the_runs_id(text: str) -> None:
    from triage.export import export_rows

    page = rendered(b"".join(export_rows([make_row()], "markdown", title=text)))
    assert f"Sprint list: {one_line(text)}" in texts_of(page)
    assert page.count("<h1>") == 1


def test_every_case_of_the_pipes_file_is_one_item_with_its_text(shared: Callable[[str], Any]) -> None:
    records = [json.loads(line) for line in shared("bugfiles/121_md_pipes.jsonl").read_text().splitlines()]
    rows = [make_row(one, case_id=one["id"], query=one["query"], answer=one["answer"]) for one in records]
    found = texts_of(rendered(written(rows, "markdown")))
    for one in records:
        assert one["id"] in found
        assert f"(high risk) {one['query']}" in found
        assert f"answered: {one_line(one['answer'])}" in found


FORMULAS = [
    "=1+1",
    "+1",
    "-2",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    " =1",
    "\u3000=1",
    "\xa0=1",
    "＝1",
    "\u200b=1",
    '"=1',
]


@pytest.mark.parametrize("text", FORMULAS)
def test_notes_and_labels_of_people_are_neutral_in_csv_and_as_written_in_jsonl(text: str) -> None:
    event = Event(
        1, "b", "s", None, "c1", "kb42", 1, Hashes("a", "b", "c"), **SOMEBODY, kind="note", note=text
    )  # fmt: skip
    row = make_row(run=text, review=Review("other", (text, "b"), text, **SOMEBODY), events=(event,))
    (cells,) = read_csv(written([row], "csv"))
    assert cells["note"] == cells["run"] == "'" + text
    assert cells["labels"] == "'" + text + "|b"
    line = json.loads(written([row], "jsonl"))
    assert line["verdict"]["note"] == line["history"][0]["note"] == text
    assert line["verdict"]["labels"] == [text, "b"]


def test_chinese_is_readable_in_every_format_and_csv_says_its_encoding() -> None:
    row = make_row({"id": "c1", "query": "退款多久"}, citations=("知识库-1",), retrieved_ids=("退货政策",))
    for format in ("csv", "jsonl", "markdown"):
        text = written([row], format).decode("utf-8")
        assert "退款多久" in text
        assert "\\u" not in text
    assert written([row], "csv")[:3] == b"\xef\xbb\xbf"
    cells = [cell.value for cell in load_workbook(io.BytesIO(written([row], "xlsx")))["cases"][2]]
    assert "退货政策" in cells


def test_our_own_csv_reads_back_cell_by_cell() -> None:
    rows = [make_row(case_id=f"案例-{number}", answer='七天\r\n"内",|\u2028x') for number in range(3)]
    back = read_csv(written(rows, "csv"))
    assert [one["case_id"] for one in back] == ["案例-0", "案例-1", "案例-2"]
    assert {one["answer"] for one in back} == {'七天\r\n"内",|\u2028x'}
    assert next(iter(back[0])) == "run", "the mark is no part of the first column's name"


@pytest.mark.parametrize("label", ["answer", "id", "case_id", "run", "verdict", "record"])
@pytest.mark.parametrize("format", ["csv", "jsonl", "markdown", "xlsx"])
def test_what_finds_a_case_again_is_in_every_format_whatever_its_label(format: Any, label: str) -> None:
    record = {"id": "c1", "query": "退款多久到账", "answer": "七天内。[S1]"}
    data = written([make_row(record, review=Review("ranking", (label,), "look", **SOMEBODY))], format)
    if format == "xlsx":
        book = load_workbook(io.BytesIO(data))["cases"]
        cells = dict(zip(*book.iter_rows(values_only=True), strict=True))
    elif format == "csv":
        (cells,) = read_csv(data)
    elif format == "jsonl":
        line = json.loads(data)
        assert line["record"] == record
        review = line["verdict"]
        cells = {
            "run": line["run"], "case_id": line["case_id"], "answer": line["record"]["answer"],
            "verdict": review["class"], "labels": "|".join(review["labels"]), "note": review["note"],
            "reviewer": review["reviewer"], "reviewed_at": review["at"],
        }  # fmt: skip
    else:
        found = texts_of(rendered(data))
        for text in ("Sprint list: kb42", "ranking", "c1", "answered: 七天内。[S1]", f"labels: {label}"):
            assert text in found
        assert "note: look" in found
        assert "reviewed: wei, 2026-11-28T10:00:00Z" in found
        return
    assert (cells["run"], cells["case_id"], cells["answer"]) == ("kb42", "c1", "七天内。[S1]")
    assert (cells["verdict"], cells["labels"], cells["note"]) == ("ranking", label, "look")
    assert (cells["reviewer"], cells["reviewed_at"]) == ("wei", "2026-11-28T10:00:00Z")
