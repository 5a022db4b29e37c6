"""The detail of a case: what it says, in which order, and that no record can break it."""

from __future__ import annotations

import subprocess
import sys
import time
import unicodedata
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from textual.app import App, ComposeResult

from triage.models.case import CaseDetail as Detail
from triage.models.case import CaseProblem, Earlier
from triage.models.measure import Scoring
from triage.models.record import (
    Attempt,
    Conflict,
    Document,
    Fact,
    Feedback,
    Golden,
    Judge,
    Message,
    PlanStep,
    Record,
    RunHeader,
    ToolCall,
)
from triage.models.verdict import Event, Hashes, Review
from triage.ui.palette import Palette
from triage.ui.widgets.case_detail import CaseDetail
from triage.ui.widgets.detail.build import build
from triage.ui.widgets.detail.page import Page
from triage.ui.widgets.detail.shared_run import longest, places

Make = Callable[..., Detail]
INK = Palette({}, dark=True, ansi=False, colourless=False)
HUMAN = "转人工条件：账户被盗的会话必须转人工；人工服务时间为每日 9:00 至 21:00。"
LABELS = (
    "earlier", "asked", "answered", "evidence", "gold", "scores", "turns", "plan", "why", "before",
    "verdicts", "notes", "facts", "other", "problems",
)  # fmt: skip


def e06(**changed: Any) -> Record:
    values: dict[str, Any] = {
        "id": "E06",
        "query": "给我转人工，现在还有人吗",
        "answerable": True,
        "expected_ids": ["KB-HUMAN"],
        "retrieved": [
            Document(
                id="KB-ORDER", text="订单状态查询：提供订单号后可查询待付款、待发货、运输中。" * 3, score=0.81
            ),
            Document(id="KB-HUMAN", text=HUMAN, score=0.79),
            Document(id="KB-PRIVACY", text="个人信息删除", score=0.44),
        ],
        "predicted_answerable": True,
        "answer": "人工服务时间为每日 9:00 至 21:00。[S2]",
        "citations": ["S2"],
        "topic": "human_handoff",
    }
    return Record(**{**values, **changed})


def event(number: int, kind: str, **changed: Any) -> Event:
    values: dict[str, Any] = {
        "id": number, "batch": str(number), "sitting": "s", "dataset": None, "case_id": "E06",
        "run_id": "kb42", "revision": 1, "hashes": Hashes("a", "b", "c"),
        "reviewer": "wei", "at": "2026-11-29T10:41:00+00:00",
        "kind": kind,
    }  # fmt: skip
    return Event(**{**values, **changed})


def earlier(run: str, failing: bool, **changed: Any) -> Earlier:
    values: dict[str, Any] = {
        "run": run, "kb_version": run, "created_at": "2026-11-01", "failing": failing, "failure_class": None,
        "reason": "ok", "first_rank": 1, "review": None,
    }  # fmt: skip
    return Earlier(**{**values, **changed})


