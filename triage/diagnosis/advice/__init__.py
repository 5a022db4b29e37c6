"""Going down the layers of a run: what falls short of its reference, and what to try first.

The table is metrics.md section 5, "Run level". A reference is the user's, and no pass mark: a signal that
does not hold, or that nothing is recorded for, is not told at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec.structs import replace

from triage.diagnosis.advice import answers, documents
from triage.diagnosis.advice.seen import Look, Seen
from triage.models.advice import Advice, AdviceLayer, Counsel

__all__ = ["Look", "Seen", "advise"]

_STEPS: tuple[Callable[[Seen], Iterator[Advice]], ...] = (
    documents.labels,
    documents.hits,
    documents.ranks,
    documents.incomplete,
    documents.noise,
    answers.hallucinations,
    answers.scores,
    answers.incorrect,
    answers.answered,
    answers.refused,
    answers.fallback,
    answers.uncited,
    answers.unknown_ids,
    answers.unsupported,
    answers.agent,
)
"""The table's rows, downwards."""
_NEEDS: Mapping[AdviceLayer, tuple[str, ...]] = {
    "retrieval": ("hit",),
    "generation": ("faithfulness", "answer_relevancy", "answer_correctness"),
    "refusal": ("refusal_accuracy", "fallback_rate"),
    "citation": ("citation_coverage", "citation_id_validity", "citation_support"),
}
"""The metrics without which nothing can be told of a layer; an agent is not everybody's."""


def advise(seen: Seen) -> Counsel:
    """The signals that hold, in the order of the layers, the first one marked."""
    lines = [line for step in _STEPS for line in step(seen)]
    if lines:
        lines[0] = replace(lines[0], first=True)
    untold = [layer for layer, keys in _NEEDS.items() if all(seen.value(key) is None for key in keys)]
    return Counsel(tuple(lines), tuple(untold))
