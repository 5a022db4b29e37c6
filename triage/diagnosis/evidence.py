"""What each rule shows for itself: JSON values, ids and texts as recorded (metrics.md section 5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from triage.metrics.facts import Facts

Evidence = dict[str, Any]


def nothing(facts: Facts) -> Evidence:
    """What needs no evidence."""
    return {}


def document(facts: Facts, name: str, rank: int | None) -> Evidence:
    """A document of this turn with its 1-based rank and its text, None where neither list carries one."""
    for items in (facts.record.retrieved, facts.record.evidence):
        for item in items or ():
            if item.id == name and item.text is not None:
                return {"id": name, "rank": rank, "text": item.text}
    return {"id": name, "rank": rank, "text": None}


def top(facts: Facts) -> list[str]:
    """Ids within the cut, best first."""
    return list((facts.retrieved or [])[: facts.k])


def first_expected(facts: Facts) -> Evidence:
    """The best ranked expected document; only for a case where one was found."""
    rank = facts.first_rank or 1
    return document(facts, (facts.retrieved or [""])[rank - 1], rank)


def label_conflict(facts: Facts) -> Evidence:
    """The two labels that contradict each other."""
    return {"answerable": facts.answerable, "expected_ids": facts.expected}


def insufficient_record(not_recorded: list[str]) -> Evidence:
    """The fields without which the case can't be judged."""
    return {"not_recorded": not_recorded}


def answered_though_unanswerable(facts: Facts) -> Evidence:
    """Answer, Top-K and what the answer cites."""
    return {"answer": facts.record.answer, "top_k": top(facts), "citations": facts.citations}


def knowledge_gap(facts: Facts) -> Evidence:
    """Expected ids that the knowledge base does not hold."""
    return {"missing_ids": facts.expected, "kb_version": facts.record.kb_version}


def fallback_nothing_retrieved(facts: Facts) -> Evidence:
    """The query that brought nothing."""
    return {"query": facts.record.query, "expected_ids": facts.expected}


def answered_without_evidence(facts: Facts) -> Evidence:
    """The answer that rests on nothing."""
    return {"answer": facts.record.answer, "expected_ids": facts.expected}


def below_others(facts: Facts) -> Evidence:
    """The first expected document, its rank, and who stands above it."""
    target = first_expected(facts)
    above = (facts.retrieved or [])[: target["rank"] - 1]
    return {
        "rank": target["rank"],
        "k": facts.k,
        "expected": target,
        "above": list(dict.fromkeys(above)),
        "rank1": document(facts, above[0], 1),
    }


def expected_missing(facts: Facts) -> Evidence:
    """Expected ids beside the Top-K."""
    return {"expected_ids": facts.expected, "top_k": top(facts), "k": facts.k}


def expected_missing_answered(facts: Facts) -> Evidence:
    """Expected ids beside the Top-K, and the answer given all the same."""
    return {**expected_missing(facts), "answer": facts.record.answer, "answered": facts.predicted}


def refused_though_evidence_retrieved(facts: Facts) -> Evidence:
    """The expected document that was at hand."""
    return {"expected": first_expected(facts), "answer": facts.record.answer}


def refused_though_answerable(facts: Facts) -> Evidence:
    """The refusal, and which part of retrieval is not recorded."""
    fields = (("expected_ids", facts.expected), ("retrieved", facts.retrieved))
    return {"answer": facts.record.answer, "not_recorded": [name for name, ids in fields if ids is None]}


def citation_id_not_in_evidence(facts: Facts) -> Evidence:
    """Cited ids that name nothing, and the documents there were."""
    cited = facts.cited or {}
    return {
        "unresolved": [citation for citation, target in cited.items() if target is None],
        "citations": list(cited),
        "evidence_ids": facts.sources.ids,
    }


def distractor_first_and_cited(facts: Facts) -> Evidence:
    """Rank 1, what is cited, and the expected document that is not."""
    ranked = [target for target in (facts.cited or {}).values() if target is not None]
    return {
        "rank": facts.first_rank,
        "rank1": document(facts, (facts.retrieved or [""])[0], 1),
        "cited": [document(facts, name, rank) for name, rank in dict.fromkeys(ranked)],
        "expected": first_expected(facts),
    }


def no_citation(facts: Facts) -> Evidence:
    """The answer, and where an expected document stood."""
    return {"answer": facts.record.answer, "expected": first_expected(facts) if facts.first_rank else None}


def partial_recall(facts: Facts) -> Evidence:
    """Expected ids that are not within the cut, and the scores that suffer."""
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


def judged(score: str) -> Callable[[Facts], Evidence]:
    """A builder of: a judge score, the judges' reasons, and what was judged."""

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


def system_error(facts: Facts) -> Evidence:
    """The error as recorded."""
    return {"error": facts.record.error}


def runner_failed(facts: Facts) -> Evidence:
    """The runner's own words."""
    return {"failure_reason": facts.record.failure_reason}
