"""The upper rows: the test set's labels, what was retrieved, and in which order."""

from __future__ import annotations

from collections.abc import Iterator

from triage.diagnosis.advice.seen import AT_HAND, Seen, basis, mark, number, part, short
from triage.models.advice import Advice


def labels(seen: Seen) -> Iterator[Advice]:
    """Labels that contradict each other, and cases that can't be judged."""
    whole = seen.whole.cases
    for reason, signal, try_first in (
        ("label_conflict", "labels contradict each other", "correct the test set"),
        ("insufficient_record", "cases that can't be judged", "have the runner record what is missing"),
    ):
        count = seen.count(f"reason:{reason}")
        if count and count > seen.reference["data_problems"] * whole:
            yield seen.line(
                signal,
                "data",
                count,
                part(count, whole, "cases"),
                query=f"reason:{reason}",
                cases=count,
                try_first=f"{try_first} before reading any number",
                watch="every number: what it counts changes with the labels",
            )


def hits(seen: Seen) -> Iterator[Advice]:
    """Hit@K low: what the knowledge base lacks apart from what retrieval missed."""
    if not seen.low("hit", "hit"):
        return
    misses = seen.whole.metrics["hit"].worst
    gaps = seen.count("reason:knowledge_gap")
    if gaps:
        yield seen.line(
            "lacks the expected documents",
            "knowledge base",
            gaps,
            part(gaps, misses, "misses"),
            query="reason:knowledge_gap",
            cases=gaps,
            try_first="add these documents, or correct the expected ids: retrieval can't find them",
            watch="answers that other documents already give",
        )
    yield seen.line(
        f"Hit@{seen.k} low",
        "retrieval",
        seen.value("hit") or 0.0,
        number(seen.whole.metrics["hit"], seen.reference["hit"]),
        query="hit:0",
        cases=misses,
        try_first=f"K {seen.k} to {seen.k + 2}, hybrid search or query rewriting, chunking, then a reranker; "
        "leave the prompt alone",
        watch="MRR and faithfulness: a larger K brings noise along; fallback rate",
    )


def ranks(seen: Seen) -> Iterator[Advice]:
    """MRR low for its Hit@K, or many hits below rank 1: found, but not first."""
    hit, mrr = seen.value("hit"), seen.value("mrr")
    share = seen.reference["mrr_share"]
    watch = "MRR and faithfulness, again after raising K"
    if hit and mrr is not None and mrr < share * hit:
        yield seen.line(
            f"MRR low beside Hit@{seen.k}",
            "ranking",
            mrr,
            f"{short(mrr)}{basis(seen.whole.metrics['mrr'])}, reference {mark(share)} of Hit {short(hit)}",
            query="mrr:>0 mrr:<1",
            try_first="a reranker",
            watch=watch,
        )
    elif hit:
        query = f"{AT_HAND} mrr:<1"
        below, hits = seen.count(query), int(seen.whole.metrics["hit"].numerator or 0)
        if below > seen.reference["below_first"] * hits:
            yield seen.line(
                "many hits rank below 1",
                "ranking",
                below / hits,
                f"{part(below, hits, 'hits')}, reference {mark(seen.reference['below_first'])}",
                query=query,
                cases=below,
                try_first="a reranker",
                watch=watch,
            )


def incomplete(seen: Seen) -> Iterator[Advice]:
    """Recall low where several documents are expected: one was found, not all."""
    # Who has all of them has one of them, so that nothing need be counted.
    whole, complete = (int(seen.whole.metrics[key].numerator or 0) for key in ("hit", "all_hit"))
    count = whole - complete
    if count > seen.reference["incomplete"] * whole:
        yield seen.line(
            "misses some of several expected documents",
            "retrieval",
            count / whole,
            f"{part(count, whole, 'hits')}, reference {mark(seen.reference['incomplete'])}",
            query=f"{AT_HAND} all_hit:0",
            cases=count,
            try_first="a larger K with a reranker; merge chunks that belong together",
            watch="precision, MRR and faithfulness",
        )


def noise(seen: Seen) -> Iterator[Advice]:
    """Precision low while Hit@K is not."""
    if seen.labelled and not seen.low("hit", "hit") and seen.low("precision", "precision"):
        reference = seen.reference["precision"]
        yield seen.line(
            f"precision@{seen.k} low, Hit@{seen.k} is not",
            "retrieval",
            seen.value("precision") or 0.0,
            number(seen.whole.metrics["precision"], reference),
            query=f"precision:<{reference:g}",
            try_first="a reranker, or a threshold on retrieval scores",
            watch="faithfulness, and Hit: a threshold drops expected documents too",
        )
