"""What of a run's cases speaks of judges and people, and what it adds up to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec.structs import replace

from triage.errors import UsageError, did_you_mean
from triage.metrics.outcome import ARBITRATED
from triage.models.judging import Calibration, JudgePair, JudgeQuestion, Raters
from triage.models.verdict import FAILURES
from triage.review import judges
from triage.review.judges import Judged, Scored, judge_pairs
from triage.review.ratings import Rated, raters
from triage.review.settled import end_of_verdict

if TYPE_CHECKING:
    from triage.formats.heard import Heard
    from triage.models.case import CaseRow
    from triage.models.record import Record
    from triage.models.verdict import Review

VERDICTS = "verdicts"
"""What a judge is held against where no path is named."""
LARGEST = 1e100
"""The largest number that counts, up or down."""
_OF = "/"
"""Between a judge's name and its score's."""
Scale = Literal["1-5", "0-1"]
SCALES: Mapping[Scale, tuple[float, float]] = {"1-5": (1.0, 5.0), "0-1": (0.0, 1.0)}


class JudgedCase(NamedTuple):
    """What of a case speaks of judges and people."""

    id: str
    review: Review | None
    scores: Mapping[str, float]
    judges: Mapping[str, Mapping[str, float]]
    people: float | None
    ratings: Mapping[str, float]
    parts: Mapping[str, str]


def number(value: Any) -> float | None:
    """A number as a file has it; a truth is none, nor is what is too large for a float's square."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if abs(found) <= LARGEST else None


def finite(values: Mapping[str, Any]) -> dict[str, float]:
    """The numbers of an object; what is none is left out."""
    found = {name: number(value) for name, value in values.items()}
    return {name: value for name, value in found.items() if value is not None}


def parts_of(row: CaseRow, record: Record | Heard) -> dict[str, str]:
    """The values by which a judge may fail, as a filter has them; those not recorded are left out."""
    verdict = row.review.verdict if row.review is not None else None
    truths = {
        "answerable": record.answerable,
        "refused": None if record.predicted_answerable is None else not record.predicted_answerable,
    }
    words = {
        "topic": row.topic,
        "query_type": record.query_type,
        "domain": record.domain,
        "difficulty": record.difficulty,
        "suggestion": row.failure_class,
        # That a right answer can only be a false alarm is no place where the judge fails.
        "verdict": verdict if verdict in FAILURES else None,
    }
    found = {name: ("true" if value else "false") for name, value in truths.items() if value is not None}
    return found | {name: value for name, value in words.items() if value}


def names_of(found: list[JudgedCase]) -> tuple[str, ...]:
    """Scores by how many cases have them, known ones first; then each judge's own."""
    counts = Counter(name for case in found for name in case.scores)
    order = {name: at for at, name in enumerate(ARBITRATED)} | {"faithfulness": -1}
    plain = sorted(counts, key=lambda name: (name not in order, -counts[name], order.get(name, 0), name))
    own = Counter(
        f"{judge}{_OF}{name}" for case in found for judge, scores in case.judges.items() for name in scores
    )
    return (*plain, *sorted(own))


def own_numbers(known: Iterable[str]) -> tuple[str, ...]:
    """Paths of the record's own keys, those that judges fill apart."""
    return tuple(sorted(name for name in known if name.split(".")[0] not in ("scores", "judges")))


def chosen(judge: str, names: Sequence[str]) -> str:
    """The score that is meant: as named, also by its path; the first where none is."""
    if not judge:
        return names[0] if names else ""
    name = judge if judge in names else judge.removeprefix("scores.")
    if name not in names:
        hint = did_you_mean(name, names, "scores here: " + (", ".join(names[:8]) or "none"))
        raise UsageError("no case has such a score", judge, hint)
    return name


def score_of(case: JudgedCase, judge: str) -> float | None:
    """A case's score, also one judge's own; None = it has none."""
    if judge in case.scores:
        return case.scores[judge]
    name, _, score = judge.rpartition(_OF)
    return case.judges.get(name, {}).get(score)


def scale_of(found: Sequence[JudgedCase], judge: str, own: Scale) -> tuple[float, float]:
    """The scale of a score: the run's for one that has thresholds, else as it is seen."""
    if judge.rpartition(_OF)[2] in ARBITRATED:
        return SCALES[own]
    scores = (score_of(case, judge) for case in found)
    return judges.scale_of(score for score in scores if score is not None)