def full(text: str, make: Make) -> Detail:
    """A case with every field there is, each holding `text`."""
    record = e06(
        id="full" + text[:3],
        query=text,
        raw_query=text + "x",
        answer=text + "[S2] and [S9] " + text,
        citations=["S2", "S9", text[:20]],
        citation_field=["S1"],
        citation_text=["S2"],
        retrieved=[Document(id=text[:30], text=text, score=-1234.5, title=text, version=text)] * 14
        + [Document(id="KB-HUMAN", text=text)],
        expected_ids=["KB-HUMAN", "KB-GONE", text[:30]],
        refusal_reason=text,
        reference_answer=text,
        golden=Golden(
            must=[Fact(fact=text, hit=True)], compare=[Fact(fact=text)], exclude=[Fact(fact=text, hit=True)]
        ),
        scores={"faithfulness": 2.0, text: 3.5},
        judges=[Judge(judge=text, scores={"faithfulness": 1.0}, reason=text)] * 9,
        attempts=[Attempt(answer=text, passed=True), Attempt(passed=False)],
        feedback=Feedback(thumb="down", repeated=True, handed_off=True),
        turns=[{"user": text, "task": text, "slots": {text: [text]}, "expected_slots": {text: 1, "b": text}}]
        * 3,
        route=text,
        expected_route=[text, "b"],
        plan=[PlanStep(step=text, ids=[text]), [PlanStep(step="a"), PlanStep(step="b")]],
        expected_plan=[PlanStep(step=text)],
        tools=[ToolCall(name=text, params={text: text}, ok=False)],
        expected_tools=[[ToolCall(name="x"), ToolCall(name=text)]],
        conflict=Conflict(expected=text, resolved=False, correct=False),
        history=[Message(role=text, content=text, tool_calls=[{text: text}])] * 7,
        error=text,
        passed=False,
        failure_reason=text,
        topic=text,
        query_type=text,
        tags=[text],
        latency_ms=1e12,
        cost=0.00012,
        extra={text: text, "nested": {"a": [text]}},
        inferred=["topic", "predicted_answerable"],
    )
    events = tuple(
        event(
            at,
            kind,
            verdict="ranking" if kind == "verdict" else None,
            note=text,
            labels=(text,),
            reviewer=text,
        )
        for at, kind in enumerate(("verdict", "clear", "note", "labels", "undo", "verdict"))
    )
    return make(
        record,
        high_risk=True,
        events=(*events, event(9, "verdict", verdict="other", undone=True, at=text)),
        earlier=tuple(earlier(text + str(at), bool(at % 2), failure_class="refusal") for at in range(7)),
        problems=(CaseProblem(text, text), CaseProblem(None, text)),
        review=Review("ranking", labels=(text,), note=text, reviewer=text, stale=True, disputed=True),
    )


def shown(page: Page) -> list[str]:
    return ["".join(segment.text for segment in line) for line in page.lines]


def page_of(detail: Detail, width: int = 70, **options: Any) -> list[str]:
    return shown(build(detail, INK, width, **options))


def host(themed: type[App[None]], **options: Any) -> App[None]:
    class Small(themed):  # type: ignore[valid-type, misc]
        CSS = "CaseDetail { height: 1fr; width: 1fr; }"

        def __init__(self) -> None:
            super().__init__(**options)
            self.said: list[str] = []

        def compose(self) -> ComposeResult:
            yield CaseDetail()

        def on_case_detail_spoke(self, message: CaseDetail.Spoke) -> None:
            self.said.append(message.text)

    return Small()  # type: ignore[no-any-return]


def screen(widget: CaseDetail) -> list[str]:
    return [widget.render_line(y).text for y in range(widget.size.height)]


def test_a_ranking_case_reads_like_the_design(make_detail: Make) -> None:
    detail = make_detail(e06(), earlier=(earlier("kb41", False), earlier("kb40", False)))
    lines = page_of(detail)
    assert lines[1] == "  1 retrieval      2 ranking        3 refusal        4 citation      "
    assert lines[2] == "    ok               rank 2 of 3      ok               ok            "
    text = "\n".join(lines)
    assert " evidence 1  KB-ORDER          .81  above the expected one" in lines
    assert "          2  KB-HUMAN          .79  expected  [S2] cited" in lines
    assert " before   kb41 passed, rank 1   kb40 passed, rank 1   broke here" in lines
    assert " verdicts none yet" in lines
    assert "rule expected_below_rank1   sure .60" in text
    assert not any(one == other == "" for one, other in pairwise(lines))


def test_sections_keep_their_order_and_every_line_its_width(make_detail: Make) -> None:
    detail = full("退款 about refunds，" * 12, make_detail)
    for width in (40, 60, 70, 80, 140):
        for unfolded in (False, True):
            page = build(detail, INK, width, unfolded=unfolded)
            labels = [line[1:10].strip() for line in shown(page) if line[:1] == " " and line[1:2].strip()]
            assert [label for label in labels if label in LABELS] == list(LABELS)
            for line in page.lines:
                assert sum(segment.cell_length for segment in line) <= width


def test_the_text_measure_is_at_most_96_cells(make_detail: Make) -> None:
    page = build(make_detail(e06(answer="word " * 200)), INK, 200)
    assert max(sum(segment.cell_length for segment in line) for line in page.lines) <= 10 + 96


