"""What a run's review says in the end: how much was read, how often it fails, what is still to be read."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from triage.models.measure import MetricValue

RateMethod = Literal["all read", "none failed", "all failed", "simple", "strata"]
"""How a rate's interval was made: nothing to estimate; an exact one-sided bound, where all that was read is
alike; Clopper-Pearson on a simple random sample; resampling inside strata."""


class Cell(Struct, frozen=True):
    """Cases that were sampled alike: a stratum, or a topic's part of one.

    `size` cases in all, `failing` and `clean` ones among those that were read. A case that was drawn and is
    not settled (unread, disputed) is in `size` alone; one whose verdict is test-set is in none of them.
    """

    size: int
    failing: int
    clean: int

    @property
    def read(self) -> int:
        """Cases that were read and are settled."""
        return self.failing + self.clean


class Rate(Struct, frozen=True):
    """The share of failing cases, 0..1, of the `population` cases that the reading speaks for.

    Args:
        failing, read: settled cases, as counted.
        population: cases of the strata of which some were read.
        uncovered: cases of the strata of which none was read: nothing is said of them.
        value: weighted by strata; None where nothing was read.
        interval: both ends at `confidence`; of a one-sided bound the other end is the value itself.
        confidence: 0..1.
        method: how the interval was made; None where there is no value.
        said: the sentence; it never says 0 % of cases that nobody read.
    """

    failing: int
    read: int
    population: int
    uncovered: int
    value: float | None
    interval: tuple[float, float] | None
    confidence: float
    method: RateMethod | None
    said: str


class TopicRate(Struct, frozen=True):
    """A topic's cases; `topic` None = not recorded. `drawn` counts read and unread ones, `ids` names them.

    `read` counts those that are in no rate too: unsettled ones, mistakes of the test set.

    `rate` None: there is no sample, and counts are all there is.
    """

    topic: str | None
    high_risk: bool
    drawn: int
    read: int
    failing: int
    rate: Rate | None
    ids: tuple[str, ...] = ()


class StratumRead(Struct, frozen=True):
    """How far a stratum was read: `title` is its key in words; `read` are settled cases, `ids` all drawn.

    `unsettled` are disputed ones and those whose record has changed since.
    """

    title: str
    must: bool
    size: int
    drawn: int
    read: int
    failing: int
    test_set: int
    unsettled: int
    ids: tuple[str, ...] = ()


class RuleRead(Struct, frozen=True):
    """A rule of must-review: the cases it selects, and which of them nobody has judged as they now are.

    `missing` are their ids in file order, `stale` of them have a verdict, but on an earlier record; `few` is
    the number of the others that have fewer readers than wanted. `left_out` cases were not drawn because of
    the cap; None without a sample.
    """

    rule: str
    cases: int
    missing: tuple[str, ...]
    few: int
    left_out: int | None
    stale: int = 0

    @property
    def satisfied(self) -> bool:
        """Has every case a verdict on its record as it is?"""
        return not self.missing


class Window(Struct, frozen=True):
    """Cases read one after the other: 1-based `first` to `last`, and what none before them had.

    `ids` are those cases that had something new.
    """

    first: int
    last: int
    labels: tuple[str, ...]
    reasons: tuple[str, ...]
    ids: tuple[str, ...] = ()


class Saturation(Struct, frozen=True):
    """Whether reading on still finds new kinds of failures.

    Args:
        every: cases of a window; the last one may have fewer.
        read: failing or not, in the order of their first reading.
        windows: oldest first.
        since: cases read since the last one with a new label or sub-reason; all, where none had any.
        kinds: different labels and sub-reasons found.
        unseen: chance (0..1) that the next kind met is a new one: the share of kinds met only once among all
            that were met (Good 1953); None where none was met.
        said: the sentence.
    """

    every: int
    read: int
    windows: tuple[Window, ...]
    since: int
    kinds: int
    unseen: float | None
    said: str


class Mistake(Struct, frozen=True):
    """A case whose verdict is test-set: the case, its labels or its judge is wrong, not the system."""

    case_id: str
    query: str
    topic: str | None
    reason: str
    labels: tuple[str, ...]
    note: str
    reviewer: str
    at: str


class Corrected(Struct, frozen=True):
    """Metrics without the cases whose verdict is test-set; how many these are."""

    left_out: int
    metrics: dict[str, MetricValue]


class Read(Struct, frozen=True):
    """How much was read.

    Args:
        cases, wanted: cases with a verdict, of so many (of the sample; without one, of the run).
        readings, readings_wanted: verdicts by all reviewers, of so many; None without a sample.
        extra: verdicts beyond those wanted of a case, which are not among `readings`.
        reviewers: cases read by each, most first.
        seconds: median of the time a reading took; None where no time was taken.
        disputed, arbitrated, stale, deferred: cases.
    """

    cases: int
    wanted: int
    readings: int
    readings_wanted: int | None
    reviewers: dict[str, int]
    seconds: float | None
    disputed: int
    arbitrated: int
    stale: int
    deferred: int
    extra: int = 0


class ReviewReport(Struct, frozen=True):
    """The whole. Without a sample (`sample` None) there are counts and no rate; `why_none` says why.

    Args:
        run: its id; `cases` are all of them, `population` those that the sample was drawn from.
        claim: what was to be claimed when the sample was drawn; "" without one.
        others: names of the run's further samples.
        verdicts: ids of settled cases by verdict, most first.
        unsettled: ids of read cases that are in no rate: their readers differ on whether they fail, or the
            record has changed since.
        gone: cases of the sample that the run no longer has.
        remarks: what to keep in mind when reading the rate, a sentence each.
        must: the rules on the whole run, whatever filter the sample was drawn under.
        raw: the metrics of the whole run, `corrected` the same without the test set's mistakes.
    """

    run: str
    k: int
    cases: int
    sample: str | None
    seed: str
    population: int
    text: str
    claim: str
    others: tuple[str, ...]
    read: Read
    rate: Rate | None
    why_none: str
    topics: tuple[TopicRate, ...]
    strata: tuple[StratumRead, ...]
    verdicts: dict[str, tuple[str, ...]]
    unsettled: tuple[str, ...]
    gone: int
    remarks: tuple[str, ...]
    must: tuple[RuleRead, ...]
    saturation: Saturation
    mistakes: tuple[Mistake, ...]
    raw: dict[str, MetricValue]
    corrected: Corrected | None

    @property
    def must_satisfied(self) -> bool:
        """Has every case that must be reviewed a verdict?"""
        return all(rule.satisfied for rule in self.must)
