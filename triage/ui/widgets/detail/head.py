"""The top of the detail: the case's head, and the trail of the four layers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.segment import Segment

from triage.diagnosis import layer_words
from triage.models.measure import CLASSES, Scoring
from triage.plain import fit
from triage.ui.palette import LAYER_DIGITS, LAYER_WORDS
from triage.ui.text import Line, short
from triage.ui.widgets.line import Part, clip, length

if TYPE_CHECKING:
    from triage.models.case import CaseDetail, CaseRow
    from triage.ui.palette import Palette
    from triage.ui.widgets.detail.page import Hidden, Page

_WITHOUT_CLASS = {
    "system_error": "error",
    "runner_failed": "run failed",
    "label_conflict": "labels?",
    "insufficient_record": "no record",
}
COLUMN = 18
"""Most cells of a layer's column in the trail."""


def scoring_of(detail: CaseDetail) -> Scoring:
    """What the case was measured with, as far as a detail tells."""
    header, said = detail.header, detail.diagnosis
    return Scoring(
        k=detail.k,
        score_scale=header.score_scale,
        kb_ids=None if header.kb_ids is None else frozenset(header.kb_ids),
        confidence=tuple((found.reason, found.confidence) for found in (said.suggestion, *said.secondary)),
    )


def word_of(row: CaseRow, ink: Palette) -> Part:
    """The verdict on its tint, else the suggestion with `?`, else what else there is to say."""
    review = row.review
    if review is not None and review.verdict is not None:
        word = "disputed" if review.disputed else LAYER_WORDS[review.verdict]
        return f" {word} ", ink.tint(review.verdict)
    if row.failing and row.failure_class is not None:
        return f"{LAYER_WORDS[row.failure_class]}?", ink(row.failure_class)
    if row.reason in _WITHOUT_CLASS:
        return _WITHOUT_CLASS[row.reason], ink("bad" if row.failing else "muted")
    return ("failing", ink("bad")) if row.failing else ("passing", ink("muted"))


def head(
    detail: CaseDetail,
    place: tuple[int, int] | None,
    width: int,
    ink: Palette,
    *,
    focused: bool,
    hidden: Hidden = "nothing",
) -> Line:
    """Id, why, position and, for a high-risk topic, the chip at the right; exactly `width` cells."""
    row = detail.row
    voice = "text" if focused else "faint"
    chip: list[Part] = []
    if row.high_risk:
        topic = short((row.topic or "high risk").replace("_", " "), 20) + ("?" if row.topic_inferred else "")
        chip = [(f" ! {topic}: a person reads it ", ink.chip), (" ", ink(voice))]
    parts: list[Part] = [("  ", ink(voice))]
    if hidden != "machine":
        parts.append(word_of(row, ink))
    if place is not None:
        parts.append((f"  {place[0]} of {place[1]}", ink(voice)))
    if row.review is not None and row.review.note:
        parts.append(("  noted", ink(voice)))
    if chip and 1 + len(row.id) + length(parts) + length(chip) > width:
        chip = [(" ! high risk ", ink.chip), (" ", ink(voice))]
    if row.review is not None and row.review.stale:
        parts.append(("  ~ changed since", ink(voice)))
    room = width - length(chip)
    name = short(row.id, max(min(40, room - 1 - length(parts[:2])), 8))
    parts = [(" ", ink(voice)), (name, ink("text bold")), *parts]
    parts = clip(parts, room - 1)
    kept: Line = [Segment(text, style) for text, style in parts]
    kept.append(Segment(" " * (room - length(parts)), ink(voice)))
    return [*kept, *(Segment(text, style) for text, style in chip)]


def trail(page: Page) -> None:
    """The four layers in fixed columns, two lines; the first failing one is one filled block."""
    detail, ink = page.detail, page.ink
    words = layer_words(detail.diagnosis, detail.record, scoring_of(detail))
    states = detail.diagnosis.layers
    block = min(COLUMN, (page.width - 2) // 4) - 1
    # The last one has what division leaves of a narrow pane.
    blocks = [block, block, block, min(max(page.width - 3 * (block + 1) - 3, block), COLUMN - 1)]
    spare = min(cells - len(words[layer]) for cells, layer in zip(blocks, CLASSES, strict=True))
    indent = 3 if spare > 3 else 1 if spare > 0 else 0
    first = next((layer for layer in CLASSES if states.get(layer) == "fails"), None)
    names: Line = [Segment(" ", ink("muted"))]
    below: Line = [Segment(" ", ink("muted"))]
    for cells, layer in zip(blocks, CLASSES, strict=True):
        if layer == first:
            name_style, word_style = ink.fill(layer), ink.fill(layer, bold=False)
        elif states.get(layer) == "fails":
            name_style, word_style = ink(f"{layer} bold"), ink(layer)
        else:
            name_style = word_style = ink("muted" if states.get(layer) == "ok" else "faint")
        name = f" {LAYER_DIGITS[layer]} {LAYER_WORDS[layer]}"
        names += [Segment(fit(name, cells), name_style), Segment(" ", ink("muted"))]
        below += [Segment(fit(" " * indent + words[layer], cells), word_style), Segment(" ", ink("muted"))]
    page.lines += [[], names, below]
