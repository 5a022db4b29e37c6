"""How an answer is split into sentences, whose marker is whose, and which sentences state something."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.citations.sentences import split

Shared = Callable[[str], Path]


def bare(text: str) -> str:
    kept = text if re.search("[①-⑳]", text) else normalize("NFKC", text)
    return re.sub(r"\s", "", kept)


def test_pinned_answers_split_and_cite_as_pinned(shared: Shared) -> None:
    cases = json.loads(shared("vectors/citation_markers.json").read_text("utf-8"))["cases"]
    assert len(cases) == 36
    for case in cases:
        found = [(bare(part.text), list(part.citations)) for part in split(case["text"])]
        assert found == [(bare(each["text"]), each["citations"]) for each in case["sentences"]], case["text"]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("一。二！三？四；五", ["一。", "二!", "三?", "四;", "五"]),
        ("等等…然后退款。", ["等等...", "然后退款。"]),
        ("See e.g. section 2. It costs $3.50. Done.", ["See e.g. section 2.", "It costs $3.50.", "Done."]),
        ("Ask Dr. Lee at 5 p.m. today. OK then.", ["Ask Dr. Lee at 5 p.m. today.", "OK then."]),
        ("Ships by UPS, DHL, etc. Returns are free.", ["Ships by UPS, DHL, etc.", "Returns are free."]),
        ("It ended.[1]Fees apply.[2]", ["It ended.", "Fees apply."]),
        ("Go to https://a.com/x?y=1;z=2 now.", ["Go to https://a.com/x?y=1;z=2 now."]),
        ("1) 先申请\n2) 再寄回", ["先申请", "再寄回"]),
        ("一、先申请。\n二、再寄回。", ["先申请。", "再寄回。"]),
        ("① 先申请；② 再寄回。", ["先申请;", "再寄回。"]),
        ("- **退款**：3 天\n* 换货：5 天", ["**退款**:3 天", "换货:5 天"]),
        ("---\n***\n| - |", []),
        ("\x00\x1b[31m\ud800 退款。", None),
    ],
)
def test_split(text: str, sentences: list[str] | None) -> None:
    found = [part.text for part in split(text)]
    assert found == sentences if sentences is not None else len(found) == 1


def test_a_marker_that_leads_the_answer_belongs_to_its_first_sentence() -> None:
    assert [part.citations for part in split("[S1] 三天到账。五天退回。")] == [("S1",), ()]


@pytest.mark.parametrize(
    ("text", "covered"),
    [
        ("先申请；再寄回。[S2]", [("S2",), ()]),
        ("先申请；等审核；再寄回[S2]。", [("S2",), ("S2",), ()]),
        ("先申请[S1]；再寄回。[S2]", [(), ()]),
        ("先申请[S1]；再寄回。", [(), ()]),
        ("先申请；再寄回。退款三天到账。[S2]", [(), (), ()]),
        ("1. 先申请；\n2. 再寄回。[S2]", [(), ()]),
        ("Ask an agent (by phone); it takes 3 days [1][2].", [("1", "2"), ()]),
        ("Ask an agent. It takes 3 days [1].", [(), ()]),
    ],
)
def test_a_marker_at_the_end_of_a_full_sentence_covers_its_clauses(
    text: str, covered: list[tuple[str, ...]]
) -> None:
    assert [part.covered_by for part in split(text)] == covered


def test_spans_point_at_the_original_text() -> None:
    text = "1. ﬁrst ﬂoor…[1] Ｆｅｅｓ apply【2】。\n退款①。"
    parts = split(text)
    assert [text[slice(*part.span)] for part in parts] == ["ﬁrst ﬂoor…", "Ｆｅｅｓ apply【2】。", "退款①。"]
    first = parts[0]
    at = first.text.index("floor")
    assert text[slice(*first.place(at, at + 5))] == "ﬂoor"


@given(st.text(alphabet="退款。.!?；;… \n[]【】S12①(1)-*#a Ａﬁ“”（）,，:", max_size=80))
def test_sentences_lie_in_order_and_inside(text: str) -> None:
    end = 0
    for part in split(text):
        assert end <= part.span[0] < part.span[1] <= len(text)
        end = part.span[1]


@pytest.mark.parametrize(
    "text",
    [
        "您好，感谢您的咨询！", "希望以上信息能帮到您。", "抱歉给您带来不便。",
        "如有其他问题，请随时联系我们。", "好的！",
        "请问您的订单号是多少？", "退款流程如下：", "**退款时间**", "需要我帮您转人工吗?",
        "亲，您好！", "不客气，祝您生活愉快！",
        "Hello there!", "I hope this helps!", "Let me know if you have any other questions.",
        "Is there anything else?",
        "Here are the steps:", "Thank you for contacting us.", "I'm sorry to hear that.",
        "I'd be happy to help!",
        "If you need more help, feel free to contact us.",
    ],
)  # fmt: skip
def test_nothing_is_stated(text: str) -> None:
    assert not any(part.factual for part in split(text))


@pytest.mark.parametrize(
    "text",
    [
        "退款 3 天到账。", "感谢您的耐心等待，退款已经到账。", "请保留扣款凭证。", "可以退货。",
        "亲，支持七天无理由退货。",
        "抱歉，生鲜商品不支持退货。", "Yes, refunds take 5 days.",
        "You can contact support by phone from 9 am.",
        "Thanks to the new rule, fees are lower.", "- 未发货可改地址", "We can refund the fee within 3 days.",
    ],
)  # fmt: skip
def test_something_is_stated(text: str) -> None:
    assert any(part.factual for part in split(text))
