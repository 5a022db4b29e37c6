"""The workbook: read with openpyxl, and as the XML that any spreadsheet sees."""

from __future__ import annotations

import io
import json
import re
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from export_help import make_row, written
from openpyxl import Workbook, load_workbook

from triage.errors import TriageError
from triage.export import About, ExportRow, export_rows, xlsx
from triage.export.rows import COLUMNS
from triage.models.verdict import Review

ABOUT = About("kb42", "support-zh v3", "is:tagged", "2026-11-28T10:00:00Z")


def book_of(rows: list[ExportRow], **options: Any) -> Workbook:
    return load_workbook(io.BytesIO(written(rows, "xlsx", **options)))


def cells_of(book: Workbook, row: int = 2) -> dict[str, Any]:
    return {name: book["cases"].cell(row, column).value or "" for column, name in enumerate(COLUMNS, start=1)}


def xml_of(data: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return "".join(archive.read(name).decode() for name in archive.namelist() if "sheet" in name)


def test_the_columns_are_those_of_csv_under_a_bold_frozen_header() -> None:
    book = book_of([make_row(), make_row(case_id="c2")])
    sheet = book["cases"]
    assert [cell.value for cell in sheet[1]] == list(COLUMNS)
    assert all(cell.font.bold for cell in sheet[1])
    assert sheet.freeze_panes == "A2"
    assert sheet.auto_filter.ref == "A1:P3"
    assert sheet.max_row == 3
    assert sheet.column_dimensions["M"].width > sheet.column_dimensions["A"].width > 10
    cells = cells_of(book)
    assert cells["query"] == "退款多久到账"
    assert cells["labels"] == "stale-doc|answer"
    assert cells["answer"] == "七天内。[S1]", "a label named like a column leaves the column alone"
    assert cells["reviewed_at"] == "2026-11-28T10:00:00Z"
    assert cells["expected_ids"] == "KB-1|KB-2"
    assert cells["query_type"] == ""


def test_the_second_sheet_says_what_the_first_one_is() -> None:
    rows = [make_row(), make_row(case_id="b", review=None), make_row(case_id="d", review=Review("other"))]
    about = dict(book_of(rows, about=ABOUT)["run"].iter_rows(values_only=True))
    assert about["run"] == "kb42"
    assert about["test set"] == "support-zh v3"
    assert about["filter"] == "is:tagged"
    assert about["exported at"] == "2026-11-28T10:00:00Z"
    assert about["cases"] == 3
    assert (about["ranking"], about["other"], about["retrieval"], about["not reviewed"]) == (1, 1, 0, 1)


FORMULAS = ["=1+1", "+1", "-2+3", "@SUM(A1)", "\t=1", "=", "＝1+1", " =1", "=cmd|' /C calc'!A0", "#REF!"]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_text_is_a_formula_in_any_cell(text: str) -> None:
    row = make_row(
        run=text, case_id=text, query=text, answer=text, topic=text, query_type=text, expected_ids=(text,),
        retrieved_ids=(text,), citations=(text,), review=Review("ranking", (text,), text, text, text),
    )  # fmt: skip
    data = written([row], "xlsx", about=About(text, text, text, text))
    assert "<f" not in re.sub("<(?:font|family|fill|filter)", "", xml_of(data))
    assert 't="e"' not in xml_of(data)
    book = load_workbook(io.BytesIO(data))
    for cell in [*book["cases"][2], book["run"]["B1"], book["run"]["B3"]]:
        assert cell.data_type == "s", cell.coordinate
    cells = cells_of(book)
    for name in ("run", "case_id", "note", "labels", "reviewer", "query", "answer", "topic", "citations"):
        assert cells[name] == text, "stored as written, not with a mark before it"


def test_a_formula_stays_a_text_when_somebody_edits_its_cell() -> None:
    book = book_of([make_row(answer="=1+1", query="plain")])
    answer = book["cases"].cell(2, COLUMNS.index("answer") + 1)
    query = book["cases"].cell(2, COLUMNS.index("query") + 1)
    assert answer.quotePrefix
    assert not query.quotePrefix


def test_a_text_that_looks_like_a_number_or_a_date_stays_text() -> None:
    cells = cells_of(book_of([make_row(case_id="007", query="2026-01-02", answer="1e5", topic="TRUE")]))
    assert (cells["case_id"], cells["query"], cells["answer"], cells["topic"]) == (
        "007", "2026-01-02", "1e5", "TRUE",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("a\x1b[31m\x00b", "a<ESC>[31m<NUL>b"),
        ("x\ud800y\uffff", "x<U+D800>y<U+FFFF>"),
        ("\x9b\x7f", "<CSI><DEL>"),
    ],
)
def test_what_xml_has_no_form_for_is_a_visible_mark_told_once_a_case(text: str, stored: str) -> None:
    warnings: list[str] = []
    rows = [make_row(answer=text, query=text), make_row(case_id="c2")]
    book = book_of(rows, warnings=warnings)
    assert cells_of(book)["answer"] == stored
    assert cells_of(book, 3)["case_id"] == "c2"
    assert warnings == [
        "c1: query, answer: control characters as marks",
    ]


