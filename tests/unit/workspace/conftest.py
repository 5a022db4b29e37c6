"""A workspace on a database of its own, with a clock that a test can turn."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from triage.models.sample import SampleRule
from triage.settings import Settings
from triage.workspace import Workspace


class Clock:
    """A clock that goes a second further each time it is asked."""

    def __init__(self) -> None:
        self.time = datetime(2026, 11, 28, 10, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.time += timedelta(seconds=1)
        return self.time


def case(name: str, **fields: Any) -> dict[str, Any]:
    """An answered case with its expected document first; fields as given."""
    plain: dict[str, Any] = {
        "id": name,
        "query": f"query of {name}",
        "topic": "shipping",
        "answerable": True,
        "expected_ids": ["KB-1"],
        "retrieved": [{"id": "KB-1", "text": "seven days"}, {"id": "KB-2"}],
        "predicted_answerable": True,
        "answer": "Seven days.[S1]",
        "citations": ["S1"],
    }
    return {**plain, **fields}


MISSED = {"retrieved": [{"id": "KB-7"}, {"id": "KB-8"}], "citations": [], "answer": "No idea."}
SECOND = {"retrieved": [{"id": "KB-7"}, {"id": "KB-1"}], "citations": ["S2"], "answer": "Seven.[S2]"}
CASES = [
    case("ok"),
    case("rank", **SECOND),
    case("miss", **MISSED),
    case("gold", topic="refund", answerable=False, expected_ids=[], citations=[], answer="It rises."),
    case("label", expected_ids=[]),
    {"id": "bare", "query": "only a question", "answer": "x"},
    case("crash", answer=None, error="timeout", predicted_answerable=None, expected_ids=None),
    case("runner", passed=False, failure_reason="too slow"),
]


class Make:
    """Builders of records and run files."""

    case = staticmethod(case)
    missed = MISSED
    second = SECOND
    cases = CASES

    @staticmethod
    def file(path: Path, records: list[dict[str, Any]], header: dict[str, Any] | None = None) -> Path:
        """A JSONL run file."""
        lines = [] if header is None else [{"run": header}]
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in [*lines, *records])
        path.write_text(text, encoding="utf-8")
        return path


@pytest.fixture
def make() -> type[Make]:
    """Builders of records and run files."""
    return Make


@pytest.fixture
def open_workspace(tmp_path: Path) -> Iterator[Callable[..., Workspace]]:
    """Opens the same database as another reviewer or another sitting would."""
    opened: list[Workspace] = []

    def opening(reviewer: str = "wei", **options: Any) -> Workspace:
        workspace = Workspace(tmp_path / "triage.db", Settings(), reviewer=reviewer, now=Clock(), **options)
        opened.append(workspace)
        return workspace

    yield opening
    for workspace in opened:
        workspace.close()


@pytest.fixture
def workspace(open_workspace: Callable[..., Workspace], tmp_path: Path) -> Workspace:
    """A workspace with one run, `kb42`, of a case for every reason that a key has an answer to."""
    path = Make.file(tmp_path / "kb42.jsonl", CASES, {"id": "kb42", "created_at": "2026-11-28T00:00:00Z"})
    found = open_workspace()
    found.ingest([path])
    return found


class Watch:
    """A clock that stands until it is turned; every look is a millisecond further."""

    def __init__(self) -> None:
        self.time = datetime(2026, 11, 28, 10, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.time += timedelta(milliseconds=1)
        return self.time


def eight(path: Path, make: Any, *, leave: tuple[str, ...] = (), **changed: dict[str, Any]) -> Path:
    """A run file of eight cases, topics in turn; fields of some cases changed."""
    names = [f"c{number}" for number in range(8)]
    cases = [
        make.case(name, topic="refund" if place % 2 else "shipping", **changed.get(name, {}))
        for place, name in enumerate(names)
        if name not in leave
    ]
    return make.file(path, cases, {"id": "r"})


@pytest.fixture
def eight_cases() -> Callable[..., Path]:
    """Writes the run file of those eight cases; see `eight`."""
    return eight


@pytest.fixture
def watch() -> Watch:
    """The clock of all readers."""
    return Watch()


@pytest.fixture
def enter(tmp_path: Path, watch: Watch) -> Any:
    """Opens the database as a reader at a terminal of his own."""
    opened: list[Workspace] = []

    def entering(reviewer: str) -> Workspace:
        opened.append(Workspace(tmp_path / "triage.db", Settings(), reviewer=reviewer, now=watch))
        return opened[-1]

    yield entering
    for workspace in opened:
        workspace.close()


@pytest.fixture
def wei(enter: Callable[[str], Workspace], tmp_path: Path, make: Any) -> Workspace:
    """A reader of the run `r` of eight cases, with a sample of all of them to be read once, and one twice."""
    found = enter("wei")
    found.ingest([eight(tmp_path / "r.jsonl", make)])
    found.sampling.draw("r", SampleRule(seed="1", n=8, by=("class",)), "one")
    found.sampling.draw("r", SampleRule(seed="1", n=8, by=("class",), readings=2), "two")
    return found


@pytest.fixture
def ada(wei: Workspace, enter: Callable[[str], Workspace]) -> Workspace:
    """Another reader of the same samples."""
    return enter("ada")
