"""All metrics in one table, a case's measures, and what they add up to.

Panels, report, list columns, help and docs are drawn from `METRICS`; a metric is defined in a file of
`triage/metrics/catalogue/`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from triage.metrics.catalogue import CATALOGUE
from triage.metrics.interval import wilson
from triage.metrics.metric import Metric, Panel
from triage.models.measure import Aggregate, Measure, MetricValue, Scoring

if TYPE_CHECKING:
    from triage.metrics.facts import Facts
    from triage.models.record import Record

METRICS: tuple[Metric, ...] = tuple(metric for entry in CATALOGUE for metric in entry.metrics)
BY_KEY: dict[str, Metric] = {metric.key: metric for metric in METRICS}
_NOTHING = Aggregate()


def panel(name: Panel) -> tuple[Metric, ...]:
    """The metrics of a panel, headline first."""
    return tuple(metric for metric in METRICS if metric.panel == name)


def measure(record: Record, scoring: Scoring) -> dict[str, Measure]:
    """The measures of a case that have a value or are missing; an absent key is out of its scope."""
    # Imported here because most who ask for the metrics' names measure nothing.
    from triage.metrics.facts import Facts

    return measure_facts(Facts(record, scoring))


def measure_facts(facts: Facts) -> dict[str, Measure]:
    """`measure`, of a record already read for measuring."""
    out: dict[str, Measure] = {}
    for entry in CATALOGUE:
        out.update(entry.measure(facts))
    return out


def add_up(cases: Iterable[Mapping[str, Measure]], scoring: Scoring) -> dict[str, Aggregate]:
    """Sum the measures of cases, as the store does in SQL."""
    sums: dict[str, list[float]] = {}
    for measures in cases:
        for key, item in measures.items():
            total = sums.setdefault(key, [0.0, 0, 0.0, 0, 0, 0])
            if item.value is None:
                total[3] += item.missing
                continue
            micro = item.denominator is not None
            total[0] += (item.numerator or 0.0) if micro else item.value
            total[1] += 1
            total[2] += (item.denominator or 0.0) if micro else 1
            total[4] += item.inferred
            total[5] += BY_KEY[key].worse(item.value, scoring)
    return {
        key: Aggregate(
            total=total[0],
            count=int(total[1]),
            weight=total[2],
            missing=int(total[3]),
            inferred=int(total[4]),
            worst=int(total[5]),
        )
        for key, total in sums.items()
    }


def combine(key: str, aggregate: Aggregate) -> MetricValue:
    """A metric over some cases: the mean, or for a micro metric sum of numerators over sum of denominators.

    A derived metric has no value here.

    Raises:
        KeyError: no such metric.
    """
    metric = BY_KEY[key]
    if metric.derived:
        return MetricValue(key, None, None, None, 0, 0, None)
    denominator = aggregate.weight if metric.micro else float(aggregate.count)
    return MetricValue(
        key=key,
        value=aggregate.total / denominator if denominator else None,
        numerator=aggregate.total,
        denominator=denominator,
        missing=aggregate.missing,
        inferred=aggregate.inferred,
        interval=wilson(aggregate.total, denominator) if metric.is_share else None,
        worst=aggregate.worst,
    )


def combine_all(aggregates: Mapping[str, Aggregate]) -> dict[str, MetricValue]:
    """Every metric of the registry over some cases, the derived ones too."""
    values = {metric.key: combine(metric.key, aggregates.get(metric.key, _NOTHING)) for metric in METRICS}
    values["balanced_refusal_accuracy"] = _balanced(values)
    return values


def _balanced(values: Mapping[str, MetricValue]) -> MetricValue:
    """Mean of both classes' accuracy; None where either class is empty (metrics.md section 2)."""
    over, under = values["over_refusal"].value, values["under_refusal"].value
    accuracy = values["refusal_accuracy"]
    return MetricValue(
        key="balanced_refusal_accuracy",
        value=None if over is None or under is None else ((1 - over) + (1 - under)) / 2,
        numerator=None,
        denominator=None,
        missing=accuracy.missing,
        inferred=accuracy.inferred,
        interval=None,
        worst=accuracy.worst,
    )
