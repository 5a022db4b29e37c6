"""The state of each layer, and what happened there in a word or two (look.md sections 1 and 9)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from triage.diagnosis.rule import Reason, Rule
from triage.diagnosis.rules import RULES
from triage.diagnosis.words import found_word, rank_word
from triage.metrics.facts import Facts
from triage.models.measure import CLASSES, Diagnosis, FailureClass, LayerState, Scoring

if TYPE_CHECKING:
    from triage.models.record import Record

_BY_REASON: dict[str, Rule] = {rule.reason: rule for rule in RULES}


def states(facts: Facts, said: Iterable[Reason]) -> dict[FailureClass, LayerState | None]:
    """The layers of a case; a rule that fired surely enough fails its layer even where it is out of scope."""
    in_scope = facts.in_scope
    layers: dict[FailureClass, LayerState | None] = {
        "retrieval": "ok" if in_scope else None,
        "ranking": "ok" if in_scope and facts.first_rank is not None else None,
        "refusal": "ok" if facts.answerable is not None and facts.predicted is not None else None,
        "citation-semantic": "ok" if facts.has_answer and facts.citations is not None else None,
    }
    for reason in said:
        if reason.failure_class is not None and reason.blames(facts.scoring):
            layers[reason.failure_class] = "fails"
    return layers


def layer_words(diagnosis: Diagnosis, record: Record, scoring: Scoring) -> dict[FailureClass, str]:
    """What happened in each layer: "rank 2 of 3", "not retrieved", "ok".

    At most 13 cells of ASCII each, 15 of citation.
    """
    facts = Facts(record, scoring)
    words: dict[FailureClass, str] = {}
    for layer in CLASSES:
        state = diagnosis.layers.get(layer)
        if state == "fails":
            words[layer] = _blame(facts, diagnosis, layer)
        else:
            words[layer] = _FINE[layer](facts) if state == "ok" else _OUT[layer](facts)
    return words


def _blame(facts: Facts, diagnosis: Diagnosis, layer: FailureClass) -> str:
    """The word of the first rule that fails the layer."""
    for finding in (diagnosis.suggestion, *diagnosis.secondary):
        rule = _BY_REASON.get(finding.reason)
        if rule is not None and rule.failure_class == layer and rule.blames(facts.scoring):
            return rule.word(facts, finding.evidence)
    return "fails"


def _retrieval_fine(facts: Facts) -> str:
    found = sum(rank <= facts.k for rank in facts.ranks)
    return "ok" if found == len(facts.expected or ()) else found_word(facts) if found else "below the cut"


def _retrieval_out(facts: Facts) -> str:
    if facts.conflict:
        return "labels clash"
    return "none to find" if facts.answerable is False else "not recorded"


def _ranking_out(facts: Facts) -> str:
    unasked = facts.answerable is False and not facts.conflict
    return "none to rank" if facts.in_scope or unasked else _retrieval_out(facts)


def _citation_out(facts: Facts) -> str:
    if facts.refused:
        return "refused"
    text = facts.record.answer
    return "no answer" if text is not None and not text.strip() else "not recorded"


_FINE: dict[FailureClass, Callable[[Facts], str]] = {
    "retrieval": _retrieval_fine,
    "ranking": rank_word,
    "refusal": lambda facts: "ok, refused" if facts.refused and facts.answerable is False else "ok",
    "citation-semantic": lambda facts: "ok",
}
_OUT: dict[FailureClass, Callable[[Facts], str]] = {
    "retrieval": _retrieval_out,
    "ranking": _ranking_out,
    "refusal": lambda facts: "not recorded",
    "citation-semantic": _citation_out,
}
