"""Kinds of wording that the rules once took for a clash, and kinds of clash that they once let pass."""

from __future__ import annotations

import pytest

from tests.unit.citations.labelled import judged
from triage.citations.check import check
from triage.models.record import Record


@pytest.mark.parametrize(
    ("evidence", "sentence"),
    [
        ("同一手机号每天最多发送 10 次。", "同一手机号一天里最多发 10 次。"),
        ("本品每日 2 次，每次 1 片。", "一天吃两次，一次一片。"),
        ("Take it twice a day.", "Take it two times a day."),
        ("The code is valid for 30 minutes.", "The code is valid for half an hour."),
        ("The flight takes 90 minutes.", "The flight takes an hour and a half."),
        ("试用期为 30 天。", "试用期是一个月。"),
        ("保存 180 天。", "保存半年。"),
        ("有效期 15 天。", "有效期半个月。"),
        ("It is kept for 365 days.", "It is kept for one year."),
        ("An answer comes within 2 business days.", "An answer comes within two working days."),
        ("孕妇禁用本品。", "孕妇不能使用本品。"),
        ("关闭定位不影响浏览商品。", "关闭了定位也能正常浏览商品。"),
        ("We do not ship to P.O. boxes.", "Shipping to P.O. boxes is not available."),
        ("With one hundred members, the Senate is smaller.", "The Senate is smaller, with 100 members."),
        ("The fee is $25.", "The fee is twenty-five dollars."),
        ("未满 14 周岁不能注册。", "不满 14 岁不能注册。"),
        ("Each of the 60 items costs $10.", "The total cost is 60 items * $10 = $600."),
        ("一等座 200 元，保险 30 元。", "一等座加保险合计 230 元。"),
        ("It is unlikely to return to the old state.", "It might not return to the old state."),
        ("Customers who fail to pay lose access.", "Customers who do not pay lose access."),
        ("Releases such as 1.22 and 1.23 are supported.", "Releases from 1.22 to 1.23 are supported."),
        ("It was shown on June 10 , 2013 .", "It was shown in June of 2013."),
        ("Check the seal before use.", "Always check the seal before use."),
        ("The plan is free.", "The plan has no fee."),
    ],
)
def test_the_same_said_otherwise_is_no_clash(evidence: str, sentence: str) -> None:
    assert judged({"evidence": evidence, "sentence": sentence}).mismatches == ()


@pytest.mark.parametrize(
    ("evidence", "sentence", "kind"),
    [
        ("电子发票开具后发送至下单时填写的邮箱。", "电子发票开具后会寄到收货地址。", "scope"),
        ("Receipts are emailed to the account owner.", "Receipts are emailed to the landlord.", "scope"),
        ("经用户同意后，健康数据将共享给医院。", "经用户同意后，健康数据将共享给保险公司。", "scope"),
        ("海外订单的关税由收件人承担。", "海外订单的关税由商家承担。", "scope"),
        ("家具由第三方物流上门安装。", "家具由门店员工上门安装。", "scope"),
        ("整机提供全国联保，海外购买的除外。", "海外购买的整机也提供联保。", "scope"),
        ("未发货订单可直接取消，已发货订单需拒收后退款。", "已发货订单可以直接取消。", "scope"),
        ("Roaming is free in EU countries only.", "Roaming is free in all countries.", "scope"),
        ("交易记录将保留三年，不随账号注销删除。", "注销账号后交易记录会一并删除。", "negation"),
        ("退款申请一般会在两天内审核。", "退款申请保证两天内审核。", "modality"),
        ("每天最多发送 10 次。", "一天最多发送 20 次。", "number"),
        ("试用期为 30 天。", "试用期是两个月。", "duration"),
        ("The code is valid for 30 minutes.", "The code is valid for half a day.", "duration"),
        ("The Senate has one hundred members.", "The Senate has 120 members.", "number"),
    ],
)
def test_another_thing_said_is_a_clash(evidence: str, sentence: str, kind: str) -> None:
    assert kind in judged({"evidence": evidence, "sentence": sentence}).mismatches


def test_an_answer_of_thousands_of_sentences_is_judged_as_far_as_is_worth_it() -> None:
    text = "退款 3 到 7 个工作日到账。" + "其他说明" * 12_000
    answer = "退款 3 到 7 个工作日到账[1]。" * 3000
    record = Record.model_validate({"id": "1", "answer": answer, "retrieved": [{"id": "A", "text": text}]})
    sentences = check(record)
    assert len(sentences) == 3000
    assert sentences[0].supported is True
    assert sentences[-1].supported is None
