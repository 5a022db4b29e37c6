"""Words that several rules share: in their sentences, and in the trail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from triage.diagnosis.rule import Evidence
    from triage.metrics.facts import Facts

NAMED = 3
"""Most ids a sentence names before it counts the rest."""
WORD_CELLS, LAST_CELLS = 13, 15
"""Most cells a word may take in the trail, and in its last column, which has the pane's rest: where the pane
is narrowest nothing is cut.
"""
FIELDS = {
    "answerable": "whether it is answerable", "predicted_answerable": "whether it was answered",
    "expected_ids": "the list of expected documents", "retrieved": "the list of retrieved documents",
}  # fmt: skip
"""Fields as a sentence calls them."""
SCORES = {
    "faithfulness": "faithfulness", "answer_relevancy": "relevancy", "answer_correctness": "correctness",
    "completeness": "completeness",
}  # fmt: skip
"""Judge scores as a sentence calls them."""


def listed(names: Sequence[str]) -> str:
    """`A`, `A and B`, `A, B and C`, `A, B, C and 4 more`."""
    shown = list(names[:NAMED])
    if len(names) > NAMED:
        return f"{', '.join(shown)} and {len(names) - NAMED} more"
    return " and ".join((", ".join(shown[:-1]), shown[-1])) if len(shown) > 1 else "".join(shown)


def verb(names: Sequence[Any], one: str, many: str) -> str:
    """The verb's form for one or several."""
    return one if len(names) == 1 else many


def are(names: Sequence[Any]) -> str:
    """`is` or `are`."""
    return verb(names, "is", "are")


def always(word: str) -> Callable[[Facts, Evidence], str]:
    """A word of the trail that is the same on every case."""
    return lambda facts, shown: word


def short(text: str, most: int) -> str:
    """A text of at most `most` characters on one line; a longer one ends in `...`."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 3].rstrip() + "..."


def fitting(word: str, other: str, most: int = WORD_CELLS) -> str:
    """`word` where the trail has room for it and it is plain ASCII, else `other`."""
    return word if len(word) <= most and word.isascii() and word.isprintable() else other


def rank_word(facts: Facts, shown: Evidence | None = None) -> str:
    """`rank 2 of 3`; without the length where it would not fit."""
    rank = f"rank {facts.first_rank}"
    return fitting(f"{rank} of {len(facts.retrieved or ())}", rank[:WORD_CELLS])


def found_word(facts: Facts, shown: Evidence | None = None) -> str:
    """`1 of 2 found`: expected documents within the cut."""
    found = sum(rank <= facts.k for rank in facts.ranks)
    counted = f"{found} of {len(facts.expected or ())}"
    return fitting(f"{counted} found", counted[:WORD_CELLS])
