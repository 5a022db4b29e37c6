"""Only what changed is sent, and the terminal shows the same as if all of it had been."""

from __future__ import annotations

import re
import unicodedata

import pyte
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len, set_cell_size

from triage.ui.frames import Frames

COLUMNS, ROWS = 24, 5
STYLES = [
    "",
    "1;38;2;1;2;3;48;2;9;9;9",
    "38;2;1;2;3;48;2;9;9;9",
    "48;2;9;9;9",
    "7",
    "4;31",
    "38;5;7;48;5;3",
    "1",
]
SIGNS = "ab1 . 退货政»、Ａ" + "é…👍"
Screen = dict[tuple[int, int], tuple[object, ...]]


def frame(pieces: list[tuple[int, int, list[tuple[str, str]]]], cursor: tuple[int, int]) -> str:
    """Pieces of rows as Textual's compositor renders them."""
    out = []
    for row, column, runs in pieces:
        out.append(f"\x1b[{row};{column}H")
        out += [f"\x1b[{style}m{text}\x1b[0m" if style else text for style, text in runs]
        out.append("\n" if row < pieces[-1][0] else "")
    return "".join(out) + f"\x1b[{cursor[0]};{cursor[1]}H"


def shown(screen: pyte.Screen) -> Screen:
    """Every cell as an eye sees it: a blank has no colour of its own but its ground."""
    cells: Screen = {}
    for y in range(ROWS):
        for x in range(COLUMNS):
            cell = screen.buffer[y][x]
            marks = (cell.underscore, cell.reverse, cell.strikethrough)
            ink = (cell.fg, cell.bold) if cell.data.strip() or any(marks) else ()
            cells[y, x] = (cell.data, cell.bg, *marks, *ink)
    return cells


def fill(runs: list[tuple[str, str]], room: int) -> list[tuple[str, str]]:
    """Runs cut and padded to exactly `room` cells, as the compositor does."""
    out = []
    for style, text in runs:
        text = set_cell_size(text, min(cell_len(text), room))
        room -= cell_len(text)
        out.append((style, text))
    return [run for run in (*out, ("", " " * room)) if run[1]]


runs = st.lists(
    st.tuples(st.sampled_from(STYLES), st.text(SIGNS, min_size=1, max_size=9)), min_size=1, max_size=4
)
places = st.sampled_from([(1, COLUMNS), (1, 8), (9, 16), (13, 6)])
pieces = st.lists(st.tuples(st.integers(1, ROWS), places, runs), min_size=1, max_size=ROWS)
frames = st.lists(
    st.tuples(pieces, st.tuples(st.integers(1, ROWS), st.integers(1, COLUMNS))), min_size=1, max_size=8
)


@settings(max_examples=150, deadline=None)
@given(frames, st.booleans())
def test_a_terminal_shows_the_same_as_if_all_had_been_sent(
    drawn: list[tuple[list[tuple[int, tuple[int, int], list[tuple[str, str]]]], tuple[int, int]]],
    forget: bool,
) -> None:
    whole, careful = pyte.Screen(COLUMNS, ROWS), pyte.Screen(COLUMNS, ROWS)
    sender = Frames()
    for number, (parts, cursor) in enumerate(drawn):
        text = frame([(row, at, fill(texts, room)) for row, (at, room), texts in sorted(parts)], cursor)
        pyte.Stream(whole).feed(text)
        if forget and number == 3:
            sender.forget()
        pyte.Stream(careful).feed(sender.change(text))
        assert (careful.cursor.y, careful.cursor.x) == (whole.cursor.y, whole.cursor.x)
    # A wide sign of which one half was drawn over is drawn differently by every terminal.
    blank = {"", " "}
    for place, cell in shown(whole).items():
        other = shown(careful)[place]
        assert cell == other or (cell[0] in blank and other[0] in blank), place


def test_what_has_not_changed_is_not_sent_again() -> None:
    sender = Frames()
    text = frame([(1, 1, [("1", "查询 order")]), (2, 1, [("", "second row")])], (1, 1))
    assert "order" in sender.change(text)
    assert sender.change(text) == "\x1b[1;1H"
    changed = sender.change(text.replace("second", "seCond"))
    assert changed == "\x1b[2;3HC\x1b[1;1H"


def test_a_style_alone_is_a_change_and_a_blanks_colour_is_none() -> None:
    sender = Frames()
    sender.change(frame([(1, 1, [("31", "a b")])], (1, 1)))
    assert sender.change(frame([(1, 1, [("32", "a b")])], (1, 1))).count("\x1b[32m") == 1
    sender.change(frame([(2, 1, [("31", "   ")])], (1, 1)))
    assert sender.change(frame([(2, 1, [("32", "   ")])], (1, 1))) == "\x1b[1;1H"
    assert sender.change(frame([(2, 1, [("4", "   ")])], (1, 1))) != "\x1b[1;1H"


def test_signs_of_doubtful_width_are_always_sent_and_what_was_there_is_blanked() -> None:
    sender = Frames()
    sender.change(frame([(1, 1, [("", "a… and more")])], (1, 1)))
    sent = sender.change(frame([(1, 1, [("", "b… and more")])], (1, 1)))
    assert f"\x1b[1;1Hb{' ' * 10}\x1b[1;2H… and more" in sent
    assert "\x1b[1;2H. and less" in sender.change(frame([(1, 1, [("", "b. and less")])], (1, 1)))


