"""Turns, plans, tool calls, golden facts and attempts in the detail: expected beside actual, in columns."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.app import App, ComposeResult

from triage.metrics.tools import flat
from triage.models.case import CaseDetail as Detail
from triage.models.record import (
    Attempt,
    Conflict,
    Document,
    Fact,
    Golden,
    PlanStep,
    Record,
    RunHeader,
    ToolCall,
)
from triage.ui.palette import Palette
from triage.ui.widgets.case_detail import CaseDetail
from triage.ui.widgets.detail.build import build
from triage.ui.widgets.detail.plan import paired
from triage.ui.widgets.detail.tools import pairs

Make = Callable[..., Detail]
INK = Palette({}, dark=True, ansi=False, colourless=False)


def section(make: Make, label: str, width: int = 80, *, unfolded: bool = False, **fields: Any) -> list[str]:
    """The lines of one section of a case's detail, without the gutter."""
    changed = {"header": fields.pop("header")} if "header" in fields else {}
    page = build(make(Record(id="M", query="q", **fields), **changed), INK, width, unfolded=unfolded)
    lines = ["".join(segment.text for segment in line).rstrip() for line in page.lines]
    start = next(at for at, line in enumerate(lines) if line[1:9].strip() == label)
    end = next((at for at in range(start, len(lines)) if not lines[at]), len(lines))
    return [line[10:] for line in lines[start:end]]


def turn(user: str, expected: dict[str, Any] | None, actual: dict[str, Any] | None, **more: Any) -> Any:
    return {"user": user, "expected_slots": expected, "slots": actual, **more}


SUPPLIER = [
    turn("供应商A的名称", {"owner": "供应商A", "topic": "名称"}, {"owner": "供应商A", "topic": "名称"}),
    turn("那账期呢", {"owner": "供应商A", "topic": "账期"}, {"owner": "供应商A", "topic": "账期"}),
    turn(
        "换成杭州供应商",
        {"owner": "杭州供应商", "topic": "账期", "days": "30", "unit": "天"},
        {"owner": "供应商A", "topic": "账期", "days": 30, "city": "上海"},
    ),
]


def test_each_turn_is_ok_or_fails_and_a_failing_one_has_its_slots_in_columns(make_detail: Make) -> None:
    assert section(make_detail, "turns", turns=SUPPLIER) == [
        "1  ok       供应商A的名称",
        "            owner 供应商A   topic 名称",
        "2  ok       那账期呢",
        "            owner 供应商A   topic 账期",
        "3  fails    换成杭州供应商",
        "            slot   expected    actual",
        "   stale    owner  杭州供应商  供应商A",
        "            topic  账期        账期",
        '   differs  days   "30"        30',
        "   missing  unit   天          -",
        "   extra    city   -           上海",
        "2 of 3 turns ok, turn 3 fails first   slots .67",
    ]


def test_the_words_of_the_turns_agree_with_the_vectors(
    make_detail: Make, shared: Callable[[str], Path]
) -> None:
    for case in json.loads(shared("vectors/agent_metrics.json").read_text("utf-8"))["slots"]:
        turns = [turn(f"t{at}", one["expected"], one["actual"]) for at, one in enumerate(case["turns"], 1)]
        lines = section(make_detail, "turns", turns=turns)
        words = {
            line[:2].strip(): line[3:12].strip() for line in lines if line[2:3] == " " and line[12:13] == "t"
        }
        for at, expected in enumerate(case["expected"]["turns"], 1):
            word = {1.0: "ok", 0.0: "fails", None: "-"}[expected["joint"]]
            assert words.get(str(at), "-") == ("-" if word == "-" else word)
            assert sum(line[3:12].strip() == "stale" for line in lines) == sum(
                len(one["stale"]) for one in case["expected"]["turns"]
            )


def test_a_long_conversation_folds_and_the_turn_that_fails_stays(make_detail: Make) -> None:
    turns = [turn(f"turn number {at}", {"a": at}, {"a": at}) for at in range(1, 41)]
    turns[20]["slots"] = {"a": "no"}
    lines = section(make_detail, "turns", turns=turns)
    assert len(lines) < 20
    assert "+ 20 turns, ok   z shows all" in lines
    assert "21 fails    turn number 21" in lines
    assert lines[-1] == "39 of 40 turns ok, turn 21 fails first   slots .97"
    assert (
        sum("turn number" in one for one in section(make_detail, "turns", turns=turns, unfolded=True)) == 40
    )


def test_turns_without_expected_slots_are_not_judged(make_detail: Make) -> None:
    lines = section(make_detail, "turns", turns=[{"user": "hi", "slots": {"a": 1}}, {"user": "and?"}])
    assert lines[0] == "1  hi"
    assert not any("turns ok" in line or "fails" in line for line in lines)


