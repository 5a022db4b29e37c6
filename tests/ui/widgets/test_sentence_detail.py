"""An answer read sentence by sentence in the detail: states, reasons, both sides, and the way between."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Any

import pytest
from textual.app import App, ComposeResult

from triage.models.case import CaseDetail as Detail
from triage.models.record import Document, Record
from triage.models.sentences import Clash, Sentence
from triage.ui.palette import Palette
from triage.ui.widgets.case_detail import CaseDetail
from triage.ui.widgets.detail.build import build
from triage.ui.widgets.detail.page import Chosen, Page
from triage.ui.widgets.detail.sentences import chunks

Make = Callable[..., Detail]
INK = Palette({}, dark=True, ansi=False, colourless=False)
REFUND = "退款到账时间：审核通过后 3 到 7 个工作日内到账。活动订单不支持部分退款。"
ANSWER = (
    "您好！退款会原路退回。[S1]审核通过后 3 天到账。[S1]活动订单支持部分退款[S1]，一律免费。"
    "您也可以看订单页。请问还有什么可以帮您？"
)


def part(text: str, answer: str = ANSWER, **changed: Any) -> Sentence:
    start = answer.index(text)
    return Sentence(text, (start, start + len(text)), **changed)


def place(text: str, part: str) -> tuple[int, int]:
    start = text.index(part)
    return start, start + len(part)


def refund() -> tuple[Record, tuple[Sentence, ...]]:
    record = Record(
        id="E01", query="钱什么时候退", topic="refund", answerable=True, expected_ids=["KB-REFUND"],
        predicted_answerable=True, answer=ANSWER, citations=["S1"],
        retrieved=[Document(id="KB-REFUND", text=REFUND), Document(id="KB-2", text="其他")],
    )  # fmt: skip
    polarity = place(REFUND, "不支持部分退款")
    sentences = (
        part("您好！", factual=False),
        part("退款会原路退回。", citations=("S1",), supported=True, overlap=0.6),
        part("审核通过后 3 天到账。", citations=("S1",), supported=False, overlap=0.5, clashes=(
            Clash("duration", place(ANSWER, "3 天"), (("KB-REFUND", place(REFUND, "3 到 7 个工作日")),)),
        )),
        part("活动订单支持部分退款[S1]，一律免费。", citations=("S1",), supported=False, overlap=0.5,
             clashes=(Clash("negation", place(ANSWER, "支持部分退款"), (("KB-REFUND", polarity),)),
                      Clash("scope", place(ANSWER, "一律")))),
        part("您也可以看订单页。"),
        part("请问还有什么可以帮您？", factual=False),
    )  # fmt: skip
    return record, sentences


def shown(page: Page) -> list[str]:
    return ["".join(segment.text for segment in line) for line in page.lines]


def page_of(detail: Detail, width: int = 96, **options: Any) -> Page:
    return build(detail, INK, width, **options)


def host(themed: type[App[None]]) -> App[None]:
    class Small(themed):  # type: ignore[valid-type, misc]
        CSS = "CaseDetail { height: 1fr; width: 1fr; }"

        def __init__(self) -> None:
            super().__init__()
            self.said: list[str] = []

        def compose(self) -> ComposeResult:
            yield CaseDetail()

        def on_case_detail_spoke(self, message: CaseDetail.Spoke) -> None:
            self.said.append(message.text)

    return Small()


def screen(widget: CaseDetail) -> list[str]:
    return [widget.render_line(y).text.rstrip() for y in range(widget.size.height)]


def filled(widget: CaseDetail) -> str:
    """What is filled in the focus colour on the screen: the walked marker or span."""
    background = INK.fill("focus").bgcolor
    return "".join(
        segment.text
        for y in range(1, widget.size.height)
        for segment in widget.render_line(y)
        if segment.style is not None and segment.style.bgcolor == background
    )


def test_each_sentence_has_its_state_in_the_margin_and_its_reason_below(make_detail: Make) -> None:
    record, sentences = refund()
    lines = shown(page_of(make_detail(record, sentences=sentences)))
    start = next(at for at, line in enumerate(lines) if line.startswith(" answered"))
    assert lines[start : start + 12] == [
        " answered    您好！",
        "          .  退款会原路退回。[S1]",
        "          4  审核通过后 3 天到账。[S1]",
        "             4 duration: says 3 天, the cited text 3 到 7 个工作日",
        "          4  活动订单支持部分退款[S1]，一律免费。",
        "             4 check polarity: says 支持部分退款, the cited text 不支持部分退款",
        "             4 scope: says 一律, the cited text does not",
        "          -  您也可以看订单页。",
        "             no citation",
        "             请问还有什么可以帮您？",
        "             rule-checked  2 of 3 cited sentences clash",
        "",
    ]


def test_both_sides_of_a_clash_are_marked_and_the_marker_is_no_longer_good(make_detail: Make) -> None:
    record, sentences = refund()
    page = page_of(make_detail(record, sentences=sentences))
    bad = INK("bad bold underline")
    loud = [
        segment.text
        for line in page.lines
        for segment in line
        if segment.style and segment.style.color == bad.color and segment.style.underline
    ]
    assert "|".join(loud).replace("3| ", "3 ") == "3 天|支持部分退款|一律|3 到 7 个工作日|不支持部分退款"
    markers = [s.style for line in page.lines for s in line if s.text == "[S1]" and s.style]
    assert [style.color for style in markers] == [INK("good").color, bad.color, bad.color]
    assert not any(style.underline for style in markers)


def test_a_clean_answer_stays_quiet_and_is_no_clean_bill_where_a_person_must_read(make_detail: Make) -> None:
    record, sentences = refund()
    fine = (sentences[0], sentences[1])
    record = record.model_copy(update={"answer": ANSWER[: ANSWER.index("审")]})
    text = "\n".join(shown(page_of(make_detail(record, sentences=fine))))
    assert "rule-checked  no clash in 1 cited sentence" in text
    assert "person must" not in text
    assert "          4" not in text
    text = "\n".join(shown(page_of(make_detail(record, sentences=fine, high_risk=True))))
    assert "a person must read this, checked or not" in text


def test_a_citation_that_names_nothing_is_told_below_its_sentence_and_once(make_detail: Make) -> None:
    answer = "一天到。[S9]两天到。[S1]"
    record = Record(id="x", query="q", answer=answer, citations=["S9", "S1", "KB-NO"],
                    retrieved=[Document(id="KB-1", text="两天到")])  # fmt: skip
    sentences = (
        part("一天到。", answer, citations=("S9",)),
        part("两天到。", answer, citations=("S1",), supported=True, overlap=0.9),
    )
    lines = shown(page_of(make_detail(record, sentences=sentences)))
    assert "          4  一天到。[S9]" in lines or " answered 4  一天到。[S9]" in lines
    assert "             4 no source: [S9] names no document" in lines
    assert sum("[S9] names no document" in line for line in lines) == 1
    assert "          4 no source: [KB-NO] names no document" in lines


def test_what_cannot_be_compared_says_so(make_detail: Make) -> None:
    answer = "一天到。[S1]"
    record = Record(id="x", query="q", answer=answer, citations=["S1"], retrieved=[Document(id="KB-1")])
    lines = shown(page_of(make_detail(record, sentences=(part("一天到。", answer, citations=("S1",)),))))
    assert " answered ?  一天到。[S1]" in lines
    assert "             rule-checked  nothing to compare with: no cited text is recorded" in lines


def test_low_overlap_is_a_count_and_on_unfolding_a_faint_line(make_detail: Make) -> None:
    answer = "一天到。[S1]"
    record = Record(id="x", query="q", answer=answer, citations=["S1"],
                    retrieved=[Document(id="KB-1", text="别的")])  # fmt: skip
    low = part("一天到。", answer, citations=("S1",), supported=True, overlap=0.1)
    page = page_of(make_detail(record, sentences=(low,)))
    assert page.folded
    assert "             rule-checked  no clash in 1 cited sentence, 1 low overlap" in shown(page)
    assert "          .  一天到。[S1]" in shown(page) or " answered .  一天到。[S1]" in shown(page)
    unfolded = shown(page_of(make_detail(record, sentences=(low,)), unfolded=True))
    assert "             low overlap with the cited text: .10" in unfolded


@pytest.mark.parametrize(
    ("answer", "sentences", "markers", "expected"),
    [
        ("A.[1] B.", ["A.", "B."], ["[1]"], ["A.[1] ", "B."]),
        ("A。[1][2]B。", ["A。", "B。"], ["[1]", "[2]"], ["A。[1][2]", "B。"]),
        ("- A [1].\n\n2. B", ["A [1].", "B"], ["[1]"], ["- A [1].\n\n", "2. B"]),
        ("A” B", ["A", "B"], [], ["A” ", "B"]),
        ("# H\nA\n", ["# H", "A"], [], ["# H\n", "A\n"]),
    ],
)
def test_parts_hold_every_character_once(
    answer: str, sentences: list[str], markers: list[str], expected: list[str]
) -> None:
    found = chunks(
        answer, [part(text, answer) for text in sentences], [place(answer, marker) for marker in markers]
    )
    assert [answer[start:end] for start, end in found] == expected


def test_a_long_answer_folds_but_never_what_is_flagged(make_detail: Make) -> None:
    detail = long_case(make_detail)
    text = "\n".join(shown(page_of(detail)))
    assert "4 number: says 999, the cited text does not" in text
    assert "z shows all" in text
    assert text.count("sentence number") < 30
    whole = "\n".join(shown(page_of(detail, unfolded=True)))
    assert whole.split(" evidence ")[0].count("sentence number") == 200


def test_of_a_long_answer_that_cites_once_the_rest_is_counted_and_the_evidence_stays_near(
    make_detail: Make,
) -> None:
    cited, more = "It takes 3 days.[1] ", "Please wait for the hot line. "
    answer = cited + more * 100
    record = Record(id="L", query="q", answer=answer, citations=["1"], retrieved=[Document(id="d", text="t")])
    spans = [(len(cited) + at * len(more), len(cited) + (at + 1) * len(more) - 1) for at in range(100)]
    sentences = (
        Sentence(cited[:16], (0, 16), ("1",), True, True, (), 0.5),
        *(Sentence(more.strip(), span, (), True, None, (), None) for span in spans),
    )
    lines = shown(page_of(make_detail(record, sentences=sentences)))
    first = next(at for at, line in enumerate(lines) if line.startswith(" answered"))
    assert next(at for at, line in enumerate(lines) if line.startswith(" evidence")) - first < 24
    assert any(", all flagged" in line for line in lines)


def long_case(make_detail: Make, evidence: str = "nothing") -> Detail:
    answer, sentences = "", []
    for at in range(200):
        number = 999 if at == 150 else at
        text = f"This is sentence number {number} of a long answer, and it goes on a while."
        start = len(answer)
        clash = Clash("number", (start + 24, start + 27)) if at == 150 else None
        sentences.append(
            Sentence(
                text, (start, start + len(text)), ("1",), True, clash is None, (clash,) if clash else (), 0.5
            )
        )
        answer += text + "[1] "
    record = Record(id="L", query="q", answer=answer, citations=["1"],
                    retrieved=[Document(id="d", text=evidence)])  # fmt: skip
    return make_detail(record, sentences=tuple(sentences))


def test_a_span_deep_in_a_long_text_is_seen_though_the_text_is_folded(make_detail: Make) -> None:
    record, sentences = refund()
    text = "很长的一段说明。" * 200 + REFUND + "后面还有。" * 200
    shift = text.index(REFUND)
    clash = sentences[2].clashes[0]
    name, (start, end) = clash.found[0]
    moved = Clash(clash.kind, clash.said, ((name, (start + shift, end + shift)),))
    found = Sentence(sentences[2].text, sentences[2].span, ("S1",), True, False, (moved,), 0.5)
    record = record.model_copy(update={"retrieved": [Document(id="KB-REFUND", text=text)]})
    detail = make_detail(record, sentences=(*sentences[:2], found))
    page = page_of(detail)
    lines = shown(page)
    at = page.clashes[2, "KB-REFUND"]
    assert "» 退款到账时间：审核通过后 3 到 7 个工作日内到账。" in lines[at]
    assert any("characters in all   z shows all" in line for line in lines)
    whole = page_of(detail, unfolded=True)
    assert "3 到 7 个工作日" in shown(whole)[whole.clashes[2, "KB-REFUND"]]


async def test_flagged_sentences_are_walked_in_reading_order_and_o_goes_to_the_span_and_back(
    make_detail: Make, themed: type[App[None]]
) -> None:
    record, sentences = refund()
    app = host(themed)
    async with app.run_test(size=(80, 24)) as pilot:
        widget = app.query_one(CaseDetail)
        widget.detail = make_detail(record, sentences=sentences)
        await pilot.pause()
        assert widget.next_flag()
        await pilot.pause()
        assert app.said[-1].startswith("sentence 3 of 6, duration: ")  # type: ignore[attr-defined]
        assert filled(widget) == ">3 天3 到 7 个工作日"
        assert next(row for row in screen(widget) if row[9:10] == ">")[10:] == "4  审核通过后 3 天到账。[S1]"
        top = widget.scroll_offset.y
        assert widget.to_document()
        await pilot.pause()
        assert filled(widget) == "3 天>3 到 7 个工作日"
        assert "KB-REFUND" in next(row for row in screen(widget) if row[9:10] == ">")
        assert widget.to_document()
        await pilot.pause()
        assert widget.scroll_offset.y == top
        assert filled(widget) == ">3 天3 到 7 个工作日"
        widget.next_flag()
        await pilot.pause()
        assert app.said[-1].startswith("sentence 4 of 6, check polarity, scope: ")  # type: ignore[attr-defined]
        widget.next_flag()
        await pilot.pause()
        assert app.said[-1] == "sentence 5 of 6: no citation"  # type: ignore[attr-defined]
        assert not widget.to_document()
        widget.next_flag()
        widget.previous_flag()
        await pilot.pause()
        assert app.said[-1] == "sentence 5 of 6: no citation"  # type: ignore[attr-defined]


def test_an_unfolded_page_says_how_often_the_rules_were_right(make_detail: Make) -> None:
    record, sentences = refund()
    whole = " ".join(
        line.strip() for line in shown(page_of(make_detail(record, sentences=sentences), unfolded=True))
    )
    assert "flags right: .92 on short sources, .28 on long" in whole


@pytest.mark.parametrize(("supported", "sign"), [(True, "."), (None, "?")])
def test_a_clause_that_its_sentence_cites_at_the_end_is_not_called_uncited(
    supported: bool | None, sign: str, make_detail: Make
) -> None:
    answer = "先在订单页申请；审核要 3 天。[S1]"
    record = Record(id="E01", query="q", answer=answer, citations=["S1"], retrieved=[Document(id="KB-1")])
    sentences = (
        part("先在订单页申请；", answer, supported=supported, covered_by=("S1",)),
        part("审核要 3 天。", answer, supported=supported, citations=("S1",)),
    )
    lines = shown(page_of(make_detail(record, sentences=sentences)))
    assert f" answered {sign}  先在订单页申请；" in lines
    assert not any("no citation" in line for line in lines)


async def test_without_a_choice_o_goes_to_what_clashes(make_detail: Make, themed: type[App[None]]) -> None:
    record, sentences = refund()
    app = host(themed)
    async with app.run_test(size=(80, 24)) as pilot:
        widget = app.query_one(CaseDetail)
        widget.detail = make_detail(record, sentences=sentences)
        await pilot.pause()
        assert widget.to_document()
        await pilot.pause()
        assert filled(widget) == "3 天>3 到 7 个工作日"
        assert app.said[-1].endswith(": o goes back")  # type: ignore[attr-defined]
        assert widget.to_document()
        await pilot.pause()
        assert app.said[-1].endswith(": o shows the cited text")  # type: ignore[attr-defined]


async def test_what_is_folded_away_unfolds_when_it_is_walked_to(
    make_detail: Make, themed: type[App[None]]
) -> None:
    detail = long_case(make_detail)
    answer = (detail.record.answer or "") + "[9] The end."
    record = detail.record.model_copy(update={"answer": answer, "citations": ["1", "9"]})
    app = host(themed)
    async with app.run_test(size=(80, 24)) as pilot:
        widget = app.query_one(CaseDetail)
        widget.detail = make_detail(record, sentences=detail.sentences)
        await pilot.pause()
        widget.previous_flag()
        await pilot.pause()
        assert app.said[-1] == "[9] names no document of this turn"  # type: ignore[attr-defined]
        assert "[9]" in filled(widget)


async def test_the_answer_never_leaves_the_first_screen(make_detail: Make, themed: type[App[None]]) -> None:
    record, sentences = refund()
    record = record.model_copy(update={"query": "退货 " * 400, "raw_query": "x " * 400})
    app = host(themed)
    async with app.run_test(size=(80, 22)) as pilot:
        widget = app.query_one(CaseDetail)
        widget.detail = make_detail(record, sentences=sentences, high_risk=True)
        await pilot.pause()
        rows = screen(widget)
        at = next(at for at, row in enumerate(rows) if row.startswith(" answered"))
        assert "4  审核通过后 3 天到账。" in "\n".join(rows[at:])


async def test_hostile_sentences_never_break_out(
    make_detail: Make, themed: type[App[None]], hostile: str
) -> None:
    answer = f"{hostile}。[S1]{hostile}。[S9]\r\n{hostile}"
    size = len(hostile) + 1
    docs = [Document(id=hostile[:20], text=hostile * 40)]
    record = Record(id="h", query=hostile, answer=answer, citations=["S1", "S9"], retrieved=docs)
    sentences = (
        Sentence(hostile, (0, size), ("S1",), True, False, (
            Clash("scope", (0, 30), ((hostile[:20], (3000, 3040)), ("gone", (0, 4)))), Clash("date", (5, 9)),
        ), 0.1),
        Sentence(hostile, (size + 4, 2 * size + 4), ("S9", hostile), True),
        Sentence(hostile, (2 * size + 10, len(answer)), (), True),
    )  # fmt: skip
    app = host(themed)
    async with app.run_test(size=(60, 24)) as pilot:
        widget = app.query_one(CaseDetail)
        for made in (sentences, sentences[::-1], sentences * 3):
            widget.detail = make_detail(record, sentences=made, high_risk=True)
            await pilot.pause()
            for _ in range(6):
                widget.next_flag()
                widget.to_document()
                await pilot.pause()
                widget.to_document()
            widget.unfold()
            rows = [widget._strip(at) for at in range(-1, widget.virtual_size.height)]
            assert all(row.cell_length == 60 for row in rows)
            joined = "".join(row.text for row in rows)
            assert not any(unicodedata.category(character) in ("Cc", "Cs") for character in joined)
            assert "\u202e" not in joined


async def test_a_click_on_a_clash_selects_its_sentence(make_detail: Make, themed: type[App[None]]) -> None:
    record, sentences = refund()
    app = host(themed)
    async with app.run_test(size=(80, 24)) as pilot:
        widget = app.query_one(CaseDetail)
        widget.detail = make_detail(record, sentences=sentences)
        await pilot.pause()
        row = next(at for at, text in enumerate(screen(widget)) if "3 天到账" in text)
        await pilot.click(CaseDetail, offset=(24, row))
        await pilot.pause()
        assert filled(widget) == ">3 天3 到 7 个工作日"


def test_of_a_long_answer_and_evidence_few_lines_are_drawn_and_the_same_every_time(make_detail: Make) -> None:
    detail = long_case(make_detail, "text " * 400)
    first = page_of(detail)
    assert len(first.lines) < 80
    assert shown(first) == shown(page_of(detail))
    assert page_of(detail, chosen=Chosen(sentence=150)).sentences[150] > 0


def test_a_bare_negator_is_told_with_what_it_denies_and_words_are_whole(make_detail: Make) -> None:
    answer = "It is not refundable at all.[S1] 活动订单不支持部分退款。[S1]"
    text = "A ticket isn't refundable. 活动订单支持部分退款。"
    record = Record(id="x", query="q", answer=answer, citations=["S1"],
                    retrieved=[Document(id="d", text=text)])  # fmt: skip
    sentences = (
        part("It is not refundable at all.", answer, citations=("S1",), supported=False, clashes=(
            Clash("negation", place(answer, "not"), (("d", place(text, "n't")),)),)),
        part("活动订单不支持部分退款。", answer, citations=("S1",), supported=False, clashes=(
            Clash("negation", place(answer, "不"), (("d", place(text, "支持部分退款")),)),)),
    )  # fmt: skip
    lines = shown(page_of(make_detail(record, sentences=sentences)))
    assert (
        "             4 check polarity: says not refundable at all, the cited text isn't refundable" in lines
    )
    assert "             4 check polarity: says 不支持部分退款, the cited text 支持部分退款" in lines


def test_a_run_that_records_no_citations_has_no_margin(make_detail: Make) -> None:
    answer = "一天到。两天到。"
    record = Record(id="x", query="q", answer=answer, retrieved=[Document(id="d", text="一天到")])
    lines = shown(
        page_of(make_detail(record, sentences=(part("一天到。", answer), part("两天到。", answer))))
    )
    assert " answered 一天到。两天到。" in lines
    assert not any("rule-checked" in line for line in lines)


def test_an_answer_that_cites_nothing_marks_what_it_states(make_detail: Make) -> None:
    answer = "您好！一天到。两天到。"
    record = Record(id="x", query="q", answer=answer, citations=[], answerable=True,
                    predicted_answerable=True, expected_ids=["d"],
                    retrieved=[Document(id="d", text="一天到")])  # fmt: skip
    sentences = (part("您好！", answer, factual=False), part("一天到。", answer), part("两天到。", answer))
    lines = shown(page_of(make_detail(record, sentences=sentences)))
    start = next(at for at, line in enumerate(lines) if line.startswith(" answered"))
    assert lines[start : start + 4] == [
        " answered    您好！", "          -  一天到。", "          -  两天到。",
        "          4 no source: the answer cites nothing",
    ]  # fmt: skip


def test_an_empty_list_of_expected_documents_makes_no_citation_wrong(make_detail: Make) -> None:
    record = Record(id="x", query="q", answer="一天到。[S1]", citations=["S1"], expected_ids=[],
                    retrieved=[Document(id="d", text="一天到")])  # fmt: skip
    for answerable, role in ((None, "good bold"), (False, "bad bold")):
        page = page_of(make_detail(record.model_copy(update={"answerable": answerable})))
        style = next(s.style for line in page.lines for s in line if s.text == "[S1]")
        assert style is not None
        assert style.color == INK(role).color


async def test_the_reasons_of_a_walked_sentence_come_into_sight_with_it(
    make_detail: Make, themed: type[App[None]]
) -> None:
    record, sentences = refund()
    app = host(themed)
    async with app.run_test(size=(80, 13)) as pilot:
        widget = app.query_one(CaseDetail)
        widget.detail = make_detail(record, sentences=sentences)
        await pilot.pause()
        assert not any("4 scope: says 一律" in row for row in screen(widget))
        widget.next_flag()
        widget.next_flag()
        await pilot.pause()
        assert any("4 scope: says 一律" in row for row in screen(widget))
