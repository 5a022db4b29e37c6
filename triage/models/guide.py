"""What each verdict means, in the words that stand beside its key: one guide for all who read."""

from __future__ import annotations

from msgspec import Struct

from triage.models.verdict import Verdict


class Meaning(Struct, frozen=True):
    """A verdict in a line (`short`, at most 28 cells) and in a sentence (`says`)."""

    verdict: Verdict
    short: str
    says: str


GUIDE: tuple[Meaning, ...] = (
    Meaning(
        "retrieval", "the source was not found", "What would answer the question is not in the evidence."
    ),
    Meaning(
        "ranking", "found, but too low", "It was found, but weaker texts stand above it and led the answer."
    ),
    Meaning(
        "refusal",
        "wrongly refused or answered",
        "It refuses what it could answer, or answers what it must not.",
    ),
    Meaning(
        "citation-semantic",
        "its source says otherwise",
        "The cited text does not say what the answer says, or no source is named.",
    ),
    Meaning(
        "other", "wrong in another way", "None of these is why: it is incomplete, unclear, off the point."
    ),
    Meaning(
        "test-set", "question or label is wrong", "The case, its labels or its judge are wrong, nothing else."
    ),
    Meaning(
        "not-a-failure", "right, from the right text", "The answer is right and rests on the right text."
    ),
)
"""In the order of the layers: the first that holds is the verdict."""
ORDER = "the first that holds, from the top"
"""How to choose among them."""