def test_what_comes_after_a_gap_is_put_into_its_place() -> None:
    sender = Frames()
    sent = sender.change(frame([(1, 1, [("", "…   退货 ok…  end")])], (1, 1)))
    assert sent.endswith("\x1b[1;1H…\x1b[1;3H  退货 ok  \x1b[1;12H…\x1b[1;14H end\x1b[1;1H")


@pytest.mark.parametrize("other", ["\x1b]2;title\x07", "\x1b[?25h", "", "\x1b[1;1Hx\x1b[2J"])
def test_what_is_no_frame_goes_through_as_it_is(other: str) -> None:
    assert Frames().change(other) == other


@pytest.mark.parametrize("lost", ["\x1b[?1049h", "\x1b[1;1H\x1b[2J"])
def test_after_the_screen_was_lost_all_is_sent(lost: str) -> None:
    sender = Frames()
    text = frame([(1, 1, [("", "words")])], (1, 1))
    sender.change(text)
    sender.change(lost)
    assert "words" in sender.change(text)


def test_what_is_not_known_is_erased_before_it_is_drawn_over() -> None:
    sender = Frames()
    first = frame([(1, 1, [("", "退货 ab")])], (1, 1))
    assert "\x1b[1;1H\x1b[7X退货 ab" in sender.change(first)
    assert "X" not in sender.change(frame([(1, 1, [("", "退货 ac")])], (1, 1)))
    sender.forget()
    assert "\x1b[1;1H\x1b[7X退货 ab" in sender.change(first)


def test_a_piece_over_signs_of_doubtful_width_is_sent_whole_wherever_it_begins() -> None:
    sender = Frames()
    sender.change(frame([(1, 5, [("", "a👩‍👩‍👧b   c")])], (1, 1)))
    sent = sender.change(frame([(1, 1, [("", " " * 20)])], (1, 1)))
    assert " " * 16 in sent


def test_what_stands_right_of_signs_of_doubtful_width_is_drawn_over_them() -> None:
    sender = Frames()
    right = (1, 13, [("", "the …  right pane")])
    sender.change(frame([(1, 1, [("", "plain       ")]), right], (1, 1)))
    sent = sender.change(frame([(1, 1, [("", "ab😀 doubted")])], (1, 1)))
    assert sent.endswith("\x1b[1;3H😀 doubted\x1b[1;13Ht\x1b[1;1H")
    sent = sender.change(frame([(1, 1, [("", "a👩‍👩‍👧 doubted")])], (1, 1)))
    assert "\x1b[1;2H👩‍👩‍👧 doubted\x1b[1;13Hthe " in sent and "…" in sent and "pane" not in sent
    assert sender.change(frame([right], (1, 1))) == "\x1b[1;1H"


class Wide(pyte.Screen):
    """A terminal with a Chinese font: signs of ambiguous width take two cells."""

    def draw(self, data: str) -> None:
        for sign in data:
            super().draw(sign)
            if unicodedata.east_asian_width(sign) == "A":
                super().draw(" ")


def doubtful(row: str) -> set[int]:
    """The cells of a row that may look otherwise: from such a sign to the end of the gap behind it."""
    found: set[int] = set()
    for match in re.finditer("[é…👍].*?(  +|$)", row):
        found |= set(range(match.start(), match.end()))
    return found


@settings(max_examples=150, deadline=None)
@given(frames)
def test_signs_wider_than_counted_push_nothing_aside(
    drawn: list[tuple[list[tuple[int, tuple[int, int], list[tuple[str, str]]]], tuple[int, int]]],
) -> None:
    counted, wide = pyte.Screen(COLUMNS, ROWS), Wide(COLUMNS, ROWS)
    wide.reset_mode(7, private=True)
    sender = Frames()
    doubted: dict[int, set[int]] = {}
    for row, (at, room), texts in (part for parts, _ in drawn for part in parts):
        text = frame([(row, at, fill(texts, room))], (1, 1))
        pyte.Stream(counted).feed(text)
        pyte.Stream(wide).feed(sender.change(text))
        # Of a stretch that is covered in part, the rest stands where it stood.
        line = "".join(counted.buffer[row - 1][x].data or "+" for x in range(COLUMNS))
        doubted[row - 1] = doubtful(line) | (set() if room == COLUMNS else doubted.get(row - 1, set()))
    blank = {"", " "}
    for y, x in ((y, x) for y in doubted for x in range(COLUMNS) if x not in doubted[y]):
        one, other = counted.buffer[y][x], wide.buffer[y][x]
        assert one.data == other.data or {one.data, other.data} <= blank, (y, x)
        assert one.bg == other.bg or not one.data.strip(), (y, x)


def test_a_frame_from_before_a_resize_ends_at_the_edges_there_are_now() -> None:
    sender = Frames()
    sender.forget((10, 2))
    sent = sender.change(frame([(1, 1, [("", "退货 abcdefgh")]), (3, 1, [("", "below")])], (1, 1)))
    assert sent.endswith("退货 abcde\x1b[1;1H")
    assert sender.change(frame([(1, 11, [("", "right")])], (1, 1))) == "\x1b[1;1H"
    sent = sender.change(frame([(2, 1, [("", "      ab…")]), (2, 10, [("7", " ")])], (1, 1)))
    assert sent.endswith("…\x1b[2;10H\x1b[1X\x1b[0;7m \x1b[0m\x1b[1;1H")
    # What runs over the last column is drawn again there, and not beyond it.
    sent = sender.change(frame([(2, 1, [("", "      b……")])], (1, 1)))
    assert sent.endswith("……\x1b[2;10H\x1b[0;7m \x1b[0m\x1b[1;1H")
