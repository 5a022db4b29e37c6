"""The answer sentence by sentence: each with its state in the margin and, where it clashes, why."""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING

from rich.style import Style

from triage.ui.text import Span, short
from triage.ui.widgets.detail.checked import SIGNS, Checked, reason, words_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triage.models.sentences import Sentence
    from triage.models.sentences import Span as Place
    from triage.ui.widgets.detail.page import Page

MARGIN = 3
"""Cells of the sign: the text stands where the evidence's does."""
FOLD, BEYOND, LEAST = 16, 10, 8
"""Lines until the page is unfolded: of the answer, of flagged sentences after these, of one sentence."""
_REASONS = 3
_CHECKED = "rule-checked"
_NOT_UNDERLINED = Style(underline=False)
_CLOSERS = frozenset("。！？；，、.!?;,:：…”’\"'）)》」』】 ")


def chunks(answer: str, sentences: Sequence[Sentence], markers: Sequence[Place]) -> list[Place]:
    """The answer in parts, one a sentence, from the first character to the last.

    A part has what stands before its sentence in the line (a bullet, a number) and the markers behind it.

    Args:
        answer: as recorded.
        sentences: in their order.
        markers: (start, end) of the citation markers in the answer, ascending.
    """
    ends = [end for _, end in markers]
    bounds = [0]
    for before, after in pairwise(sentences):
        low, high = max(before.span[1], bounds[-1]), max(after.span[0], bounds[-1])
        cut = answer.rfind("\n", low, high) + 1
        if not cut:
            at = bisect_left(ends, high + 1) - 1
            cut = max(ends[at], low) if at >= 0 else min(low, high)
            while cut < high and answer[cut] in _CLOSERS:
                cut += 1
        bounds.append(cut)
    bounds.append(len(answer))
    return list(pairwise(bounds))[: len(sentences)]


def bare(answer: str, start: int, end: int) -> Place:
    """A part without the blank lines around it, and without blanks in the middle of a line before it."""
    inside = answer[start:end]
    stop = start + len(inside.rstrip())
    first = len(inside) - len(inside.lstrip())
    line = inside.rfind("\n", 0, first) + 1
    keep = line if line or not start or answer[start - 1] == "\n" else first
    return start + min(keep, stop - start), stop


