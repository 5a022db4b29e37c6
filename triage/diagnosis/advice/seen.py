"""A run as advice looks at it, and its numbers in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct

from triage.metrics.registry import BY_KEY
from triage.models.advice import Advice, AdviceLayer
from triage.models.measure import MetricValue

AT_HAND = "hit:1"
"""The cases that had an expected document within the cut: what went wrong there is not retrieval's fault."""


class Look(Struct, frozen=True):
    """Some cases: how many, and every metric over them."""

    cases: int
    metrics: Mapping[str, MetricValue]


class Seen(Struct, frozen=True):
    """A selection of a run's cases.

    Args:
        whole: all of them.
        k: the K of the view.
        score_scale: scale of the judge scores.
        reference: the user's reference values by name (settings, `[reference]`).
        look: filter text -> those of the selection that it selects.
        count: filter text -> how many they are.
    """

    whole: Look
    k: int
    score_scale: Literal["1-5", "0-1"]
    reference: Mapping[str, float]
    look: Callable[[str], Look]
    count: Callable[[str], int]

    def value(self, key: str) -> float | None:
        """A metric over all cases, None where nothing is recorded for it."""
        return self.whole.metrics[key].value

    def low(self, key: str, name: str) -> bool:
        """Is the metric recorded, and below its reference?"""
        value = self.value(key)
        return value is not None and value < self.reference[name]

    def score(self, name: str) -> float:
        """A reference stated on 1-5, on the run's scale (metrics.md section 3)."""
        mark = self.reference[name]
        return (mark - 1) / 4 if self.score_scale == "0-1" else mark

    @property
    def labelled(self) -> bool:
        """Is it told of any case which documents are expected, and which were retrieved?"""
        return self.value("hit") is not None

    @property
    def at_hand(self) -> str:
        """Begins the filter text of cases whose evidence was at hand; "" where that is not known."""
        return f"{AT_HAND} " if self.labelled else ""

    def with_evidence(self) -> Look:
        """The cases whose evidence was at hand; all of them where that is not known."""
        return self.look(AT_HAND) if self.labelled else self.whole

    def line(
        self,
        signal: str,
        layer: AdviceLayer,
        value: float,
        said: str,
        *,
        query: str,
        try_first: str,
        watch: str,
        cases: int | None = None,
    ) -> Advice:
        """A line of advice; `cases` are counted unless given."""
        count = self.count(query) if cases is None else cases
        return Advice(signal, layer, value, said, try_first, watch, query, count)


def short(number: float) -> str:
    """`.875`, `1.000`, `3.33`."""
    return f"{number:.2f}" if number > 1 else f"{number:.3f}".removeprefix("0")


def mark(number: float) -> str:
    """A reference as it was set."""
    return f"{number:g}".removeprefix("0") if 0 < number < 1 else f"{number:g}"


def basis(metric: MetricValue) -> str:
    """What stands behind a value: ` 7/8` of what is counted, ` n 8` of a mean."""
    if metric.numerator is None or metric.denominator is None:
        return ""
    whole = f"{metric.denominator:g}"
    counted = metric.interval is not None or BY_KEY[metric.key].micro
    return f" {metric.numerator:g}/{whole}" if counted else f" n {whole}"


def number(metric: MetricValue, reference: float) -> str:
    """`.700 7/10, reference .85`."""
    return f"{short(metric.value or 0.0)}{basis(metric)}, reference {mark(reference)}"


def part(count: int, whole: int, what: str) -> str:
    """`3 of 12 misses`."""
    return f"{count:,} of {whole:,} {what}"
