"""What the judges' scores say where the evidence was at hand (metrics.md section 5, rows 16 to 19)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from triage.diagnosis.evidence import first_expected, top
from triage.diagnosis.rule import Evidence, Rule, Says
from triage.diagnosis.words import LAST_CELLS, SCORES, are, found_word, listed
from triage.metrics.facts import Facts
from triage.metrics.metric import LOW_SCORE, on_five

if TYPE_CHECKING:
    from triage.models.record import Record

PARTIAL_SCORE = 3.0
"""Correctness or completeness (of 1-5) at or below which missing documents are taken to show."""


def _low(facts: Facts, score: str, limit: float = LOW_SCORE) -> bool:
    """Whether a judge score is recorded and at or below `limit` (of 1-5)."""
    recorded = facts.score(score)
    return recorded is not None and on_five(recorded, facts.scoring) <= limit


def _partial(facts: Facts) -> bool:
    if not (facts.hit and facts.has_answer and facts.scores and facts.expected):
        return False
    found = sum(rank <= facts.k for rank in facts.ranks)
    return found < len(facts.expected) and (
        _low(facts, "answer_correctness", PARTIAL_SCORE) or _low(facts, "completeness", PARTIAL_SCORE)
    )


def _shows_missing(facts: Facts) -> Evidence:
    inside = set(top(facts))
    expected = facts.expected or []
    missing = [name for name in expected if name not in inside]
    names = ("answer_correctness", "completeness")
    return {
        "missing_ids": missing,
        "k": facts.k,
        "recall": 1 - len(missing) / len(expected) if expected else None,
        "scores": {name: score for name in names if (score := facts.score(name)) is not None},
    }


def _says_missing(shown: Evidence, record: Record) -> str:
    missing = shown["missing_ids"]
    scores = listed([f"{SCORES.get(name, name)} {value:g}" for name, value in shown["scores"].items()])
    where = f"not among the first {shown['k']}"
    return f"{listed(missing)} {are(missing)} expected too, but {where}; the judge gives {scores}."


def _shows_judged(score: str) -> Callable[[Facts], Evidence]:
    def show(facts: Facts) -> Evidence:
        record = facts.record
        reasons = [judge.reason for judge in record.judges or () if judge.reason and score in judge.scores]
        return {
            "score": score,
            "value": facts.score(score),
            "judge_reasons": reasons,
            "query": record.query,
            "answer": record.answer,
            "reference_answer": record.reference_answer,
            "expected": first_expected(facts),
        }

    return show


def _says_judged(finds: str) -> Says:
    def say(shown: Evidence, record: Record) -> str:
        expected = shown["expected"]
        reasons = shown.get("judge_reasons") or ()
        text = f": {reasons[0]}" if reasons else "."
        score = f"{SCORES.get(shown['score'], shown['score'])} {shown['value']:g}"
        at_hand = f"{expected['id']} was at hand at rank {expected['rank']}"
        return f"{at_hand}, yet the judge finds the answer {finds} ({score}){text}"

    return say


def _judged(score: str, finds: str, word: str, **row: Any) -> Rule:
    """A rule about one score that is low."""

    def say(facts: Facts, shown: Evidence) -> str:
        recorded = facts.score(score)
        return f"{word} {recorded:.3g}"[:LAST_CELLS] if recorded is not None else word

    return Rule(
        failure_class="citation-semantic",
        meaning=f"the judge finds the answer {finds}",
        fires=lambda facts: facts.hit and facts.has_answer and bool(facts.scores) and _low(facts, score),
        asks="scores",
        evidence=_shows_judged(score),
        says=_says_judged(finds),
        needs=("score", "value", "expected"),
        word=say,
        **row,
    )


RULES = (
    Rule(
        reason="partial_recall_incomplete",
        number="16",
        failure_class="retrieval",
        confidence=0.6,
        meaning="some expected documents are missing, and the answer is incomplete",
        fires=_partial,
        asks="scores",
        evidence=_shows_missing,
        says=_says_missing,
        needs=("missing_ids", "k", "scores"),
        word=found_word,
    ),
    _judged(
        "faithfulness",
        "unfaithful",
        "faithful",
        reason="low_faithfulness_good_evidence",
        number="17",
        confidence=0.6,
    ),
    _judged(
        "answer_relevancy", "off topic", "relevancy", reason="answer_off_topic", number="18", confidence=0.6
    ),
    _judged(
        "answer_correctness",
        "incorrect",
        "correctness",
        reason="answer_incorrect_good_evidence",
        number="19",
        confidence=0.5,
    ),
)
