"""Exports through the workspace: scopes, preview, progress, a way to stop."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from triage.errors import TriageError
from triage.models.query import Drill, Scope
from triage.workspace import Workspace

TAGGED = Scope("kb42", text="is:tagged")
FORMATS = ("csv", "jsonl", "markdown", "xlsx")


def many(workspace: Workspace, make: Any, folder: Path, count: int) -> Scope:
    workspace.ingest([make.file(folder / "many.jsonl", [make.case(f"c{n}") for n in range(count)])])
    return Scope(workspace.runs()[0].id)


def test_marked_cases_are_exported_in_the_order_of_the_list(workspace: Workspace, tmp_path: Path) -> None:
    keys = [workspace.case_key(Scope("kb42"), name) for name in ("rank", "bare", "miss")]
    marked = frozenset(key for key in keys if key is not None)
    scope = Scope("kb42", text="is:marked", sort="-file")
    report = workspace.exporting.write(scope, "jsonl", tmp_path / "x.jsonl", marked=marked)
    lines = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text("utf-8").splitlines()]
    assert [line["case_id"] for line in lines] == ["bare", "miss", "rank"]
    assert (report.cases, report.size) == (3, (tmp_path / "x.jsonl").stat().st_size)
    assert workspace.exporting.preview(scope, "csv", marked=marked).cases == 3


def test_a_workbook_says_what_its_cases_are_similar_to(workspace: Workspace, tmp_path: Path) -> None:
    scope = Scope("kb42", drill=Drill(similar="rank"))
    workspace.exporting.write(scope, "xlsx", tmp_path / "like.xlsx")
    said = {row[0].value: row[1].value for row in load_workbook(tmp_path / "like.xlsx")["run"].iter_rows()}
    assert said["filter"] == "similar to rank"


@pytest.mark.parametrize("format", FORMATS[:3])
@pytest.mark.parametrize("redact", [False, True])
def test_a_preview_of_all_cases_is_the_file(workspace: Workspace, format: Any, redact: bool) -> None:
    workspace.tag("kb42", ["rank", "miss"], "ranking", note="look | here")
    workspace.tag("kb42", ["bare"], "retrieval")
    scope = Scope("kb42", sort="-id")
    whole = workspace.exporting.write(scope, format, redact=redact).content.decode("utf-8-sig")
    assert workspace.exporting.preview(scope, format, redact=redact).text == whole


@pytest.mark.parametrize("format", FORMATS[:3])
def test_a_preview_of_some_cases_is_the_beginning_of_the_file(workspace: Workspace, format: Any) -> None:
    workspace.tag("kb42", ["rank", "miss"], "ranking")
    workspace.tag("kb42", ["bare"], "retrieval")
    whole = workspace.exporting.write(Scope("kb42"), format).content.decode("utf-8-sig")
    preview = workspace.exporting.preview(Scope("kb42"), format, shown=2)
    assert (preview.cases, preview.shown) == (8, 2)
    assert whole.startswith(preview.text)


def test_a_preview_of_a_workbook_is_its_table(workspace: Workspace, tmp_path: Path) -> None:
    workspace.tag("kb42", ["rank", "miss"], "ranking", note="=1\x1b+1")
    workspace.exporting.write(TAGGED, "xlsx", tmp_path / "x.xlsx")
    sheet = load_workbook(tmp_path / "x.xlsx")["cases"]
    cells = [tuple(cell or "" for cell in row) for row in sheet.iter_rows(values_only=True)]
    assert list(workspace.exporting.preview(TAGGED, "xlsx").table) == cells
    assert cells[1][4] == "=1<ESC>+1"


@pytest.mark.parametrize(
    ("scope", "words"),
    [
        (TAGGED, "is:tagged"),
        (Scope("kb42"), "every case"),
        (Scope("kb42", view="failing"), "view failing"),
        (Scope("kb42", text="topic:refund", drill=Drill("hit", "worse")), "topic:refund, hit worse"),
        (Scope("kb42", text="a:b", literal=True), '"a:b"'),
        (Scope("kb42", drill=Drill(failure_class="ranking")), "suggestion:ranking"),
    ],
)
def test_a_workbook_says_what_was_asked_for(
    workspace: Workspace, tmp_path: Path, scope: Scope, words: str
) -> None:
    workspace.exporting.write(scope, "xlsx", tmp_path / "x.xlsx")
    about = dict(load_workbook(tmp_path / "x.xlsx")["run"].iter_rows(values_only=True))
    assert (about["run"], about["filter"], about["redacted"]) == ("kb42", words, "no")
    assert about["exported at"].startswith("2026-11-28T10:00:")


def test_a_redacted_workbook_does_not_quote_the_filter(workspace: Workspace, tmp_path: Path) -> None:
    for scope, words in ((Scope("kb42", text="seven"), "(left out: redacted)"), (TAGGED, "is:tagged")):
        workspace.exporting.write(scope, "xlsx", tmp_path / "x.xlsx", redact=True)
        about = dict(load_workbook(tmp_path / "x.xlsx")["run"].iter_rows(values_only=True))
        assert (about["filter"], about["redacted"]) == (words, "yes")


@pytest.mark.parametrize("format", FORMATS)
def test_an_export_can_be_stopped_and_leaves_nothing(
    workspace: Workspace, make: Any, tmp_path: Path, format: Any
) -> None:
    scope = many(workspace, make, tmp_path, 300)
    cancel, told = threading.Event(), []

    def progress(done: int, of: int) -> None:
        told.append((done, of))
        cancel.set()

    target = tmp_path / "out" / "x"
    with pytest.raises(TriageError, match="stopped"):
        workspace.exporting.write(scope, format, target, make_folder=True, progress=progress, cancel=cancel)
    assert told == [(100, 300)]
    assert not target.parent.exists()


def test_a_run_that_changes_meanwhile_leaves_no_part_of_it(
    workspace: Workspace, make: Any, tmp_path: Path
) -> None:
    scope = many(workspace, make, tmp_path, 1200)

    def progress(done: int, of: int) -> None:
        if done == 100:
            workspace.remove([scope.run])

    with pytest.raises(TriageError, match="changed meanwhile"):
        workspace.exporting.write(scope, "csv", tmp_path / "x.csv", progress=progress)
    assert not (tmp_path / "x.csv").exists()


SAID = '=HYPERLINK("http://evil") | [x](y) \x1b[2J 中文'


@pytest.mark.parametrize("redact", [False, True])
def test_exports_tell_what_each_reader_says_and_what_was_decided(
    workspace: Workspace, open_workspace: Any, redact: bool
) -> None:
    workspace.tag("kb42", ["rank"], "ranking", labels=["order"], note=SAID)
    open_workspace("li").tag("kb42", ["rank"], "retrieval")
    open_workspace("lead").queue.arbitrate("kb42", "rank", "refusal", SAID)
    workspace.coding.rename("order", "wrong order")
    scope = Scope("kb42", text="id:rank OR id:ok")
    kinds: tuple[Any, ...] = FORMATS[:3]
    parts = {kind: workspace.exporting.write(scope, kind, redact=redact).content for kind in kinds}
    untouched, line = (json.loads(one) for one in parts["jsonl"].decode().splitlines())
    assert (untouched["readings"], untouched["arbitration"]) == ([], None)
    told = [(one["reviewer"], one["class"], one["labels"], one["note"]) for one in line["readings"]]
    note = "" if redact else SAID
    assert told == [("wei", "ranking", ["wrong order"], note), ("li", "retrieval", [], "")]
    assert (line["arbitration"]["class"], line["arbitration"]["reason"]) == ("refusal", note)
    assert [event["kind"] for event in line["history"]] == ["verdict", "verdict", "arbitration", "labels"]
    sheet = parts["markdown"].decode()
    assert "lead, 2026" in sheet and "arbitrated\n" in sheet
    assert "  - readings: wei ranking, li retrieval\n" in sheet
    assert ("  - reason: =HYPERLINK" in sheet) is not redact
    for content in parts.values():
        assert (b"HYPERLINK" in content) is not redact and b"\x1b" not in content
    assert redact or b"\"'=HYPERLINK" in parts["csv"]
