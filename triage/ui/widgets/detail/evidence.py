"""What was retrieved: by rank, expected or not, cited or not, and where the answer came from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.style import Style

from triage.citations.resolve import Sources
from triage.plain import fit, preview, width
from triage.ui.text import Span, short
from triage.ui.widgets.detail.answer import misses
from triage.ui.widgets.detail.checked import texts_of, words_at
from triage.ui.widgets.detail.excerpts import with_spans
from triage.ui.widgets.detail.page import GUTTER
from triage.ui.widgets.detail.shared_run import longest, places
from triage.ui.widgets.detail.walk import document_of

if TYPE_CHECKING:
    from triage.models.case import CaseDetail
    from triage.models.record import Document
    from triage.ui.widgets.detail.page import Page

SHOWN, TEXT_FOLD = 10, 6
"""Rows after which a long list is folded, and lines of an expected or cited text that are shown."""
_RANK, _NAMED, _GAP = 3, 21, 2
"""Cells of the rank, of id and score together, and before the words."""
Word = tuple[str, str]


def score_text(score: float | None) -> str:
    """A retriever's score without a leading zero: ".81", "1.00", "12.3"."""
    if score is None:
        return ""
    size = abs(score)
    text = f"{size:.2f}" if size < 10 else f"{size:.1f}" if size < 100 else f"{size:.0f}"
    return ("-" if score < 0 else "") + (text[1:] if text.startswith("0.") else text)


class _Table:
    """What is known of the documents of one case, worked out once."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.detail: CaseDetail = page.detail
        record = self.detail.record
        self.listed: list[Document] = list(record.retrieved or record.evidence or ())
        self.texts = texts_of(self.detail)
        self.expected = list(dict.fromkeys(record.expected_ids or ()))
        self.ranking_fails = self.detail.diagnosis.layers.get("ranking") == "fails"
        self.answer = _folded(record.answer or "")
        self.runs = places(self.answer)
        self.cited: dict[str, list[tuple[str, bool]]] = {}
        for state in self.detail.citations:
            if state.id is not None:
                self.cited.setdefault(state.id, []).append((state.marker, misses(self.detail, state)))
        self.selected = document_of(self.detail, page.chosen) if page.chosen.document else None
        self.against = self._against()

    def _against(self) -> dict[str, list[tuple[int, Span]]]:
        """What stands against the answer's sentences, by document: the sentence's index, and the span."""
        ink, chosen = self.page.ink, self.page.chosen
        found: dict[str, list[tuple[int, Span]]] = {}
        for index, sentence in enumerate(self.detail.sentences):
            look = ink.fill("focus") if chosen.sentence == index else ink("bad bold underline")
            style = look + Style.from_meta({"clash": index}) if sentence.clashes else look
            for clash in sentence.clashes:
                for name, place in clash.found:
                    start, end = words_at(self.texts.get(name, ""), place)
                    found.setdefault(name, []).append((index, Span(start, end, style)))
        # The walked sentence's come first to be shown, and on top.
        for spans in found.values():
            spans.sort(key=lambda item: item[0] == chosen.sentence)
        return found

    def words(self, name: str, rank: int | None) -> list[Word]:
        """What is to be said of a document: its place to the expected one, expected, cited."""
        first, k = self.detail.diagnosis.first_rank, self.detail.k
        words: list[Word] = []
        wanted = name in self.expected
        if wanted:
            low = rank is not None and rank > k
            words.append((f"expected, below the top {k}", "ranking") if low else ("expected", "good"))
        elif self.ranking_fails and rank is not None and first is not None and rank < first:
            words.append(("above the expected one", "ranking"))
        for marker, wrong in self.cited.get(name, ()):
            marker = short(marker, 24)
            shown = marker if marker.startswith("[") else f"[{marker}]"
            role = "bad" if wrong else "good"
            words.append((f"{shown} cited", role))
        return words

    def head(
        self, rank: str, name: str, score: str, words: list[Word], role: str, key: tuple[str, int | None]
    ) -> None:
        """A document's first line: rank, id, score, words; words that don't fit go below."""
        page = self.page
        if page.blind:
            # What is expected is told in words; colours would say how good that is.
            role = "text" if role == "bad" else role
            words = [(text, "muted" if voice == "muted" else "text") for text, voice in words]
        here = key == self.selected
        # In 16 colours the words would drown in the ground; there `>` and the bold id are the sign.
        ground = "cursor" if here and not page.ink.ansi else ""
        score = score and f" {score}"
        room = max(_NAMED, min(width(preview(name)) + len(score), page.text - _RANK))
        ident = f"{fit(short(name, room - len(score)), room - len(score))}{score}"
        bold = "" if role == "muted" else " bold"
        rank_role = role if role == "bad" else "text" if bold else "muted"
        line: list[tuple[str, str]] = [
            (fit(rank, _RANK), rank_role),
            (ident[: len(ident) - len(score)], role + bold),
            (score, "bad" if role == "bad" else "muted"),
        ]
        fits = _RANK + room + _GAP + _size(words) < page.width - GUTTER
        page.documents.setdefault(key, len(page.lines))
        if fits and words:
            line += [(" " * _GAP, role), *_spaced(words)]
        if here:
            line.append((" " * max(page.text - sum(width(text) for text, _ in line), 0), role))
        page.row(line, ground=ground)
        if here:
            gutter = page.lines[-1][0]
            page.lines[-1][0] = gutter._replace(text=gutter.text[:-1])
            page.lines[-1].insert(1, gutter._replace(text=">", style=page.ink.fill("focus")))
        if words and not fits:
            page.row(_spaced(words), _RANK)

    def document(self, rank: int | None, item: Document, *, ranked: bool = True) -> None:
        """A document's row and text.

        `rank` is its place in the list that citations count, None where it stands beside that list; `ranked`
        tells that the list is the retriever's.
        """
        page = self.page
        words = self.words(item.id, rank if ranked else None)
        if rank is None:
            words.append(("in the evidence only", "muted"))
        close = item.id in self.expected or item.id in self.cited
        role = "text" if close else "muted"
        if item.version:
            words.append((f"version {short(item.version, 12)}", "muted"))
        self.head(
            "-" if rank is None else str(rank), item.id, score_text(item.score), words, role, (item.id, rank)
        )
        text = item.text or self.texts.get(item.id)
        if item.title and text:
            text_title = f"{item.title}: "
        else:
            text_title = item.title or ""
        if not text:
            if text_title:
                page.one_line(text_title, role, _RANK)
            return
        if not close:
            page.one_line(text_title + text, role, _RANK)
            return
        run = longest(self.answer, self.runs, _folded(text))
        shift = len(text_title)
        voice = "text underline" if page.blind else "good underline"
        spans = [] if run is None else [Span(run[0] + shift, run[1] + shift, page.ink(voice))]
        against = [
            (index, Span(one.start + shift, one.end + shift, one.style))
            for index, one in self.against.get(item.id, ())
            # Of two texts with one id, the one that was compared.
            if text == self.texts.get(item.id)
        ]
        if not against:
            page.prose(text_title + text, role, spans, indent=_RANK, fold=TEXT_FOLD)
            return
        lines = with_spans(page, text_title + text, role, spans, against, indent=_RANK, fold=TEXT_FOLD)
        for index, line in lines.items():
            page.clashes.setdefault((index, item.id), line)


def _folded(text: str) -> str:
    """In lower case, where that keeps every character in its place."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text


