"""What the rules say of an answer sentence by sentence (metrics.md section 6). Plain values, no record."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Mismatch = Literal["modality", "duration", "amount", "number", "date", "negation", "scope"]
MISMATCHES: tuple[Mismatch, ...] = (
    "modality", "duration", "amount", "number", "date", "negation", "scope",
)  # fmt: skip
"""The hard reasons, in the order in which they are told."""

Span = tuple[int, int]
"""(start, end): 0-based character offsets in the text as recorded, end exclusive."""


class Clash(Struct, frozen=True):
    """One hard reason against a sentence.

    Args:
        kind: what clashes.
        said: where the answer says it, offsets in the answer.
        found: what stands against it: (document id, offsets in that document's text); () where the cited
            texts have nothing of the kind.
    """

    kind: Mismatch
    said: Span
    found: tuple[tuple[str, Span], ...] = ()


class Sentence(Struct, frozen=True):
    """One sentence of an answer.

    Args:
        text: the sentence after NFKC, without its markers, its bullet and its number in a list.
        span: where it stands in the answer, without the markers behind its end.
        citations: ids of its markers as written (`S2`, `3`, `KB-X`), each once, in order.
        factual: it states something: no greeting, offer, question or heading.
        supported: True = the rules find no clash with the cited texts, False = at least one, None = not
            judged: not factual, not cited, or no cited text is recorded.
        clashes: the hard reasons, in the order of `MISMATCHES`.
        overlap: likeness to the cited texts, 0..1; information only. None where not judged.
    """

    text: str
    span: Span
    citations: tuple[str, ...] = ()
    factual: bool = True
    supported: bool | None = None
    clashes: tuple[Clash, ...] = ()
    overlap: float | None = None

    @property
    def mismatches(self) -> tuple[Mismatch, ...]:
        """The kinds of its clashes, each once, in order."""
        return tuple(dict.fromkeys(clash.kind for clash in self.clashes))


class SentenceSummary(Struct, frozen=True):
    """A case's sentences in numbers: what metrics and rules need of them.

    Args:
        factual: factual sentences.
        cited: those of them that carry a marker.
        judged: those of them whose support was judged.
        unsupported: those of them with a clash.
        low: those of `judged` without a clash whose overlap is low.
        mismatches: kinds of all clashes, each once, in order.
    """

    factual: int = 0
    cited: int = 0
    judged: int = 0
    unsupported: int = 0
    low: int = 0
    mismatches: tuple[Mismatch, ...] = ()
