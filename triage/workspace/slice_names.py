"""Dimensions in words, and in which order they are offered. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from triage.metrics.registry import BY_KEY
from triage.models.slices import Dimension, DimensionKind

if TYPE_CHECKING:
    from triage.store.filter.fields import Field

TITLES = {
    "retrieved_count": "Top-K length",
    "rank": "rank of the first expected document",
    "refusal_reason": "refusal reason",
    "check": "citation check",
    "kb_version": "kb version",
    "query_type": "query type",
    "expected": "expected document",
    "retrieved": "retrieved document",
    "cited": "citation as written",
    "high_risk": "high-risk topic",
    "inferred": "fields filled in",
    "latency_ms": "latency, ms",
}
FIRST = (
    "topic", "query_type", "answerable", "refused", "refusal_reason", "check", "retrieved_count", "domain",
    "difficulty", "source", "expected_route", "route", "turns", "high_risk", "reason", "suggestion",
    "verdict", "label",
)  # fmt: skip
"""Dimensions that stand first, in this order; the others follow by kind and name."""


def title_of(name: str) -> str:
    """A dimension's name in words."""
    metric = BY_KEY.get(name)
    return metric.key if metric is not None else TITLES.get(name, name.replace("_", " "))


def kind_of(field: Field) -> DimensionKind:
    """What a dimension speaks of."""
    if field.kind == "key":
        return "own"
    if field.column.startswith(("r.", "nullif(r.")):
        return "review"
    return "result" if field.on_results else "case"


_KINDS: Mapping[str, int] = {"case": 0, "result": 1, "review": 2, "own": 3, "run": 4}


def order_of(one: Dimension) -> tuple[int, int, str]:
    """What dimensions are sorted by: those likely to be asked for first, then by kind and name."""
    first = FIRST.index(one.name) if one.name in FIRST else len(FIRST)
    return first, _KINDS[one.kind], one.name
