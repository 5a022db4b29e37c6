"""Every name that may stand before `:` in a filter, defined once: help, completion and SQL come from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from triage.models.verdict import CLEAN
from triage.store.changed import changed

Kind = Literal["text", "word", "number", "date", "truth", "list", "state", "metric", "missing", "key"]


class Field(Struct, frozen=True):
    """A name of the filter language.

    Args:
        name: as typed before `:`.
        kind: how values are compared: "text" contains; "word" equals; "number", "date" and "truth" as
            such; "list" by any element; "state" is a fixed word; "metric" a number; "missing" a metric's
            key; "key" one of the record's own.
        means: what it is, in a few words.
        example: a filter that uses it.
        column: its SQL expression over the aliases c, p, m, r; "" where it has no single one.
        on_results: it speaks of results, so what it selects was selected on them.
    """

    name: str
    kind: Kind
    means: str
    example: str
    column: str = ""
    on_results: bool = False


def _field(
    name: str, kind: Kind, column: str, means: str, example: str, *, on_results: bool = False
) -> Field:
    return Field(name, kind, means, f"{name}:{example}", column, on_results)


def checked(column: str) -> str:
    """What the sentence check says of a case; NULL where it is not checked yet."""
    return f"(SELECT k.{column} FROM checks k WHERE k.case_pk = m.case_pk)"


FIELDS: tuple[Field, ...] = (
    _field("is", "state", "", "a state of the case", "failing", on_results=True),
    _field("id", "word", "c.case_id", "the case's id", "E06"),
    _field("query", "text", "p.query", "what was asked", "invoice"),
    _field("raw_query", "text", "p.raw_query", "the user's own words, before cleaning", "invoice"),
    _field("answer", "text", "p.answer", "what the system said", '"7 days"'),
    _field("note", "text", "r.note", "the reviewer's note", "reranker"),
    _field("evidence", "text", "p.evidence", "the texts that were retrieved", '"free of charge"'),
    _field("topic", "word", "c.topic", "the case's topic", "refund"),
    _field("query_type", "word", "c.query_type", "kind of question", "multi_turn"),
    _field("domain", "word", "c.domain", "vector, sql, api, mixed or none", "sql"),
    _field("difficulty", "word", "c.difficulty", "as the test set says", "hard"),
    _field("source", "word", "c.source", "who made the case", "feedback"),
    _field("kb_version", "word", "c.kb_version", "knowledge-base version", "kb42"),
    _field("dataset_version", "word", "c.dataset_version", "version of the test set", "3"),
    _field("answerable", "truth", "c.answerable", "may the knowledge base answer it", "false"),
    _field("refused", "truth", "c.refused", "did the system refuse", "true"),
    _field("route", "word", "c.route", "the route taken", "sql+vector"),
    _field("error", "text", "p.error", "the crash or time-out on this case", "*"),
    _field("passed", "truth", "c.passed", "the runner's own verdict", "false"),
    _field("expected", "list", "p.expected", "ids of the expected documents", "KB-1"),
    _field("retrieved", "list", "p.retrieved", "ids of the retrieved documents", "KB-1"),
    _field("cited", "list", "p.cited", "citations, as written", "S2"),
    _field("rank", "number", "m.first_rank", "rank of the first expected document", ">1", on_results=True),
    _field("suggestion", "word", "m.class", "the suggested failure class", "ranking", on_results=True),
    _field("reason", "word", "m.reason", "the rule behind the suggestion", "no_citation", on_results=True),
    _field("confidence", "number", "m.confidence", "of the suggestion, 0 to 1", ">=.9", on_results=True),
    _field("check", "word", checked("state"), "the sentence check", "unsupported", on_results=True),
    _field("mismatch", "list", checked("mismatches"), "what clashes", "number", on_results=True),
    _field("verdict", "word", "r.verdict", "a person's verdict", "retrieval", on_results=True),
    _field("label", "list", "r.labels", "a label beside the verdict", "stale-doc", on_results=True),
    _field("reviewer", "word", "r.reviewer", "who reviewed it last", "wei", on_results=True),
    _field("reviewed_at", "date", "r.at", "when, local time", ">=2026-11-01", on_results=True),
    _field("sample", "list", "", "a sample that it is in", "refunds-1", on_results=True),
    _field("high_risk", "truth", "c.high_risk", "is its topic a high-risk one", "true"),
    _field("inferred", "list", "c.inferred", "fields that reading filled in", "topic"),
    _field("turns", "number", "c.turns", "turns of the conversation", ">2"),
    _field("latency_ms", "number", "c.latency_ms", "milliseconds the answer took", ">1000"),
    _field("cost", "number", "c.cost", "cost of the answer", ">.01"),
    _field("tokens", "number", "c.tokens", "tokens used", ">4000"),
    _field("missing", "missing", "", "in a metric's scope, not recorded", "faithfulness", on_results=True),
)
"""The names that every run has; `metric_fields` are beside them."""

BY_NAME: Mapping[str, Field] = {field.name: field for field in FIELDS}

RECORDED: frozenset[str] = frozenset(
    field.name
    for field in FIELDS
    if field.column[:2] in ("c.", "p.") and field.name not in ("high_risk", "inferred")
)
"""Fields that come from the record itself, so that `record.topic` is `topic`."""

_TAGGED = f"r.verdict IS NOT NULL AND r.verdict <> '{CLEAN}'"
_STALE = f"r.verdict IS NOT NULL AND {changed('r')}"
STATES: Mapping[str, tuple[str, str]] = {
    "failing": ("m.failing = 1", "an error, `passed` false, or a suggested class"),
    "passing": ("m.failing = 0", "not failing"),
    "reviewed": ("r.verdict IS NOT NULL", "has a verdict"),
    "unreviewed": ("r.verdict IS NULL", "has none yet"),
    "tagged": (_TAGGED, "any verdict but not-a-failure"),
    "disputed": ("r.disputed = 1", "reviewers differ"),
    "arbitrated": ("r.arbitrated = 1", "a dispute was settled"),
    "uncertain": ("", "judges differ, or the check and a score"),
    "stale": (_STALE, "the record changed since its verdict"),
    "marked": ("", "marked in the app"),
    "deferred": ("r.deferred = 1", "put off for later, without a verdict yet"),
    "inferred": ("c.inferred NOT IN ('', '[]', 'null')", "a field was filled in by reading"),
    "high-risk": ("c.high_risk = 1", "of a high-risk topic"),
}
"""What may follow `is:`: a condition over c, m, r ("" = found otherwise), and what it means."""

LATER_STATES = frozenset(("carried", "regressed", "fixed", "known"))
"""What `is:` will take once runs can be compared."""


def metric_fields() -> tuple[Field, ...]:
    """One field a metric, drawn from the metric registry; a derived one is asked by the metric behind it."""
    # Imported here because most filters name no metric.
    from triage.metrics.registry import METRICS

    return tuple(
        Field(
            metric.key,
            "metric",
            metric.title.replace("{k}", "K"),
            f"{metric.key}:*",
            f"m.m_{metric.behind or metric.key}",
            True,
        )
        for metric in METRICS
    )