def test_missing_expected_documents_and_unknown_citations_have_rows_of_their_own(make_detail: Make) -> None:
    record = e06(expected_ids=["KB-GONE", "KB-NEVER"], citations=["S2", "S9"], answer="x [S2] y [S9]")
    header = RunHeader(kb_ids=["KB-GONE"])
    page = build(make_detail(record, header=header), INK, 80)
    text = "\n".join(shown(page))
    assert "-  KB-GONE             -  expected, not retrieved" in text
    assert "-  KB-NEVER            -  expected, not in the knowledge base" in text
    assert "-  S9                  -  cited, not in the evidence" in text
    assert "4 no source: [S9] names no document" in text
    styles = {segment.text: segment.style for line in page.lines for segment in line}
    assert styles["[S2] cited"] == INK("bad")
    assert styles["[S9]"].underline
    assert styles["[S9]"].bold


def test_an_expected_document_below_the_cut_is_marked(make_detail: Make) -> None:
    documents = [Document(id=f"KB-{at}") for at in range(5)] + [Document(id="KB-HUMAN")]
    lines = page_of(make_detail(e06(retrieved=documents), scoring=Scoring(k=3)))
    text = "\n".join(lines)
    assert "below the top 3:" in text
    assert "6  KB-HUMAN               expected, below the top 3" in text
    assert text.count("above the expected one") == 5


def test_a_long_list_folds_but_never_what_is_expected_or_cited(make_detail: Make) -> None:
    documents = [Document(id=f"KB-{at}") for at in range(60)] + [Document(id="KB-HUMAN")]
    detail = make_detail(e06(retrieved=documents, citations=["S40"]))
    text = "\n".join(page_of(detail))
    assert "KB-HUMAN" in text
    assert "[S40] cited" in text
    assert "+ 49 more, neither expected nor cited   z shows all" in text
    assert "KB-59" in "\n".join(page_of(detail, unfolded=True))


def test_the_run_shared_with_the_answer_is_underlined_in_good(make_detail: Make) -> None:
    page = build(make_detail(e06()), INK, 80)
    marked = "".join(s.text for line in page.lines for s in line if s.style == INK("good underline"))
    assert marked.replace(" ", "") == "人工服务时间为每日9:00至21:00"


@pytest.mark.parametrize(
    ("answer", "text", "run"),
    [
        ("the refund takes 7 days", "a refund takes 7 weeks", "refund takes 7"),
        ("abcdefgh", "xabcdef and abcdefgh", "abcdefgh"),
        ("1 abcdef 2 bcdefgXYZ", "abcdefgXYZ", "bcdefgXYZ"),
        ("short", "short", None),
        ("aaaaaaaaaaaa", "baaaaaaab", "aaaaaaa"),
    ],
)
def test_the_longest_shared_run_has_at_least_six_characters(answer: str, text: str, run: str | None) -> None:
    found = longest(answer, places(answer), text)
    assert (None if found is None else text[found[0] : found[1]]) == run


def test_a_shared_run_is_found_whatever_its_case(make_detail: Make) -> None:
    record = e06(
        answer="Gift points expire early", retrieved=[Document(id="KB-HUMAN", text="$1. Points expire")]
    )
    page = build(make_detail(record), INK, 80)
    assert [s.text for line in page.lines for s in line if s.style == INK("good underline")] == [
        "Points expire"
    ]


def test_field_and_text_that_disagree_are_shown_and_two_names_of_one_document_are_not(
    make_detail: Make,
) -> None:
    differ = e06(citation_field=["S1"], citation_text=["S2"])
    assert "the citations field says S1, the text cites S2" in "\n".join(page_of(make_detail(differ)))
    same = e06(citation_field=["KB-HUMAN"], citation_text=["S2"])
    assert "citations field" not in "\n".join(page_of(make_detail(same)))


def test_missing_is_not_empty(make_detail: Make) -> None:
    bare = Record(id="x", query="q")
    text = "\n".join(page_of(make_detail(bare)))
    assert "answered not recorded" in text
    assert "evidence" not in text
    empty = Record(id="x", query="q", answer=" ", retrieved=[])
    text = "\n".join(page_of(make_detail(empty)))
    assert "answered (empty)" in text
    assert "evidence nothing retrieved" in text