def test_line_breaks_tabs_and_spaces_stay() -> None:
    warnings: list[str] = []
    answer = "  one\r\ntwo\rthree\tfour\n"
    assert cells_of(book_of([make_row(answer=answer)], warnings=warnings))["answer"] == (
        "  one\ntwo\nthree\tfour\n"
    )
    assert warnings == []


def test_letters_that_a_spreadsheet_takes_for_an_escape_are_escaped() -> None:
    data = written([make_row(answer="a_x0041_b_x00g1_")], "xlsx")
    assert "a_x005F_x0041_b_x00g1_" in xml_of(data)


@pytest.mark.parametrize("sign", ["x", "长", "🙂"])
def test_a_text_beyond_the_limit_of_a_cell_is_cut_and_told(sign: str) -> None:
    warnings: list[str] = []
    answer = cells_of(book_of([make_row(answer=sign * 40_000)], warnings=warnings))["answer"]
    assert len(answer.encode("utf-16-le")) // 2 <= 32_767
    assert len(answer.encode("utf-16-le")) // 2 > 32_760
    assert answer.endswith("the JSONL export has the whole]")
    assert warnings == ["c1: answer: cut at 32,767 characters, the JSONL export has the whole"]
    whole = "x" * 32_767
    assert cells_of(book_of([make_row(answer=whole)], warnings=warnings))["answer"] == whole
    assert len(warnings) == 1


def test_no_case_is_a_workbook_with_its_header() -> None:
    book = book_of([])
    assert book["cases"].max_row == 1
    assert dict(book["run"].iter_rows(values_only=True))["cases"] == 0


def test_more_cases_than_a_sheet_has_rows_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx, "ROW_LIMIT", 3)
    assert written([make_row()] * 2, "xlsx")
    with pytest.raises(TriageError, match="too many cases"):
        written([make_row()] * 3, "xlsx")


def test_an_export_that_stops_leaves_no_spool_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def rows() -> Iterator[ExportRow]:
        yield make_row()
        raise TriageError("stopped")

    with pytest.raises(TriageError, match="stopped"):
        b"".join(export_rows(rows(), "xlsx", title="kb42"))
    written([make_row()], "xlsx")
    assert list(tmp_path.iterdir()) == []


def test_the_formula_file_comes_out_as_it_is(shared: Callable[[str], Path]) -> None:
    records = [json.loads(line) for line in shared("bugfiles/117_formula.jsonl").read_text().splitlines()]
    rows = [make_row(one, case_id=one["id"], query=one["query"], answer=one["answer"]) for one in records]
    book = book_of(rows)
    for number, one in enumerate(records, start=2):
        cells = cells_of(book, number)
        assert (cells["case_id"], cells["query"]) == (one["id"], one["query"])
        assert cells["answer"] == one["answer"].replace("\r", "\n")
