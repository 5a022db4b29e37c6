"""What the rules say of an answer sentence by sentence (metrics.md section 6). Plain values, no record."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Mismatch = Literal["modality", "duration", "amount", "number", "date", "negation", "scope"]
MISMATCHES: tuple[Mismatch, ...] = (
    "modality", "duration", "amount", "number", "date", "negation", "scope",
)  # fmt: skip
"""The hard reasons, in the order in which they are told."""

CHECK_VERSION = "3"
"""Of the rules by which sentences are checked. With another one every answer is checked anew."""

CHECK_METRICS = frozenset(("sentence_citation_coverage", "citation_support"))
"""Keys of the metrics that have no value before the sentences are checked."""

CheckState = Literal["supported", "unsupported", "uncited", "low-overlap", "not-cited", "not-judged"]
CHECK_STATES: dict[CheckState, str] = {
    "supported": "every judged sentence agrees with what it cites",
    "unsupported": "a sentence clashes with what it cites",
    "uncited": "some factual sentences cite, others do not",
    "low-overlap": "a sentence shares few words with what it cites",
    "not-cited": "no factual sentence cites",
    "not-judged": "nothing factual, or no cited text is recorded",
}
"""What the check comes to for a case, in one word (filter field `check`), and what the word means."""

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
        covered_by: ids of the markers that close the full sentence of which this, ended by a semicolon and
            without a marker of its own, is a part; () for every other.
    """

    text: str
    span: Span
    citations: tuple[str, ...] = ()
    factual: bool = True
    supported: bool | None = None
    clashes: tuple[Clash, ...] = ()
    overlap: float | None = None
    covered_by: tuple[str, ...] = ()

    @property
    def sources(self) -> tuple[str, ...]:
        """The ids that stand for it, as written: its own markers', else those that cover it."""
        return self.citations or self.covered_by

    @property
    def mismatches(self) -> tuple[Mismatch, ...]:
        """The kinds of its clashes, each once, in order."""
        return tuple(dict.fromkeys(clash.kind for clash in self.clashes))


class SentenceSummary(Struct, frozen=True):
    """A case's sentences in numbers: what metrics and rules need of them.

    Args:
        factual: factual sentences.
        cited: those of them that carry a marker, or are covered by the one that closes their full sentence.
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

    @property
    def state(self) -> CheckState:
        """The case in one word: its worst sentence's."""
        if self.unsupported:
            return "unsupported"
        if 0 < self.cited < self.factual:
            return "uncited"
        if self.judged:
            return "low-overlap" if self.low else "supported"
        return "not-cited" if self.factual and not self.cited else "not-judged"
