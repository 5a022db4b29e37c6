"""Judges' scores held against people's verdicts or ratings, and judges against each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

from msgspec.structs import replace

from triage.errors import UsageError, did_you_mean
from triage.models.judging import JudgeQuestion, JudgeReport
from triage.models.query import Scope
from triage.review.judges import judge_pairs
from triage.review.ratings import steps_of
from triage.store.suggest import value_text
from triage.workspace import cases
from triage.workspace.advising import within_text
from triage.workspace.judge_cases import (
    JudgedCase,
    Scale,
    against_of,
    calibration_of,
    chosen,
    finite,
    judged_of,
    names_of,
    number,
    own_numbers,
    parts_of,
    raters_of,
    scale_of,
    score_of,
    scored_of,
)
from triage.workspace.judge_doors import JudgeDoors

if TYPE_CHECKING:
    from triage.settings import Settings
    from triage.workspace.cases import Place

Fault = Literal["wrong", "missed", "alarms"]


class Judging:
    """What judges are worth; blocking, from any thread.

    Args:
        place: finds a scope in the calling thread's store.
        settings: gives the settings as they are now.
    """

    def __init__(self, place: Callable[[Scope], Place], settings: Callable[[], Settings]) -> None:
        self._place = place
        self._settings = settings

    def _found(self, scope: Scope, sample: str | None, *further: str) -> Place:
        """The cases that count: those under the filter text, of a sample alone where one is named, that pass
        `further` filters.
        """
        place = self._place(replace(scope, drill=None, view="all", sort="file"))
        if sample is None and not further:
            return place
        if sample is not None:
            place.store.samples.named(place.run.id, sample)
        words = further if sample is None else (f"sample:{value_text(sample)}", *further)
        text = within_text(place, " ".join(words))
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
        names = names_of(found)
        numbers = own_numbers(place.store.known_keys(place.run.pk))
        asked = replace(
            asked,
            judge=chosen(asked.judge, names),
            second=chosen(asked.second, names) if asked.second else None,
        )
        for path, there in ((asked.people, any(case.people is not None for case in found)),
                            (asked.ratings, any(case.ratings for case in found))):  # fmt: skip
            if path is not None and not there:
                raise UsageError("no case has a number there", path, _other_path(path, numbers))
        doors = JudgeDoors(place, self._settings())
        return JudgeReport(
            question=asked,
            cases=len(found),
            judges=names,
            numbers=numbers,
            calibration=doors.calibration(calibration_of(found, asked, own)) if asked.judge else None,
            raters=raters_of(found, asked, own) if asked.ratings else None,
            second=doors.pair(against_of(found, asked, own)) if asked.judge and asked.second else None,
            pairs=tuple(doors.pair(each) for each in judge_pairs(scored_of(found, own))),
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
        # Where people's word is a verdict, no case without one needs to be read.
        place = self._found(scope, sample, *(() if question.people else ("is:reviewed",)))
        found = list(self._read(place, question))
        judged, _, _ = judged_of(found, question)
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
        steps = steps_of([number for case in found for number in case.ratings.values()])
        scale = scale_of(found, question.judge, own)

        def given(case: JudgedCase, name: str) -> int | None:
            if name in case.ratings:
                return steps.rounded(case.ratings[name])
            score = score_of(case, question.judge) if name == question.judge else None
            return None if score is None else steps.judged(score, scale)

        both = ((case.id, given(case, a), given(case, b)) for case in found)
        return tuple(one for one, first, second in both if None not in (first, second) and first != second)

    def _read(self, place: Place, asked: JudgeQuestion) -> Iterator[JudgedCase]:
        from triage.formats.heard import heard
        from triage.formats.mapping import follow
        from triage.models.loads import loads

        store = place.store
        mapped = bool(store.options(place.run.pk)[0].mapping)
        reader = cases.reader_of(store, place.run, self._settings())
        people = asked.people.split(".") if asked.people else None
        ratings = asked.ratings.split(".") if asked.ratings else None
        keys = store.keys(place.run, place.view, place.scope, place.where)
        for page in cases.pages(keys):
            store.heed()
            raws = store.raws(page)
            for row in store.rows(place.run, place.view, page):
                raw = raws[row.pk]
                # Nearly all say it in words that need no reading of the whole record.
                record = (None if mapped else heard(raw)) or reader.read(raw, both_sources=False)
                data: Any = loads(raw) if people or ratings else None
                given = follow(data, ratings) if ratings else None
                yield JudgedCase(
                    row.id,
                    row.review,
                    finite(record.scores or {}),
                    {judge.judge: finite(judge.scores) for judge in record.judges or ()},
                    number(follow(data, people)) if people else None,
                    finite(given) if isinstance(given, dict) else {},
                    parts_of(row, record),
                )


def _other_path(path: str, known: Sequence[str]) -> str:
    """What to do about a path in the record at which no case has a number; `known` are the records' paths."""
    below = [name for name in known if name.startswith(f"{path}.")]
    if below:
        return f"did you mean {below[0]}?"
    if path in known:
        return "the records have it, but these cases have no number there"
    return did_you_mean(path, known, "a path in the record, such as labels.human.faithfulness")
