"""`triage export` as a workbook: by ending, by name, to a pipe, never to a terminal."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

Call = Callable[..., Any]


@pytest.fixture
def loaded(triage: Call, small: Path) -> Call:
    assert triage("ingest", "kb42.jsonl").code == 0
    return triage


@pytest.mark.parametrize("words", [["-o", "x.xlsx"], ["-o", "x.xlsx", "--redact"], ["--format", "xlsx"]])
def test_a_workbook_is_written_by_ending_or_by_name(loaded: Call, place: Path, words: list[str]) -> None:
    loaded("tag", "b", "ranking", "--note", "=SECRET")
    done = loaded("export", *words)
    assert done.code == 0
    data = done.raw if "-o" not in words else (place / "x.xlsx").read_bytes()
    header, row = load_workbook(io.BytesIO(data))["cases"].iter_rows(values_only=True)
    cells = dict(zip(header, row, strict=True))
    assert (cells["run"], cells["case_id"], cells["verdict"]) == ("kb42", "b", "ranking")
    assert cells["note"] == (None if "--redact" in words else "=SECRET")
    assert "1 case of kb42 to x.xlsx" in done.err or "-o" not in words


def test_a_workbook_does_not_go_to_a_terminal(loaded: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    done = loaded("export", "--format", "xlsx")
    assert done.code == 2
    assert done.out == ""
    assert "-o tagged.xlsx" in done.err
