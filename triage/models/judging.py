"""What judges' scores are worth, held against people; and two judges against each other.

`Workspace.judging.report(scope, question) -> JudgeReport` answers, blocking, from any thread; of a scope its
run, k and filter text count.
"""

from __future__ import annotations

from msgspec import Struct, field

LEAST_RATED = 10
"""Cases below which a threshold is not fitted: it would be the cases' own."""


class JudgeQuestion(Struct, frozen=True):
    """Which judge is held against which people.

    Args:
        judge: a score's name (`faithfulness`, `rl_f`), or `NAME/SCORE` for one of several judges; "" = the
            first that the run has.
        second: another score of the same kind, to be held against the judge; None = none.
        people: path in the record of a number that people gave, such as `labels.human.faithfulness`; None =
            people's verdicts.
        ratings: path in the record of an object of each person's own number; None = none.
        good: people's number from which an answer is good; None = three quarters of the way up their scale,
            which is the 4 of 1-5.
    """

    judge: str = ""
    second: str | None = None
    people: str | None = None
    ratings: str | None = None
    good: float | None = None


class Cut(Struct, frozen=True):
    """A judge that calls an answer good from `threshold` on (in its own unit), held against people.

    `hits` are bad answers that it calls bad, `missed` bad ones that it calls good, `alarms` good ones that it
    calls bad, `passes` good ones that it calls good. `agreement` is 0..1, `kappa` Cohen's; None where it is
    undefined (metrics.md section 7).
    """

    threshold: float
    hits: int
    missed: int
    alarms: int
    passes: int
    kappa: float | None = None

    @property
    def n(self) -> int:
        """How many cases both have judged."""
        return self.hits + self.missed + self.alarms + self.passes

    @property
    def agreement(self) -> float | None:
        """The share of cases in which both say the same, 0..1."""
        return (self.hits + self.passes) / self.n if self.n else None


class Part(Struct, frozen=True):
    """Cases of one value of a dimension: how many, and of them those missed and those alarmed for nothing.

    `query` is a filter text that selects the value's cases, None where no text can say it.
    """

    dimension: str
    value: str
    n: int
    missed: int
    alarms: int
    query: str | None = None

    @property
    def wrong(self) -> float:
        """The share of cases on which judge and people differ, 0..1."""
        return (self.missed + self.alarms) / self.n


class Calibration(Struct, frozen=True):
    """A judge's scores against people's word on the same answers.

    Args:
        judge: as asked for; `low`, `high` its scale, seen or declared.
        people: what it is held against: "verdicts", or the path of people's numbers.
        good: people's number from which an answer is good; None for verdicts.
        n, bad: cases that both have judged, and how many of them people call bad.
        unscored: cases with people's word and without a score.
        left_out: why cases with a verdict do not count, and how many: "test-set",
            "disputed", "stale" (the record has changed since).
        own: at the threshold in use (4 of 1-5, mapped); None where the score has none.
        best: at the threshold with the highest kappa; of equal ones that nearest to the one in use, else the
            lower. None below `LEAST_RATED` cases or where kappa is undefined.
        unseen: kappa where each tenth of the cases is judged by the threshold that fits the other nine best:
            what the best threshold is worth on cases that it was not chosen on.
        separates: the chance that a good answer scores above a bad one, ties half, 0..1 (area under the ROC
            curve); None without both kinds.
        curve: every threshold that tells the cases apart, ascending.
        missed, alarms: ids of cases at the threshold shown (`shown`), in file order.
        missed_query, alarms_query: filter texts that select exactly these; None where no text can say it.
        parts: where it fails, worst first.
    """

    judge: str
    low: float
    high: float
    people: str
    n: int
    bad: int
    unscored: int
    good: float | None = None
    left_out: dict[str, int] = field(default_factory=dict)
    own: Cut | None = None
    best: Cut | None = None
    unseen: float | None = None
    separates: float | None = None
    curve: tuple[Cut, ...] = ()
    missed: tuple[str, ...] = ()
    alarms: tuple[str, ...] = ()
    missed_query: str | None = None
    alarms_query: str | None = None
    parts: tuple[Part, ...] = ()

    @property
    def shown(self) -> Cut | None:
        """The cut whose faults are listed: in use, else the one that fits best."""
        return self.own or self.best


class Pair(Struct, frozen=True):
    """Two who scored the same cases: raw agreement 0..1, Cohen's quadratic kappa, the mean difference b - a.

    `kappa` None: undefined, all one value.
    """

    a: str
    b: str
    n: int
    agreement: float | None
    kappa: float | None
    shift: float | None = None


class Raters(Struct, frozen=True):
    """People's ratings of the same cases.

    Args:
        path: where they stand in the record.
        low, high: the scale, as seen.
        cases: cases that at least two people rated; `ratings` counts all numbers.
        alpha: Krippendorff's, ordinal.
        pairs: every two people who rated a case together, most cases first, on whole numbers: those that
            they gave, 1-5 where they gave parts of 0-1.
        judge: the judge, put on people's scale, against each person, most cases first; () = no judge.
        mean, judge_mean: kappa of the pairs, and of judge and person, weighted by cases: how well people
            agree with each other, and the judge with them. None where none is defined.
        spread: of a case's numbers, how often they are all equal, one step apart, further.
    """

    path: str
    low: float
    high: float
    cases: int
    ratings: int
    alpha: float | None
    pairs: tuple[Pair, ...] = ()
    judge: tuple[Pair, ...] = ()
    mean: float | None = None
    judge_mean: float | None = None
    spread: tuple[int, int, int] = (0, 0, 0)


class JudgePair(Struct, frozen=True):
    """Two judges: each score that both gave, on 1-5; the cases that a person must arbitrate.

    `cases` counts those that both judged. `arbitrate` are ids in file order, by metrics.md section 3, and
    `apart` those of each score by itself; `query` is a filter text that selects exactly the first, None where
    no text can say it.
    """

    a: str
    b: str
    cases: int
    scores: dict[str, Pair]
    arbitrate: tuple[str, ...]
    apart: dict[str, tuple[str, ...]] = field(default_factory=dict)
    query: str | None = None


class JudgeReport(Struct, frozen=True):
    """All that is known of a run's judges.

    Args:
        question: as it was understood: `judge` is filled in where it was left open.
        judges: the scores that the cases have, as `JudgeQuestion.judge` takes them.
        numbers: paths in the record that hold numbers, or objects of numbers: what people may have given.
        calibration: the judge against people; None = no case has a score.
        raters: people's own ratings; None = none are asked for.
        second: the judge against the question's other score, on 1-5; None = none is asked for.
        pairs: the judges of `judges` two by two.
    """

    question: JudgeQuestion
    cases: int
    judges: tuple[str, ...]
    numbers: tuple[str, ...]
    calibration: Calibration | None = None
    raters: Raters | None = None
    second: JudgePair | None = None
    pairs: tuple[JudgePair, ...] = ()
