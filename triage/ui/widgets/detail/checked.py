"""What the rule check says of an answer's sentences, in signs and words (metrics.md section 6)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from triage.citations.check import LOW_OVERLAP
from triage.citations.resolve import Sources
from triage.ui.text import short

if TYPE_CHECKING:
    from triage.models.case import CaseDetail
    from triage.models.sentences import Clash, Sentence
    from triage.models.sentences import Span as Place

State = Literal["clash", "no source", "uncited", "fine", "not judged", "aside"]
"""`aside` states nothing: a greeting, a question, a heading."""
SIGNS: dict[State, tuple[str, str]] = {
    "clash": ("4", "citation-semantic bold"),
    "no source": ("4", "citation-semantic bold"),
    "uncited": ("-", "citation-semantic"),
    "fine": (".", "faint"),
    "not judged": ("?", "faint"),
    "aside": (" ", "faint"),
}
"""The sign in the margin, and its role."""
_SAID, _MOST_FOUND = 48, 2
_NEGATOR = 9
_DENIED = re.compile(r"[\u3400-\u9fff]{1,6}|(?: *[A-Za-z'\u2019-]+){1,3}")
"""What follows a negator: three words, or six characters of Chinese."""


class Checked:
    """The sentences of one answer with their states, worked out once.

    `states` has one for each sentence. `partly` tells that some sentences cite and others don't: only then is
    an uncited one a fault of its own.
    """

    def __init__(self, detail: CaseDetail) -> None:
        self.detail = detail
        self.sentences = detail.sentences
        self.sources = Sources.of(detail.record)
        marked = any(sentence.citations for sentence in self.sentences)
        # Ids of the field alone stand for the whole answer: none of its sentences is without a citation.
        self._by_field = not marked and bool(detail.citations)
        self.states = [self._state(sentence) for sentence in self.sentences]
        self.partly = marked and "uncited" in self.states

    @property
    def told(self) -> frozenset[str]:
        """The citations that name no document and stand in a sentence, which says so."""
        return frozenset(name for sentence in self.sentences for name in self.unknown(sentence))

    def _state(self, sentence: Sentence) -> State:
        if sentence.supported is False:
            return "clash"
        if self.unknown(sentence):
            return "no source"
        if sentence.supported:
            return "fine"
        if not sentence.factual:
            return "aside"
        return "not judged" if sentence.sources or self._by_field else "uncited"

    def unknown(self, sentence: Sentence) -> list[str]:
        """The citations of a sentence that name no document of this turn."""
        if not self.sources.recorded:
            return []
        return [name for name in sentence.citations if self.sources.find(name) is None]

    def flagged(self, index: int) -> bool:
        """Is the sentence one to look at for itself? One whose citation names nothing is: by its citation."""
        return self.states[index] == "clash" or (self.partly and self.states[index] == "uncited")

    def low(self, index: int) -> bool:
        """Does a sentence without a clash share few words with what it cites?"""
        overlap = self.sentences[index].overlap
        return self.states[index] == "fine" and overlap is not None and overlap < LOW_OVERLAP

    def document_of(self, index: int) -> tuple[str, int | None] | None:
        """The document that stands against a sentence, else the first that it cites: its id and rank."""
        sentence = self.sentences[index]
        for clash in sentence.clashes:
            for name, _ in clash.found:
                return self.sources.find(name) or (name, None)
        for name in sentence.sources:
            return self.sources.find(name) or (name, None)
        return None


def reason(clash: Clash, detail: CaseDetail) -> tuple[str, str]:
    """A clash in words: its kind, and the words of both sides."""
    polarity = clash.kind == "negation"
    said = _words(detail.record.answer or "", clash.said, polarity)
    texts = texts_of(detail)
    found = [_words(texts[name], span, polarity) for name, span in clash.found if name in texts]
    others = " / ".join(list(dict.fromkeys(word for word in found if word))[:_MOST_FOUND])
    return "check polarity" if polarity else clash.kind, f"says {said}, the cited text {others or 'does not'}"


def texts_of(detail: CaseDetail) -> dict[str, str]:
    """The texts of this turn's documents by id, as they are checked: the evidence's own comes first."""
    record = detail.record
    documents = (*(record.retrieved or ()), *(record.evidence or ()))
    return {document.id: document.text for document in documents if document.text}


def words_at(text: str, span: Place) -> Place:
    """A place without the blanks at its ends, widened to whole words."""
    start, end = span
    inside = text[start:end]
    end = start + len(inside.rstrip())
    start = min(start + len(inside) - len(inside.lstrip()), end)
    while 0 < start < len(text) and _is_letter(text[start]) and _is_letter(text[start - 1]):
        start -= 1
    while 0 < end < len(text) and _is_letter(text[end - 1]) and _is_letter(text[end]):
        end += 1
    return start, end


def _is_letter(sign: str) -> bool:
    return (sign.isascii() and sign.isalpha()) or sign in "'\u2019"


def _words(text: str, span: Place, with_next: bool) -> str:
    """What stands at a place, a bare negator with what it denies."""
    start, end = words_at(text, span)
    if with_next and end - start <= _NEGATOR and (denied := _DENIED.match(text, end)):
        end = denied.end()
    return short(text[start:end], _SAID)
