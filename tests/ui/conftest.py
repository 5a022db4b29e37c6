"""Real runs in real databases, and the app over them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

# Test files are imported by path, so a module of helpers beside them has to be made findable.
sys.path.insert(0, str(Path(__file__).parent))

from screen_help import BROKE, MISS, record, ten, write

from triage.models.run import LoadOptions
from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.workspace import Workspace


@pytest.fixture(autouse=True)
def truecolor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Colours do not follow the terminal that the tests run in."""
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "triage.db"


@pytest.fixture
def workspace(database: Path, tmp_path: Path) -> Iterator[Workspace]:
    """The run `now` of ten cases, with the earlier run `before`, in which C01 passes."""
    made = Workspace(database, Settings(), reviewer="wei")
    before = ten()
    before[0] = record(1)
    write(tmp_path / "before.jsonl", before, created_at="2026-11-01T10:00:00Z", kb_version="kb1")
    write(tmp_path / "now.jsonl", ten(), created_at="2026-11-02T10:00:00Z", kb_version="kb2")
    made.ingest([tmp_path / "before.jsonl", tmp_path / "now.jsonl"], LoadOptions())
    yield made
    made.close()


@pytest.fixture
def other(database: Path, workspace: Workspace) -> Iterator[Workspace]:
    """A second sitting on the same database, by another reviewer."""
    made = Workspace(database, Settings(), reviewer="li")
    yield made
    made.close()


@pytest.fixture
def app(workspace: Workspace) -> TriageApp:
    return TriageApp(workspace)


@pytest.fixture
def many(tmp_path: Path) -> Iterator[Workspace]:
    """Six runs of `客服测试集`, whose Hit@3 goes .5, .6, .7, .8, .9, 1.0, and one of another test set."""
    made = Workspace(tmp_path / "many.db", Settings(), reviewer="wei")
    for number in range(6):
        cases = [record(case) for case in range(10)]
        for case in cases[: 5 - number]:
            case |= MISS
        write(
            tmp_path / f"run-{number}.jsonl", cases, created_at=f"2026-10-0{number + 1}T10:00:00Z",
            dataset={"name": "客服测试集", "version": "3"}, kb_version=f"kb{number}",
            retrieval={"top_k": 3 + number % 2, "embedding": "bge-m3"}, model="demo-1",
            notes=f"note {number}: " + "what was tried, and why " * 20,
        )  # fmt: skip
    write(
        tmp_path / "other.jsonl", [record(1, **BROKE)], created_at="2026-09-01T10:00:00Z",
        dataset={"name": "helpdesk"},
    )  # fmt: skip
    made.ingest([tmp_path], LoadOptions())
    yield made
    made.close()
