"""What is said of a case by rule: its measures and its suggestion. Plain values, no record."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, field

FailureClass = Literal["retrieval", "ranking", "refusal", "citation-semantic"]
CLASSES: tuple[FailureClass, ...] = ("retrieval", "ranking", "refusal", "citation-semantic")
LayerState = Literal["ok", "fails"]


class Scoring(Struct, frozen=True):
    """What measuring a case needs beside its record (metrics.md section 0).

    Args:
        k: the K of the @K metrics, >= 1.
        score_scale: scale of the judge scores that have thresholds.
        kb_ids: every id of the knowledge base, where known; tells a knowledge gap from a miss.
        dedup_docs: collapse repeated ids of `retrieved` before the cut.
        failing_confidence: least confidence (0..1) at which a suggestion makes a case failing.
        confidence: (reason, 0..1) in place of the confidence that a rule has from metrics.md section 5.
        pass_k: the k of pass@k and pass^k, >= 1; None = each case's own number of attempts.
    """

    k: int = 3
    score_scale: Literal["1-5", "0-1"] = "1-5"
    kb_ids: frozenset[str] | None = None
    dedup_docs: bool = False
    failing_confidence: float = 0.4
    confidence: tuple[tuple[str, float], ...] = ()
    pass_k: int | None = None


class Measure(Struct, frozen=True):
    """One metric on one case.

    `value` None means out of scope (then `missing` False) or in scope but not recorded (`missing` True).
    `numerator`/`denominator` are set by micro metrics alone. `inferred` tells that a filled-in field was
    used.
    """

    value: float | None = None
    missing: bool = False
    inferred: bool = False
    numerator: float | None = None
    denominator: float | None = None


class Finding(Struct, frozen=True):
    """A diagnosis rule that fired. `failure_class` None = no class; `confidence` 0..1; `evidence` is
    JSON-able.
    """

    failure_class: FailureClass | None
    reason: str
    confidence: float
    evidence: dict[str, Any] = field(default_factory=dict)


class Diagnosis(Struct, frozen=True):
    """The suggestion for a case (the first rule that fired), the other rules that fired, and what follows.

    `layers` has a state for each failure class, None = out of scope (look.md section 9). `first_rank` is the
    1-based rank of the first expected id in the whole recorded list, None where it is absent or unknown.
    """

    suggestion: Finding
    secondary: tuple[Finding, ...]
    failing: bool
    layers: dict[FailureClass, LayerState | None]
    first_rank: int | None


class Aggregate(Struct, frozen=True):
    """A metric over some cases as the store sums it: plain sums, so that any subset is one SQL query.

    `total` is the sum of values (of numerators for a micro metric), `count` how many cases had a value,
    `weight` the sum of denominators of a micro metric (equal to `count` else).
    """

    total: float = 0.0
    count: int = 0
    weight: float = 0.0
    missing: int = 0
    inferred: int = 0
    worst: int = 0


class MetricValue(Struct, frozen=True):
    """A metric over some cases, as shown. `value` None where the denominator is 0.

    `numerator`/`denominator` are None where the metric has no single fraction; `interval` is the Wilson 95 %
    interval of a share. `worst` counts the cases that make the metric worse (look.md section 9).
    """

    key: str
    value: float | None
    numerator: float | None
    denominator: float | None
    missing: int
    inferred: int
    interval: tuple[float, float] | None
    worst: int = 0
