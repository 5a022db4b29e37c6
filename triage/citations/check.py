"""The rule check of an answer: each sentence against the texts it cites (metrics.md section 6). No model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from triage.citations.pairing import Cited, Found, Pair, cited
from triage.citations.resolve import Sources
from triage.citations.sentences import Part, split
from triage.citations.support import kinds
from triage.models.sentences import MISMATCHES, Clash, Sentence, SentenceSummary

if TYPE_CHECKING:
    from triage.models.record import Record

LOW_OVERLAP = 0.34
"""Below this overlap with its sources a sentence is told of, never counted against (metrics.md section 6)."""


LONGEST = 1000
"""Characters of the longest sentence that is judged; a longer one has no stop and is no sentence."""

MOST_READ = 3_000_000
"""Characters of cited texts that one answer's sentences are compared with; those beyond it are not judged."""


def check(record: Record) -> tuple[Sentence, ...]:
    """The sentences of a record's answer, in order, each judged against the texts it cites.

    Args:
        record: as reading left it. Where its text has no marker and its citations field has ids, every
            factual sentence is compared with the texts of all of them.

    Returns:
        () where the answer is refused, blank or not recorded.
    """
    answer = record.answer
    if not answer or record.predicted_answerable is False or not answer.strip():
        return ()
    sources = Sources.of(record)
    parts = split(answer, frozenset(sources.ids))
    shared = () if any(part.citations for part in parts) else tuple(record.citations or ())
    texts = _texts(record)
    asked = _asked(record)
    sentences = []
    read = 0
    for part in parts:
        found = _cited(part.citations or part.covered_by or shared, sources, texts)
        read += sum(len(text.folded.text) for text in found)
        sentences.append(_judged(part, found if read <= MOST_READ else [], asked))
    return tuple(sentences)


def summarise(sentences: Iterable[Sentence]) -> SentenceSummary:
    """A case's sentences in numbers; all 0 where it has none."""
    factual = [sentence for sentence in sentences if sentence.factual]
    judged = [sentence for sentence in factual if sentence.supported is not None]
    kinds = {kind for sentence in judged for kind in sentence.mismatches}
    return SentenceSummary(
        factual=len(factual),
        cited=sum(bool(sentence.sources) for sentence in factual),
        judged=len(judged),
        unsupported=sum(sentence.supported is False for sentence in judged),
        low=sum(
            bool(sentence.supported) and sentence.overlap is not None and sentence.overlap < LOW_OVERLAP
            for sentence in judged
        ),
        mismatches=tuple(kind for kind in MISMATCHES if kind in kinds),
    )


def _texts(record: Record) -> dict[str, str]:
    """The documents' texts by id; the evidence's own where both lists have one."""
    documents = (*(record.retrieved or ()), *(record.evidence or ()))
    return {each.id: each.text for each in documents if each.text and not _is_address(each.text)}


def _is_address(text: str) -> bool:
    """Whether a text is no more than where the document can be found."""
    bare = text.strip()
    return not bare or (bare.startswith(("http://", "https://", "www.")) and len(bare.split()) == 1)


def _asked(record: Record) -> str:
    said = [record.query, record.raw_query, *(message.content for message in record.history or ())]
    return "\n".join(text for text in said if text).lower()


def _cited(citations: Sequence[str], sources: Sources, texts: dict[str, str]) -> list[Cited]:
    """The texts that `citations` stand for; none where one has no text, as it may say the rest."""
    targets = [target[0] for citation in citations if (target := sources.find(citation))]
    ids = list(dict.fromkeys(targets))
    return [cited(id, texts[id]) for id in ids] if all(id in texts for id in ids) else []


def _judged(part: Part, texts: list[Cited], asked: str) -> Sentence:
    supported: bool | None = None
    clashes: tuple[Clash, ...] = ()
    overlap: float | None = None
    if part.factual and texts and len(part.text) <= LONGEST:
        pair = Pair(part.text, texts, asked)
        clashes = tuple(
            Clash(kind.name, part.place(found.start, found.end), _against(found, texts))
            for kind in kinds()
            for found in kind.clashes(pair)
        )
        supported = not clashes
        overlap = pair.overlap
    return Sentence(
        part.text, part.span, part.citations, part.factual, supported, clashes, overlap, part.covered_by
    )


def _against(found: Found, texts: list[Cited]) -> tuple[tuple[str, tuple[int, int]], ...]:
    return tuple((texts[at].id, texts[at].folded.span(start, end)) for at, start, end in found.against)
