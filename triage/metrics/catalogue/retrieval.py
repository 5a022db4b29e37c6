"""Retrieval and ranking (metrics.md section 1). Scope R: answerable, expected ids given, list recorded."""

from __future__ import annotations

from functools import lru_cache
from math import log2
from typing import TYPE_CHECKING

from triage.metrics.metric import MISSING, Metric, share, value
from triage.models.measure import Measure

if TYPE_CHECKING:
    from triage.metrics.facts import Facts

PLACE = 10
ASKS = "labels"
METRICS: tuple[Metric, ...] = (
    share(
        "hit", "Hit@{k}", "Hit@{k}", "retrieval", "1",
        "share of answerable questions with an expected document among the first K (also known as Recall@K)",
        "where it ranks, whether every expected document is there, whether the answer is right",
    ),
    Metric(
        "mrr", "MRR", "MRR", "retrieval", "2",
        "mean of 1/rank of the first expected document in the whole list, 0 where it is absent",
        "whether the top document suffices; 1/MRR is not the mean rank",
    ),
    Metric(
        "recall", "Recall@{k}", "recall@{k}", "retrieval", "1",
        "mean share of a question's expected documents that stand among the first K",
        "how much noise stands beside them",
    ),
    Metric(
        "precision", "Precision@{k}", "prec@{k}", "retrieval", "1",
        "mean share of the distinct documents among the first K that are expected",
        "whether expected documents are missing; it is low by nature where one document is expected",
    ),
    Metric(
        "precision_trec", "Precision@{k} over K", "trecP@{k}", "retrieval", "1",
        "expected documents among the first K, divided by K even where the list is shorter (trec_eval's P)",
        "whether expected documents are missing; a short list is punished",
    ),
    share(
        "all_hit", "AllHit@{k}", "AllHit@{k}", "retrieval", "1",
        "share of answerable questions whose expected documents all stand among the first K",
        "how near to complete the others are",
    ),
    Metric(
        "ndcg", "nDCG@{k}", "nDCG@{k}", "retrieval", "2",
        "how near the order of the first K is to the best possible one, with yes/no gains",
        "whether the answer used what stood on top",
    ),
    Metric(
        "mrr_at_k", "MRR@{k}", "MRR@{k}", "retrieval", "2",
        "mean of 1/rank of the first expected document among the first K, 0 below the cut",
        "whether a document below the cut was found at all: MRR tells",
    ),
    Metric(
        "ap", "Average precision", "AP", "retrieval", "2",
        "precision at the rank of each expected document in the whole list, averaged over all expected ones",
        "more than MRR where one document is expected",
    ),
    Metric(
        "f1", "F1@{k}", "F1@{k}", "retrieval", "1",
        "harmonic mean of precision and recall among the first K",
        "which of the two is to blame",
    ),
)  # fmt: skip
KEYS = tuple(metric.key for metric in METRICS)
_ALL_MISSING = dict.fromkeys(KEYS, MISSING)
_NONE: dict[str, Measure] = {}


def measure(facts: Facts) -> dict[str, Measure]:
    """The retrieval measures of a case: all, all missing, or none (out of scope). Not to be changed."""
    if facts.in_scope:
        retrieved, expected = facts.retrieved or (), facts.expected or ()
        return ranked(facts.ranks, len(expected), len(set(retrieved[: facts.k])), facts.k)
    # An empty expected list is out of scope whatever the missing label would say, so nothing is missing.
    out = facts.answerable is False or (facts.expected is not None and not facts.expected)
    return _NONE if out else _ALL_MISSING


@lru_cache(maxsize=16384)
def ranked(ranks: tuple[int, ...], wanted: int, distinct: int, k: int) -> dict[str, Measure]:
    """The values of a ranked list with yes/no gains; a repeated id gains at its first place only.

    Args:
        ranks: ascending 1-based ranks of the expected ids that were found, in the whole list.
        wanted: how many distinct ids are expected, >= 1.
        distinct: how many distinct ids stand among the first `k`.
        k: the cut, >= 1.
    """
    inside = [rank for rank in ranks if rank <= k]
    found = len(inside)
    recall = found / wanted
    precision = found / distinct if distinct else 0.0
    ideal = sum(1 / log2(place + 1) for place in range(1, min(wanted, k) + 1))
    return {
        "hit": value(1.0 if found else 0.0),
        "mrr": value(1 / ranks[0] if ranks else 0.0),
        "recall": value(recall),
        "precision": value(precision),
        "precision_trec": value(found / k),
        "all_hit": value(1.0 if found == wanted else 0.0),
        "ndcg": value(sum(1 / log2(rank + 1) for rank in inside) / ideal),
        "mrr_at_k": value(1 / inside[0] if inside else 0.0),
        "ap": value(sum(place / rank for place, rank in enumerate(ranks, 1)) / wanted),
        "f1": value(2 * precision * recall / (precision + recall) if found else 0.0),
    }