def judged_of(
    found: Sequence[JudgedCase], asked: JudgeQuestion
) -> tuple[list[Judged], Counter[str], tuple[int, float | None]]:
    """The cases that both have judged; why others with a verdict do not count; (unscored, good from)."""
    numbers = [case.people for case in found if case.people is not None]
    good = None
    if asked.people:
        least, most = min(numbers, default=0.0), max(numbers, default=0.0)
        good = judges.good_from(least, most) if asked.good is None else asked.good
    left_out: Counter[str] = Counter()
    judged: list[Judged] = []
    unscored = 0
    for case in found:
        bad = _is_bad(case, good, left_out)
        score = score_of(case, asked.judge)
        if bad is not None and score is None:
            unscored += 1
        elif bad is not None and score is not None:
            judged.append(Judged(case.id, score, bad, case.parts))
    return judged, left_out, (unscored, good)


def calibration_of(found: Sequence[JudgedCase], asked: JudgeQuestion, own: Scale) -> Calibration:
    """A judge's scores against people's word."""
    low, high = scale_of(found, asked.judge, own)
    known = asked.judge.rpartition(_OF)[2] in ARBITRATED
    in_use = judges.good_from(low, high) if known else None
    judged, left_out, (unscored, good) = judged_of(found, asked)
    curve = judges.cuts(judged)
    best = judges.best(judged, in_use)
    made = Calibration(
        judge=asked.judge,
        low=low,
        high=high,
        people=asked.people or VERDICTS,
        n=len(judged),
        bad=sum(case.bad for case in judged),
        unscored=unscored,
        good=good,
        left_out=dict(left_out),
        own=judges.cut_at(judged, in_use) if in_use is not None and judged else None,
        best=best,
        unseen=judges.unseen(judged, in_use),
        separates=judges.separates(judged),
        curve=judges.curve(curve, next((cut for cut in curve if cut == best), None)),
    )
    if made.shown is None:
        return made
    at = made.shown.threshold
    return replace(
        made,
        missed=tuple(case.id for case in judged if case.bad and case.score >= at),
        alarms=tuple(case.id for case in judged if not case.bad and case.score < at),
        parts=judges.parts(judged, at),
    )


def _is_bad(case: JudgedCase, good: float | None, left_out: Counter[str]) -> bool | None:
    """People's word on an answer; None where there is none that counts."""
    if good is not None:
        return None if case.people is None else case.people < good
    review = case.review
    if review is None or review.verdict is None:
        return None
    end = "stale" if review.stale else "disputed" if review.disputed else end_of_verdict(review.verdict)
    if end in ("failing", "clean"):
        return end == "failing"
    left_out[end] += 1
    return None


def raters_of(found: Sequence[JudgedCase], asked: JudgeQuestion, own: Scale) -> Raters:
    """People's ratings against each other, and against the judge."""
    rated = [Rated(case.ratings, score_of(case, asked.judge)) for case in found if case.ratings]
    scale = scale_of(found, asked.judge, own) if asked.judge else None
    return raters(rated, asked.ratings or "", asked.judge, scale)


def scored_of(found: Sequence[JudgedCase], own: Scale) -> list[Scored]:
    """The cases that several judges scored, their scores put on 1-5."""
    return [
        Scored(case.id, {
            judge: {name: judges.onto(score, SCALES[own], SCALES["1-5"]) for name, score in scores.items()}
            for judge, scores in case.judges.items()
        })
        for case in found if len(case.judges) > 1
    ]  # fmt: skip


def against_of(found: Sequence[JudgedCase], asked: JudgeQuestion, own: Scale) -> JudgePair:
    """The judge against another score, both put on 1-5."""
    names = (asked.judge, asked.second or "")
    scales = {name: scale_of(found, name, own) for name in names}
    both = []
    for case in found:
        scores = {name: score_of(case, name) for name in names}
        put = {
            name: {"score": judges.onto(score, scales[name], SCALES["1-5"])}
            for name, score in scores.items()
            if score is not None
        }
        if len(put) == len(names):
            both.append(Scored(case.id, put))
    made = judge_pairs(both, ("score",))
    return made[0] if made else JudgePair(*names, 0, {}, ())