class _Writer:
    """Writes the sentences of one answer on a page."""

    def __init__(self, page: Page, checked: Checked, markers: Sequence[Span]) -> None:
        self.page, self.checked = page, checked
        self.answer = page.detail.record.answer or ""
        self.spans = sorted(markers, key=lambda span: span.start)
        self._longest = max((span.end - span.start for span in self.spans), default=0)
        self.parts = chunks(self.answer, checked.sentences, [(one.start, one.end) for one in self.spans])

    def _inside(self, start: int, end: int) -> list[Span]:
        at = bisect_left(self.spans, start - self._longest, key=lambda span: span.start)
        found = []
        while at < len(self.spans) and self.spans[at].start < end:
            found.append(self.spans[at])
            at += 1
        return found

    def write(self, index: int, fold: int) -> None:
        """One sentence, and what is to be said of it."""
        page, ink = self.page, self.page.ink
        state, sentence = self.checked.states[index], self.checked.sentences[index]
        chosen = page.chosen.sentence == index
        current = chosen and not page.chosen.document
        start, end = bare(self.answer, *self.parts[index])
        here = Style.from_meta({"sentence": index})
        styles: list[Span] = []
        if state == "clash":
            styles.append(Span(*sentence.span, ink("text underline") + here))
            # Both sides of the walked one are filled, so that the eye finds the other.
            look = ink.fill("focus") if chosen else ink("bad bold underline")
            styles += [Span(*words_at(self.answer, clash.said), look + here) for clash in sentence.clashes]
        elif current:
            styles.append(Span(*sentence.span, ink("text", "cursor") + here))
        inside = self._inside(start, end)
        styles += inside
        if state == "clash":
            # A marker that is underlined names no document: these do, but what they cite says otherwise.
            styles += [
                Span(one.start, one.end, ink("bad") + _NOT_UNDERLINED)
                for one in inside
                if not one.style.bgcolor and not one.style.underline
            ]
        moved = [Span(span.start - start, span.end - start, span.style) for span in styles]
        sign, role = SIGNS[state]
        at = page.sentences[index] = len(page.lines)
        text = self.answer[start:end] or " "
        page.labelled(
            [(f"{sign:<{MARGIN}}", role)],
            text,
            "muted" if state == "aside" else "text",
            spans=moved,
            fold=fold,
        )
        if current:
            page.point(at)
        self._reasons(index)

    def _reasons(self, index: int) -> None:
        page, sentence = self.page, self.checked.sentences[index]
        told: list[tuple[str, str, str]] = []
        if sentence.supported is False:
            told = [(kind, f": {words}", "text") for kind, words in self._clashes(sentence)]
        names = self.checked.unknown(sentence)
        told += [("no source", f": {bracket(name)} names no document", "text") for name in names]
        shown = told if page.unfolded else told[:_REASONS]
        for kind, words, role in shown:
            bold = Span(0, len(kind), page.ink("citation-semantic"))
            page.labelled(
                [("4 ", "citation-semantic bold")], kind + words, role, spans=[bold], indent=MARGIN, fold=3
            )
        if len(shown) < len(told):
            page.fold(f"+ {len(told) - len(shown)} more", MARGIN)
        if self.checked.low(index) and page.unfolded:
            share = f"{sentence.overlap or 0:.2f}".removeprefix("0")
            page.row([(f"low overlap with the cited text: {share}", "faint")], MARGIN)

    def _clashes(self, sentence: Sentence) -> list[tuple[str, str]]:
        return list(dict.fromkeys(reason(clash, self.page.detail) for clash in sentence.clashes))

    def _uncited(self, run: int) -> None:
        """Once for sentences without a citation that follow each other."""
        if run and self.checked.partly:
            words = "no citation" if run == 1 else f"no citation in these {run}"
            self.page.row([(words, "citation-semantic")], MARGIN)

    def all(self) -> None:
        """Every sentence; of a long answer the first lines, and what is flagged after them."""
        page, checked = self.page, self.checked
        first = len(page.lines)
        beyond = run = skipped = flagged = 0
        for index in range(len(checked.sentences)):
            room = FOLD - (len(page.lines) - first)
            over = not page.unfolded and room <= 0 and page.chosen.sentence != index
            wanted = checked.flagged(index) or checked.states[index] == "no source"
            # What cites nothing is counted there: of a long answer it may be most.
            worth = wanted and checked.states[index] != "uncited"
            if over and (not worth or beyond >= BEYOND):
                skipped, flagged = skipped + 1, flagged + wanted
                continue
            if checked.states[index] != "uncited" or skipped:
                self._uncited(run)
                run = 0
            self._skipped(skipped, flagged)
            skipped = flagged = 0
            run += checked.states[index] == "uncited"
            before = len(page.lines)
            self.write(index, max(room, LEAST))
            beyond += len(page.lines) - before if over else 0
        self._uncited(run)
        self._skipped(skipped, flagged)

    def _skipped(self, count: int, flagged: int) -> None:
        if count:
            which = "" if count == flagged == 1 else "all " if count == flagged else f"{flagged} of them "
            also = f", {which}flagged" if flagged else ""
            self.page.fold(f"+ {count} {_sentences(count)}{also}", MARGIN)

    def summary(self) -> None:
        """What the check comes to in one line, and that it clears nothing where a person must read."""
        page, checked = self.page, self.checked
        clashes, fine = checked.states.count("clash"), checked.states.count("fine")
        judged = clashes + fine
        low = sum(checked.low(index) for index in range(len(checked.sentences)))
        said = ""
        if judged:
            said = f"{clashes} of {judged} cited" if clashes else f"no clash in {judged} cited"
            said += f" {_sentences(judged)}" + ("", " clashes", " clash")[min(clashes, 2)]
        elif "not judged" in checked.states:
            said = "nothing to compare with: no cited text is recorded"
        if low:
            page.folded = True
            said += f", {low} low overlap"
        if said:
            name = Span(0, len(_CHECKED), page.ink("muted"))
            page.prose(f"{_CHECKED}  {said}", "faint", [name], indent=MARGIN)
        if clashes and page.unfolded:
            # Imported here because a folded page has no room for it.
            from triage.citations.measured import flags_were_right

            page.prose(flags_were_right(), "faint", indent=MARGIN)
        if page.detail.row.high_risk:
            page.row([("a person must read this", "text bold"), (", checked or not", "muted")], MARGIN)


def _sentences(count: int) -> str:
    return "sentence" if count == 1 else "sentences"


def bracket(marker: str) -> str:
    """A citation as it is shown."""
    marker = short(marker, 24)
    return marker if marker.startswith("[") else f"[{marker}]"


def sentences(page: Page, markers: Sequence[Span]) -> Checked:
    """The answer by its sentences.

    Args:
        page: where it is written.
        markers: the styles of the citation markers, in characters of the answer.
    """
    checked = Checked(page.detail)
    writer = _Writer(page, checked, markers)
    writer.all()
    writer.summary()
    return checked
