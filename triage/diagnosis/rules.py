"""The rules that name a failure class, in order of precedence, with their evidence (metrics.md section 5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from triage.diagnosis import evidence
from triage.diagnosis.evidence import Evidence
from triage.diagnosis.reasons import REASONS, ReasonInfo
from triage.metrics.facts import Facts
from triage.metrics.metric import LOW_SCORE, on_five

PARTIAL_SCORE = 3.0
"""Correctness or completeness (of 1-5) at or below which missing documents are taken to show."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule. `alone` marks those that need only what they name: they lead on an insufficient record too;
    `judged` those that ask for scores.
    """

    info: ReasonInfo
    fires: Callable[[Facts], bool]
    show: Callable[[Facts], Evidence]
    alone: bool = False
    judged: bool = False


def _low(facts: Facts, score: str, limit: float = LOW_SCORE) -> bool:
    """Whether a judge score is recorded and at or below `limit` (of 1-5)."""
    recorded = facts.score(score)
    return recorded is not None and on_five(recorded, facts.scoring) <= limit


def _nothing_retrieved(facts: Facts) -> bool:
    return facts.due is not False and facts.retrieved is not None and not facts.retrieved


def _below_rank1(facts: Facts) -> bool:
    return facts.hit and facts.first_rank != 1


def knowledge_gap(facts: Facts) -> bool:
    """Whether the knowledge base, where its ids are known, holds none of the expected documents."""
    known = facts.scoring.kb_ids
    return known is not None and facts.in_scope and not facts.hit and known.isdisjoint(facts.expected or ())


def _below_cutoff(facts: Facts) -> bool:
    return facts.in_scope and facts.first_rank is not None and not facts.hit


def _absent(facts: Facts) -> bool:
    return facts.in_scope and facts.first_rank is None


def _refused_though_answerable(facts: Facts) -> bool:
    return facts.due is True and facts.refused and (facts.expected is None or facts.retrieved is None)


def _unresolved(facts: Facts) -> bool:
    return facts.has_answer and bool(facts.cited) and None in (facts.cited or {}).values()


def distractor(facts: Facts) -> bool:
    """Whether another document stands first, and only such are cited."""
    if not (facts.has_answer and facts.cited and _below_rank1(facts)):
        return False
    named = [target[0] for target in facts.cited.values() if target is not None]
    return bool(named) and not any(name in (facts.expected or ()) for name in named)


def _no_citation(facts: Facts) -> bool:
    return facts.has_answer and facts.citations is not None and not facts.citations


def _partial(facts: Facts) -> bool:
    if not (facts.hit and facts.has_answer and facts.scores and facts.expected):
        return False
    found = sum(rank <= facts.k for rank in facts.ranks)
    return found < len(facts.expected) and (
        _low(facts, "answer_correctness", PARTIAL_SCORE) or _low(facts, "completeness", PARTIAL_SCORE)
    )


def _judged_low(score: str) -> Callable[[Facts], bool]:
    return lambda facts: facts.hit and facts.has_answer and bool(facts.scores) and _low(facts, score)


RULES: tuple[Rule, ...] = (
    Rule(
        REASONS["answered_though_unanswerable"],
        lambda facts: facts.answerable is False and facts.answered,
        evidence.answered_though_unanswerable,
    ),
    Rule(REASONS["knowledge_gap"], knowledge_gap, evidence.knowledge_gap, alone=True),
    Rule(
        REASONS["fallback_nothing_retrieved"],
        lambda facts: facts.refused and _nothing_retrieved(facts),
        evidence.fallback_nothing_retrieved,
    ),
    Rule(
        REASONS["answered_without_evidence"],
        lambda facts: facts.answered and _nothing_retrieved(facts),
        evidence.answered_without_evidence,
    ),
    Rule(REASONS["expected_below_cutoff"], _below_cutoff, evidence.below_others, alone=True),
    Rule(
        REASONS["expected_missing_then_refused"],
        lambda facts: facts.refused and _absent(facts),
        evidence.expected_missing,
    ),
    Rule(
        REASONS["expected_missing_from_topk"],
        lambda facts: not facts.refused and _absent(facts),
        evidence.expected_missing_answered,
        alone=True,
    ),
    Rule(
        REASONS["refused_though_evidence_retrieved"],
        lambda facts: facts.hit and facts.refused,
        evidence.refused_though_evidence_retrieved,
    ),
    Rule(
        REASONS["refused_though_answerable"],
        _refused_though_answerable,
        evidence.refused_though_answerable,
        alone=True,
    ),
    Rule(
        REASONS["citation_id_not_in_evidence"], _unresolved, evidence.citation_id_not_in_evidence, alone=True
    ),
    Rule(REASONS["distractor_first_and_cited"], distractor, evidence.distractor_first_and_cited),
    Rule(REASONS["no_citation"], _no_citation, evidence.no_citation),
    Rule(REASONS["partial_recall_incomplete"], _partial, evidence.partial_recall, judged=True),
    Rule(
        REASONS["low_faithfulness_good_evidence"],
        _judged_low("faithfulness"),
        evidence.judged("faithfulness"),
        judged=True,
    ),
    Rule(
        REASONS["answer_off_topic"],
        _judged_low("answer_relevancy"),
        evidence.judged("answer_relevancy"),
        judged=True,
    ),
    Rule(
        REASONS["answer_incorrect_good_evidence"],
        _judged_low("answer_correctness"),
        evidence.judged("answer_correctness"),
        judged=True,
    ),
    Rule(REASONS["expected_below_rank1"], _below_rank1, evidence.below_others),
)
"""In the table's order: the first that fires is the suggestion, the others are shown beside it."""
