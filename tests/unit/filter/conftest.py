"""A small run in a real store, and the filter over it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from triage.models.measure import CLASSES, Diagnosis, Finding, Measure, Scoring
from triage.models.query import Scope
from triage.models.record import Record, RunHeader
from triage.models.run import LoadOptions
from triage.models.sentences import SentenceSummary
from triage.store import CaseIn, Measured, Store
from triage.store.checks import INSERT_CHECK, check_row
from triage.store.filter import FilterContext, Where, compile_filter

RUN = "run-1"
KNOWN = set(Record.model_fields)


class Table:
    """Cases to be, then cases in a database on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.cases: list[CaseIn] = []
        self.reviews: dict[str, dict[str, Any]] = {}
        self.said: dict[str, SentenceSummary] = {}
        self.more_keys: set[str] = set()
        self.context: dict[str, Any] = {}
        self.leaves: dict[str, set[str]] = {}

    @property
    def ids(self) -> list[str]:
        """Every case's id, in file order."""
        return [case.record.id for case in self.cases]

    def add(
        self,
        id: str,
        *,
        measures: dict[str, float | None] | None = None,
        failing: bool = False,
        suggestion: str | None = None,
        reason: str = "ok",
        confidence: float = 0.8,
        rank: int | None = None,
        high_risk: bool = False,
        review: dict[str, Any] | None = None,
        said: SentenceSummary | None = None,
        **fields: Any,
    ) -> None:
        """A record by its fields; unknown ones are its own keys. A measure of None is missing."""
        extra = {name: fields.pop(name) for name in list(fields) if name not in KNOWN}
        diagnosis = Diagnosis(
            Finding(suggestion, reason, confidence),  # type: ignore[arg-type]
            (),
            failing,
            dict.fromkeys(CLASSES),
            rank,
        )
        values = {key: Measure(value, missing=value is None) for key, value in (measures or {}).items()}
        record = Record(id=id, extra=extra, **fields)
        at = len(self.cases)
        self.cases.append(
            CaseIn(at, at + 1, json.dumps({"id": id}), record, high_risk, Measured(values, diagnosis))
        )
        if review is not None:
            self.reviews[id] = review
        if said is not None:
            self.said[id] = said

    @cached_property
    def store(self) -> Store:
        """The store with everything that was added."""
        store = Store(self.path, create=True)
        file = self.path.with_name("run.jsonl")
        with store.begin(
            path=file,
            format="jsonl",
            sha256="0",
            size=1,
            mtime_ns=1,
            options=LoadOptions(),
            scoring=Scoring(),
        ) as writer:
            writer.add(self.cases)
            writer.finish(
                run_id=RUN, header=RunHeader(), k=3, warnings=(), records=len(self.cases), rejected=0,
                run_cites=True,
            )  # fmt: skip
        for id, review in self.reviews.items():
            self._review(store, id, review)
        with store.write() as sql:
            for id, said in self.said.items():
                (pk,) = sql.execute("SELECT pk FROM cases WHERE case_id = ?", (id,)).fetchone()
                sql.execute(INSERT_CHECK, check_row(pk, said))
        return store

    def _review(self, store: Store, id: str, review: dict[str, Any]) -> None:
        row = {
            "run_id": RUN, "case_id": id, "verdict": review.get("verdict"),
            "labels": json.dumps(review.get("labels", [])), "note": review.get("note", ""),
            "reviewer": review.get("reviewer", "wei"), "disputed": review.get("disputed", False),
            "arbitrated": review.get("arbitrated", False),
            "at": review.get("at", "2026-11-28T10:30:00.250000+00:00"),
        }  # fmt: skip
        with store.write() as sql:
            hashes = sql.execute(
                "SELECT hash_case, hash_answer, hash_retrieved FROM cases WHERE case_id = ?", (id,)
            ).fetchone()
            row |= dict(zip(("hash_case", "hash_answer", "hash_retrieved"), hashes, strict=True))
            row["hash_case"] = review.get("hash", row["hash_case"])
            marks = ",".join("?" * len(row))
            sql.execute(f"INSERT INTO reviews_now ({','.join(row)}) VALUES ({marks})", tuple(row.values()))

    def pk(self, id: str) -> int:
        """A case's primary key."""
        run = self.store.run(RUN)
        found = self.store.pk_of(run.pk, id) if run else None
        assert found is not None
        return found

    def where(self, text: str, *, literal: bool = False, looked_up: bool = True) -> Where:
        """The compiled text; `looked_up`: what few cases have is asked from its side."""
        run = self.store.run(RUN)
        assert run is not None
        context = FilterContext(
            known_keys=lambda: self.store.known_keys(run.pk) | self.more_keys,
            metric_bits=self.store.metric_bits(),
            run=(run.pk, RUN) if looked_up else None,
            **self.context,
        )
        return compile_filter(text, context, literal=literal)

    def run(self, where: Where) -> list[str]:
        """The ids that a condition selects, in file order."""
        run = self.store.run(RUN)
        view = self.store.view(run.pk, 3) if run else None
        assert run is not None and view is not None
        keys = list(self.store.keys(run, view, Scope(RUN), where))
        ids = self.store.ids_of(keys)
        return [ids[key] for key in keys]

    def find(self, text: str, *, literal: bool = False) -> str:
        """The ids that a text selects, in one string."""
        found = self.run(self.where(text, literal=literal))
        assert found == self.run(self.where(text, literal=literal, looked_up=False))
        return " ".join(found)

    def close(self) -> None:
        """Let go of the database."""
        if "store" in self.__dict__:
            self.store.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """An empty run."""
    made = Table(tmp_path / "triage.db")
    yield made
    made.close()


