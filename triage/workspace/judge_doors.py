"""Filter texts for the cases behind what is said of judges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from triage.errors import FilterError
from triage.metrics.outcome import ARBITRATED
from triage.models.judging import Calibration, JudgePair, Part
from triage.models.query import Scope
from triage.models.verdict import CLEAN, FAILURES
from triage.store.suggest import value_text
from triage.workspace import cases
from triage.workspace.advising import within_text

if TYPE_CHECKING:
    from triage.settings import Settings
    from triage.workspace.cases import Place

MOST_IDS = 200
"""Most cases that a filter text names one by one."""


class JudgeDoors:
    """Filter texts for the cases behind numbers: a condition that says it, else their ids.

    Args:
        place: the scope that was asked about; its own text is part of each.
        settings: the user's.
    """

    def __init__(self, place: Place, settings: Settings) -> None:
        self._place, self._settings = place, settings

    def calibration(self, made: Calibration) -> Calibration:
        """With the doors to its faults."""
        cut = made.shown
        if cut is None:
            return made
        judge = _field(made.judge)
        at = f"{cut.threshold!r}".removesuffix(".0")
        if made.good is None:
            standing = "-is:disputed -is:stale"
            bad = " OR ".join(f"verdict:{name}" for name in FAILURES)
            good, bad = f"verdict:{CLEAN} {standing}", f"({bad}) {standing}"
        else:
            people, least = made.people, f"{made.good!r}".removesuffix(".0")
            good, bad = f"{people}:>={least}", f"{people}:<{least}"
        return replace(
            made,
            missed_query=self._text(f"{judge}:>={at} {bad}", made.missed),
            alarms_query=self._text(f"{judge}:<{at} {good}", made.alarms),
            parts=tuple(replace(part, query=self._part(part)) for part in made.parts),
        )

    def pair(self, made: JudgePair) -> JudgePair:
        """With the door to the cases that a person must arbitrate."""
        return replace(made, query=self._text("", made.arbitrate))

    def _part(self, part: Part) -> str:
        return within_text(self._place, f"{part.dimension}:{value_text(part.value)}")

    def _text(self, said: str, ids: Sequence[str]) -> str | None:
        """`said` where it selects exactly these cases, else their ids; None where there are too many."""
        named = " OR ".join(f"id:{value_text(one)}" for one in ids) if 0 < len(ids) <= MOST_IDS else ""
        for text in (said and within_text(self._place, said), named):
            if text and self._selected(text) == set(ids):
                return text
        return None

    def _selected(self, text: str) -> set[str]:
        store, run = self._place.store, self._place.run
        try:
            where = cases.condition(store, run, Scope(run.id, text=text), self._settings, "", frozenset())
        except FilterError:
            # A name that the filter language can't say.
            return set()
        if where.said:
            return set()
        keys = store.keys(run, self._place.view, Scope(run.id), where)
        return {row.id for page in cases.pages(keys) for row in store.rows(run, self._place.view, page)}


def _field(judge: str) -> str:
    """The filter's name of a score, as far as it has one: a metric's values are the judges' mean."""
    return judge if judge in ARBITRATED and judge != "answer_correctness" else f"scores.{judge}"
