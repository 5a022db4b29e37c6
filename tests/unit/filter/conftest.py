"""A small run in the store's own tables, filled through the store's own packing."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest

from triage.models.measure import CLASSES, Diagnosis, Finding, Measure, Scoring
from triage.models.record import Record
from triage.store import columns, packing, schema
from triage.store.filter import FilterContext, Where, compile_filter, register_functions
from triage.store.rows import CaseIn, Measured

RUN, REV, VIEW = "run-1", 1, 1
KNOWN = set(Record.model_fields)


class Table:
    """Cases in a database in memory, and the filter over them."""

    def __init__(self) -> None:
        self.sql = sqlite3.connect(":memory:", isolation_level=None)
        for _, statements in schema.STEPS:
            for statement in statements:
                self.sql.execute(statement)
        self.columns = columns.ensure_columns(self.sql)
        register_functions(self.sql)
        self.ids: list[str] = []
        self.keys: set[str] = set()
        self.context: dict[str, Any] = {}

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
        **fields: Any,
    ) -> None:
        """A record by its fields; unknown ones are its own keys. A measure of None is missing."""
        extra = {name: fields.pop(name) for name in list(fields) if name not in KNOWN}
        record = Record(id=id, extra=extra, **fields)
        payload = packing.extra_of(record)
        packing.dotted_keys(payload, self.keys)
        case = CaseIn(len(self.ids), len(self.ids) + 1, json.dumps(extra), record, high_risk)
        rows = packing.case_rows(REV, case, packing.dumps(payload), None, None)
        tables = (
            ("cases", packing.CASE_COLUMNS),
            ("texts", packing.TEXT_COLUMNS),
            ("records", ("case_pk", "evidence", "raw")),
        )
        for (table, names), row in zip(tables, rows, strict=True):
            marks = ",".join("?" * len(names))
            self.sql.execute(
                f"INSERT INTO {table} ({','.join(names)}) VALUES ({marks})", packing.text_safe(row)
            )
        measured = Measured(
            {key: Measure(value, missing=value is None) for key, value in (measures or {}).items()},
            Diagnosis(
                Finding(suggestion, reason, confidence),  # type: ignore[arg-type]
                (),
                failing,
                dict.fromkeys(CLASSES),
                rank,
            ),
        )
        packer = packing.Packer(self.columns, Scoring())
        self.sql.execute(packer.insert, packer.pack(VIEW, rows[0][0], measured))
        if review is not None:
            hashes = self.sql.execute(
                "SELECT hash_case, hash_answer, hash_retrieved FROM cases WHERE case_id = ?", (id,)
            ).fetchone()
            self.sql.execute(
                "INSERT INTO reviews_now VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    RUN, id, review.get("verdict"), json.dumps(review.get("labels", [])), review.get("note", ""),
                    review.get("reviewer", "wei"), review.get("at", "2026-11-28T10:30:00.250000+00:00"),
                    review.get("disputed", False), review.get("hash", hashes[0]), *hashes[1:],
                ),
            )  # fmt: skip
        self.ids.append(id)

    def pk(self, id: str) -> int:
        """A case's primary key."""
        return int(self.sql.execute("SELECT pk FROM cases WHERE case_id = ?", (id,)).fetchone()[0])

    def where(self, text: str, *, literal: bool = False) -> Where:
        """The compiled text."""
        bits = dict(self.sql.execute("SELECT key, bit FROM metric_columns"))
        context = FilterContext(
            view_pk=VIEW, rev=REV, run_id=RUN, known_keys=lambda: self.keys, metric_bits=bits, **self.context
        )
        return compile_filter(text, context, literal=literal)

    def run(self, where: Where) -> list[str]:
        """The ids that a condition selects, in file order, with no more joins than it asks for."""
        joins = "FROM measures m CROSS JOIN cases c ON c.pk = m.case_pk"
        if where.needs_payload:
            joins += " CROSS JOIN payloads p ON p.case_pk = m.case_pk"
        params: list[Any] = []
        if where.needs_reviews:
            joins += " LEFT JOIN reviews_now r ON r.run_id = ? AND r.case_id = c.case_id"
            params = [RUN]
        rows = self.sql.execute(
            f"SELECT c.case_id {joins} WHERE m.view = ? AND ({where.sql}) ORDER BY c.pk",
            (*params, VIEW, *where.params),
        )
        return [row[0] for row in rows]

    def find(self, text: str, *, literal: bool = False) -> str:
        """The ids that a text selects, in one string."""
        return " ".join(self.run(self.where(text, literal=literal)))


@pytest.fixture
def table() -> Iterator[Table]:
    """An empty run."""
    made = Table()
    yield made
    made.sql.close()


@pytest.fixture
def run(table: Table) -> Table:
    """Five cases that differ in everything a filter can ask for."""
    table.add(
        "a1", query="Can I change 收货地址 after paying?", answer="Within 7 days. [S1]", topic="shipping",
        query_type="condition_change", answerable=True, predicted_answerable=True, expected_ids=["KB-1"],
        retrieved=[{"id": "KB-1"}, {"id": "KB-2", "text": "Free of charge within 7 days"}], citations=["S1"],
        kb_version="kb42", latency_ms=900.0, cost=0.01, passed=True, meta={"lang": "en", "ok": True, "n": 3},
        measures={"hit": 1.0, "mrr": 1.0, "faithfulness": 5.0}, rank=1,
    )  # fmt: skip
    table.add(
        "a2", query="退货政策规定七天内可退", answer="可以", topic="refund", answerable=True,
        predicted_answerable=True, expected_ids=["KB-9", "KB-2"], retrieved=[{"id": "KB-3"}], citations=[],
        latency_ms=2100.0, passed=False, high_risk=True, failing=True, suggestion="retrieval",
        reason="expected_missing_from_topk", confidence=0.95, measures={"hit": 0.0, "mrr": 0.0, "faithfulness": 2.0},
        review={"verdict": "retrieval", "labels": ["stale-doc", "routing"], "note": "Reranker 100% off_line"},
        meta={"lang": "zh", "tags": ["x", {"deep": "Y"}]}, verdict="bad",
    )  # fmt: skip
    table.add(
        "a3", query="POL-358 applies?", answer="I can't tell.", topic="privacy", answerable=False,
        predicted_answerable=False, retrieved=[], inferred=["predicted_answerable"],
        turns=[{"user": "hi"}, {"user": "x"}, {"user": "y"}], measures={"hit": None, "faithfulness": None}, rank=None,
        review={"verdict": "not-a-failure", "reviewer": "Lee"},
    )  # fmt: skip
    table.add(
        "a4", query="straße in İstanbul", answer="", topic="Account", error="Timeout after 30 s", failing=True,
        reason="system_error", confidence=1.0, cost=0.5, measures={}, **{"a.b": {"c d": "1.5"}},
    )  # fmt: skip
    table.add(
        "a5", query="kb:1 and *star*", answer='say "hi (there)', failing=True, suggestion="ranking",
        reason="expected_below_rank1", confidence=0.6, rank=2, expected_ids=["KB-1"], retrieved=[{"id": "kb-1"}],
        measures={"hit": 1.0, "mrr": 0.5}, review={"note": "look again"},
    )  # fmt: skip
    return table