@pytest.fixture
def run(table: Table) -> Table:
    """Five cases that differ in everything a filter can ask for."""
    table.add(
        "a1", query="Can I change 收货地址 after paying?", answer="Within 7 days. [S1]", topic="shipping",
        query_type="condition_change", answerable=True, predicted_answerable=True, expected_ids=["KB-1"],
        retrieved=[{"id": "KB-1"}, {"id": "KB-2", "text": "Free of charge within 7 days"}], citations=["S1"],
        kb_version="kb42", latency_ms=900.0, cost=0.01, passed=True, rank=1,
        meta={"lang": "en", "ok": True, "n": 3}, measures={"hit": 1.0, "mrr": 1.0, "faithfulness": 5.0},
        said=SentenceSummary(1, 1, 1, 1, 0, ("duration", "number")),
    )  # fmt: skip
    table.add(
        "a2", query="退货政策规定七天内可退", answer="可以", topic="refund", answerable=True,
        predicted_answerable=True, expected_ids=["KB-9", "KB-2"], retrieved=[{"id": "KB-3"}], citations=[],
        latency_ms=2100.0, passed=False, high_risk=True, failing=True, suggestion="retrieval",
        reason="expected_missing_from_topk", confidence=0.95,
        measures={"hit": 0.0, "mrr": 0.0, "faithfulness": 2.0},
        review={"verdict": "retrieval", "labels": ["stale-doc", "routing"], "note": "Reranker 100% off_line"},
        meta={"lang": "zh", "tags": ["x", {"deep": "Y"}]}, verdict="bad",
        said=SentenceSummary(2, 1, 1, 1, 0, ("number",)),
    )  # fmt: skip
    table.add(
        "a3", query="POL-358 applies?", answer="I can't tell.", topic="privacy", answerable=False,
        predicted_answerable=False, retrieved=[], inferred=["predicted_answerable"],
        turns=[{"user": "hi"}, {"user": "x"}, {"user": "y"}], measures={"hit": None, "faithfulness": None},
        review={"verdict": "not-a-failure", "reviewer": "Lee"}, said=SentenceSummary(),
    )  # fmt: skip
    table.add(
        "a4", query="straße in İstanbul", answer="", topic="Account", error="Timeout after 30 s",
        failing=True, reason="system_error", confidence=1.0, cost=0.5, **{"a.b": {"c d": "1.5"}},
    )  # fmt: skip
    table.add(
        "a5", query="kb:1 and *star*", answer='say "hi (there)', failing=True, suggestion="ranking",
        reason="expected_below_rank1", confidence=0.6, rank=2, expected_ids=["KB-1"],
        retrieved=[{"id": "kb-1"}], measures={"hit": 1.0, "mrr": 0.5}, review={"note": "look again"},
    )  # fmt: skip
    return table
