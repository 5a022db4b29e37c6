"""Judges' scores held against people's verdicts or ratings, and judges against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec.structs import replace

from triage.errors import TriageError, UsageError, did_you_mean
from triage.metrics.outcome import ARBITRATED
from triage.models.judging import Calibration, JudgePair, JudgeQuestion, JudgeReport, Raters
from triage.models.query import Scope
from triage.review import judges
from triage.review.judges import Judged, Scored, judge_pairs
from triage.review.ratings import Rated, raters
from triage.store.suggest import value_text
from triage.workspace import cases
from triage.workspace.advising import within_text
from triage.workspace.judge_doors import JudgeDoors

if TYPE_CHECKING:
    from triage.models.case import CaseRow
    from triage.models.record import Record
    from triage.settings import Settings
    from triage.workspace.cases import Place

VERDICTS = "verdicts"
"""What a judge is held against where no path is named."""
_OF = "/"
"""Between a judge's name and its score's."""
Scale = Literal["1-5", "0-1"]
Fault = Literal["wrong", "missed", "alarms"]
SCALES: Mapping[Scale, tuple[float, float]] = {"1-5": (1.0, 5.0), "0-1": (0.0, 1.0)}


class _Case(NamedTuple):
    """What of a case speaks of judges and people."""

    id: str
    verdict: str | None
    disputed: bool
    scores: Mapping[str, float]
    judges: Mapping[str, Mapping[str, float]]
    people: float | None
    ratings: Mapping[str, float]
    parts: Mapping[str, str]


class Judging:
    """What judges are worth; blocking, from any thread.

    Args:
        place: finds a scope in the calling thread's store.
        settings: gives the settings as they are now.
    """

    def __init__(self, place: Callable[[Scope], Place], settings: Callable[[], Settings]) -> None:
        self._place = place
        self._settings = settings

    def _found(self, scope: Scope, sample: str | None) -> Place:
        """The cases that count: those under the filter text, of a sample alone where one is named."""
        place = self._place(replace(scope, drill=None, view="all", sort="file"))
        if sample is None:
            return place
        if place.store.samples.load(place.run.id, sample) is None:
            names = ", ".join(place.store.samples.names(place.run.id)) or "none: triage sample draws one"
            raise TriageError("no such sample", f"{sample} in {place.run.id}", f"there are {names}")
        text = within_text(place, f"sample:{value_text(sample)}")
        return self._place(replace(place.scope, text=text, literal=False))

    def report(
        self, scope: Scope, question: JudgeQuestion | None = None, sample: str | None = None
    ) -> JudgeReport:
        """All that is known of the judges of the cases that a scope's filter text selects.

        `sample` names the sample whose cases alone count.

        Raises:
            UsageError: no case has a number at a path, or no score of that name.
            FilterError: the filter text does not parse.
            TriageError: no such run.
        """
        asked = question or JudgeQuestion()
        place = self._found(scope, sample)
        found = list(self._read(place, asked))
        own: Scale = "0-1" if place.run.score_scale == "0-1" else "1-5"
        names = _names(found)
        numbers = _numbers(place.store.known_keys(place.run.pk))
        asked = replace(
            asked,
            judge=_chosen(asked.judge, names),
            second=_chosen(asked.second, names) if asked.second else None,
        )
        for path, there in ((asked.people, any(case.people is not None for case in found)),
                            (asked.ratings, any(case.ratings for case in found))):  # fmt: skip
            if path is not None and not there:
                hint = did_you_mean(path, numbers, "a path in the record, such as labels.human.faithfulness")
                raise UsageError("no case has a number there", path, hint)
        doors = JudgeDoors(place, self._settings())
        return JudgeReport(
            question=asked,
            cases=len(found),
            judges=names,
            numbers=numbers,
            calibration=doors.calibration(_calibration(found, asked, own)) if asked.judge else None,
            raters=_raters(found, asked, own) if asked.ratings else None,
            second=doors.pair(_against(found, asked, own)) if asked.judge and asked.second else None,
            pairs=tuple(doors.pair(each) for each in judge_pairs(_scored(found, own))),
        )

    def wrong(
        self,
        scope: Scope,
        question: JudgeQuestion,
        threshold: float,
        kind: Fault = "wrong",
        within: tuple[str, str] | None = None,
        sample: str | None = None,
    ) -> tuple[str, ...]:
        """The ids of cases on which a judge that calls answers good from `threshold` on and people differ.

        Args:
            scope, question, sample: as for `report`; the question's judge is named.
            kind: "missed" bad answers that it calls good, "alarms" good ones that it calls bad, or both.
            within: (dimension, value) of the cases that count; None = all.

        Raises:
            as `report`.
        """
        place = self._found(scope, sample)
        found = list(self._read(place, question))
        judged, _, _ = _judged(found, question)
        return tuple(
            case.id
            for case in judged
            if (within is None or case.parts.get(within[0]) == within[1])
            and (case.score < threshold) is not case.bad
            and kind in ("wrong", "missed" if case.bad else "alarms")
        )

    def differ(
        self, scope: Scope, question: JudgeQuestion, a: str, b: str, sample: str | None = None
    ) -> tuple[str, ...]:
        """The ids of cases to which two people, or a person `a` and the judge `b`, give another number.

        Raises:
            as `report`.
        """
        place = self._found(scope, sample)
        found = list(self._read(place, question))
        own: Scale = "0-1" if place.run.score_scale == "0-1" else "1-5"
        numbers = [number for case in found for number in case.ratings.values()]
        low, high = min(numbers, default=0.0), max(numbers, default=0.0)
        scale = _scale(found, question.judge, own)

        def given(case: _Case, name: str) -> int | None:
            if name in case.ratings:
                return judges.rounded(case.ratings[name], low, high)
            score = _score(case, question.judge) if name == question.judge else None
            if score is None:
                return None
            return judges.rounded(judges.onto(score, scale, (low, high)), low, high)

        both = ((case.id, given(case, a), given(case, b)) for case in found)
        return tuple(one for one, first, second in both if None not in (first, second) and first != second)

    def _read(self, place: Place, asked: JudgeQuestion) -> Iterator[_Case]:
        from triage.formats.mapping import follow
        from triage.models.loads import loads

        store = place.store
        reader = cases.reader_of(store, place.run, self._settings())
        people = asked.people.split(".") if asked.people else None
        ratings = asked.ratings.split(".") if asked.ratings else None
        keys = store.keys(place.run, place.view, place.scope, place.where)
        for page in cases.pages(keys):
            raws = store.raws(page)
            for row in store.rows(place.run, place.view, page):
                raw = raws[row.pk]
                record = reader.read(raw, both_sources=False)
                data: Any = loads(raw) if people or ratings else None
                given = follow(data, ratings) if ratings else None
                yield _Case(
                    row.id,
                    row.review.verdict if row.review is not None else None,
                    row.review is not None and row.review.disputed,
                    _finite(record.scores or {}),
                    {judge.judge: _finite(judge.scores) for judge in record.judges or ()},
                    _number(follow(data, people)) if people else None,
                    _finite(given) if isinstance(given, dict) else {},
                    _parts(row, record),
                )


def _number(value: Any) -> float | None:
    """A number as a file has it; a truth is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if isfinite(value) else None


