"""A judge's scores held against people's word: the threshold that fits best, and where it fails.

Kappa is Cohen's for the two answers good and bad (metrics.md section 7); the rule of arbitration between two
judges is that of section 3.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from math import floor
from typing import NamedTuple

from triage.metrics.outcome import ARBITRATED, needs_arbitration
from triage.models.judging import LEAST_RATED, Cut, JudgePair, Pair, Part
from triage.review.kappa import quadratic_kappa, raw_agreement

FOLDS = 10
"""Parts into which cases are dealt to see what a threshold is worth on cases that did not choose it."""
CURVE = 40
"""Most thresholds that a curve shows."""
LEAST_PART, MOST_PARTS = 5, 12
"""Cases from which on a value is told as a place where a judge fails; values that are told."""
LEAST_BEYOND = 1.0
"""Wrong cases beyond a value's share from which on it is told."""
GOOD_SHARE = 0.75
"""How far up a scale good begins: the 4 of 1-5."""


class Judged(NamedTuple):
    """A case that a judge and people have judged: `parts` are its values by dimension."""

    id: str
    score: float
    bad: bool
    parts: Mapping[str, str] = {}


def scale_of(values: Iterable[float]) -> tuple[float, float]:
    """The scale that numbers stand on: 0-1 or 1-5 where all lie within, else from the least to the most."""
    found = list(values)
    low, high = min(found, default=0.0), max(found, default=1.0)
    for least, most in ((0.0, 1.0), (1.0, 5.0)):
        if least <= low and high <= most:
            return least, most
    return low, high


def good_from(low: float, high: float) -> float:
    """Where good begins on a scale: 4 of 1-5, .75 of 0-1, 3.25 of 1-4."""
    return low + GOOD_SHARE * (high - low)


def onto(value: float, scale: tuple[float, float], other: tuple[float, float]) -> float:
    """A number of one scale on another, at the same share of the way up; not rounded."""
    (low, high), (least, most) = scale, other
    return least if high == low else least + (value - low) / (high - low) * (most - least)


def rounded(value: float, low: float, high: float) -> int:
    """The nearest whole number, halves upward, within a scale's whole numbers."""
    return min(max(floor(value + 0.5), int(low)), int(high))


def binary_kappa(hits: int, missed: int, alarms: int, passes: int) -> float | None:
    """Cohen's kappa of a table of two by two; None where both say the same of all cases, or there are none.

    Args:
        hits: both say bad.
        missed: people alone do.
        alarms: the judge alone does.
        passes: both say good.
    """
    n = hits + missed + alarms + passes
    chance = (hits + alarms) * (hits + missed) + (missed + passes) * (alarms + passes)
    if not n or chance == n * n:
        return None
    return (n * (hits + passes) - chance) / (n * n - chance)


def cut_at(cases: Iterable[Judged], threshold: float) -> Cut:
    """The judge that calls answers good from `threshold` on, held against people."""
    found = Counter((case.score < threshold, case.bad) for case in cases)
    hits, missed = found[True, True], found[False, True]
    alarms, passes = found[True, False], found[False, False]
    return Cut(threshold, hits, missed, alarms, passes, binary_kappa(hits, missed, alarms, passes))


def cuts(cases: Sequence[Judged]) -> list[Cut]:
    """The judge at every threshold that tells the cases apart, ascending; () where all score the same."""
    ordered = sorted((case.score, case.bad) for case in cases)
    scores = [score for score, _ in ordered]
    bad = [0]
    for _, is_bad in ordered:
        bad.append(bad[-1] + is_bad)
    out = []
    for threshold in sorted(set(scores))[1:]:
        below = bisect_left(scores, threshold)
        hits = bad[below]
        missed, alarms = bad[-1] - hits, below - hits
        passes = len(ordered) - below - missed
        out.append(Cut(threshold, hits, missed, alarms, passes, binary_kappa(hits, missed, alarms, passes)))
    return out


def best_of(found: Sequence[Cut], own: float | None) -> Cut | None:
    """The cut with the highest kappa; of equal ones that nearest to `own`, else the lower.

    None where kappa is undefined, or people call all answers good, or all bad: then no threshold is wrong.
    """
    defined = [
        (cut.kappa, cut) for cut in found if cut.kappa is not None and 0 < cut.hits + cut.missed < cut.n
    ]
    if not defined:
        return None

    def order(item: tuple[float, Cut]) -> tuple[float, float, float]:
        kappa, cut = item
        return -kappa, 0.0 if own is None else abs(cut.threshold - own), cut.threshold

    return min(defined, key=order)[1]


def best(cases: Sequence[Judged], own: float | None) -> Cut | None:
    """The threshold that fits best; None below `LEAST_RATED` cases, or where kappa is undefined."""
    return best_of(cuts(cases), own) if len(cases) >= LEAST_RATED else None


