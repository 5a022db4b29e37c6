"""`triage export` as a workbook: by ending, by name, to a pipe, never to a terminal."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

import triage as package

Call = Callable[..., Any]


@pytest.fixture
def loaded(triage: Call, small: Path) -> Call:
    assert triage("ingest", "kb42.jsonl").code == 0
    return triage


@pytest.mark.parametrize("words", [["x.xlsx"], ["x.xlsx", "--redact"], ["x.bin", "--format", "xlsx"]])
def test_a_workbook_is_written_by_ending_or_by_name(loaded: Call, place: Path, words: list[str]) -> None:
    loaded("tag", "b", "ranking", "--note", "=SECRET")
    done = loaded("export", "-o", *words)
    assert done.code == 0
    assert f"1 case of kb42 to {words[0]}" in done.err
    header, row = load_workbook(io.BytesIO((place / words[0]).read_bytes()))["cases"].values
    cells = dict(zip(header, row, strict=True))
    assert (cells["run"], cells["case_id"], cells["verdict"]) == ("kb42", "b", "ranking")
    assert cells["note"] == (None if "--redact" in words else "=SECRET")


def test_a_workbook_goes_through_a_pipe(loaded: Call, place: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "triage", "export", "--format", "xlsx", "--filter", "is:failing"],
        env={**os.environ, "PYTHONPATH": str(Path(package.__file__).parent.parent)},
        capture_output=True,
        check=True,
    )
    assert load_workbook(io.BytesIO(done.stdout))["cases"].max_row == 4
    assert done.stderr == b""


def test_a_workbook_does_not_go_to_a_terminal(loaded: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    done = loaded("export", "--format", "xlsx")
    assert done.code == 2
    assert done.out == ""
    assert "-o tagged.xlsx" in done.err