def _finite(values: Mapping[str, Any]) -> dict[str, float]:
    found = {name: _number(value) for name, value in values.items()}
    return {name: value for name, value in found.items() if value is not None}


def _parts(row: CaseRow, record: Record) -> dict[str, str]:
    """The values by which a judge may fail, as a filter has them; those not recorded are left out."""
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
        "verdict": row.review.verdict if row.review is not None else None,
    }
    found = {name: ("true" if value else "false") for name, value in truths.items() if value is not None}
    return found | {name: value for name, value in words.items() if value}


def _names(found: list[_Case]) -> tuple[str, ...]:
    """Scores by how many cases have them, known ones first; then each judge's own."""
    counts = Counter(name for case in found for name in case.scores)
    order = {name: at for at, name in enumerate(ARBITRATED)} | {"faithfulness": -1}
    plain = sorted(counts, key=lambda name: (name not in order, -counts[name], order.get(name, 0), name))
    own = Counter(
        f"{judge}{_OF}{name}" for case in found for judge, scores in case.judges.items() for name in scores
    )
    return (*plain, *sorted(own))


def _numbers(known: Iterable[str]) -> tuple[str, ...]:
    """Paths of the record's own keys, those that judges fill apart."""
    return tuple(sorted(name for name in known if name.split(".")[0] not in ("scores", "judges")))


