"""What each verdict means, in the words that stand beside its key: one guide for all who read."""

from __future__ import annotations

from msgspec import Struct

from triage.models.verdict import Verdict


class Meaning(Struct, frozen=True):
    """A verdict in a line (`short`, at most 25 cells) and in a sentence (`says`)."""

    verdict: Verdict
    short: str
    says: str


GUIDE: tuple[Meaning, ...] = (
    Meaning("retrieval", "the source was not found", "What answers the question is not in the evidence."),
    Meaning("ranking", "found, but too low", "Found, but weaker texts stand above it and led the answer."),
    Meaning(
        "refusal",
        "refuses, or should have",
        "Refuses what it could answer, or answers what it must not.",
    ),
    Meaning(
        "citation-semantic",
        "no source, or it differs",
        "The cited text does not say it, or no source is named.",
    ),
    Meaning("other", "wrong in another way", "Wrong, and none of these: incomplete, unclear, off topic."),
    Meaning(
        "test-set",
        "question or label wrong",
        "The case, its labels or its judge are wrong, nothing else.",
    ),
    Meaning("not-a-failure", "right, rightly sourced", "Right, and it rests on the right text."),
)
"""In the order of the layers: the first that holds is the verdict."""
ORDER = "take the first that holds"
"""How to choose among them."""
