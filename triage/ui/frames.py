"""Sends only the cells that changed, as curses does: over a slow line every byte of a repaint is waited for.

A frame is what Textual writes for a repaint: a cursor move, then runs of text each with its style. What is
neither ASCII nor CJK a terminal may draw wider or narrower than we count: it is always sent anew, and what
stands right of it is put into its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from rich.cells import split_graphemes

_TOKEN = re.compile(r"\x1b\[(\d+);(\d+)H|\x1b\[([\d;]*)m([^\x1b\n]*)\x1b\[0m|([^\x1b\n]+)|(\n)")
_MOVE = re.compile(r"\x1b\[\d+;\d+H")
_NARROW = "»›"
# Signs whose width no terminal doubts: ASCII, the two ornaments, CJK punctuation, kana, ideographs, hangul,
# full-width forms.
_SURE = re.compile(
    f"[ -~{_NARROW}\u3001-\u3029\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7a3\uff01-\uff60]*"
)
_STYLE = re.compile(
    r"(?:(?P<fore>38;2;\d+;\d+;\d+|38;5;\d+|3[0-79]|9[0-7])|(?P<back>48;2;\d+;\d+;\d+|48;5;\d+|4[0-79]|10[0-7])"
    r"|(?P<other>\d+))(?:;|$)"
)
_SHOWS_ON_BLANK = {"4", "5", "6", "7", "9", "21", "51", "52", "53"}
"""Attributes that are seen on a blank too: underlines, reverse, strike, frames, blinking of them."""
_GAP = 6
"""Unchanged cells that are sent with their neighbours, because a cursor move is longer."""

_NO_EDGE = 1 << 16
"""Columns and rows of a terminal whose size is not known."""

Cell = tuple[str, str]
"""A sign with its style; the second cell of a wide sign has "" for its sign."""
_Run = tuple[str, str]


class Style(NamedTuple):
    """A style in its parts, each a piece of a style sequence; "" = the terminal's own."""

    other: str
    fore: str
    back: str


@lru_cache(maxsize=1024)
def _parsed(style: str) -> Style:
    parts: dict[str, str] = {"other": "", "fore": "", "back": ""}
    for match in _STYLE.finditer(style):
        kind = match.lastgroup or "other"
        joined = kind == "other" and parts[kind]
        parts[kind] = f"{parts[kind]};{match[kind]}" if joined else match[kind]
    return Style(**parts)


@lru_cache(maxsize=1024)
def _ground(style: str) -> str:
    """The part of a style that is seen on a blank."""
    parsed = _parsed(style)
    return style if _SHOWS_ON_BLANK.intersection(parsed.other.split(";")) else parsed.back


@lru_cache(maxsize=4096)
def _turn(now: str, wanted: str) -> str:
    """The shortest sequence from one style to another."""
    old, new = _parsed(now), _parsed(wanted)
    whole = f"\x1b[0;{wanted}m" if wanted else "\x1b[0m"
    if old.other != new.other:
        return whole
    codes = [] if old.fore == new.fore else [new.fore or "39"]
    codes += [] if old.back == new.back else [new.back or "49"]
    return min(f"\x1b[{';'.join(codes)}m", whole, key=len)


class _Doubt(NamedTuple):
    """A stretch of cells whose signs a terminal may draw wider or narrower than we count.

    It lies from `start` to `stop`; `room` blanks follow that it may run into, and it ends before `reach`,
    which may lie outside of its piece.
    """

    start: int
    stop: int
    room: int
    reach: int