def _size(words: list[Word]) -> int:
    return sum(width(text) for text, _ in words) + 2 * max(len(words) - 1, 0)


def _spaced(words: list[Word]) -> list[Word]:
    line: list[Word] = []
    for at, word in enumerate(words):
        line += [("  ", word[1]), word] if at else [word]
    return line


def evidence(page: Page) -> None:
    """The table: documents in rank order, then what is missing, and what is cited without being there."""
    detail = page.detail
    record = detail.record
    recorded = Sources.of(record).recorded
    table = _Table(page)
    if not recorded and not table.expected and not detail.citations:
        return
    page.section("evidence")
    ranked = bool(record.retrieved)
    if not recorded:
        page.row([("not recorded", "faint italic")])
    elif not table.listed:
        page.row([("nothing retrieved", "bad" if detail.row.failing else "muted")])
    last = _shown(page, table)
    hidden = 0
    for rank, item in enumerate(table.listed, 1):
        if rank > last and item.id not in table.expected and item.id not in table.cited:
            hidden += 1
            continue
        if ranked and rank > detail.k and (rank - 1 <= detail.k or hidden):
            _cut(page, detail.k, rank)
        table.document(rank, item, ranked=ranked)
    if hidden:
        page.fold(f"+ {hidden} more, neither expected nor cited")
    if ranked:
        beside = {item.id for item in table.listed}
        for item in record.evidence or ():
            if item.id not in beside:
                table.document(None, item)
    _missing(page, table, recorded)


def _shown(page: Page, table: _Table) -> int:
    """Ranks down to which every document is shown."""
    if page.unfolded or len(table.listed) <= SHOWN + 2:
        return len(table.listed)
    return max(SHOWN, page.detail.k)


def _cut(page: Page, k: int, rank: int) -> None:
    if rank == k + 1:
        page.row([(f"below the top {k}:", "faint")])


def _missing(page: Page, table: _Table, recorded: bool) -> None:
    """Rows of their own: expected documents that did not come, citations of documents that aren't there."""
    detail = page.detail
    record = detail.record
    there = {item.id for item in record.retrieved or ()}
    known = None if detail.header.kb_ids is None else set(detail.header.kb_ids)
    found = (detail.diagnosis.suggestion, *detail.diagnosis.secondary)
    gaps = {
        name
        for finding in found
        if finding.reason == "knowledge_gap"
        for name in finding.evidence.get("missing_ids") or ()
    }
    for name in table.expected:
        if record.retrieved is None:
            table.head("-", name, "-", [("expected", "muted")], "muted", (name, None))
        elif name not in there:
            gap = name in gaps or (known is not None and name not in known)
            said = "expected, not in the knowledge base" if gap else "expected, not retrieved"
            table.head("-", name, "-", [(said, "bad")], "bad", (name, None))
    if not recorded or page.blind:
        return
    for state in detail.citations:
        if not state.valid:
            key = (state.marker, None)
            table.head("-", state.marker, "-", [("cited, not in the evidence", "bad")], "bad", key)
