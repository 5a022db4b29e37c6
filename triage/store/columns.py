"""Where a metric stands in the tables: its column and its bit, both drawn from the registry.

Bits keep "missing", "inferred", "makes it worse", "has a value" and "is 1" of all metrics in five integers
a case, so that a run's counts are one pass over a narrow table.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from triage.models.measure import Scoring

if TYPE_CHECKING:
    from triage.metrics.metric import Metric

HIGHEST_BIT = 62
"""SQLite's integers carry 63 bits beside the sign."""


class MetricColumn(Struct, frozen=True):
    """A stored metric: `name` is its value's column, `mask` its bit in the integers."""

    key: str
    name: str
    mask: int
    is_share: bool
    micro: bool
    worse: Callable[[float, Scoring], bool]


@lru_cache(maxsize=1)
def _stored() -> tuple[Metric, ...]:
    from triage.metrics.registry import METRICS

    return tuple(metric for metric in METRICS if not metric.derived)


def columns(connection: sqlite3.Connection) -> tuple[MetricColumn, ...]:
    """The metrics that have a column in this database, in registry order."""
    return columns_of(dict(connection.execute("SELECT key, bit FROM metric_columns")))


def columns_of(bits: dict[str, int]) -> tuple[MetricColumn, ...]:
    """The metrics among those that have a bit (0 = lowest) by key, in registry order."""
    return tuple(
        MetricColumn(
            metric.key, f"m_{metric.key}", 1 << bits[metric.key], metric.is_share and not metric.micro,
            metric.micro,
            metric.worse,
        )
        for metric in _stored()
        if metric.key in bits
    )  # fmt: skip


def ensure_columns(connection: sqlite3.Connection) -> None:
    """Give every measured metric its column and bit. Call inside a write transaction.

    Raises:
        RuntimeError: there are more metrics than bits.
    """
    bits: dict[str, int] = dict(connection.execute("SELECT key, bit FROM metric_columns"))
    for metric in _stored():
        if metric.key in bits:
            continue
        bit = max(bits.values(), default=-1) + 1
        if bit > HIGHEST_BIT:
            raise RuntimeError(f"no bit left for metric {metric.key}")
        for suffix in ("", "_n", "_d") if metric.micro else ("",):
            connection.execute(f"ALTER TABLE measures ADD COLUMN m_{metric.key}{suffix} REAL")
        connection.execute("INSERT INTO metric_columns (key, bit) VALUES (?, ?)", (metric.key, bit))
        bits[metric.key] = bit
