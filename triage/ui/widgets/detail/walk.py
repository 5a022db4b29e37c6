"""From one flagged sentence or citation to the next, and to the text it cites and back."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from triage.ui.text import short
from triage.ui.widgets.detail.answer import flagged
from triage.ui.widgets.detail.checked import Checked, reason
from triage.ui.widgets.detail.page import Chosen

if TYPE_CHECKING:
    from triage.models.case import CaseDetail
    from triage.ui.widgets.detail.page import Page


def stops(detail: CaseDetail, *, all_citations: bool = False) -> list[Chosen]:
    """Where `]` goes, in reading order: flagged sentences and citations, or all citations where none is, or
    where `all_citations` are asked for: then nothing tells a flagged one from another.

    A citation of the field alone has no place in the text, and comes last.
    """
    checked = Checked(detail)
    end = len(detail.record.answer or "")
    found = [
        (sentence.span[0], 0, index, Chosen(sentence=index))
        for index, sentence in enumerate(detail.sentences)
        if checked.flagged(index)
    ]
    citations = [
        (min((start for start, _ in state.spans), default=end), 1, index, Chosen(index))
        for index, state in enumerate(detail.citations)
    ]
    if not all_citations:
        found += [stop for stop in citations if flagged(detail, detail.citations[stop[2]])]
    return [stop[3] for stop in sorted(found or citations, key=lambda stop: stop[:3])]


def line_of(page: Page, chosen: Chosen) -> int | None:
    """The line on which a stop, or the text that it cites, is shown; None where it is folded away."""
    if chosen.document:
        target = document_of(page.detail, chosen)
        if target is None:
            return None
        return page.clashes.get(_clash(page, chosen, target[0]), page.documents.get(target))
    if chosen.sentence is not None:
        return page.sentences.get(chosen.sentence)
    line = next((line for index, line in page.stops if index == chosen.citation), None)
    if line is None and chosen.citation is not None and not page.detail.citations[chosen.citation].spans:
        # A citation of the field alone has no marker in the text: its row in the evidence stands for it.
        state = page.detail.citations[chosen.citation]
        line = page.documents.get((state.id or state.marker, state.resolved_rank))
    return line


def end_of(page: Page, chosen: Chosen, line: int) -> int:
    """The last line of a stop that is shown from `line` on: a sentence has its reasons below it."""
    if chosen.document or chosen.sentence is None:
        return line
    following = min((at for at in page.sentences.values() if at > line), default=None)
    if following is None:
        following = next((at for at in range(line, len(page.lines)) if not page.lines[at]), len(page.lines))
    return following - 1


def _labels(page: Page) -> list[tuple[str, int]]:
    """The sections that have a label, with their first lines."""
    found = []
    for at, line in enumerate(page.lines):
        label = line[0].text.strip() if line else ""
        if label:
            found.append((label, at))
    return found


def section_at(page: Page, top: int) -> tuple[str, int] | None:
    """The label of the section that the line `top` belongs to, and how far below it that is."""
    before = [(label, at) for label, at in _labels(page) if at <= top]
    return (before[-1][0], top - before[-1][1]) if before else None


def line_in(page: Page, section: str, below: int) -> int | None:
    """The line so far below a section's label, or the section's last one; None where there is no such."""
    labels = _labels(page)
    for index, (label, at) in enumerate(labels):
        if label == section:
            end = labels[index + 1][1] if index + 1 < len(labels) else len(page.lines)
            return min(at + below, end - 1)
    return None


def document_of(detail: CaseDetail, chosen: Chosen) -> tuple[str, int | None] | None:
    """The evidence row of what is chosen: its id (or the citation that names nothing) and rank."""
    if chosen.sentence is not None:
        return (
            Checked(detail).document_of(chosen.sentence) if chosen.sentence < len(detail.sentences) else None
        )
    if chosen.citation is None or chosen.citation >= len(detail.citations):
        return None
    state = detail.citations[chosen.citation]
    return (state.id or state.marker), state.resolved_rank


def _clash(page: Page, chosen: Chosen, name: str) -> tuple[int, str]:
    """The key of what stands in a document against the sentence that is chosen, or that cites it."""
    if chosen.sentence is not None:
        return chosen.sentence, name
    detail = page.detail
    begins = [sentence.span[0] for sentence in detail.sentences]
    for start, _ in detail.citations[chosen.citation or 0].spans:
        key = (bisect_right(begins, start) - 1, name)
        if key in page.clashes:
            return key
    return -1, name


def first_with_document(page: Page) -> Chosen | None:
    """Where `o` begins while nothing is chosen: a sentence that clashes, else a citation."""
    detail = page.detail
    for index, sentence in enumerate(detail.sentences):
        if sentence.clashes:
            return Chosen(sentence=index)
    order = list(dict.fromkeys(index for index, _ in page.stops)) or list(range(len(detail.citations)))
    order.sort(key=lambda index: not detail.citations[index].valid)
    return Chosen(order[0]) if order else None


def said(detail: CaseDetail, chosen: Chosen, key: str, *, blind: bool = False) -> str:
    """What is chosen, in a line; `key` is the key that goes to the document, `blind` leaves out what is wrong
    with it.
    """
    if chosen.sentence is not None:
        return _said_sentence(detail, chosen.sentence, key, there=chosen.document)
    state = detail.citations[chosen.citation or 0]
    marker = short(state.marker, 24)
    if not state.valid:
        return f"[{marker}]" if blind else f"[{marker}] names no document of this turn"
    place = "" if state.resolved_rank is None else f" at rank {state.resolved_rank}"
    wrong = ", not an expected one" if flagged(detail, state) and not blind else ""
    shows = "goes back" if chosen.document else "shows it"
    return f"[{marker}] is {short(state.id or '', 40)}{place}{wrong}: {key} {shows}"


def _said_sentence(detail: CaseDetail, index: int, key: str, *, there: bool) -> str:
    place = f"sentence {index + 1} of {len(detail.sentences)}"
    sentence = detail.sentences[index]
    cites, text = ("goes back",) * 2 if there else ("shows what it cites", "shows the cited text")
    if not sentence.clashes:
        return f"{place}: no citation" if not sentence.sources else f"{place}: {key} {cites}"
    kinds = ", ".join(dict.fromkeys(reason(clash, detail)[0] for clash in sentence.clashes))
    return f"{place}, {kinds}: {key} {text}"