def _chosen(judge: str, names: Sequence[str]) -> str:
    """The score that is meant: as named, also by its path; the first where none is."""
    if not judge:
        return names[0] if names else ""
    name = judge if judge in names else judge.removeprefix("scores.")
    if name not in names:
        hint = did_you_mean(name, names, "scores here: " + (", ".join(names[:8]) or "none"))
        raise UsageError("no case has such a score", judge, hint)
    return name


def _score(case: _Case, judge: str) -> float | None:
    if judge in case.scores:
        return case.scores[judge]
    name, _, score = judge.rpartition(_OF)
    return case.judges.get(name, {}).get(score)


def _scale(found: Sequence[_Case], judge: str, own: Scale) -> tuple[float, float]:
    """The scale of a score: the run's for one that has thresholds, else as it is seen."""
    if judge.rpartition(_OF)[2] in ARBITRATED:
        return SCALES[own]
    scores = (_score(case, judge) for case in found)
    return judges.scale_of(score for score in scores if score is not None)


def _judged(
    found: Sequence[_Case], asked: JudgeQuestion
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
        score = _score(case, asked.judge)
        if bad is not None and score is None:
            unscored += 1
        elif bad is not None and score is not None:
            judged.append(Judged(case.id, score, bad, case.parts))
    return judged, left_out, (unscored, good)


def _calibration(found: Sequence[_Case], asked: JudgeQuestion, own: Scale) -> Calibration:
    low, high = _scale(found, asked.judge, own)
    known = asked.judge.rpartition(_OF)[2] in ARBITRATED
    in_use = judges.good_from(low, high) if known else None
    judged, left_out, (unscored, good) = _judged(found, asked)
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


def _is_bad(case: _Case, good: float | None, left_out: Counter[str]) -> bool | None:
    """People's word on an answer; None where there is none that counts."""
    if good is not None:
        return None if case.people is None else case.people < good
    if case.verdict is None:
        return None
    if case.disputed or case.verdict == "test-set":
        left_out["disputed" if case.disputed else "test-set"] += 1
        return None
    return case.verdict != "not-a-failure"


def _raters(found: Sequence[_Case], asked: JudgeQuestion, own: Scale) -> Raters:
    rated = [Rated(case.ratings, _score(case, asked.judge)) for case in found if case.ratings]
    scale = _scale(found, asked.judge, own) if asked.judge else None
    return raters(rated, asked.ratings or "", asked.judge, scale)


def _scored(found: Sequence[_Case], own: Scale) -> list[Scored]:
    """The cases that several judges scored, their scores put on 1-5."""
    return [
        Scored(case.id, {
            judge: {name: judges.onto(score, SCALES[own], SCALES["1-5"]) for name, score in scores.items()}
            for judge, scores in case.judges.items()
        })
        for case in found if len(case.judges) > 1
    ]  # fmt: skip


def _against(found: Sequence[_Case], asked: JudgeQuestion, own: Scale) -> JudgePair:
    """The judge against another score, both put on 1-5."""
    names = (asked.judge, asked.second or "")
    scales = {name: _scale(found, name, own) for name in names}
    both = []
    for case in found:
        scores = {name: _score(case, name) for name in names}
        put = {
            name: {"score": judges.onto(score, scales[name], SCALES["1-5"])}
            for name, score in scores.items()
            if score is not None
        }
        if len(put) == len(names):
            both.append(Scored(case.id, put))
    made = judge_pairs(both, ("score",))
    return made[0] if made else JudgePair(*names, 0, {}, ())
