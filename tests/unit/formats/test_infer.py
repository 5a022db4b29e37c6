"""What reading fills in: did it answer, what it cites, its topic; and what it leaves unknown."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from triage.formats import record_from
from triage.formats.infer import cites, infer, undecided
from triage.formats.refusal import is_refusal
from triage.models.record import Record
from triage.settings import FALLBACK_PHRASES, Settings

Shared = Callable[[str], Path]


def inferred(run_cites: bool = False, settings: Settings | None = None, **data: Any) -> Record:
    record, _ = record_from({"id": "a", "query": "q", **data})
    return infer(record, settings or Settings(), run_cites)


REFUSALS = [
    "根据已知信息无法回答该问题。",
    "抱歉，知识库中没有找到相关内容。",
    "很抱歉，我无法回答这个问题。",
    "资料中未提及退货运费。",
    "目前没有足够的信息来回答。",
    "我不清楚，请联系人工客服。",
    "您好！很高兴为您服务。抱歉，我暂时无法回答您的问题。",
    "感谢您的提问，但我无法回答。",
    "抱歉，没有找到相关内容，但您可以联系人工客服。",
    "对不起，这个问题超出了我的知识范围。",
    "根据提供的文档，无法确定保修期限。",
    "很抱歉，我无法预测黄金价格。",
    "文档中并没有提到相关规定。",
    "未检索到相关资料，建议您拨打客服热线。",
    "暂无相关信息",
    "这个我不太清楚哦",
    "抱歉，我没有查到您说的活动。",
    "I don't know.",
    "I’m sorry, but I couldn’t find any information about that.",
    "Unfortunately, the provided documents do not mention the shipping fee.",
    "I cannot answer this question based on the given context.",
    "There is no information about this in the context.",
    "The answer is not mentioned in the provided context.",
    "I do not have enough information to answer that.",
    "Sorry, I'm unable to help with that. Please contact support.",
    "No relevant information found.",
    "That is outside my scope.",
    "This question cannot be answered from the documents.",
    "No, the answer is not present.",
    "抱歉，我還不知道這個問題的答案。",
    "抱歉，目前資料庫中沒有相關資訊。",
    "無法提供相關資訊。",
    "很遺憾，目前沒有足夠的資訊可以回答。",
    "這個問題超出了我的服務範圍。",
    "知識庫裡沒有相關內容。",
    "查無相關資料。",
    "未能在知识库中检索到相关内容。",
    "我暂时帮不了您，请转人工。",
    "该问题暂无答案。",
    "不好意思，这个我不太懂。",
    "资料里没写。",
    "目前我没有这方面的信息。",
    "N/A",
    "The answer is not in the documents.",
    "It is not possible to answer this question with the information provided.",
    "I'm just a customer service bot and can't provide investment advice.",
    "Information not available.",
    "My apologies, but this isn't something I can assist with.",
    "I have no idea.",
    "Cannot answer.",
]
ANSWERS = [
    "可以，七天内退货。",
    "很抱歉给您带来不便，退款将在 3 天内到账。",
    "已发货后不能直接修改地址，需联系承运商。",
    "您无法在发货后取消订单。",
    "没有收到验证码时，请检查短信拦截。",
    "如果没有找到订单，请联系客服。",
    "该商品超出保修期，不支持免费维修。",
    "暂不支持货到付款。",
    "7 天内可退[S1]。关于运费，资料中未提及。",
    "资料中没有直接提到周末，但是订单通常 3 天内到账[S1]。",
    "虽然资料未提及周末，但一般三天内到账，节假日顺延。",
    "Yes, you can return it within 7 days.",
    "Sorry for the inconvenience, your refund takes 5 days.",
    "We cannot refund after 30 days.",
    "The warranty does not cover water damage.",
    "You can't change the address once it has shipped.",
    "No. Orders above 50 euros ship free.",
    "Although the text does not mention it directly, exercise helps children stay healthy.",
    "I don't have access to your account, but the password is changed under Settings, Security, Password.",
    "The refund takes 5 days. The documents do not mention weekends.",
    "七天",
    "我不知道密码怎么办？点击忘记密码即可重置。",
    "系统未找到您的订单时，请核对手机号。",
    "訂單成立後無法更改付款方式。",
    "無需額外付費。",
    "It is not possible to change the address after shipping.",
    "Tracking information is not available for letters.",
    "The answer is in the FAQ: returns take 7 days.",
]


@pytest.mark.parametrize("answer", REFUSALS)
def test_refusals_are_known(answer: str) -> None:
    assert is_refusal(answer, FALLBACK_PHRASES)


@pytest.mark.parametrize("answer", ANSWERS)
def test_answers_that_say_no_or_sorry_are_no_refusals(answer: str) -> None:
    assert not is_refusal(answer, FALLBACK_PHRASES)


def test_the_stock_refusals_of_others(shared: Shared) -> None:
    for line in shared("bugfiles/105_zh_refusals.jsonl").read_text(encoding="utf-8").splitlines():
        record = infer(record_from(json.loads(line))[0], Settings(), False)
        assert record.predicted_answerable is (record.id == "z7")
        assert "predicted_answerable" in record.inferred


@pytest.mark.parametrize(
    ("folder", "name", "least"),
    [
        ("nomiracl_zh", "zh.gpt-4-azure", 0.99), ("nomiracl_zh", "zh.Mixtral-8x7B-Instruct-v0.1", 0.97),
        ("mtragun_judged", "gemini-3-pro", 0.97), ("mtragun_judged", "qwen2.5-32b", 0.93),
        ("mtrag_answers", "gpt-4o", 0.97),
    ],
)  # fmt: skip
def test_what_people_and_judges_called_refusals(shared: Shared, folder: str, name: str, least: float) -> None:
    right = total = 0
    for line in shared(f"realdata/{folder}/{name}.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record["refused"] is not None:
            total += 1
            right += is_refusal(record["answer"], FALLBACK_PHRASES) is record["refused"]
    assert right / total >= least


def test_a_phrase_of_the_settings_holds_in_either_script() -> None:
    assert is_refusal("這題請洽專員。", ("请洽专员", "請洽專員"), builtin=False)
    assert is_refusal("請洽客服", ("请洽客服",), builtin=False)


@pytest.mark.parametrize("answer", ["", "  ", "\n", "\u3000"])
def test_a_blank_answer_is_a_refusal(answer: str) -> None:
    record = inferred(answer=answer)
    assert record.predicted_answerable is False
    assert record.inferred == ["predicted_answerable"]


@pytest.mark.parametrize("data", [{"answer": None}, {}, {"answer": "x", "error": "timeout"}])
def test_without_an_answer_or_with_an_error_it_stays_unknown(data: dict[str, Any]) -> None:
    record = inferred(**data)
    assert record.predicted_answerable is None
    assert "predicted_answerable" not in record.inferred


@pytest.mark.parametrize(
    "data", [{"refused": None}, {"predicted_answerable": None}, {"predicted_answerable": "maybe"}]
)
def test_a_key_that_is_present_is_never_overruled(data: dict[str, Any]) -> None:
    assert inferred(answer="无法回答", **data).predicted_answerable is None


def test_own_phrases_count_and_ours_can_be_switched_off() -> None:
    own = Settings(fallback_phrases=("请稍后再试",), builtin_fallbacks=False)
    assert inferred(settings=own, answer="系统繁忙，请稍后再试。").predicted_answerable is False
    assert inferred(settings=own, answer="无法回答").predicted_answerable is True


def test_the_field_feeds_the_metric_and_both_sources_are_kept() -> None:
    record = inferred(citations=["S2"], answer="七天[S1]。", retrieved=["A", "B"])
    assert (record.citations, record.citation_field, record.citation_text) == (["S2"], ["S2"], ["S1"])
    assert record.inferred == ["predicted_answerable"]


def test_an_empty_field_yields_to_the_markers(shared: Shared) -> None:
    lines = shared("bugfiles/103_field_vs_text.jsonl").read_text(encoding="utf-8").splitlines()
    records = [infer(record_from(json.loads(line))[0], Settings(), True) for line in lines]
    assert [record.citations for record in records] == [["S1"], ["S1"], ["S1"]]
    assert [record.citation_field for record in records] == [[], ["S1"], ["S1"]]
    assert [record.citation_text for record in records] == [["S1"], [], ["S1"]]
    assert [record.inferred for record in records] == [["citations"], [], []]


def test_markers_of_every_style_are_read(shared: Shared) -> None:
    for line in shared("bugfiles/098_styles_basic.jsonl").read_text(encoding="utf-8").splitlines():
        assert infer(record_from(json.loads(line))[0], Settings(), False).citations == ["S1", "S2"]


def test_absent_citations_are_empty_only_in_a_run_that_cites() -> None:
    assert inferred(run_cites=False, answer="七天").citations is None
    citing = inferred(run_cites=True, answer="七天")
    assert citing.citations == []
    assert "citations" in citing.inferred
    assert inferred(run_cites=True, answer=None).citations is None
    assert inferred(run_cites=True, answer="七天", citations=None).citations == []


def test_what_shows_that_a_run_cites() -> None:
    assert cites(inferred(citations=[]))
    assert cites(inferred(answer="七天[1]", retrieved=["A"]))
    silent = inferred(answer="七天")
    assert not cites(silent)
    assert undecided(silent)
    assert not undecided(inferred())


def test_the_topic_comes_from_the_field_then_a_tag_then_words() -> None:
    assert inferred(topic="x", tags=["refund"]).topic == "x"
    tagged = inferred(tags=["refund", "escalation"])
    assert (tagged.topic, tagged.inferred) == ("refund", [])
    worded = inferred(query="给我转人工")
    assert (worded.topic, worded.inferred) == ("human_handoff", ["topic"])
    assert inferred(query="今天天气").topic is None
    assert inferred(query="x", raw_query="我要退款").topic == "refund"