def test_what_else_a_turn_has_is_shown_when_it_is_unfolded(make_detail: Make) -> None:
    turns = [turn("hi", {"a": 1}, {"a": 1}, route="sql", labels={"x": [1]})]
    assert not any("sql" in line for line in section(make_detail, "turns", turns=turns))
    assert [line.strip() for line in section(make_detail, "turns", turns=turns, unfolded=True)][-2:] == [
        "route  sql", 'labels  {"x": [1]}',
    ]  # fmt: skip


def test_calls_stand_beside_what_was_expected(make_detail: Make) -> None:
    lines = section(
        make_detail, "tools",
        expected_tools=[
            ToolCall(name="search", params={"status": "open", "days": 7}),
            ToolCall(name="sum", params={"by": "city", "top": 3, "all": True}),
            ToolCall(name="report", params={"to": "采购部"}),
            ToolCall(name="lookup"),
        ],
        tools=[
            ToolCall(name="user", params={"id": 1}),
            [ToolCall(name="search", params={"status": "open", "days": 7.0, "page": 1}),
             ToolCall(name="sum", params={"by": "城市", "top": "3"})],
            ToolCall(name="lookup", ok=False), ToolCall(name="lookup", empty=True),
        ],
    )  # fmt: skip
    assert lines == [
        "2  met           search(status=open, days=7.0, page=1)",
        "3  differs       sum",
        "                 parameter  expected  actual",
        "   differs       by         city      城市",
        '   differs       top        3         "3"',
        "   missing       all        true      -",
        "-  not called    report(to=采购部)",
        "4  failed        lookup",
        "1  extra         user(id=1)",
        "5  extra, empty  lookup",
        "1 of 4 expected calls met   trajectory .60",
    ]


def test_the_calls_met_are_as_many_as_the_vectors_say(
    make_detail: Make, shared: Callable[[str], Path]
) -> None:
    cases = json.loads(shared("vectors/agent_metrics.json").read_text("utf-8"))["tool_success"]
    for case in cases:
        expected = [ToolCall(**call) for call in case["expected_calls"]]
        actual = [ToolCall(**call) for call in case["actual_calls"]]
        lines = section(make_detail, "tools", expected_tools=expected, tools=actual)
        met = sum(line[3:17].strip() == "met" for line in lines)
        assert met == (case["value"] or [0])[0], case["note"]
        found = pairs(expected, actual)
        assert sorted(left for left, _ in found if left is not None) == list(range(len(expected)))
        assert sorted(right for _, right in found if right is not None) == list(range(len(actual)))


def test_calls_that_are_not_recorded_or_not_expected_say_so(make_detail: Make) -> None:
    call = ToolCall(name="search", params={"q": "x"})
    assert section(make_detail, "tools", expected_tools=[call]) == [
        "-  expected      search(q=x)", "the calls made are not recorded",
    ]  # fmt: skip
    assert section(make_detail, "tools", tools=[call]) == ["1  called        search(q=x)"]
    assert section(make_detail, "tools", tools=[], expected_tools=[]) == [
        "none called", "in the expected order",
    ]  # fmt: skip


def test_a_long_value_is_cut_in_its_column_and_whole_when_unfolded(make_detail: Make) -> None:
    wanted = [{"flight": f"HAT{at}", "date": "2024-05-20"} for at in range(9)]
    fields: dict[str, Any] = {
        "expected_tools": [ToolCall(name="book", params={"flights": wanted})],
        "tools": [ToolCall(name="book", params={"flights": wanted[:8]})],
    }
    lines = section(make_detail, "tools", **fields)
    assert any(line.count("\u00bb") >= 1 for line in lines)
    whole = "".join(line.strip() for line in section(make_detail, "tools", unfolded=True, **fields))
    assert whole.count("HAT7") == 2
    assert whole.count("HAT8") == 1


