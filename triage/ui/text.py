"""The one door for text from a record to the screen: made plain, styled by spans, broken into lines by cells.

Nothing is ever read as markup, no control character passes, and no line starts with a closing CJK mark.
Lines come one at a time, so a folded text costs what is shown of it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from msgspec import Struct
from rich.cells import get_character_cell_size, split_graphemes
from rich.segment import Segment
from rich.style import Style

from triage.plain import NO_LINE_START, cut, one_line, plain, preview

Line = list[Segment]
_JOINERS = "\u200d\ufe0f"
_OPENERS = frozenset("（《「『【〔〈“‘([{")
_CLOSERS = frozenset(",.;:!?)]}%") | NO_LINE_START | frozenset("】〕〉")
_WINDOW = 8192
"""Characters measured at a time, so that the first lines of a huge paragraph come at once."""


class _Cells(dict[int, str]):
    """Code point -> its width as a digit, filled as characters are met: `str.translate` measures in C."""

    def __missing__(self, code: int) -> str:
        digit = self[code] = str(get_character_cell_size(chr(code)))
        return digit


_cells = _Cells()


class Span(Struct, frozen=True):
    """A style laid over the characters `start` to `end` of the text as recorded."""

    start: int
    end: int
    style: Style


def _sums(text: str) -> list[int]:
    """Cells before each character of `text`, and after the last."""
    if "\u200d" in text or "\ufe0f" in text:
        widths = [0] * len(text)
        for start, _, cells in split_graphemes(text)[0]:
            widths[start] = cells
        return [0, *accumulate(widths)]
    return [0, *accumulate(map(int, text.translate(_cells)))]


def _wide(character: str) -> bool:
    return not character.isascii() and get_character_cell_size(character) == 2


def _may_break(text: str, at: int) -> bool:
    """May a line end before the character at `at`?"""
    before, after = text[at - 1], text[at]
    if after in NO_LINE_START or after in _JOINERS or before == "\u200d":
        return False
    if before == " " or after == " ":
        return True
    if before in _OPENERS or after in _CLOSERS:
        return False
    if _wide(before) or _wide(after):
        return after.isascii() or get_character_cell_size(after) > 0
    return before in "-/" and after.isalpha() and at > 1 and text[at - 2].isalpha()


def _line_end(text: str, start: int, reach: int) -> int:
    """Where the line from `start` ends, at most at `reach` (> start), which is inside the text."""
    part = text[start : reach + 1]
    if part.isascii() and " " not in part and "-" not in part and "/" not in part:
        return reach
    for at in range(reach, start, -1):
        if _may_break(text, at):
            return at
    at = reach
    while at > start + 1 and (text[at] in NO_LINE_START or text[at] in _JOINERS or text[at - 1] == "\u200d"):
        at -= 1
    return at if at > start + 1 else reach


def _paragraph(text: str, width: int) -> Iterator[tuple[int, int]]:
    """Lines of a text without line breaks, as (start, end); blanks around a break belong to no line."""
    base, size = 0, len(text)
    while True:
        window = text[base : base + _WINDOW]
        whole = base + len(window) >= size
        sums = None if window.isascii() else _sums(window)
        start = 0
        while True:
            reach = start + width if sums is None else bisect_right(sums, sums[start] + width) - 1
            if reach >= len(window):
                if whole:
                    yield base + start, size
                    return
                break
            end = _line_end(window, start, max(reach, start + 1))
            stop = end
            while stop > start and window[stop - 1] == " ":
                stop -= 1
            yield base + start, base + (stop if stop > start else end)
            start = end
            while start < len(window) and window[start] == " ":
                start += 1
        base += start if start else _WINDOW


def wrap(text: str, width: int) -> Iterator[tuple[int, int]]:
    """Break plain text into lines of at most `width` cells (>= 2), as (start, end) in characters."""
    width = max(width, 2)
    start = 0
    while True:
        end = text.find("\n", start)
        stop = len(text) if end < 0 else end
        if 2 * (stop - start) <= width:
            yield start, stop
        else:
            for first, last in _paragraph(text[start:stop], width):
                yield start + first, start + last
        if end < 0:
            return
        start = end + 1


def _plain_with(text: str, spans: Sequence[Span]) -> tuple[str, list[Span]]:
    """`plain(text)`, and the spans at their places in it."""
    safe = plain(text)
    if not spans or safe == text:
        return safe, list(spans)
    marks = sorted({min(max(at, 0), len(text)) for span in spans for at in (span.start, span.end)})
    pieces: list[str] = []
    places: dict[int, int] = {}
    last = length = 0
    for mark in marks:
        # Between CR and LF there is no place: the pair becomes one character.
        at = mark + 1 if text[mark - 1 : mark + 1] == "\r\n" and mark else mark
        if at > last:
            pieces.append(plain(text[last:at]))
            length += len(pieces[-1])
            last = at
        places[mark] = length
    moved = [
        Span(places[min(max(span.start, 0), len(text))], places[min(max(span.end, 0), len(text))], span.style)
        for span in spans
    ]
    return safe, moved


def _pieces(length: int, style: Style, spans: Sequence[Span]) -> list[tuple[int, Style]]:
    """The text's stretches of one style, as (end, style); of spans that overlap the later lies on top."""
    if not spans:
        return [(length, style)]
    events: dict[int, tuple[list[int], list[int]]] = {}
    for index, span in enumerate(spans):
        if 0 <= span.start < span.end:
            events.setdefault(span.start, ([], []))[0].append(index)
            events.setdefault(min(span.end, length), ([], []))[1].append(index)
    pieces: list[tuple[int, Style]] = []
    active: set[int] = set()
    for at in sorted(events):
        if at > 0:
            pieces.append((at, sum((spans[index].style for index in sorted(active)), style)))
        opened, closed = events[at]
        active.update(opened)
        active.difference_update(closed)
    pieces.append((length, style))
    return pieces


def flow(text: str, width: int, style: Style, spans: Sequence[Span] = ()) -> Iterator[Line]:
    """Record text as lines of segments, each at most `width` cells.

    Args:
        text: as recorded; it is made plain here.
        width: cells of the column, >= 2.
        style: how the text looks.
        spans: styles over parts of it, in characters of the text as recorded.
    """
    safe, moved = _plain_with(text, spans)
    pieces = _pieces(len(safe), style, moved)
    index = 0
    for start, end in wrap(safe, width):
        line: Line = []
        while index < len(pieces) - 1 and pieces[index][0] <= start:
            index += 1
        at = start
        while at < end:
            stop, look = pieces[index]
            line.append(Segment(safe[at : min(stop, end)], look))
            at = min(stop, end)
            if at == stop and index < len(pieces) - 1:
                index += 1
        yield line


def first_line(text: str, width: int, style: Style) -> Line:
    """Record text on one line of at most `width` cells; a cut one ends in `»`."""
    # One cell a character at least, but for marks that take none: twice the room is enough to see a cut.
    return [Segment(cut(one_line(text[: 4 * width + 64]), width), style)]


def short(text: str, width: int) -> str:
    """Record text with something to its right: one line, ASCII marks, at most `width` cells."""
    return cut(preview(text[: 4 * width + 64]), width)