def test_verdicts_stand_newest_first_and_undone_ones_say_so(make_detail: Make) -> None:
    events = (
        event(1, "verdict", verdict="retrieval", undone=True), event(2, "undo", target="1"),
        event(3, "verdict", verdict="ranking", note="rerank it", labels=("order",)),
        event(4, "labels", labels=("stale-doc",)),
    )  # fmt: skip
    lines = page_of(
        make_detail(e06(), events=events, review=Review("ranking", note="two\nlines", reviewer="wei"))
    )
    start = next(at for at, line in enumerate(lines) if line.startswith(" verdicts"))
    assert "labels" in lines[start]
    assert "stale-doc" in lines[start]
    assert " ranking " in lines[start + 1]
    assert lines[start + 1].endswith("  order  rerank it")
    assert lines[start + 2].endswith("undone")
    assert " notes    two" in lines
    assert "          lines" in lines


def test_judges_stand_side_by_side_and_low_scores_are_bad(make_detail: Make) -> None:
    judges = [
        Judge(judge="a", scores={"faithfulness": 1}, reason="no"),
        Judge(judge="b", scores={"faithfulness": 4}),
    ]
    page = build(make_detail(e06(scores={"faithfulness": 2.5}, judges=judges)), INK, 80)
    text = "\n".join(shown(page))
    assert "faithfulness          2.50           1           4" in text
    assert any(s.text.strip() == "1" and s.style == INK("bad bold") for line in page.lines for s in line)


def test_a_cited_text_beside_the_ranked_list_has_its_row(make_detail: Make) -> None:
    record = e06(evidence=[Document(id="KB-X", text="beside")], citations=["KB-X"], answer="x [KB-X]")
    page = build(make_detail(record), INK, 80)
    assert "-  KB-X                   [KB-X] cited  in the evidence only" in "\n".join(shown(page))
    assert ("KB-X", None) in page.documents


async def test_hostile_records_never_break_out(
    make_detail: Make, themed: type[App[None]], hostile: str
) -> None:
    app = host(themed)
    async with app.run_test(size=(80, 24)) as pilot:
        widget = app.query_one(CaseDetail)
        for text in (
            hostile,
            hostile * 30,
            "\x1b" * 9,
            "[/]",
            "\u0301" * 40,
            "\U0001f468\u200d\U0001f469" * 9,
            " ",
        ):
            widget.detail = full(text, make_detail)
            widget.place = (1, 9)
            await pilot.pause()
            widget.unfold()
            for key in ("end", "home", "pagedown"):
                await pilot.press(key)
            widget.next_flag()
            widget.to_document()
            widget.to_document()
            rows = [widget._strip(at) for at in range(-1, widget.virtual_size.height)]
            joined = "".join(row.text for row in rows)
            assert all(row.cell_length == 80 for row in rows)
            assert not any(unicodedata.category(character) in ("Cc", "Cs") for character in joined)
            assert "\u202e" not in joined
        widget.detail = make_detail(e06(answer="Close with [/] or [/path] [bold]x"))
        await pilot.pause()
        assert "Close with [/] or [/path] [bold]x" in "\n".join(screen(widget))


@pytest.mark.parametrize("width", [60, 80, 120])
async def test_nothing_of_ours_has_an_ambiguous_width(
    make_detail: Make, themed: type[App[None]], width: int
) -> None:
    app = host(themed)
    async with app.run_test(size=(width, 24)) as pilot:
        widget = app.query_one(CaseDetail)
        widget.detail = full("plain ascii words " * 20, make_detail)
        widget.place = (3, 9)
        await pilot.pause()
        widget.unfold()
        await pilot.pause()
        everything = "".join(widget._strip(at).text for at in range(-1, widget.virtual_size.height))
        bar = "".join(segment.text for strip in widget.vertical_scrollbar.render_lines(
            widget.vertical_scrollbar.size.region) for segment in strip)  # fmt: skip
        for character in everything + bar:
            assert unicodedata.east_asian_width(character) != "A", character


async def test_the_answer_never_leaves_the_first_screen(make_detail: Make, themed: type[App[None]]) -> None:
    record = e06(
        history=[Message(role="user", content="long " * 300)] * 40, query="退货 " * 400, raw_query="x " * 400
    )
    app = host(themed)
    async with app.run_test(size=(80, 22)) as pilot:
        widget = app.query_one(CaseDetail)
        widget.detail = make_detail(record, high_risk=True)
        await pilot.pause()
        at = next(at for at, row in enumerate(screen(widget)) if row.startswith(" answered"))
        assert at <= 18
        assert "9:00" in screen(widget)[at]


