"""A long text shown in part, with the places that matter wherever they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.ui.text import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triage.ui.widgets.detail.page import Page

EXCERPTS, HEAD, LINES = 3, 2, 3
"""Most places that are shown of a folded text, and lines of its beginning and of each."""
_STOPS = ("。", "！", "？", "；", "; ", "! ", "? ", ". ", "\n")


def with_spans(
    page: Page,
    text: str,
    role: str,
    spans: Sequence[Span],
    wanted: Sequence[tuple[int, Span]],
    *,
    indent: int,
    fold: int,
) -> dict[int, int]:
    """Record text of which some places have to be seen, though it is folded.

    Args:
        page: where it is written.
        text: as recorded.
        role: its role.
        spans: other styles over it.
        wanted: the places, each with a number; their styles carry it as meta "clash". The last come first
            where there are more than can be shown.
        indent: cells before the text.
        fold: lines shown until the page is unfolded.

    Returns:
        The first line on which each number's place is shown.
    """
    at = len(page.lines)
    folded = page.folded
    styles = [*spans, *(span for _, span in wanted)]
    page.prose(text, role, styles, indent=indent, fold=fold)
    placed = _placed(page, at)
    lost = {index: span for index, span in wanted if index not in placed}
    if not lost:
        return placed
    gutter = page.lines[at][0]
    del page.lines[at:]
    page.folded = folded
    room = max(page.text - indent, 8)
    page.prose(text[: HEAD * room], role, _within(styles, 0, HEAD * room), indent=indent, fold=HEAD)
    if page.lines[-1] and len(page.lines) - at > HEAD:
        del page.lines[-1]
    shown = sorted(list(lost.values())[-EXCERPTS:], key=lambda span: span.start)
    last = 0
    for span in shown:
        if span.start < last:
            continue
        start, end = _around(text, span, room)
        page.labelled(
            [("\u00bb ", "faint")], text[start:end].rstrip(), role, spans=_within(styles, start, end),
            indent=indent, fold=LINES,
        )  # fmt: skip
        last = end
    page.fold(f"+ {len(text):,} characters in all", indent)
    page.lines[at][0] = gutter
    return _placed(page, at)


def _placed(page: Page, start: int) -> dict[int, int]:
    places: dict[int, int] = {}
    for at in range(start, len(page.lines)):
        for segment in page.lines[at]:
            index = segment.style.meta.get("clash") if segment.style else None
            if index is not None:
                places.setdefault(index, at)
    return places


def _around(text: str, span: Span, room: int) -> tuple[int, int]:
    """The span with its sentence around it, as far as it fits two lines or so."""
    low = max(span.start - room // 2, 0)
    begin = max(text.rfind(stop, low, span.start) for stop in _STOPS) + 1
    start = max(begin, low)
    if start > begin and text[start - 1 : span.start].isascii():
        # Not in the middle of a word.
        blank = text.find(" ", start, span.start)
        start = blank if blank >= 0 else start
    while start < span.start and text[start].isspace():
        start += 1
    far = min(max(span.end + room // 2, start + room), len(text))
    ends = [at for stop in _STOPS if (at := text.find(stop, span.end, far)) >= 0]
    if ends or far == len(text):
        return start, min(ends, default=far - 1) + 1
    return start, max(text.rfind(" ", span.end, far), span.end) if text[:far].isascii() else far


def _within(spans: Sequence[Span], start: int, end: int) -> list[Span]:
    return [
        Span(max(span.start, start) - start, min(span.end, end) - start, span.style)
        for span in spans
        if span.start < end and span.end > start
    ]
