"""What a metric is, and which values of it are bad news."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from triage.models.measure import Measure, Scoring

Panel = Literal["retrieval", "refusal", "citation", "generation"]
PANELS: tuple[Panel, ...] = ("retrieval", "refusal", "citation", "generation")
SHORT_CELLS = 8
"""Cells a panel has for a metric's short name (look.md section 6)."""

LOW_SCORE = 2.0
"""A judge score at or below this (of 1-5) is bad (metrics.md section 3)."""


def on_five(score: float, scoring: Scoring) -> float:
    """A judge score on the 1-5 scale that thresholds are stated in: 0-1 is mapped by 1 + 4x."""
    return 1 + 4 * score if scoring.score_scale == "0-1" else score


def worse_at_zero(value: float, scoring: Scoring) -> bool:
    """A yes/no metric that should be yes."""
    return value <= 0


def worse_at_one(value: float, scoring: Scoring) -> bool:
    """A yes/no metric that should be no."""
    return value >= 1


def worse_above_zero(value: float, scoring: Scoring) -> bool:
    """A 0..1 metric that is perfect at 0; a rounding error more is 0."""
    return value > 1e-12


def never_worse(value: float, scoring: Scoring) -> bool:
    """A metric of which no value is bad news in itself."""
    return False


def worse_below_one(value: float, scoring: Scoring) -> bool:
    """A 0..1 metric that is perfect at 1; 1 short of a rounding error is 1."""
    return value < 1 - 1e-12


def worse_when_low(value: float, scoring: Scoring) -> bool:
    """A judge score of 2 or less on 1-5 (.25 or less on 0-1)."""
    return on_five(value, scoring) <= LOW_SCORE


class Metric(Struct, frozen=True):
    """One metric.

    Args:
        key: its name in JSON, filters and the database.
        title, short: for people; `{k}` stands for the K of the view. `short` fits 8 cells at a one-digit K.
        panel: where it is shown.
        digit: the layer it speaks of, "1".."5".
        tells, does_not_tell: one line each.
        higher_is_better: the direction that is good.
        is_share: 0 or 1 on each case, so that a Wilson interval applies.
        scale: "share" lies in 0..1, so do most of "mean"; "judge" lies on the run's score scale.
        micro: summed over the parts of cases: value = sum of numerators / sum of denominators.
        derived: made of other metrics' values; no case has a value of its own.
        worse: whether a case's value makes the metric worse (look.md section 9).
        behind: the metric whose cases stand behind the number; itself unless derived.
    """

    key: str
    title: str
    short: str
    panel: Panel
    digit: str
    tells: str
    does_not_tell: str
    higher_is_better: bool = True
    is_share: bool = False
    scale: Literal["share", "mean", "judge"] = "mean"
    micro: bool = False
    derived: bool = False
    worse: Callable[[float, Scoring], bool] = worse_below_one
    behind: str = ""

    def titled(self, k: int) -> str:
        """The title at a K."""
        return self.title.replace("{k}", str(k))

    def named(self, k: int) -> str:
        """The short name at a K, at most 8 cells: a long K takes its cells from the word before it."""
        text = self.short.replace("{k}", str(k))
        word, at, number = text.partition("@")
        if len(text) <= SHORT_CELLS:
            return text
        return word[: max(1, SHORT_CELLS - 1 - len(number))] + at + number


def share(
    key: str, title: str, short: str, panel: Panel, digit: str, tells: str, does_not_tell: str, *,
    higher_is_better: bool = True,
) -> Metric:  # fmt: skip
    """A metric that is 0 or 1 on each case."""
    return Metric(
        key,
        title,
        short,
        panel,
        digit,
        tells,
        does_not_tell,
        higher_is_better=higher_is_better,
        is_share=True,
        scale="share",
        worse=worse_at_zero if higher_is_better else worse_at_one,
    )


def judged(key: str, title: str, short: str, tells: str, does_not_tell: str) -> Metric:
    """The mean of a recorded judge score."""
    return Metric(
        key, title, short, "generation", "5", tells, does_not_tell, scale="judge", worse=worse_when_low
    )


@lru_cache(maxsize=4096)
def value(number: float, inferred: bool = False) -> Measure:
    """A measured value; equal ones share one immutable object."""
    return Measure(value=number, inferred=inferred)


MISSING = Measure(missing=True)
"""In scope, and not recorded."""