def test_steps_stand_beside_what_was_expected_and_wasted_ones_say_so(make_detail: Make) -> None:
    lines = section(
        make_detail, "plan", route="vector", expected_route=["sql+vector"],
        evidence=[Document(id="KB-1")], retrieved=[Document(id="KB-1")],
        expected_plan=[PlanStep(step="档案"), PlanStep(step="账期"), PlanStep(step="折扣")],
        plan=[PlanStep(step="档案", ids=["KB-1"]),
              [PlanStep(step="订单", ids=["KB-9"]), PlanStep(step="账期", ids=["KB-1"])]],
        conflict=Conflict(expected="新旧两版", resolved=False, correct=True),
    )  # fmt: skip
    assert lines == [
        "route      vector   expected sql+vector",
        "           step  expected  actual",
        "           1     档案      档案 [KB-1]",
        "wasted     2     -         订单 [KB-9]",
        "           3     账期      + 账期 [KB-1]",
        "not taken  -     折扣      -",
        "3 steps for 3 expected   efficiency 1.00",
        "1 brought nothing that was used",
        "conflict   answer right by luck: the difference is not named",
        "           expected  新旧两版",
    ]


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ([], [], []),
        (["a"], ["b"], [(0, 0)]),
        (["a", "b"], ["b"], [(0, None), (1, 0)]),
        (["a", "c"], ["a", "b", "c"], [(0, 0), (None, 1), (1, 2)]),
    ],
)
def test_steps_are_paired_with_as_few_changes_as_can_be(
    left: list[str], right: list[str], expected: list[tuple[int | None, int | None]]
) -> None:
    assert paired(left, right) == expected


def test_golden_facts_are_ticked_in_words_with_their_coverage(make_detail: Make) -> None:
    golden = Golden(
        must=[Fact(fact="45 天", hit=False), Fact(fact="起算日", hit=True)],
        compare=[Fact(fact="长 15 天", hit=True)],
        exclude=[Fact(fact="供应商A", hit=True), Fact(fact="折扣", hit=False)],
    )
    assert section(make_detail, "gold", golden=golden) == [
        "missing     45 天",
        "there       起算日",
        "there       compare: 长 15 天",
        "said        must not: 供应商A",
        "not said    must not: 折扣",
        "coverage .67   2 of 3 facts there   1 said that must not be",
    ]
    bare = Golden(must=[Fact(fact="a"), Fact(fact="b", hit=True)])
    assert section(make_detail, "gold", golden=bare)[-1] == "1 of 2 facts there, 1 not judged"


def test_attempts_say_what_k_of_them_do(make_detail: Make) -> None:
    attempts = [Attempt(passed=at < 2, answer=f"try {at}") for at in range(5)]
    lines = section(make_detail, "scores", attempts=attempts, header=RunHeader(pass_k=3))
    assert lines == [
        "attempts    2 of 5 passed   pass@3 .90   pass^3 .00",
        "passed      try 0", "passed      try 1", "failed      try 2", "failed      try 3",
        "+ 1 attempt   z shows all",
    ]  # fmt: skip
    open_ = section(make_detail, "scores", attempts=[Attempt(passed=True), Attempt()])
    assert open_ == ["attempts    1 of 2 passed, 1 not judged"]


async def test_hostile_turns_and_calls_never_break_out(
    make_detail: Make, themed: type[App[None]], hostile: str
) -> None:
    class Small(themed):  # type: ignore[valid-type, misc]
        CSS = "CaseDetail { height: 1fr; width: 1fr; }"

        def compose(self) -> ComposeResult:
            yield CaseDetail()

    app = Small()
    async with app.run_test(size=(60, 24)) as pilot:
        widget = app.query_one(CaseDetail)
        for text in (hostile, hostile * 3, "退货，" * 40, "\u0301" * 60, ""):
            slots = {text: text, "b": [text], "c": {text: None}, "d": 7}
            made = ToolCall(name=text, params={**slots, "d": "7"})
            record = Record(
                id="h", query="q",
                turns=[turn(text, slots, {**slots, "d": "7", "e" + text: text}, task=text, answer=text,
                            **{"k" + text: [text]})] * 9,
                expected_tools=[ToolCall(name=text, params=slots, strict=True), ToolCall(name="x" + text)],
                tools=[made, [made, made]],
                expected_plan=[PlanStep(step=text, ids=[text])],
                plan=[PlanStep(step="a" + text, ids=[text])] * 2,
                conflict=Conflict(expected=text), attempts=[Attempt(answer=text, passed=True)] * 6,
                golden=Golden(must=[Fact(fact=text)], exclude=[Fact(fact=text, hit=True)]),
            )  # fmt: skip
            assert len(flat(record.tools or [])) == 3
            for width in (60, 30):
                await pilot.resize_terminal(width, 24)
                widget.detail = make_detail(record)
                await pilot.pause()
                for _ in range(2):
                    rows = [widget._strip(at) for at in range(-1, widget.virtual_size.height)]
                    assert all(row.cell_length == width for row in rows)
                    joined = "".join(row.text for row in rows)
                    assert not any(unicodedata.category(sign) in ("Cc", "Cs") for sign in joined)
                    assert "\u202e" not in joined
                    widget.unfold()
                    await pilot.pause()
