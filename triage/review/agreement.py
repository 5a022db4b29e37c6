"""How far readers of the same cases agree: by pair, by class, over all, and which cases they dispute."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from triage.metrics.interval import wilson
from triage.models.agreement import (
    Agreement,
    ClassAgreement,
    PairAgreement,
    ReadCase,
    ReaderCounts,
    ReadTwice,
    SuggestionAgreement,
    word_for,
)
from triage.models.verdict import VERDICTS, Verdict, common
from triage.review.confusion import counted, crossed
from triage.review.kappa import cohen_kappa
from triage.review.krippendorff import alpha_counted, alpha_interval

Units = Mapping[tuple[Verdict, ...], int]
"""The verdicts on cases read twice or more, sorted, with how many cases there are of each."""


def disputed(verdicts: Sequence[str]) -> bool:
    """Do these readings of one case belong in the pool of disputes (metrics.md section 3): two or more, and
    none with more than half of them?
    """
    return len(verdicts) > 1 and common(verdicts) is None


def agreement(
    cases: Iterable[ReadCase],
    suggestions: SuggestionAgreement,
    run: str | None = None,
    sample: str | None = None,
    runs: Sequence[str] = (),
    seed: str = "agreement",
) -> Agreement:
    """All numbers of metrics.md section 7, "Reviewer agreement", over the readings of some cases.

    Args:
        cases: in the order in which disputes are to be listed. A reading that is `stale` is left out and
            counted: two people who saw different records cannot be held against each other.
        suggestions: what `suggestions_against` makes of the same cases.
        run, sample: whose readings these are; run None = of all of `runs`.
        seed: of the interval of alpha.
    """
    read, stale = _fresh(cases)
    twice = [case for case in read if len(case.readings) > 1]
    units = Counter(tuple(sorted(one.verdict for one in case.readings)) for case in twice)
    pairs = _pairs(twice)
    differ = [_read_twice(case) for case in twice if len({one.verdict for one in case.readings}) > 1]
    waiting = [one for one in differ if one.arbitration is None]
    pool = [disputed([verdict for _, verdict in one.verdicts]) for one in waiting]
    unanimous = len(twice) - len(differ)
    overall = alpha_counted(units)
    readers = _readers(read)
    return Agreement(
        run=run,
        sample=sample,
        reviewers=tuple(one.reviewer for one in readers),
        readings=sum(len(case.readings) for case in read),
        cases=len(read),
        read_twice=len(twice),
        unanimous=unanimous,
        compared=sum(pair.n for pair in pairs),
        agree=sum(pair.agree for pair in pairs),
        agreement=unanimous / len(twice) if twice else None,
        interval=wilson(unanimous, len(twice)),
        alpha=overall,
        alpha_interval=alpha_interval(units, seed),
        word=word_for(overall),
        pairs=pairs,
        classes=_classes(units, pairs[0] if len(pairs) == 1 else None),
        readers=readers,
        disputes=tuple(one for one, open in zip(waiting, pool, strict=True) if open),
        arbitrated=tuple(one for one in differ if one.arbitration is not None),
        outvoted=tuple(one for one, open in zip(waiting, pool, strict=True) if not open),
        suggestions=suggestions,
        stale=stale,
        runs=tuple(runs),
    )


def _fresh(cases: Iterable[ReadCase]) -> tuple[list[ReadCase], int]:
    """The cases with their readings of the record that is there now, and how many readings are of another."""
    stale, read = 0, []
    for case in cases:
        fresh = tuple(one for one in case.readings if not one.stale)
        stale += len(case.readings) - len(fresh)
        if fresh:
            read.append(ReadCase(case.run, case.case_id, fresh, case.arbitration))
    return read, stale


def _read_twice(case: ReadCase) -> ReadTwice:
    verdicts = tuple((one.reviewer, one.verdict) for one in case.readings)
    return ReadTwice(case.run, case.case_id, verdicts, case.arbitration)


def _pairs(cases: Iterable[ReadCase]) -> tuple[PairAgreement, ...]:
    """Every two reviewers who have read a case in common, those with the most of them first."""
    met: dict[tuple[str, str], list[tuple[Verdict, Verdict]]] = {}
    for case in cases:
        ordered = sorted(case.readings, key=lambda one: one.reviewer)
        for one, other in combinations(ordered, 2):
            met.setdefault((one.reviewer, other.reviewer), []).append((one.verdict, other.verdict))
    ordered_pairs = sorted(met.items(), key=lambda item: (-len(item[1]), item[0]))
    return tuple(_pair(a, b, verdicts) for (a, b), verdicts in ordered_pairs)


def _pair(a: str, b: str, verdicts: Sequence[tuple[Verdict, Verdict]]) -> PairAgreement:
    n, agree = len(verdicts), sum(one == other for one, other in verdicts)
    kappa = cohen_kappa([one for one, _ in verdicts], [other for _, other in verdicts])
    classes = []
    for verdict in VERDICTS:
        of_a = [one == verdict for one, _ in verdicts]
        of_b = [other == verdict for _, other in verdicts]
        given = sum(of_a) + sum(of_b)
        if given:
            both = sum(one and other for one, other in zip(of_a, of_b, strict=True))
            units = Counter(tuple(sorted(pair)) for pair in zip(of_a, of_b, strict=True))
            share, beyond = (n - given + 2 * both) / n, cohen_kappa(of_a, of_b)
            classes.append(_class(verdict, given, n, given - both, both, share, beyond, units))
    return PairAgreement(
        a=a,
        b=b,
        n=n,
        agree=agree,
        agreement=agree / n,
        interval=wilson(agree, n) or (0.0, 1.0),
        kappa=kappa,
        word=word_for(kappa),
        confusion=crossed(verdicts),
        classes=tuple(classes),
    )


def _class(
    verdict: Verdict,
    given: int,
    n: int,
    either: int,
    both: int,
    share: float,
    kappa: float | None,
    units: Mapping[tuple[bool, ...], int],
) -> ClassAgreement:
    beyond = alpha_counted(units)
    return ClassAgreement(verdict, given, n, either, both, share, kappa, beyond, word_for(beyond))


def _classes(units: Units, alone: PairAgreement | None) -> tuple[ClassAgreement, ...]:
    """Each class against the rest; the kappas are those of the pair, where there is only one."""
    kappas = {one.verdict: one.kappa for one in alone.classes} if alone is not None else {}
    found = []
    for verdict in VERDICTS:
        given = n = either = both = 0
        binary: Counter[tuple[bool, ...]] = Counter()
        for unit, times in units.items():
            size, hits = len(unit), unit.count(verdict)
            given += times * hits
            every, neither = size * (size - 1) // 2, (size - hits) * (size - hits - 1) // 2
            n += times * every
            either += times * (every - neither)
            both += times * (hits * (hits - 1) // 2)
            binary[(True,) * hits + (False,) * (size - hits)] += times
        if given:
            share = (n - either + both) / n
            found.append(_class(verdict, given, n, either, both, share, kappas.get(verdict), binary))
    return tuple(found)


def _readers(cases: Sequence[ReadCase]) -> tuple[ReaderCounts, ...]:
    given: dict[str, list[Verdict]] = {}
    shared, compared, agree = Counter[str](), Counter[str](), Counter[str]()
    for case in cases:
        said = Counter(one.verdict for one in case.readings)
        others = len(case.readings) - 1
        for one in case.readings:
            given.setdefault(one.reviewer, []).append(one.verdict)
            if others:
                shared[one.reviewer] += 1
                compared[one.reviewer] += others
                agree[one.reviewer] += said[one.verdict] - 1
    return tuple(
        ReaderCounts(name, len(verdicts), counted(verdicts), shared[name], compared[name], agree[name])
        for name, verdicts in sorted(given.items())
    )
