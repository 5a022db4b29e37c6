"""The clock of a reading, the guide beside the case at every size, the words of its end."""

from __future__ import annotations

import unicodedata

import pytest
from screen_help import HOSTILE

from triage.models.guide import GUIDE
from triage.models.reading import Handed, Progress
from triage.models.verdict import VERDICTS
from triage.plain import width
from triage.ui.keys import shown_keys
from triage.ui.palette import DARK, Palette
from triage.ui.widgets.line import length
from triage.ui.widgets.reading_guide import Told, flat, tall
from triage.ui.work import reading_words
from triage.ui.work.reading_clock import AWAY, ReadingClock, spoken
from triage.ui.work.reading_queue import Came

INK = Palette(DARK, dark=True, ansi=False, colourless=False)
KEYS = shown_keys({})


class Time:
    """Seconds that a test lets go by."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_reading_takes_the_time_from_coming_to_verdict() -> None:
    time = Time()
    clock = ReadingClock(time)
    time.now += 50
    clock.begin()
    time.now += 12.5
    assert clock.seconds() == 12.5
    clock.begin()
    assert clock.seconds() == 0.0


def test_more_than_five_minutes_without_a_key_do_not_count() -> None:
    time = Time()
    clock = ReadingClock(time)
    clock.begin()
    for pause in (20, AWAY, AWAY + 1, 4000, 10):
        time.now += pause
        clock.touch()
    assert clock.seconds() == 20 + AWAY + 10


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "1 s"), (41.4, "41 s"), (99, "99 s"), (100, "2 min"), (3599, "1 h"), (11100, "3 h 5 min")],
)
def test_times_are_told_as_people_say_them(seconds: float, words: str) -> None:
    assert spoken(seconds) == words


def test_every_verdict_has_its_meaning_once_and_fits_a_row() -> None:
    assert sorted(meaning.verdict for meaning in GUIDE) == sorted(VERDICTS)
    assert all(width(meaning.short) <= 25 and meaning.says for meaning in GUIDE)


@pytest.mark.parametrize(("cells", "rows"), [(36, 37), (36, 33), (30, 27), (30, 20), (30, 13)])
def test_the_pane_holds_every_key_name_label_and_note_at_any_height(cells: int, rows: int) -> None:
    told = Told("ranking", ("stale-doc", "路由"), "等客服确认，再看一遍" * 8)
    lines = tall(told, KEYS, INK, cells, rows)
    assert len(lines) <= rows and all(length(line) <= cells for line in lines)
    text = "\n".join("".join(part for part, _ in line) for line in lines)
    for word in ("1 retrieval", "2 ranking?  space", "9 test set", "0 fine", "stale-doc, 路由", "等客服确认"):
        assert word in text, word
    if rows >= 33:
        assert "What answers the question" in text


def test_a_label_or_note_that_is_hostile_is_printed_as_marks() -> None:
    told = Told(None, (HOSTILE,), HOSTILE)
    for lines in (tall(told, KEYS, INK, 36, 33), flat(told, KEYS, INK, 80, 4)):
        text = "".join(part for line in lines for part, _ in line)
        assert "\x1b" not in text and "\u202e" not in text and "\x07" not in text
        assert not any(unicodedata.east_asian_width(sign) == "A" for sign in text)


@pytest.mark.parametrize("cells", [60, 80, 99])
def test_in_a_narrow_window_two_verdicts_stand_in_a_row(cells: int) -> None:
    lines = flat(Told("ranking"), KEYS, INK, cells, 4)
    assert len(lines) == 4 and all(length(line) <= cells for line in lines)
    text = "\n".join("".join(part for part, _ in line) for line in lines)
    assert all(f" {word}" in text for word in ("1 retrieval", "5 other", "9 test set", "0 fine", "l labels"))
    if cells >= 80:
        assert all(meaning.short in text for meaning in GUIDE)
    (single,) = flat(Told(), KEYS, INK, cells, 1)
    assert length(single) <= cells and "0 fine" in "".join(part for part, _ in single)


def progress(**changes: int | float | None) -> Progress:
    made = {
        "cases": 8, "outside": 0, "mine": 3, "open": 5, "deferred": 0, "others": 0, "readings": 3,
        "wanted": 16, "disputed": 0,
    }  # fmt: skip
    return Progress(**(made | changes))  # type: ignore[arg-type]


def said(words: object) -> str:
    return "".join(text for text, _ in words)  # type: ignore[attr-defined]


def test_the_time_left_is_told_once_there_are_enough_readings() -> None:
    assert said(reading_words.pace(progress(), "")) == ""
    assert said(reading_words.pace(progress(seconds=40.0), "")) == "40 s a case   3 min left"
    within = said(reading_words.pace(progress(outside=4), "topic:退款 [b]"))
    assert within == "within topic:退款 [b], 4 left out"


def test_what_must_be_read_is_not_told_to_a_blind_reader() -> None:
    handed = Handed("E1", 2, 2, True, why_deferred="ask\x1b[2J Li")
    assert said(reading_words.known(handed, machine_hidden=False)) == (
        "put off: ask<ESC>[2J Li   must be read   second of 2 readings"
    )
    assert "must" not in said(reading_words.known(handed, machine_hidden=True))


def test_the_end_says_what_is_done_and_what_is_left_to_whom() -> None:
    lines = reading_words.ended(
        Came("others", progress(others=2, disputed=1), said="others have the rest"), KEYS
    )
    text = "\n".join(map(said, lines))
    for word in ("others have the rest", "3 cases read by you", "3 of 16 readings", "1 case in dispute",
                 "2 in the hands of others", "enter looks again", "esc goes back"):  # fmt: skip
        assert word in text, word