def unseen(cases: Sequence[Judged], own: float | None) -> float | None:
    """Kappa where each tenth of the cases is judged by the threshold that fits the other nine best.

    The tenths are dealt by a hash of the id, so that they are the same on any machine. None below
    `LEAST_RATED` cases, or where nine tenths have no threshold.
    """
    if len(cases) < LEAST_RATED:
        return None
    dealt = sorted(
        cases, key=lambda case: (sha256(case.id.encode("utf-8", "surrogatepass")).digest(), case.id)
    )
    hits = missed = alarms = passes = 0
    for fold in range(FOLDS):
        rest = [case for at, case in enumerate(dealt) if at % FOLDS != fold]
        chosen = best_of(cuts(rest), own)
        if chosen is None:
            return None
        cut = cut_at(dealt[fold::FOLDS], chosen.threshold)
        hits, missed = hits + cut.hits, missed + cut.missed
        alarms, passes = alarms + cut.alarms, passes + cut.passes
    return binary_kappa(hits, missed, alarms, passes)


def _dealt(case: Judged) -> tuple[bytes, str]:
    return sha256(case.id.encode("utf-8", "surrogatepass")).digest(), case.id


def separates(cases: Sequence[Judged]) -> float | None:
    """The chance that a good answer scores above a bad one, ties half (area under the ROC curve), 0..1."""
    good = sorted(case.score for case in cases if not case.bad)
    bad = Counter(case.score for case in cases if case.bad)
    if not good or not bad:
        return None
    above = 0.0
    for score, times in bad.items():
        first = bisect_left(good, score)
        equal = bisect_right(good, score) - first
        above += times * (len(good) - first - equal / 2)
    return above / (len(good) * bad.total())


def curve(found: Sequence[Cut], keep: Cut | None) -> tuple[Cut, ...]:
    """At most `CURVE` cuts, spread evenly, `keep` among them."""
    if len(found) <= CURVE:
        return tuple(found)
    step = (len(found) - 1) / (CURVE - 1)
    picked = {round(at * step) for at in range(CURVE)}
    return tuple(cut for at, cut in enumerate(found) if at in picked or cut is keep)


def parts(cases: Sequence[Judged], threshold: float) -> tuple[Part, ...]:
    """Where the judge fails: values whose cases it gets wrong more often than the whole, worst first.

    Worst is what has most wrong cases beyond those that its size alone would give; less than one is not told.
    """
    if not cases:
        return ()
    found: dict[tuple[str, str], list[int]] = {}
    wrong = 0
    for case in cases:
        missed, alarm = case.bad and case.score >= threshold, not case.bad and case.score < threshold
        wrong += missed or alarm
        for place in case.parts.items():
            counts = found.setdefault(place, [0, 0, 0])
            counts[0] += 1
            counts[1] += missed
            counts[2] += alarm
    share = wrong / len(cases)
    made = [
        Part(dimension, value, n, missed, alarms)
        for (dimension, value), (n, missed, alarms) in found.items()
        if n >= LEAST_PART
    ]

    def beyond(part: Part) -> float:
        return part.missed + part.alarms - part.n * share

    worst = sorted(
        (part for part in made if beyond(part) >= LEAST_BEYOND and part.n < len(cases)),
        key=lambda part: (-beyond(part), part.dimension, part.value),
    )
    return tuple(worst[:MOST_PARTS])


class Scored(NamedTuple):
    """A case as two or more judges scored it, on 1-5: judge -> score's name -> score."""

    id: str
    judges: Mapping[str, Mapping[str, float]]


def judge_pairs(cases: Sequence[Scored], over: Sequence[str] = ARBITRATED) -> tuple[JudgePair, ...]:
    """Every two judges of the cases against each other, those with most cases first.

    `over` are the scores by which it is decided whether a person must arbitrate.
    """
    both: dict[tuple[str, str], list[Scored]] = {}
    for case in cases:
        names = sorted(case.judges)
        for at, one in enumerate(names):
            for other in names[at + 1 :]:
                both.setdefault((one, other), []).append(case)
    made = []
    for (one, other), found in both.items():
        scored: dict[str, list[tuple[float, float]]] = {}
        for case in found:
            first, second = case.judges[one], case.judges[other]
            for name in first:
                if name in second:
                    scored.setdefault(name, []).append((first[name], second[name]))
        pairs = {name: pair(one, other, values, 1, 5) for name, values in scored.items()}
        arbitrate = tuple(
            case.id for case in found if needs_arbitration(case.judges[one], case.judges[other], over)
        )
        apart = {
            name: tuple(
                case.id for case in found if needs_arbitration(case.judges[one], case.judges[other], (name,))
            )
            for name in pairs
            if name in over
        }
        made.append(JudgePair(one, other, len(found), pairs, arbitrate, apart))
    return tuple(sorted(made, key=lambda each: (-each.cases, each.a, each.b)))


def pair(a: str, b: str, values: Sequence[tuple[float, float]], low: float, high: float) -> Pair:
    """Two who scored the same cases, on whole numbers `low`..`high` (others are rounded, halves upward)."""
    if not values:
        return Pair(a, b, 0, None, None)
    first = [rounded(one, low, high) for one, _ in values]
    second = [rounded(other, low, high) for _, other in values]
    return Pair(
        a,
        b,
        len(values),
        raw_agreement(first, second),
        quadratic_kappa(first, second),
        sum(other - one for one, other in values) / len(values),
    )
