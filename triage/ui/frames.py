"""Sends only the cells that changed, as curses does: over a slow line every byte of a repaint is waited for.

A frame is what Textual writes for a repaint: a cursor move, then runs of text each with its style. What a
terminal draws wider or narrower than we count would be left standing by such care, so a piece of a row that
holds anything else than ASCII and CJK is sent whole where it differs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from triage.plain import width

_TOKEN = re.compile(r"\x1b\[(\d+);(\d+)H|\x1b\[([\d;]*)m([^\x1b\n]*)\x1b\[0m|([^\x1b\n]+)|(\n)")
_MOVE = re.compile(r"\x1b\[\d+;\d+H")
# Signs whose width no terminal doubts: ASCII, the two ornaments, CJK punctuation, kana, ideographs, hangul,
# full-width forms.
_SURE = re.compile(
    "[ -~»›\u3001-\u3029\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]*"
)
_STYLE = re.compile(
    r"(?:(?P<fore>38;2;\d+;\d+;\d+|38;5;\d+|3[0-79]|9[0-7])|(?P<back>48;2;\d+;\d+;\d+|48;5;\d+|4[0-79]|10[0-7])"
    r"|(?P<other>\d+))(?:;|$)"
)
_SHOWS_ON_BLANK = {"4", "5", "6", "7", "9", "21", "51", "52", "53"}
"""Attributes that are seen on a blank too: underlines, reverse, strike, frames, blinking of them."""
_GAP = 6
"""Unchanged cells that are sent with their neighbours, because a cursor move is longer."""

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


class Frames:
    """What stands on a terminal, as far as it is known, and what a frame changes of it."""

    def __init__(self) -> None:
        self._rows: dict[int, dict[int, Cell]] = {}
        self._pieces: dict[int, dict[int, tuple[int, tuple[_Run, ...]]]] = {}

    def forget(self) -> None:
        """Nothing is known any more: the next frame is sent whole."""
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
        sure = all(_SURE.fullmatch(text) for _, text in runs)
        sure = sure and (before is None or all(_SURE.fullmatch(text) for _, text in before[1]))
        cells = _cells(runs)
        end = column + len(cells)
        line = self._rows.setdefault(row, {})
        # Half a wide sign that a resize left under it takes its neighbour along when it is drawn over (tmux).
        erase = f"\x1b[{len(cells)}X" if cells and line.keys().isdisjoint(range(column, end)) else ""
        if not sure:
            spans = [(0, len(cells))]
        else:
            spans = _spans([line.get(column + at) != cell for at, cell in enumerate(cells)], cells)
        for start in [start for start, (stop, _) in known.items() if start < end and stop > column]:
            if not sure or start != column:
                del known[start]
        known[column] = (end, runs)
        self._halve(line, column, end)
        for at, cell in enumerate(cells, column):
            line[at] = cell
        if not sure:
            # Whatever stands from here on may stand elsewhere: the next piece that lies there is sent whole.
            for at in [at for at in line if at >= column]:
                del line[at]
            for start in [start for start in known if start > column]:
                del known[start]
        return "".join(
            f"\x1b[{row};{column + start}H{erase}{_drawn(cells[start:stop])}" for start, stop in spans
        )

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
        for sign in text:
            room = 1 if sign.isascii() else width(sign)
            if room == 0 and cells:
                # A mark that combines belongs to the sign before it.
                last = len(cells) - 1 - (cells[-1][0] == "" and len(cells) > 1)
                cells[last] = (cells[last][0] + sign, cells[last][1])
            elif room:
                cells.append(blank if sign == " " else (sign, style))
                cells.extend([("", style)] * (room - 1))
    return cells


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
