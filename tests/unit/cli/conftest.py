"""The command line, called as a script calls it: no terminal, a folder and a home of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from triage.cli.run import run


@dataclass(frozen=True)
class Done:
    """What a call came back with."""

    code: int
    out: str
    err: str
    raw: bytes = b""

    @property
    def json(self) -> Any:
        """Standard output as JSON; NaN is none."""
        return json.loads(self.out, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))

    @property
    def lines(self) -> list[Any]:
        """Standard output as JSON lines."""
        return [json.loads(line) for line in self.out.split("\n") if line]


Call = Callable[..., Done]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory that is a repository's root, so that no database above it is found."""
    folder = tmp_path / "work"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def triage(place: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> Call:
    """Calls `triage` in `place`."""

    def call(*words: str) -> Done:
        capfdbinary.readouterr()
        code = run(list(words))
        captured = capfdbinary.readouterr()
        return Done(code, captured.out.decode("utf-8"), captured.err.decode("utf-8"), captured.out)

    return call


def write_run(path: Path, records: list[dict[str, Any]], header: dict[str, Any] | None = None) -> Path:
    """A JSONL run file."""
    lines = [] if header is None else [{"run": header}]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in [*lines, *records])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def record(case: str, **fields: Any) -> dict[str, Any]:
    """An answered case with its expected document first; fields as given."""
    plain: dict[str, Any] = {
        "id": case,
        "query": f"query of {case}",
        "topic": "shipping",
        "answerable": True,
        "expected_ids": ["KB-1"],
        "retrieved": [{"id": "KB-1", "text": "seven days"}, {"id": "KB-2"}, {"id": "KB-3"}],
        "predicted_answerable": True,
        "answer": "Seven days.[S1]",
        "citations": ["S1"],
    }
    return {**plain, **fields}


MISSED = {"retrieved": [{"id": "KB-7"}, {"id": "KB-8"}], "citations": [], "answer": "No idea."}
SECOND = {"retrieved": [{"id": "KB-7"}, {"id": "KB-1"}], "citations": ["S2"], "answer": "Seven.[S2]"}


class Make:
    """Records and run files for tests."""

    record = staticmethod(record)
    write = staticmethod(write_run)
    missed = MISSED
    second = SECOND


@pytest.fixture
def make() -> type[Make]:
    """Builders of records and run files."""
    return Make


@pytest.fixture
def small(place: Path) -> Path:
    """A run file of four cases: ok, ranking, retrieval, refusal (high risk)."""
    return write_run(
        place / "kb42.jsonl",
        [
            record("a"),
            record("b", **SECOND),
            record("c", **MISSED),
            record("d", topic="refund", answerable=False, expected_ids=[], citations=[], answer="It rises."),
        ],
        {"id": "kb42", "dataset": {"name": "small", "version": "1"}, "kb_version": "42",
         "created_at": "2026-11-28T10:00:00Z"},
    )  # fmt: skip


@pytest.fixture
def ten(shared: Callable[[str], Path], place: Path) -> Path:
    """The published ten-case fixture as a run file."""
    vector = json.loads(shared("vectors/fixture_ten_cases.json").read_text(encoding="utf-8"))
    return write_run(place / "ten.jsonl", vector["cases"], {"id": "ten", "k": vector["k"]})
