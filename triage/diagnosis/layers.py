"""The state of each layer, and what happened there in a word or two (look.md sections 1 and 9)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from triage.diagnosis.reasons import ReasonInfo
from triage.metrics.facts import Facts
from triage.models.measure import CLASSES, Diagnosis, FailureClass, Finding, LayerState, Scoring

if TYPE_CHECKING:
    from triage.models.record import Record

WORD_CELLS = 17
"""Most cells a word may take in the trail."""


def states(facts: Facts, findings: Iterable[Finding | ReasonInfo]) -> dict[FailureClass, LayerState | None]:
    """The layers of a case; a rule that fired surely enough fails its layer even where it is out of scope."""
    in_scope = facts.in_scope
    layers: dict[FailureClass, LayerState | None] = {
        "retrieval": "ok" if in_scope else None,
        "ranking": "ok" if in_scope and facts.first_rank is not None else None,
        "refusal": "ok" if facts.answerable is not None and facts.predicted is not None else None,
        "citation-semantic": "ok" if facts.has_answer and facts.citations is not None else None,
    }
    least = facts.scoring.failing_confidence
    for finding in findings:
        if finding.failure_class is not None and finding.confidence >= least:
            layers[finding.failure_class] = "fails"
    return layers


def layer_words(diagnosis: Diagnosis, record: Record, scoring: Scoring) -> dict[FailureClass, str]:
    """What happened in each layer, at most 17 cells of ASCII each: "rank 2 of 3", "not retrieved", "ok"."""
    facts = Facts(record, scoring)
    words: dict[FailureClass, str] = {}
    for layer in CLASSES:
        state = diagnosis.layers.get(layer)
        if state == "fails":
            blame = _first(diagnosis, layer, scoring.failing_confidence)
            say = _FAILED.get(blame.reason) if blame else None
            words[layer] = say(facts) if say else "fails"
        else:
            words[layer] = _FINE[layer](facts) if state == "ok" else _OUT[layer](facts)
    return words


def _first(diagnosis: Diagnosis, layer: FailureClass, least: float) -> Finding | None:
    findings = (diagnosis.suggestion, *diagnosis.secondary)
    return next((each for each in findings if each.failure_class == layer and each.confidence >= least), None)


def _rank(facts: Facts) -> str:
    text = f"rank {facts.first_rank} of {len(facts.retrieved or ())}"
    return text if len(text) <= WORD_CELLS else f"rank {facts.first_rank}"[:WORD_CELLS]


def _cutoff(facts: Facts) -> str:
    text = f"rank {facts.first_rank}, cut at {facts.k}"
    return text if len(text) <= WORD_CELLS else _rank(facts)


def _some(facts: Facts) -> str:
    found = sum(rank <= facts.k for rank in facts.ranks)
    return f"{found} of {len(facts.expected or ())} found"


def _unknown_ids(facts: Facts) -> str:
    count = sum(target is None for target in (facts.cited or {}).values())
    return "1 id unknown" if count == 1 else f"{count} ids unknown"


def _score(name: str, word: str) -> Callable[[Facts], str]:
    def say(facts: Facts) -> str:
        return f"{word} {facts.score(name):.3g}"[:WORD_CELLS] if facts.score(name) is not None else word

    return say


def _always(word: str) -> Callable[[Facts], str]:
    return lambda facts: word


_FAILED: dict[str, Callable[[Facts], str]] = {
    "answered_though_unanswerable": _always("should refuse"),
    "knowledge_gap": _always("not in the KB"),
    "fallback_nothing_retrieved": _always("nothing retrieved"),
    "answered_without_evidence": _always("nothing retrieved"),
    "expected_below_cutoff": _cutoff,
    "expected_missing_then_refused": _always("not retrieved"),
    "expected_missing_from_topk": _always("not retrieved"),
    "refused_though_evidence_retrieved": _always("should answer"),
    "refused_though_answerable": _always("should answer"),
    "citation_id_not_in_evidence": _unknown_ids,
    "distractor_first_and_cited": _rank,
    "no_citation": _always("no citation"),
    "partial_recall_incomplete": _some,
    "low_faithfulness_good_evidence": _score("faithfulness", "faithful"),
    "answer_off_topic": _score("answer_relevancy", "relevancy"),
    "answer_incorrect_good_evidence": _score("answer_correctness", "correctness"),
    "expected_below_rank1": _rank,
}


def _retrieval_fine(facts: Facts) -> str:
    found = sum(rank <= facts.k for rank in facts.ranks)
    return "ok" if found == len(facts.expected or ()) else _some(facts) if found else "below the cut"


def _retrieval_out(facts: Facts) -> str:
    if facts.conflict:
        return "labels conflict"
    return "none expected" if facts.answerable is False else "not recorded"


def _ranking_out(facts: Facts) -> str:
    return "none to rank" if facts.in_scope else _retrieval_out(facts)


def _citation_out(facts: Facts) -> str:
    if facts.refused:
        return "refused"
    text = facts.record.answer
    return "no answer" if text is not None and not text.strip() else "not recorded"


_FINE: dict[FailureClass, Callable[[Facts], str]] = {
    "retrieval": _retrieval_fine,
    "ranking": _rank,
    "refusal": lambda facts: "rightly refused" if facts.refused and facts.answerable is False else "ok",
    "citation-semantic": _always("ok"),
}
_OUT: dict[FailureClass, Callable[[Facts], str]] = {
    "retrieval": _retrieval_out,
    "ranking": _ranking_out,
    "refusal": _always("not recorded"),
    "citation-semantic": _citation_out,
}