async def test_flagged_citations_are_gone_through_and_o_goes_to_the_document_and_back(
    make_detail: Make, themed: type[App[None]]
) -> None:
    answer = "很长的回答。" * 60 + "一[S2]，二[S9]，三[S1]。"
    record = e06(answer=answer, citations=["S2", "S9", "S1"])
    app = host(themed)
    async with app.run_test(size=(80, 24)) as pilot:
        widget = app.query_one(CaseDetail)
        widget.detail = make_detail(record)
        await pilot.pause()
        assert widget.next_flag()
        await pilot.pause()
        assert app.said[-1].startswith("[S9] names no document")  # type: ignore[attr-defined]
        widget.next_flag()
        await pilot.pause()
        assert "[S1] is KB-ORDER at rank 1, not an expected one" in app.said[-1]  # type: ignore[attr-defined]
        top = widget.scroll_offset.y
        assert widget.to_document()
        await pilot.pause()
        row = next(row for row in screen(widget) if "KB-ORDER" in row)
        assert row[9] == ">"
        assert widget.to_document()
        await pilot.pause()
        assert widget.scroll_offset.y == top
        assert not any(row[9:10] == ">" for row in screen(widget))
        widget.previous_flag()
        await pilot.pause()
        assert app.said[-1].startswith("[S9]")  # type: ignore[attr-defined]
        widget.detail = make_detail(e06(answer="nothing", citations=[]))
        assert not widget.next_flag()
        assert not widget.to_document()


async def test_o_goes_to_the_first_document_where_nothing_is_selected(
    make_detail: Make, themed: type[App[None]]
) -> None:
    app = host(themed)
    async with app.run_test(size=(80, 24)) as pilot:
        widget = app.query_one(CaseDetail)
        widget.detail = make_detail(e06())
        await pilot.pause()
        assert widget.to_document()
        await pilot.pause()
        assert any(row[9] == ">" and "KB-HUMAN" in row for row in screen(widget))


async def test_the_same_case_read_anew_keeps_its_place_and_another_begins_at_its_top(
    make_detail: Make, themed: type[App[None]]
) -> None:
    app = host(themed)
    async with app.run_test(size=(80, 24)) as pilot:
        widget = app.query_one(CaseDetail)
        widget.detail = make_detail(e06(answer="line\n" * 90))
        await pilot.pause()
        widget.focus()
        widget.unfold()
        await pilot.press("pagedown", "down")
        place = widget.scroll_offset.y
        assert place > 10
        assert screen(widget)[0].startswith(" E06  ranking?")
        widget.detail = make_detail(e06(answer="line\n" * 90), review=Review("ranking", reviewer="wei"))
        await pilot.pause()
        assert widget.scroll_offset.y == place
        assert screen(widget)[0].startswith(" E06   ranking ")
        await pilot.resize_terminal(120, 40)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert widget.scroll_offset.y == place
        widget.detail = make_detail(e06(id="E07"))
        await pilot.pause()
        assert widget.scroll_offset.y == 0


async def test_without_a_case_the_pane_says_why(themed: type[App[None]], make_detail: Make) -> None:
    app = host(themed)
    async with app.run_test(size=(60, 15)) as pilot:
        widget = app.query_one(CaseDetail)
        assert "no case selected" in screen(widget)[1]
        widget.notice = ("error: the case could not be read", "kb42 / E06", "r reads the file again")
        await pilot.pause()
        assert [row.strip() for row in screen(widget)[1:4]] == list(widget.notice)
        widget.detail = make_detail(e06())
        await pilot.pause()
        widget.detail = None
        await pilot.pause()
        assert "error" in screen(widget)[1]


