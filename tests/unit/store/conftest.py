"""Stores on disk, and runs to put into them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from triage.diagnosis import diagnose
from triage.metrics.registry import measure
from triage.models.measure import Scoring
from triage.models.record import Record, RunHeader
from triage.models.run import LoadOptions, Problem, RunSummary
from triage.store import CaseIn, Measured, Store, Who


def record(case_id: str, **fields: Any) -> Record:
    """An answerable case whose expected document stands first, unless told otherwise."""
    plain = {
        "query": f"question {case_id}", "answerable": True, "expected_ids": ["KB-1"],
        "retrieved": [{"id": "KB-1", "text": "seven days"}, {"id": "KB-2", "text": "other"}],
        "answer": "Seven days. [S1]", "predicted_answerable": True, "citations": ["S1"],
    }  # fmt: skip
    return Record.model_validate({"id": case_id, **plain, **fields})


def missed(case_id: str, **fields: Any) -> Record:
    """A case whose expected document was not retrieved."""
    return record(case_id, **{"retrieved": [{"id": "KB-9"}], **fields})


def second(case_id: str, **fields: Any) -> Record:
    """A case whose expected document stands at rank 2."""
    return record(case_id, **{"retrieved": [{"id": "KB-9"}, {"id": "KB-1"}], "citations": ["S2"], **fields})


def measured(item: Record, scoring: Scoring) -> Measured:
    measures = measure(item, scoring)
    return Measured(measures, diagnose(item, scoring))


def case_in(item: Record, position: int, scoring: Scoring | None, *, high_risk: bool = False) -> CaseIn:
    raw = json.dumps({"id": item.id, "query": item.query}, ensure_ascii=False)
    return CaseIn(
        position, position + 1, raw, item, high_risk, None if scoring is None else measured(item, scoring)
    )


@dataclass
class Loaded:
    run: RunSummary
    view: int


def load(
    store: Store,
    records: Iterable[Record],
    *,
    run_id: str | None = "run",
    path: str = "/data/run.jsonl",
    sha256: str = "0",
    problems: Iterable[Problem] = (),
    k: int = 3,
    **header: Any,
) -> Loaded:
    """Store a run as the loader would; returns it with the view of its own K."""
    scoring = Scoring(k=k)
    said = RunHeader.model_validate({"id": run_id, "k": k, **header})
    cases = [
        case_in(item, position, scoring, high_risk=item.topic == "refund")
        for position, item in enumerate(records)
    ]
    with store.begin(
        path=Path(path), format="jsonl", sha256=sha256, size=1, mtime_ns=1_000_000_000, options=LoadOptions(),
        header=said, scoring=scoring,
    ) as writer:  # fmt: skip
        writer.add(cases)
        writer.add_problems(list(problems))
        name, _, rev = writer.finish(
            run_id=run_id, header=said, k=k, warnings=(), records=len(cases), rejected=0, run_cites=True
        )
    run, view = store.run(name), store.view(rev, k)
    assert run is not None and view is not None
    return Loaded(run, view)


def who(reviewer: str = "wei", sitting: str = "morning", at: str = "2026-11-29T10:00:00.000000+00:00") -> Who:
    return Who(reviewer, sitting, at)


@pytest.fixture
def kit() -> SimpleNamespace:
    """The helpers above, for test files that cannot import this one."""
    return SimpleNamespace(
        record=record,
        missed=missed,
        second=second,
        measured=measured,
        case_in=case_in,
        load=load,
        who=who,
        Scoring=Scoring,
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "triage.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path, create=True) as opened:
        yield opened


@pytest.fixture
def another(path: Path, store: Store) -> Iterator[Callable[[], Store]]:
    """Further connections to the same database, as other processes have them."""
    opened: list[Store] = []

    def make() -> Store:
        opened.append(Store(path))
        return opened[-1]

    yield make
    for each in opened:
        each.close()
