"""Record text on its way to the screen."""

from __future__ import annotations

import re
import time

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style

from triage.plain import NO_LINE_START, plain
from triage.ui.text import Span, first_line, flow, short, wrap

NONE = Style()
MARK = Style(bold=True)
UNDER = Style(underline=True)


def lines(text: str, width: int) -> list[str]:
    return ["".join(segment.text for segment in line) for line in flow(text, width, NONE)]


def test_chinese_breaks_by_cells_and_no_line_starts_with_a_closing_mark() -> None:
    text = "转人工条件：涉及投诉、重复扣款、账户被盗的会话必须转人工；人工服务时间为每日 9:00 至 21:00。"
    for width in range(4, 60):
        shown = lines(text, width)
        assert all(cell_len(line) <= width for line in shown)
        assert not any(line[0] in NO_LINE_START for line in shown), (width, shown)
        assert "".join(shown).replace(" ", "") == text.replace(" ", "")


def test_latin_words_stay_whole_and_a_marker_keeps_to_itself() -> None:
    assert lines("the quick brown fox", 9) == ["the quick", "brown fox"]
    assert lines("退款将在七天内退回[S2]。", 20) == ["退款将在七天内退回", "[S2]。"]
    assert lines("see well-known limits", 10) == ["see well-", "known", "limits"]
    assert lines("from 9:00-21:00", 12) == ["from", "9:00-21:00"]


def test_a_word_longer_than_the_line_is_cut_and_nothing_is_lost() -> None:
    shown = lines("x" * 25, 10)
    assert shown == ["x" * 10, "x" * 10, "x" * 5]
    assert lines("！" * 12, 6) == ["！！！"] * 4


def test_line_breaks_and_empty_lines_stay() -> None:
    assert lines("a\n\nb\r\nc", 10) == ["a", "", "b", "c"]
    assert lines("", 10) == [""]


def test_a_joined_emoji_is_not_broken() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    shown = lines(family * 6, 7)
    assert all(cell_len(line) <= 7 for line in shown)
    assert all(len(line) % len(family) == 0 for line in shown)


def test_spans_stand_where_they_stood_before_control_characters_became_marks() -> None:
    text = "a\x1b]52;c;x\x07 fine\r\nthen [S2] end"
    start = text.index("[S2]")
    styled = [
        (segment.text, segment.style)
        for line in flow(text, 60, NONE, [Span(start, start + 4, MARK), Span(0, 2, UNDER)])
        for segment in line
    ]
    assert ("[S2]", MARK) in styled
    assert ("a<ESC>", UNDER) in styled
    assert "\x1b" not in "".join(word for word, _ in styled)


def test_overlapping_spans_add_up() -> None:
    styled = next(flow("abcdef", 20, NONE, [Span(0, 4, UNDER), Span(2, 6, MARK)]))
    assert [(s.text, s.style) for s in styled] == [("ab", UNDER), ("cd", UNDER + MARK), ("ef", MARK)]
    assert next(flow("abc", 20, NONE, [Span(2, 99, MARK), Span(7, 9, UNDER)]))[-1].text == "c"


@settings(max_examples=300, deadline=None)
@given(
    st.text(
        alphabet=st.one_of(
            st.characters(), st.sampled_from("  \n\r\t[]()，。”’（“退货ab-/.\u200d\ufe0f\u0301\x1b\U0001f468")
        ),
        max_size=120,
    ),
    st.integers(2, 40),
    st.lists(st.tuples(st.integers(0, 130), st.integers(0, 130)), max_size=4),
)
def test_any_text_fits_its_lines_and_keeps_every_word(
    text: str, width: int, spans: list[tuple[int, int]]
) -> None:
    shown = list(flow(text, width, NONE, [Span(a, b, MARK) for a, b in spans]))
    joined = "".join(segment.text for line in shown for segment in line)
    assert re.sub(r"[ \n]", "", joined) == re.sub(r"[ \n]", "", plain(text))
    for line in shown:
        assert cell_len("".join(segment.text for segment in line)) <= width
        assert all(segment.text for segment in line)


def test_a_span_covers_exactly_its_characters_wherever_lines_break() -> None:
    text = "钱什么时候退回来啊，我等了 two weeks 已经。" * 5
    start, end = 20, 61
    for width in range(5, 50):
        marked = "".join(
            segment.text
            for line in flow(text, width, NONE, [Span(start, end, MARK)])
            for segment in line
            if segment.style == MARK
        )
        assert marked.replace(" ", "") == text[start:end].replace(" ", "")


def test_long_answers_are_laid_out_at_once() -> None:
    for text in ("退货 text line\n" * 4000, "退" * 20000, "word " * 12000, "x" * 60000, "退货a，" * 9000):
        list(wrap(text, 58))
        started = time.perf_counter()
        list(flow(text, 58, NONE))
        whole = time.perf_counter() - started
        started = time.perf_counter()
        next(flow(text, 58, NONE))
        first = time.perf_counter() - started
        assert whole < 0.2
        assert first < 0.05


def test_one_line_texts_are_cut_by_cells() -> None:
    assert first_line("退货\n政策", 7, NONE)[0].text == "退货 »"
    assert short("“a”…", 10) == '"a"...'
    assert cell_len(short("退" * 100, 9)) <= 9
