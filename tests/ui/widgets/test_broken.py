"""Sentences of ours are broken between words, or left out whole; none is cut."""

from __future__ import annotations

import pytest

from triage.ui.widgets.broken import broken, whole
from triage.ui.widgets.line import size_of

SAYS = [
    (" unseen    ", "faint"),
    (".31", "text bold"),
    (" is the kappa on cases that chose nothing", "muted"),
]


@pytest.mark.parametrize("cells", [24, 32, 40, 80])
def test_each_line_fits_and_no_word_is_lost(cells: int) -> None:
    lines = broken(SAYS, cells, lead=1)
    assert all(size_of(line) <= max(cells, 31) for line in lines)
    beside = " ".join("".join(text for text, _ in line[1:]) for line in lines)
    assert beside.split() == ".31 is the kappa on cases that chose nothing".split()
    assert lines[0][0] == SAYS[0] and all(line[0] == (" " * 11, "faint") for line in lines[1:])
    assert (".31", "text bold") in lines[0]


def test_wide_signs_are_counted_as_two() -> None:
    lines = broken([("最常分歧：李娜说排序，王伟说检索", "text")], 20)
    assert len(lines) == 2 and all(size_of(line) <= 20 for line in lines)


def test_what_has_no_room_is_left_out_whole_but_the_first() -> None:
    pieces = [("10 judged", "text"), ("  8 disputed left out", "muted"), ("  1 more", "muted")]
    assert whole(pieces, 40) == pieces
    assert whole(pieces, 32) == pieces[:2]
    assert whole(pieces, 20) == whole(pieces, 3) == pieces[:1]
