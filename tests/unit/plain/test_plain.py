"""Record text on its way to a screen."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from triage.plain import cut, cut_left, fit, one_line, plain, preview, width

JOINED = """退 👩‍👩‍👧 👍🏽 🇨🇳 e\u0301 … ♥️ ☎️ 1️⃣ हिन्दी x \u200d \ufe0f \u0300""".split()
ANY = st.one_of(st.text(st.characters(), max_size=60), st.lists(st.sampled_from(JOINED)).map("".join))


@given(ANY)
def test_no_control_character_survives(text: str) -> None:
    shown = plain(text)
    assert all(
        character == "\n" or unicodedata.category(character) not in {"Cc", "Cs"} for character in shown
    )
    shown.encode("utf-8")


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b]52;c;aGk=\x07", "<ESC>]52;c;aGk=<BEL>"),
        ("\x9b31m", "<CSI>31m"),
        ("a\x00b", "a<NUL>b"),
        ("right\u202eleft", "right<U+202E>left"),
        ("lone \ud800", "lone <U+D800>"),
        ("[/] [bold] [S1]", "[/] [bold] [S1]"),
        ("one\r\ntwo", "one\ntwo"),
        ("bare\rreturn", "bare<CR>return"),
    ],
)
def test_marks_are_readable(raw: str, shown: str) -> None:
    assert plain(raw) == shown


@given(ANY, st.integers(0, 40))
def test_cut_never_takes_more_cells_than_it_may(text: str, cells: int) -> None:
    text = one_line(text)
    assert width(cut(text, cells)) <= cells
    assert width(cut_left(text, cells)) <= cells
    assert width(fit(text, cells)) == cells


@given(st.text(st.characters(categories=["L", "N", "P", "Zs"]), max_size=60), st.integers(1, 40))
def test_fit_fills_its_cells_exactly(text: str, cells: int) -> None:
    assert cell_len(fit(preview(text), cells)) == cells


def test_cut_stops_before_a_wide_character_that_does_not_fit() -> None:
    assert cut("退货政策", 5) == "退货»"
    assert cut("退货政策", 6) == "退货»"
    assert cut("退货政策", 8) == "退货政策"
    assert fit("退货政策", 6) == "退货» "


def test_a_cut_id_keeps_its_tail() -> None:
    assert cut_left("customer-service-0042", 8) == "»ce-0042"


def test_a_preview_holds_no_ambiguous_quote_or_dash() -> None:
    assert preview("\u201c好\u201d\u2014\u2026\n下一行") == '"好"-... 下一行'
