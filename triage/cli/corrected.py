"""`report` beside itself: metrics without the test set's mistakes, and what must be reviewed and was not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from triage.cli.output import say, sentence
from triage.cli.session import Session
from triage.cli.words import decimals
from triage.metrics.registry import METRICS
from triage.models import shapes
from triage.models.measure import MetricValue
from triage.models.query import Scope
from triage.models.review_report import Corrected, RuleRead
from triage.review.telling import rule_said


def metrics_json(metrics: Mapping[str, MetricValue], k: int) -> dict[str, Any]:
    """Every metric as cli.md fixes it."""
    return {
        metric.key: shapes.metric(
            metrics[metric.key],
            title=metric.titled(k),
            higher_is_better=metric.higher_is_better,
            tells=metric.tells,
            does_not_tell=metric.does_not_tell,
        )
        for metric in METRICS
    }


def corrected_json(corrected: Corrected | None, k: int) -> dict[str, Any] | None:
    """The metrics without cases whose verdict is test-set; null where there are none."""
    if corrected is None:
        return None
    return {"left_out": corrected.left_out, "metrics": metrics_json(corrected.metrics, k)}


def corrected_beside(
    rows: Sequence[Sequence[str]], keys: Sequence[str], corrected: Corrected | None, right: frozenset[int]
) -> tuple[list[str], list[list[str]], frozenset[int]]:
    """Heads, rows and columns at the right of a table of metrics, the corrected values a third column.

    Args:
        rows: five texts a metric, the second is its raw value.
        keys: the metrics' keys.
        corrected: None = the table stays as it is.
        right: columns at the right as it is.
    """
    if corrected is None or not rows:
        return [""] * 5, [list(row) for row in rows], right
    made = [
        [*row[:2], decimals(corrected.metrics[key].value), *row[2:]]
        for row, key in zip(rows, keys, strict=True)
    ]
    moved = frozenset({2, *(column if column < 2 else column + 1 for column in right)})
    # A column that says nothing has no title; the others say that they are of the raw value.
    titles = ("raw from", "raw 95 %", "raw delta")
    further = [title if any(row[at] for row in rows) else "" for at, title in enumerate(titles, 2)]
    return ["", "raw", "corrected", *further], made, moved


def corrected_line(corrected: Corrected | None) -> list[str]:
    """What the corrected column leaves out."""
    if corrected is None:
        return []
    count = corrected.left_out
    cases = "1 case whose verdict is" if count == 1 else f"{count} cases whose verdict is"
    return [sentence(f"corrected: without {cases} test-set")]


def unreviewed(session: Session, scope: Scope) -> list[RuleRead]:
    """The must-review rules that are not satisfied.

    Raises:
        UsageError: a must-review rule is no filter.
    """
    if not session.settings.must_review:
        say("the setting must_review is empty: unreviewed-high-risk can't hold")
    return [rule for rule in session.workspace.reviewing.must_review(scope) if not rule.satisfied]


def tell_unreviewed(missing: Sequence[RuleRead]) -> None:
    """Say on standard error what is missing of each rule."""
    for rule in missing:
        # Who has one reader of two is reviewed, as far as this condition goes.
        say(f"not reviewed: {rule_said(replace(rule, few=0))}")