class Frames:
    """What stands on a terminal, as far as it is known, and what a frame changes of it."""

    def __init__(self) -> None:
        self._columns = self._lines = _NO_EDGE
        self._rows: dict[int, dict[int, Cell]] = {}
        self._pieces: dict[int, dict[int, tuple[int, tuple[_Run, ...]]]] = {}

    def forget(self, size: tuple[int, int] | None = None) -> None:
        """Nothing is known any more: the next frame is sent whole; `size` is the terminal's now, in cells."""
        if size is not None:
            self._columns, self._lines = size
        self._rows.clear()
        self._pieces.clear()

    def change(self, text: str) -> str:
        """What has to be sent for `text`; everything, where it is no frame."""
        if not _MOVE.match(text):
            if "\x1b[?1049" in text:
                self.forget()
            return text
        pieces = list(_pieces(text))
        if any(runs is None for _, _, runs in pieces):
            self.forget()
            return text
        out = []
        for row, column, runs in pieces:
            if runs:
                out.append(self._piece(row, column, runs))
        row, column, runs = pieces[-1]
        if not runs:
            # The last move puts the cursor where an input method draws beside it.
            out.append(f"\x1b[{row};{column}H")
        return "".join(out)

    def _piece(self, row: int, column: int, runs: tuple[_Run, ...]) -> str:
        known = self._pieces.setdefault(row, {})
        before = known.get(column)
        if before is not None and before[1] == runs:
            return ""
        # A frame made before the terminal was resized may reach beyond its edges.
        cells = _cells(runs)[: max(self._columns - column + 1, 0)]
        if not cells or row > self._lines:
            return ""
        end = column + len(cells)
        line = self._rows.setdefault(row, {})
        # Half a wide sign that a resize left under it takes its neighbour along when it is drawn over (tmux).
        erase = line.keys().isdisjoint(range(column, end))
        doubts = [] if all(_SURE.fullmatch(text) for _, text in runs) else _doubts(cells)
        changed = [line.get(column + at) != cell for at, cell in enumerate(cells)]
        for doubt in doubts:
            changed[doubt.start : doubt.reach] = [True] * (min(doubt.reach, len(cells)) - doubt.start)
        spans = _spans(changed, cells)
        for start in [start for start, (stop, _) in known.items() if start < end and stop > column]:
            if start != column:
                del known[start]
        known[column] = (end, runs)
        self._halve(line, column, end)
        for at, cell in enumerate(cells, column):
            line[at] = cell
        out = [_placed(row, column, cells, span, doubts) for span in spans]
        if erase:
            move = f"\x1b[{row};{column}H"
            out[0] = f"{move}\x1b[{len(cells)}X{out[0].removeprefix(move)}"
        for doubt in doubts:
            # Nobody knows what stands there now.
            for at in range(column + doubt.start, column + doubt.stop + doubt.room):
                line.pop(at, None)
        beyond = min(max((column + doubt.reach for doubt in doubts), default=end), self._columns + 1)
        if beyond > end:
            out.append(self._beside(row, end, beyond))
        return "".join(out)

    def _beside(self, row: int, start: int, stop: int) -> str:
        """What stands right of a piece, drawn again where its signs may have run over it."""
        line, pieces = self._rows[row], self._pieces[row]
        while line.get(stop, ("?", ""))[0] == "":
            stop += 1
        out = []
        unknown = [at for at in range(start, stop) if at not in line]
        for first, last in zip([start, *(at + 1 for at in unknown)], [*unknown, stop], strict=True):
            if first < last:
                out.append(f"\x1b[{row};{first}H{_drawn([line[at] for at in range(first, last)])}")
        for column in sorted(pieces):
            end, runs = pieces[column]
            if column >= start and any(column <= at < end for at in unknown):
                del pieces[column]
                out.append(self._piece(row, column, runs))
        return "".join(out)

    @staticmethod
    def _halve(line: dict[int, Cell], column: int, end: int) -> None:
        """A wide sign of which one half is drawn over is gone: a terminal leaves nobody knows what."""
        if line.get(column, ("?", ""))[0] == "":
            line.pop(column - 1, None)
        if line.get(end, ("?", ""))[0] == "":
            line.pop(end, None)


def _pieces(text: str) -> Iterator[tuple[int, int, tuple[_Run, ...] | None]]:
    """(row, column, runs of style and text) after each move, 1-based; None = not understood."""
    row = column = 1
    runs: list[_Run] = []
    at = 0
    moved = False
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            yield row, column, None
            return
        at = match.end()
        if match[1] is not None:
            if moved:
                yield row, column, tuple(runs)
            row, column, runs, moved = int(match[1]), int(match[2]), [], True
        elif match[3] is not None:
            if match[4]:
                runs.append((match[3], match[4]))
        elif match[5] is not None:
            runs.append(("", match[5]))
    yield row, column, tuple(runs)


