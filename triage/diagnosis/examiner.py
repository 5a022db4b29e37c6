"""Measures and diagnosis of many cases: what cases have in common is worked out once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from triage.diagnosis.diagnose import in_order, is_failing, told
from triage.diagnosis.layers import states
from triage.diagnosis.rule import nothing
from triage.diagnosis.rules import RULES
from triage.metrics.catalogue import CATALOGUE
from triage.metrics.facts import Facts
from triage.models.measure import Diagnosis, FailureClass, LayerState, Measure, Scoring

if TYPE_CHECKING:
    from triage.models.record import Record
    from triage.models.sentences import SentenceSummary

_REMEMBERED = 4096
"""Kinds of cases, and sets of measures, that are kept in mind."""
_BY_LABELS, _BY_SCORES, _BY_RECORD = (
    tuple((place, rule.fires) for place, rule in enumerate(RULES) if rule.asks == asks)
    for asks in ("labels", "scores", "record")
)
_LABELS, _SCORES = (
    tuple(entry.measure for entry in CATALOGUE if entry.asks == asks) for asks in ("labels", "scores")
)
_OWN = [entry for entry in CATALOGUE if entry.asks == "record"]
_ALWAYS = tuple(entry.measure for entry in _OWN if not entry.needs)
_SELDOM = tuple(entry.measure for entry in _OWN if entry.needs)
_FIELDS = tuple(sorted({name for entry in _OWN for name in entry.needs if "." not in name}))
_fields = attrgetter(*_FIELDS)
_needed_scores = frozenset(
    name.removeprefix("scores.") for entry in _OWN for name in entry.needs if name.startswith("scores.")
)

_NOTHING: dict[str, Measure] = {}


def _has_more(facts: Facts) -> bool:
    """Has a record anything that metrics speak of which few records have?"""
    if _fields(facts.record).count(None) < len(_FIELDS):
        return True
    return bool(facts.scores) and not _needed_scores.isdisjoint(facts.scores)


def _own(facts: Facts, measures: tuple[Callable[[Facts], Mapping[str, Measure]], ...]) -> dict[str, Measure]:
    """What is measured of each case by itself."""
    out: dict[str, Measure] = {}
    for measure in measures:
        out.update(measure(facts))
    return out


class _Kind:
    """Cases that agree in all but texts, ids and scores."""

    __slots__ = ("fired", "measures", "plans")

    def __init__(self, facts: Facts, own: tuple[int, ...]) -> None:
        self.measures: dict[str, Measure] = {}
        for measure in _LABELS:
            self.measures.update(measure(facts))
        self.fired = frozenset([*own, *(place for place, fires in _BY_LABELS if fires(facts))])
        self.plans: dict[tuple[int, ...], _Plan] = {}


class _Plan:
    """What is said of cases of one kind with the same judged rules.

    `same` is the whole diagnosis, where none of it is a case's own.
    """

    __slots__ = ("failing", "layers", "said", "same")

    def __init__(self, facts: Facts, kind: _Kind, judged: tuple[int, ...]) -> None:
        fired = sorted(kind.fired.union(judged))
        self.said = in_order(facts, [RULES[place] for place in fired])
        self.failing = is_failing(facts, self.said[0])
        self.layers: dict[FailureClass, LayerState | None] = states(facts, self.said)
        bare = all(each.evidence is nothing for each in self.said)
        self.same = told(facts, self.said, self.failing, self.layers) if bare else None


class Examiner:
    """`measure` and `diagnose` of case after case with one scoring; what is given back is not to be changed.

    Args:
        scoring: what all cases are measured with.
    """

    def __init__(self, scoring: Scoring) -> None:
        self._scoring = scoring
        self._kinds: dict[tuple[Any, ...], _Kind] = {}
        self._scored: dict[tuple[Any, ...], tuple[dict[str, Measure], _Plan]] = {}

    def examine(
        self, record: Record, sentences: SentenceSummary | None = None
    ) -> tuple[dict[str, Measure], Diagnosis]:
        """The case's measures and its diagnosis; cases with equal measures share one dictionary."""
        facts = Facts(record, self._scoring, sentences)
        mine = _own(facts, _ALWAYS) if _ALWAYS else _NOTHING
        if _has_more(facts):
            mine = mine | _own(facts, _SELDOM)
        decided = cited = False
        if record.inferred:
            decided, cited = "predicted_answerable" in record.inferred, "citations" in record.inferred
        own: tuple[int, ...] = ()
        for place, fires in _BY_RECORD:
            if fires(facts):
                own = (*own, place)
        key = _key(facts, decided, cited, own)
        kind = self._kinds.get(key)
        if kind is None:
            if len(self._kinds) >= _REMEMBERED:
                self._kinds.clear()
                self._scored.clear()
            kind = self._kinds[key] = _Kind(facts, own)
        scored: tuple[Any, ...] = (id(kind), *facts.scores.items())
        if mine:
            scored = (*scored, *mine.items())
        measures, plan = self._scored.get(scored) or self._score(scored, facts, kind, mine)
        return measures, plan.same or told(facts, plan.said, plan.failing, plan.layers)

    def _score(
        self, scored: tuple[Any, ...], facts: Facts, kind: _Kind, mine: dict[str, Measure]
    ) -> tuple[dict[str, Measure], _Plan]:
        """What is added by a case's scores, and by what is measured of each case."""
        judged: tuple[int, ...] = ()
        if facts.scores:
            judged = tuple([place for place, fires in _BY_SCORES if fires(facts)])
        plan = kind.plans.get(judged)
        if plan is None:
            plan = kind.plans[judged] = _Plan(facts, kind, judged)
        measures = dict(kind.measures)
        for measure in _SCORES:
            measures.update(measure(facts))
        measures.update(mine)
        if len(self._scored) >= _REMEMBERED:
            self._scored.clear()
        found = self._scored[scored] = (measures, plan)
        return found


def _key(facts: Facts, decided: bool, cites: bool, own: tuple[int, ...]) -> tuple[Any, ...]:
    """All that measures (those of scores apart) and rules that ask for labels ask of a record.

    One that asks for more has to bring it in here; a test holds them against each other. `decided` and
    `cites` tell that reading filled in the decision, the citations; `own` are the rules that fire on this
    record by more than its labels.
    """
    expected, retrieved, citations, cited = facts.expected, facts.retrieved, facts.citations, facts.cited
    good = whole = -1
    if cited is not None:
        whole = len(cited)
        good = whole - list(cited.values()).count(None)
    return (
        decided,
        cites,
        facts.answerable,
        facts.predicted,
        facts.record.passed,
        facts.has_answer,
        facts.has_error,
        -1 if expected is None else len(expected),
        -1 if retrieved is None else len(set(retrieved[: facts.k])),
        facts.ranks,
        -1 if citations is None else bool(citations),
        good,
        whole,
        facts.sentences,
        *own,
    )
