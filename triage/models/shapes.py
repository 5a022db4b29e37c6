"""The words of the house as JSON (cli.md has the keys): commands and exports write the same shapes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from triage.models.case import CaseDetail, CaseRow, Earlier
from triage.models.loads import finite, loads
from triage.models.measure import Diagnosis, Finding, MetricValue
from triage.models.reading import Arbitration, Reading
from triage.models.run import FileReport, Problem, RunSummary
from triage.models.sentences import Sentence
from triage.models.verdict import Event, Review

# JSON escapes the other controls itself; these would steer a terminal.
_ESCAPED = re.compile("[\x7f-\x9f\ud800-\udfff]")


def dump(value: Any, indent: int | None = None) -> str:
    """`value` as valid JSON: characters as they are, controls and lone surrogates escaped, NaN as null."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    except ValueError:
        text = json.dumps(finite(value), ensure_ascii=False, allow_nan=False, indent=indent)
    return _ESCAPED.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def suggestion(finding: Finding) -> dict[str, Any]:
    """A rule's word on a case, with its evidence."""
    return {
        "class": finding.failure_class,
        "reason": finding.reason,
        "confidence": finding.confidence,
        "evidence": finding.evidence,
    }


def review(value: Review | None) -> dict[str, Any] | None:
    """People's word on a case; `class` null with labels or a note alone."""
    if value is None:
        return None
    return {
        "class": value.verdict,
        "labels": list(value.labels),
        "note": value.note,
        "reviewer": value.reviewer,
        "at": value.at,
        "stale": value.stale,
        "disputed": value.disputed,
        "deferred": value.deferred,
        "arbitrated": value.arbitrated,
    }


def event(value: Event) -> dict[str, Any]:
    """One entry of a case's verdict history."""
    return {
        "kind": value.kind,
        "class": value.verdict,
        "labels": None if value.labels is None else list(value.labels),
        "note": value.note,
        "reviewer": value.reviewer,
        "at": value.at,
        "undone": value.undone,
        "run": value.run_id,
        "revision": value.revision,
        "sample": value.sample,
        "reason": value.reason,
        "seconds": value.seconds,
    }


def reading(value: Reading) -> dict[str, Any]:
    """A reviewer's verdict on a case as it stands."""
    return {
        "reviewer": value.reviewer,
        "class": value.verdict,
        "labels": list(value.labels),
        "note": value.note,
        "at": value.at,
        "sample": value.sample,
        "seconds": value.seconds,
        "stale": value.stale,
    }


def arbitration(value: Arbitration | None) -> dict[str, Any] | None:
    """What was decided over a case's readings."""
    if value is None:
        return None
    return {"reviewer": value.reviewer, "class": value.verdict, "reason": value.reason, "at": value.at}


def problem(value: Problem) -> dict[str, Any]:
    """Something in a run file that could not be used."""
    return {
        "level": value.level,
        "line": value.line,
        "case": value.case,
        "field": value.field,
        "reason": value.reason,
    }


def file_report(value: FileReport) -> dict[str, Any]:
    """What became of one file (`ingest`)."""
    return {
        "path": value.path,
        "format": value.format,
        "run": value.run,
        "status": value.status,
        "records": value.records,
        "rejected": value.rejected,
        "problems": [problem(one) for one in value.problems],
        "warnings": list(value.warnings),
    }


def run(value: RunSummary) -> dict[str, Any]:
    """A loaded run (`runs`); `metrics` by key, unrounded."""
    return {
        "id": value.id,
        "path": value.path,
        "format": value.format,
        "created_at": value.created_at,
        "dataset": value.dataset,
        "kb_version": value.kb_version,
        "retrieval": value.retrieval,
        "model": value.model,
        "k": value.k,
        "records": value.records,
        "rejected": value.rejected,
        "revision": value.revision,
        "baseline": value.baseline,
        "metrics": {key: metric.value for key, metric in value.metrics.items()},
    }


def metric(
    value: MetricValue, *, title: str, higher_is_better: bool, tells: str, does_not_tell: str
) -> dict[str, Any]:
    """A metric over some cases (`report`)."""
    return {
        "title": title,
        "value": value.value,
        "numerator": value.numerator,
        "denominator": value.denominator,
        "missing": value.missing,
        "inferred": value.inferred,
        "interval": None if value.interval is None else list(value.interval),
        "higher_is_better": higher_is_better,
        "tells": tells,
        "does_not_tell": does_not_tell,
    }


def case(
    row: CaseRow, diagnosis: Diagnosis, measures: Mapping[str, float | None], inferred: Sequence[str]
) -> dict[str, Any]:
    """A case as `cases` lists it."""
    return {
        "id": row.id,
        "query": row.query,
        "topic": row.topic,
        "topic_inferred": row.topic_inferred,
        "high_risk": row.high_risk,
        "failing": row.failing,
        "suggestion": suggestion(diagnosis.suggestion),
        "secondary": [
            {"class": finding.failure_class, "reason": finding.reason} for finding in diagnosis.secondary
        ],
        "verdict": review(row.review),
        "measures": dict(measures),
        "layers": dict(row.layers),
        "first_rank": row.first_rank,
        "inferred": list(inferred),
    }


def sentence(value: Sentence) -> dict[str, Any]:
    """A sentence of an answer and what the check says of it."""
    kinds = list(value.mismatches)
    return {
        "text": value.text,
        "citations": list(value.citations),
        "covered_by": list(value.covered_by),
        "factual": value.factual,
        "supported": value.supported,
        "mismatch": kinds[0] if kinds else None,
        "mismatches": kinds,
    }


def earlier(value: Earlier) -> dict[str, Any]:
    """The same case in another run."""
    return {
        "run": value.run,
        "kb_version": value.kb_version,
        "created_at": value.created_at,
        "failing": value.failing,
        "class": value.failure_class,
        "reason": value.reason,
        "first_rank": value.first_rank,
        "verdict": review(value.review),
    }


def detail(value: CaseDetail) -> dict[str, Any]:
    """A case whole (`case`). `record` is the record's JSON value as it came."""
    body = case(value.row, value.diagnosis, value.measures, value.inferred)
    body["query"] = value.record.query if value.record.query is not None else value.row.query
    return {
        "run": value.run,
        "k": value.k,
        **body,
        "record": loads(value.raw),
        "problems": [{"field": one.field, "reason": one.reason} for one in value.problems],
        "citations": [
            {"marker": one.marker, "id": one.id, "resolved_rank": one.resolved_rank, "valid": one.valid}
            for one in value.citations
        ],
        "sentences": [sentence(one) for one in value.sentences],
        "verdicts": [event(one) for one in value.events],
        "earlier": [earlier(one) for one in value.earlier],
    }
