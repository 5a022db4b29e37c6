"""What was asked and answered: the chat before, the query, the answer with its citations by state."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rich.style import Style

from triage.citations.differ import disagreement
from triage.citations.resolve import Sources
from triage.ui.text import Span, short
from triage.ui.widgets.detail.sentences import bracket, sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triage.models.case import CaseDetail, CitationState
    from triage.models.record import Message, Record
    from triage.ui.widgets.detail.page import Page

EARLIER_SHOWN, ASKED_FOLD, ANSWER_FOLD = 2, 4, 16
"""Messages and lines shown until the page is unfolded: the answer stays on the first screen."""
_ROLE = 10


def flagged(detail: CaseDetail, state: CitationState) -> bool:
    """Is the citation one to look at: its id is not in the evidence, or not an expected document?"""
    return not state.valid or misses(detail, state)


def misses(detail: CaseDetail, state: CitationState) -> bool:
    """Does the citation name a document that is not among the expected ones, where these are known?

    An empty list of them is known only where nothing can be expected.
    """
    expected = detail.record.expected_ids
    known = bool(expected) or (expected is not None and detail.record.answerable is False)
    return known and state.valid and state.id not in (expected or ())


def earlier(page: Page) -> None:
    """The chat around the query, the last messages first to stay."""
    history = page.detail.record.history
    if not history:
        return
    page.section("earlier")
    shown: Sequence[Message] = history if page.unfolded else history[-EARLIER_SHOWN:]
    if len(shown) < len(history):
        page.fold(f"+ {len(history) - len(shown)} before")
    for message in shown:
        said = message.content or ""
        if message.tool_calls:
            said = f"{said} calls {compact(message.tool_calls)}".strip()
        role = short(message.role, _ROLE - 1)
        before = len(page.lines)
        page.one_line(said or "(empty)", "muted", _ROLE)
        gutter = page.lines[before][0]
        label = gutter.text[:-_ROLE] + f"{role:<{_ROLE}}"
        page.lines[before][0] = gutter._replace(text=label)


def asked(page: Page) -> None:
    """The query, and the words as the user typed them where they differ."""
    record = page.detail.record
    page.section("asked")
    if record.query is None:
        page.row([("not recorded", "faint italic")])
    else:
        page.prose(record.query or "(empty)", "text bold", fold=ASKED_FOLD)
    if record.raw_query is not None and record.raw_query != record.query:
        page.one_line(f"typed: {record.raw_query}", "muted")
    if record.answerable is False:
        page.row([("to be refused: the knowledge base has no answer", "muted")])


def answered(page: Page) -> None:
    """The answer with its markers by state, and what is to be said of them."""
    detail = page.detail
    record = detail.record
    page.section("answered")
    start = len(page.lines)
    told: frozenset[str] = frozenset()
    if record.answer is None:
        page.row([("not recorded", "faint italic")])
    elif not record.answer.strip():
        page.row([("(empty)", "faint italic")])
    elif detail.sentences and record.citations is not None:
        told = sentences(page, _spans(page)).told
    else:
        page.prose(record.answer, "text", _spans(page), fold=ANSWER_FOLD)
    _find_stops(page, start)
    _refusal(page, record)
    if page.blind:
        # Where a case broke there may be no answer to judge, so that it broke is told.
        if record.error:
            page.prose(f"error: {record.error}", "text", fold=3)
        return
    for state in detail.citations:
        if not state.valid and state.marker not in told and Sources.of(record).recorded:
            page.row(
                [
                    ("4", "citation-semantic bold"),
                    (f" no source: {bracket(state.marker)} names no document", "text"),
                ]
            )
    if any(f.reason == "no_citation" for f in (detail.diagnosis.suggestion, *detail.diagnosis.secondary)):
        page.row(
            [("4", "citation-semantic bold"), (" no source: the answer cites nothing", "citation-semantic")]
        )
    if (differ := disagreement(record)) is not None:
        page.prose(str(differ), "muted", fold=2)


def _spans(page: Page) -> list[Span]:
    ink, detail = page.ink, page.detail
    spans: list[Span] = []
    for index, state in enumerate(detail.citations):
        if page.chosen.citation == index and not page.chosen.document:
            style = ink.fill("focus")
        elif page.blind:
            style = ink("text bold")
        elif not state.valid:
            style = ink("bad bold underline")
        else:
            style = ink("bad bold" if misses(detail, state) else "good bold")
        style += Style.from_meta({"citation": index})
        spans += [Span(start, end, style) for start, end in state.spans]
    return spans


def _find_stops(page: Page, start: int) -> None:
    for at in range(start, len(page.lines)):
        for segment in page.lines[at]:
            index = segment.style.meta.get("citation") if segment.style else None
            if index is not None and (index, at) not in page.stops:
                page.stops.append((index, at))


def _refusal(page: Page, record: Record) -> None:
    if record.predicted_answerable is False:
        words = [("refused", "muted")]
        if "predicted_answerable" in record.inferred:
            words.append((", as its words say: the run does not record it", "faint"))
        page.row(words)
    if record.refusal_reason:
        page.one_line(f"reason given: {record.refusal_reason}", "muted")


def compact(value: object) -> str:
    """A JSON value in one line."""
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "), default=str)
