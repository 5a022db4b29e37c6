"""Whether the rules tell a sentence that its source bears out from one that it does not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.citations.labelled import OUTSIDE, OWN, POLICIES, Labelled, judged, own, rates
from triage.citations.measured import SHORT, SHORT_CAUGHT

Shared = Callable[[str], Path]


def pinned(shared: Shared) -> list[Labelled]:
    pairs: list[Labelled] = json.loads(shared("vectors/citation_pairs.json").read_text("utf-8"))["pairs"]
    return pairs


def test_the_shared_pairs_are_told_apart(shared: Shared) -> None:
    precision, recall = rates(pinned(shared))
    assert precision >= 0.85
    assert recall >= 0.85


def test_a_flagged_shared_pair_names_its_kind(shared: Shared) -> None:
    flagged = [(pair, judged(pair)) for pair in pinned(shared) if not pair["supported"]]
    named = [pair["mismatch"] in sentence.mismatches for pair, sentence in flagged if sentence.mismatches]
    assert sum(named) / len(named) >= 0.9


@pytest.mark.parametrize(
    ("name", "floor"), [("tuned", 0.95), ("second", 0.85), ("unseen", 0.75), ("hard", 0.75)]
)
def test_own_pairs_are_told_apart(name: str, floor: float) -> None:
    precision, recall = rates(own(name))
    assert precision >= floor
    assert recall >= floor


@pytest.mark.parametrize(("name", "floor"), [("first", 0.9), ("second", 0.75)])
def test_pairs_by_somebody_who_had_not_read_the_rules_are_told_apart(name: str, floor: float) -> None:
    precision, recall = rates(own(name, file=POLICIES))
    assert precision >= floor
    assert recall >= floor


def test_pairs_from_outside_are_told_apart() -> None:
    precision, recall = rates(own("pairs", file=OUTSIDE))
    assert precision >= 0.75
    assert recall >= 0.75


def test_the_figures_that_the_screen_names_are_those_of_the_first_looks() -> None:
    looks: list[list[int]] = []
    for file in (OWN, POLICIES):
        lists = json.loads(file.read_text("utf-8"))
        for name, look in lists["first_look"].items():
            looks.append(look)
            assert look[2] == sum(not pair["supported"] for pair in lists[name])
    right, flagged, wrong = map(sum, zip(*looks, strict=True))
    assert ((right, flagged), (right, wrong)) == (SHORT, SHORT_CAUGHT)


@pytest.mark.parametrize(
    ("evidence", "sentence"),
    [
        ("付款后 48 小时内发货。", "付款后两天内发货。"),
        ("试用期为 2 周。", "试用期是 14 天。"),
        ("会员有效期 1 年。", "会员的有效期是十二个月。"),
        ("保存半年。", "会保存 6 个月。"),
        ("限额为 1.5 万元。", "限额是 15,000 元。"),
        ("手续费为百分之三。", "手续费是 3%。"),
        ("续费打 8.5 折。", "续费可享八五折。"),
        ("服务时间 9:00 至 21:00。", "上午九点到晚上九点提供服务。"),
        ("截止 2026-03-31。", "2026年3月31日截止。"),
        ("The offer ends on 31 March 2026.", "The offer ends on March 31, 2026."),
        ("Open from 9 am to 5 pm.", "It is open between 9:00 and 17:00."),
        ("Wait 24 hours.", "You wait one day."),
        ("The limit is 10 MB.", "Files up to 10 MB are fine."),
        ("iPhone 15 支持换购。", "iPhone 15 可以换购。"),
        ("见第 3 条：可以退货。", "根据第 3 条可以退货。"),
        ("须本人到场。", "必须本人到场。"),
        ("不收取任何费用。", "不收费。"),
    ],
)
def test_another_way_to_write_it_is_no_clash(evidence: str, sentence: str) -> None:
    assert judged({"evidence": evidence, "sentence": sentence}).clashes == ()


@pytest.mark.parametrize(
    ("evidence", "sentence", "kind", "said", "found"),
    [
        ("通常３ 到 7 个工作日到账。", "通常 3 到 ７ 天到账。", "duration", "3 到 ７ 天", "３ 到 7 个工作日"),
        ("超过 5000 元需审核。", "超过 500 元需审核。", "amount", "500 元", "5000 元"),
        ("连续输错 5 次锁定。", "连续输错 3 次锁定。", "number", "3 次", "5 次"),
        ("截止 3 月 31 日。", "截止 4 月 30 日。", "date", "4 月 30 日", "3 月 31 日"),
        ("处理期间账号不能登录。", "处理期间账号可以登录。", "negation", None, "不"),
        ("国内订单支持退货。", "海外订单支持退货。", "scope", "海外", "国内"),
        ("You may be charged a fee.", "You will be charged a fee.", "modality", None, "may"),
    ],
)
def test_a_clash_points_at_both_sides(
    evidence: str, sentence: str, kind: str, said: str | None, found: str
) -> None:
    answer = f"您好！{sentence}"
    record = {"evidence": evidence, "sentence": answer}
    clash = next(each for each in checked(record) if each.kind == kind)
    if said is not None:
        assert answer[slice(*clash.said)].strip() == said
    assert found in [evidence[slice(*span)].strip() for _, span in clash.found]


def checked(pair: Labelled) -> list:  # type: ignore[type-arg]
    from triage.citations.check import check
    from triage.models.record import Record

    record = Record.model_validate(
        {"id": "1", "answer": f"{pair['sentence']}[1]", "retrieved": [{"id": "A", "text": pair["evidence"]}]}
    )
    return [clash for sentence in check(record) for clash in sentence.clashes]


def test_a_value_that_the_question_brought_needs_no_source() -> None:
    from triage.citations.pairing import Pair, cited
    from triage.citations.support import kinds

    text = cited("A", "An unused item can be sent back.")
    asked = Pair("On day 12 an unused item can be sent back.", [text], "it's day 12 since delivery")
    assert [kind.name for kind in kinds() if list(kind.clashes(asked))] == []
