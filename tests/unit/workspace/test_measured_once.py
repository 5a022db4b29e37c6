"""Threads that ask for the same measures at one time: they are taken once, and nobody reads half of them."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from msgspec.structs import replace

import triage.ingest.views as views
from triage.models.query import Scope
from triage.settings import Settings
from triage.workspace import Workspace

CASES, THREADS = 40, 4


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A run of which every case fails as long as .9 is sure enough."""
    lines = [
        {
            "id": f"C{number:02}", "query": f"question {number}", "answerable": True,
            "expected_ids": ["KB-1"],
            "retrieved": [{"id": "KB-2", "text": "other"}], "answer": "seven days [S1]",
            "citations": ["S1"],
        }
        for number in range(CASES)
    ]  # fmt: skip
    run = tmp_path / "once.jsonl"
    run.write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
    made = Workspace(tmp_path / "once.db", Settings(), reviewer="wei")
    made.ingest([run])
    return made


def test_threads_that_ask_at_once_measure_once_and_read_all(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = []
    measure = views.measure_view

    def counted(*given: object, **named: object) -> int:
        measured.append(1)
        return measure(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(views, "measure_view", counted)
    [run] = workspace.runs()
    for round_ in range(6):
        sure, failing = (1.0, 0) if round_ % 2 == 0 else (0.4, CASES)
        workspace.settings = replace(workspace.settings, failing_confidence=sure)
        together = Barrier(THREADS)

        def ask(_: int, together: Barrier = together) -> tuple[int, int]:
            together.wait()
            view = workspace.run_view(Scope(run.id))
            return view.matching, view.failing

        with ThreadPoolExecutor(THREADS) as pool:
            assert list(pool.map(ask, range(THREADS))) == [(CASES, failing)] * THREADS
    assert len(measured) == 6