def _cells(runs: tuple[_Run, ...]) -> list[Cell]:
    cells: list[Cell] = []
    for style, text in runs:
        blank = (" ", _ground(style))
        if text.isascii():
            cells.extend([blank if sign == " " else (sign, style) for sign in text])
            continue
        if _SURE.fullmatch(text):
            for sign in text:
                cells.append(blank if sign == " " else (sign, style))
                if not sign.isascii() and sign not in _NARROW:
                    cells.append(("", style))
            continue
        for start, end, room in split_graphemes(text)[0]:
            sign = text[start:end]
            if room == 0 and cells:
                # A mark that combines belongs to the sign before it.
                last = len(cells) - 1 - (cells[-1][0] == "" and len(cells) > 1)
                cells[last] = (cells[last][0] + sign, cells[last][1])
            elif room:
                cells.append(blank if sign == " " else (sign, style))
                cells.extend([("", style)] * (room - 1))
    return cells


def _doubts(cells: list[Cell]) -> list[_Doubt]:
    """Where signs stand whose width terminals do not agree on, each as far as the next gap or pane."""
    found: list[_Doubt] = []
    at = 0
    while at < len(cells):
        if _SURE.fullmatch(cells[at][0]):
            at += 1
            continue
        start, more = at, 0
        while at < len(cells) and not _gap(cells, at):
            if not _SURE.fullmatch(cells[at][0]):
                more += max(2 * len(cells[at][0]) - 1, 1)
            at += 1
        stop = at
        while at < len(cells) and at - stop < more and cells[at] == cells[stop] and cells[at][0] == " ":
            at += 1
        found.append(_Doubt(start, stop, at - stop, stop + more))
    return found


def _gap(cells: list[Cell], at: int) -> bool:
    """Does text that is kept together end before this cell: at two blanks, or at one of another tone?"""
    if cells[at][0] != " ":
        return False
    return at + 1 == len(cells) or cells[at + 1][0] == " " or cells[at][1] != _ground(cells[at - 1][1])


def _placed(row: int, column: int, cells: list[Cell], span: tuple[int, int], doubts: list[_Doubt]) -> str:
    """The cells of a span where they belong, however wide the terminal draws signs of doubtful width.

    Such a stretch is drawn over blanks, and what comes after it is placed anew: it may end short of its
    room, or run on into the gap behind it, or be cut by what comes next.
    """
    at, end = span
    out = [f"\x1b[{row};{column + at}H"]
    for doubt in doubts:
        if doubt.stop <= at or doubt.start >= end:
            continue
        after = min(doubt.stop + doubt.room, end)
        ground = [(" ", _ground(style)) for _, style in cells[doubt.start : after]]
        out += [_drawn(cells[at : doubt.start]), _drawn(ground), f"\x1b[{row};{column + doubt.start}H"]
        out.append(_drawn(cells[doubt.start : doubt.stop]))
        if after < end:
            out.append(f"\x1b[{row};{column + after}H")
        at = after
    return "".join([*out, _drawn(cells[at:end])])


def _spans(changed: list[bool], cells: list[Cell]) -> list[tuple[int, int]]:
    """Ranges of cells to send; none begins or ends within a wide sign."""
    spans: list[list[int]] = []
    for at, differs in enumerate(changed):
        if not differs:
            continue
        if spans and at - spans[-1][1] <= _GAP:
            spans[-1][1] = at + 1
        else:
            spans.append([at, at + 1])
    out = []
    for start, stop in spans:
        while start and cells[start][0] == "":
            start -= 1
        while stop < len(cells) and cells[stop][0] == "":
            stop += 1
        out.append((start, stop))
    return out


def _drawn(cells: list[Cell]) -> str:
    """Text of cells with a style sequence wherever the style changes, and a plain style at the end."""
    out: list[str] = []
    style = ""
    for sign, wanted in cells:
        if wanted != style and not (sign == " " and wanted == _ground(style)):
            out.append(_turn(style, wanted))
            style = wanted
        out.append(sign)
    if style:
        out.append("\x1b[0m")
    return "".join(out)
