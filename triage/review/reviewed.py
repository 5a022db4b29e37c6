"""What people's readings of a run add up to: from cases as they stand to the parts of a review report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median

from msgspec import Struct
from msgspec.structs import replace

from triage.models.reading import Reading
from triage.models.review_report import Cell, Mistake, Rate, Read, StratumRead, TopicRate
from triage.models.sample import Drawn
from triage.models.slices import NOT_RECORDED
from triage.models.verdict import MISTAKE, Review
from triage.review.estimate import cell, part_of, rate
from triage.review.saturation import Met
from triage.review.settled import End, end_of, verdict_of

TOPIC = "topic"


class CaseRead(Struct, frozen=True):
    """A case, what rules say of it, and what people said.

    `stratum` is its stratum's index in the sample, None without one; `wanted` how many are to read it.
    """

    case_id: str
    query: str
    topic: str | None
    high_risk: bool
    failure_class: str | None
    reason: str
    review: Review | None
    readings: tuple[Reading, ...] = ()
    stratum: int | None = None
    wanted: int = 1

    @property
    def end(self) -> End:
        """What it is in the end."""
        return end_of(self.review, self.readings)

    @property
    def verdict(self) -> str | None:
        """The verdict that holds of its record as it is now."""
        return verdict_of(self.review, self.readings)

    @property
    def judged(self) -> bool:
        """Has it a verdict, whatever that is worth?"""
        return self.review is not None and self.review.verdict is not None


def how_much(cases: Sequence[CaseRead], wanted: int, *, sampled: bool) -> Read:
    """How much of so many `wanted` cases was read, and by whom."""
    reviewers = Counter(reading.reviewer for case in cases for reading in case.readings)
    seconds = [one.seconds for case in cases for one in case.readings if one.seconds is not None]
    reviews = [case.review for case in cases if case.review is not None]
    return Read(
        cases=sum(case.judged for case in cases),
        wanted=wanted,
        readings=sum(
            min(len(case.readings), case.wanted) if sampled else len(case.readings) for case in cases
        ),
        readings_wanted=sum(case.wanted for case in cases) if sampled else None,
        reviewers=dict(sorted(reviewers.items(), key=lambda one: (-one[1], one[0]))),
        seconds=median(seconds) if seconds else None,
        disputed=sum(review.disputed for review in reviews),
        arbitrated=sum(review.arbitrated for review in reviews),
        stale=sum(review.stale and review.verdict is not None for review in reviews),
        deferred=sum(review.deferred for review in reviews),
        extra=sum(max(len(case.readings) - case.wanted, 0) for case in cases) if sampled else 0,
    )


def _cell(size: int, ends: Mapping[End, int]) -> Cell:
    return cell(size, ends.get("failing", 0), ends.get("clean", 0), ends.get(MISTAKE, 0))


class Strata:
    """A sample's strata with what was read of each.

    Args:
        drawn: the sample as it was drawn.
        cases: those of its cases that the run still has.
    """

    def __init__(self, drawn: Drawn, cases: Sequence[CaseRead]) -> None:
        self._drawn = drawn
        self._by = [[case for case in cases if case.stratum == at] for at in range(len(drawn.strata))]
        self._ends = [Counter(case.end for case in part) for part in self._by]
        self.cells = [
            _cell(stratum.size, ends) for stratum, ends in zip(drawn.strata, self._ends, strict=True)
        ]

    def rate(self, confidence: float = 0.95) -> Rate:
        """The failure rate over all strata."""
        simple = len(self.cells) == 1
        found = rate(self.cells, self._drawn.rule.seed, simple=simple, confidence=confidence)
        if found.value is None and any(ends.total() > ends["unread"] for ends in self._ends):
            return replace(found, said="no read case counts: nothing is known of the failure rate")
        return found

    def rows(self) -> tuple[StratumRead, ...]:
        """How far each was read."""
        return tuple(
            StratumRead(
                title=_title(stratum.key),
                must=stratum.must,
                size=stratum.size,
                drawn=stratum.allocated,
                read=cell.read,
                failing=cell.failing,
                test_set=ends[MISTAKE],
                unsettled=ends["unsettled"],
                ids=tuple(case.case_id for case in part),
            )
            for stratum, cell, ends, part in zip(
                self._drawn.strata, self.cells, self._ends, self._by, strict=True
            )
        )

    def topics(self, confidence: float = 0.95) -> tuple[TopicRate, ...]:
        """The failure rate of each topic: high-risk ones first, then those with most cases drawn."""
        found: dict[str | None, list[CaseRead]] = {}
        cells: dict[str | None, list[Cell]] = {}
        for stratum, whole, part in zip(self._drawn.strata, self.cells, self._by, strict=True):
            if TOPIC in stratum.key:
                topic = _recorded(stratum.key[TOPIC])
                found.setdefault(topic, []).extend(part)
                cells.setdefault(topic, []).append(whole)
                continue
            for topic in dict.fromkeys(case.topic for case in part):
                of = [case for case in part if case.topic == topic]
                ends = Counter(case.end for case in of)
                found.setdefault(topic, []).extend(of)
                cells.setdefault(topic, []).append(part_of(whole, ends["failing"], ends["clean"]))
        seed = self._drawn.rule.seed
        return _ordered(
            [
                _topic(topic, part, rate(cells[topic], seed, confidence=confidence))
                for topic, part in found.items()
            ]
        )


def _title(key: Mapping[str, str]) -> str:
    words = [
        "no class" if name == "class" and value == NOT_RECORDED else value for name, value in key.items()
    ]
    return ", ".join(words) or "all cases"


def _recorded(shown: str) -> str | None:
    return None if shown == NOT_RECORDED else shown


def _topic(topic: str | None, cases: Sequence[CaseRead], found: Rate | None) -> TopicRate:
    ends = Counter(case.end for case in cases)
    return TopicRate(
        topic=topic,
        high_risk=any(case.high_risk for case in cases),
        drawn=len(cases),
        read=len(cases) - ends["unread"],
        failing=ends["failing"],
        rate=found,
        ids=tuple(case.case_id for case in cases),
    )


def _ordered(topics: Sequence[TopicRate]) -> tuple[TopicRate, ...]:
    return tuple(sorted(topics, key=lambda one: (not one.high_risk, -one.drawn, one.topic or "\uffff")))


def counted_topics(cases: Sequence[CaseRead]) -> tuple[TopicRate, ...]:
    """Counts of each topic, where there is no sample."""
    topics = dict.fromkeys(case.topic for case in cases)
    return _ordered(
        [_topic(topic, [case for case in cases if case.topic == topic], None) for topic in topics]
    )


def in_reading_order(cases: Sequence[CaseRead]) -> list[CaseRead]:
    """The cases that somebody read, by their first reading that stands."""
    read = [case for case in cases if case.readings]
    return sorted(read, key=lambda case: min(one.event for one in case.readings))


def met(case: CaseRead) -> Met:
    """The labels of a case, and why it fails: the rule's sub-reason where people agree with its class."""
    review = case.review
    labels = review.labels if review is not None else ()
    if case.end != "failing":
        return Met(case.case_id, labels)
    suggested = case.verdict == case.failure_class
    return Met(
        case.case_id, labels, (case.reason if suggested else f"{case.verdict} (no rule suggested it)",)
    )


def mistakes(cases: Sequence[CaseRead]) -> tuple[Mistake, ...]:
    """The cases whose verdict is test-set, in the order given."""
    return tuple(
        Mistake(
            case_id=case.case_id,
            query=case.query,
            topic=case.topic,
            reason=case.reason,
            labels=case.review.labels,
            note=case.review.note,
            reviewer=case.review.reviewer,
            at=case.review.at,
        )
        for case in cases
        if case.review is not None and case.review.verdict == MISTAKE
    )


def by_verdict(cases: Sequence[CaseRead]) -> dict[str, tuple[str, ...]]:
    """The ids of settled cases by verdict, most first."""
    found: dict[str, list[str]] = {}
    for case in cases:
        if case.verdict is not None and case.end != "unsettled":
            found.setdefault(case.verdict, []).append(case.case_id)
    return {verdict: tuple(ids) for verdict, ids in sorted(found.items(), key=lambda one: -len(one[1]))}
