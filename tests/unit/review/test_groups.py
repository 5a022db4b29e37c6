"""Similar failures: what is one group, and that nothing alike is overlooked."""

from __future__ import annotations

import random

import pytest

from triage.errors import Stopped
from triage.models.groups import Failure, Role
from triage.review.groups import ENOUGH, propose, weights_of
from triage.similar import LEAST, similarity


def failing(at: int, query: str, *marks: tuple[Role, str], reason: str = "expected_not_in_top_k") -> Failure:
    return Failure(at, f"C{at}", "retrieval", reason, query, marks)


def test_cases_of_one_rule_that_miss_the_same_document_are_one_group() -> None:
    cases = [
        failing(0, "退款多久到账", ("missing", "KB-1"), ("missing", "KB-2")),
        failing(1, "怎么开发票", ("missing", "KB-1")),
        failing(2, "人工客服几点上班", ("missing", "KB-2"), ("missing", "KB-3")),
        failing(3, "密码忘记了", ("missing", "KB-9"), reason="other_rule"),
    ]
    (group,) = propose(cases)
    assert (group.kind, group.role, group.name, group.members) == ("mark", "missing", "KB-1", (0, 1))


def test_one_missing_document_is_one_cause_whichever_rule_tells_it() -> None:
    cases = [
        failing(0, "寄到国外", ("missing", "KB-1"), reason="refused"),
        failing(1, "abc", ("missing", "KB-1"), reason="answered"),
        Failure(2, "C2", "ranking", "answered", "def", (("missing", "KB-1"),)),
    ]
    (group,) = propose(cases)
    assert (group.failure_class, group.name, group.members) == ("retrieval", "KB-1", (0, 1))


def test_what_shares_no_document_is_held_together_by_its_queries() -> None:
    cases = [
        failing(0, "给我转人工，现在还有人吗", ("missing", "KB-1")),
        failing(1, "给我转人工，现在有人吗", ("missing", "KB-2")),
        failing(2, "下个月黄金价格是多少", ("missing", "KB-3")),
    ]
    (group,) = propose(cases)
    assert (group.kind, group.members) == ("queries", (0, 1))
    assert group.least == similarity(cases[0].query, cases[1].query) >= LEAST


def test_cases_with_nothing_but_the_rule_in_common_come_last_and_say_so() -> None:
    cases = [
        failing(0, "abc def"),
        failing(1, "完全不同"),
        failing(2, "一样的问题"),
        failing(3, "一样的问题"),
    ]
    first, last = propose(cases)
    assert (first.kind, first.members) == ("queries", (2, 3))
    assert (last.kind, last.members) == ("rule", (0, 1))


def test_a_case_is_in_one_group_at_most_and_one_alone_is_in_none() -> None:
    cases = [failing(at, f"q{at}", ("cited", "KB-1"), ("expected", f"KB-{at % 3}")) for at in range(7)]
    groups = propose([*cases, failing(9, "alone", reason="a_rule_of_its_own")])
    members = [at for group in groups for at in group.members]
    assert sorted(members) == list(range(7))
    assert all(len(group.members) > 1 for group in groups)


def test_no_query_that_is_alike_is_overlooked() -> None:
    draw = random.Random("groups")
    words = ["退款", "什么时候", "到账", "订单", "a", "the order", "refund", "my", "地址", "改", "?", "人工"]
    cases = [failing(at, "".join(draw.choices(words, k=draw.randint(1, 7)))) for at in range(250)]
    leaders: list[int] = []
    expected: dict[int, list[int]] = {}
    for case in cases:
        scores = [(similarity(case.query, cases[leader].query), -leader) for leader in leaders]
        score, best = max(scores, default=(0.0, 0))
        if score >= LEAST:
            expected[-best].append(case.pk)
        else:
            leaders.append(case.pk)
            expected[case.pk] = [case.pk]
    found = {group.members[0]: list(group.members) for group in propose(cases) if group.kind == "queries"}
    assert found == {leader: some for leader, some in expected.items() if len(some) > 1}
    assert len(found) > 5


def test_of_very_many_cases_of_one_rule_the_first_are_compared_and_none_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("triage.review.groups.MOST_COMPARED", 4)
    cases = [failing(at, "退款多久到账") for at in range(7)]
    first, last = propose(cases)
    assert (first.kind, first.members) == ("queries", (0, 1, 2, 3))
    assert (last.kind, last.members) == ("rule", (4, 5, 6))


def test_it_is_given_up_when_it_is_told_to() -> None:
    with pytest.raises(Stopped):
        propose([failing(at, f"question {at}") for at in range(5)], lambda: True)


def test_queries_that_share_their_form_alone_are_not_alike() -> None:
    asked = [
        "中国有哪些漫画家", "中国有哪些考古学家", "世界四大宗教是哪些", "世界四大宗教有哪些",
        "What about installation?", "What about employees?",
        "Why was my card payment declined?", "why is my card payment declined",
    ]  # fmt: skip
    cases = [failing(at, query) for at, query in enumerate(asked)]
    plain = {group.members for group in propose(cases) if group.kind == "queries"}
    assert plain == {(0, 1), (2, 3), (4, 5), (6, 7)}
    run = [*asked, *(f"中国有哪些{word}" for word in "甲乙丙丁戊己庚辛壬癸")]
    run += [f"What about {word}?" for word in "abcdefghij"] + [f"{at} 号订单" for at in range(20)]
    found = {group.members for group in propose(cases, queries=run) if group.kind == "queries"}
    assert found == {(2, 3), (6, 7)}
    assert weights_of(run[: ENOUGH - 1]) == {}


def test_the_same_query_is_alike_however_common_it_is() -> None:
    cases = [failing(at, "转人工") for at in range(3)]
    (group,) = propose(cases, queries=["转人工"] * 60)
    assert (group.kind, group.members, group.least) == ("queries", (0, 1, 2), 1.0)