async def test_tiny_terminals_do_no_harm(make_detail: Make, themed: type[App[None]], hostile: str) -> None:
    app = host(themed)
    async with app.run_test(size=(80, 24)) as pilot:
        widget = app.query_one(CaseDetail)
        widget.detail = full(hostile, make_detail)
        for size in ((10, 3), (1, 1), (20, 5), (3, 40), (120, 40)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            screen(widget)


async def test_long_answers_cost_little_and_unfold_with_a_key(
    make_detail: Make, themed: type[App[None]]
) -> None:
    detail = make_detail(e06(answer="退货 text line\n" * 4000))
    app = host(themed)
    async with app.run_test(size=(80, 24)) as pilot:
        widget = app.query_one(CaseDetail)
        widget.detail = detail
        await pilot.pause()
        started = time.perf_counter()
        build(detail, INK, 80)
        assert time.perf_counter() - started < 0.1
        folded = widget.virtual_size.height
        assert "z shows all" in "\n".join(widget._strip(at).text for at in range(folded))
        widget.focus()
        widget.unfold()
        await pilot.pause()
        assert widget.virtual_size.height > 4000
        widget.unfold()
        await pilot.pause()
        assert widget.virtual_size.height == folded


async def test_every_theme_and_none_paint_the_detail(
    make_detail: Make, themed: type[App[None]], monkeypatch: pytest.MonkeyPatch, hostile: str
) -> None:
    for theme in ("triage-dark", "triage-light", "triage-ansi", "nord"):
        app = host(themed, theme=theme)
        async with app.run_test(size=(80, 24)) as pilot:
            widget = app.query_one(CaseDetail)
            widget.detail = full(hostile, make_detail)
            await pilot.pause()
            app.theme = "triage-light"
            await pilot.pause()
            screen(widget)
    monkeypatch.setenv("NO_COLOR", "1")
    app = host(themed)
    async with app.run_test(size=(80, 24)) as pilot:
        widget = app.query_one(CaseDetail)
        widget.detail = make_detail(e06())
        await pilot.pause()
        block = next(s for s in widget._strip(1) if "2 ranking" in s.text)
        assert block.style is not None
        assert block.style.reverse


def test_the_widgets_start_without_pydantic() -> None:
    code = (
        "import sys, triage.ui.widgets.case_detail, triage.ui.widgets.metric_panel, triage.ui.themes\n"
        "print([name for name in ('pydantic', 'sqlite_utils', 'luqum') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("width", [60, 70, 80])
def test_no_word_of_the_trail_is_cut(width: int, make_detail: Make) -> None:
    texts = "Refunds usually arrive. The fee is 5 dollars."
    record = e06(
        answer="Refunds always arrive.[A]", citations=["A"], expected_ids=["A"],
        retrieved=[Document(id="A", text=texts)],
    )  # fmt: skip
    for changed, word in (
        ({}, "modality clash"),
        ({"answer": "Refunds do not arrive.[A]"}, "check polarity"),
        ({"retrieved": [], "citations": []}, "no documents"),
        ({"expected_ids": []}, "labels clash"),
    ):
        page = build(make_detail(record.model_copy(update=changed)), INK, width)
        below = "".join(segment.text for segment in page.lines[2])
        assert word in below and "\u00bb" not in below


async def test_while_a_case_is_read_nothing_is_said_of_it(themed: type[App[None]]) -> None:
    app = host(themed)
    async with app.run_test(size=(60, 12)) as pilot:
        pane = app.query_one(CaseDetail)
        assert pane.notice == ("no case selected",)
        pane.notice = ()
        assert not pane.next_flag()
        assert not pane.previous_flag()
        await pilot.pause()
        assert app.said == []  # type: ignore[attr-defined]


async def test_what_is_read_stays_in_sight_when_texts_unfold_or_the_window_changes(
    make_detail: Make, themed: type[App[None]]
) -> None:
    app = host(themed)
    async with app.run_test(size=(60, 12)) as pilot:
        pane = app.query_one(CaseDetail)
        record = e06(answer="长" * 1500 + "[S2]", reference_answer="短。" * 200, scores={"clarity": 3.0})
        pane.detail = make_detail(record)
        await pilot.pause()
        lines = pane._page.lines  # type: ignore[union-attr]
        at = next(at for at, line in enumerate(lines) if line and line[0].text.strip() == "gold")
        pane.scroll_to(y=at, animate=False, force=True)
        await pilot.pause()
        assert screen(pane)[1].startswith(" gold")
        for change in (pane.unfold, pane.unfold):
            change()
            await pilot.pause()
            assert screen(pane)[1].startswith(" gold")
        await pilot.resize_terminal(90, 14)
        await pilot.pause()
        assert screen(pane)[1].startswith(" gold")
