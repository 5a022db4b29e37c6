"""The check of a whole record: what it judges, what it leaves, and that no text hurts it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from triage.citations import pairing
from triage.citations.check import check, summarise
from triage.citations.numerals import value_of
from triage.citations.wording import Grams, alike
from triage.models.record import Record
from triage.models.sentences import SentenceSummary

Shared = Callable[[str], Path]
TEXT = "退款申请审核通过后，款项通常 3 到 7 个工作日原路退回。"


def record_of(**fields: Any) -> Record:
    fields = {"id": "1", "retrieved": [{"id": "KB-1", "text": TEXT}], **fields}
    if "retrieved_ids" in fields:
        ids = fields.pop("retrieved_ids")
        fields["retrieved"] = None if ids is None else [{"id": each} for each in ids]
    return Record.model_validate({key: value for key, value in fields.items() if key in Record.model_fields})


def test_the_ten_cases_hold_no_clash(shared: Shared) -> None:
    cases = json.loads(shared("vectors/fixture_ten_cases.json").read_text("utf-8"))["cases"]
    sentences = {case["id"]: check(record_of(**case)) for case in cases}
    assert [id for id, found in sentences.items() if any(each.supported is False for each in found)] == []
    judged = {id: sum(each.supported is True for each in found) for id, found in sentences.items()}
    assert judged == {
        "E01": 1,
        "E02": 1,
        "E03": 1,
        "E04": 2,
        "E05": 1,
        "E06": 1,
        "E07": 1,
        "E08": 0,
        "E09": 0,
    } | {"E10": judged["E10"]}


def test_diagnosis_vectors_have_their_mismatch(shared: Shared) -> None:
    held = 0
    for each in json.loads(shared("vectors/diagnosis.json").read_text("utf-8"))["cases"]:
        wanted = each["expected"].get("mismatch_includes")
        found = {kind for sentence in check(record_of(**each["case"])) for kind in sentence.mismatches}
        assert wanted in found if wanted else not found, each["case"]["id"]
        held += bool(wanted)
    assert held == 4


def test_sentences_in_numbers() -> None:
    answer = (
        "您好，感谢咨询。退款明天必定到账。[S1]通常 3 到 7 个工作日退回。[S1]请看官网公告。希望能帮到您！"
    )
    summary = summarise(check(record_of(answer=answer, citations=["S1"])))
    assert summary == SentenceSummary(
        factual=3, cited=2, judged=2, unsupported=1, low=0, mismatches=("modality", "date")
    )


@pytest.mark.parametrize(
    "fields",
    [{}, {"answer": None}, {"answer": " \n"}, {"answer": "退款 3 天到账。", "predicted_answerable": False}],
)
def test_no_answer_has_no_sentences(fields: dict[str, Any]) -> None:
    assert check(record_of(**fields)) == ()


def test_ids_of_the_field_alone_stand_for_every_sentence() -> None:
    first, second = check(
        record_of(answer="款项 3 到 7 个工作日退回。款项 9 个工作日退回。", citations=["KB-1"])
    )
    assert (first.citations, first.supported) == ((), True)
    assert (second.citations, second.mismatches) == ((), ("duration",))


def test_where_the_text_has_markers_an_unmarked_sentence_is_not_judged() -> None:
    cited, other = check(record_of(answer="款项 3 到 7 个工作日退回[1]。款项 9 天退回。", citations=["KB-1"]))
    assert (cited.supported, other.supported) == (True, None)


@pytest.mark.parametrize(
    "fields",
    [
        {"retrieved": [{"id": "KB-1"}]},
        {"retrieved": [{"id": "KB-1", "text": "https://a.com/x"}]},
        {"retrieved": None},
        {"retrieved": [{"id": "KB-2", "text": TEXT}, {"id": "KB-1"}], "answer": "9 天到账[1][2]。"},
        {"answer": "9 天到账[S9]。"},
    ],
)
def test_without_the_cited_text_nothing_is_judged(fields: dict[str, Any]) -> None:
    (sentence,) = check(record_of(**{"answer": "9 天到账[KB-1]。", **fields}))
    assert sentence.supported is None
    assert sentence.overlap is None


def test_a_clause_that_a_later_marker_covers_counts_as_cited_and_is_judged() -> None:
    fine, wrong = "款项 3 到 7 个工作日退回", "款项 30 个工作日退回"
    first, second = check(record_of(answer=f"{fine}；退款申请要先审核。[KB-1]"))
    assert (first.citations, first.covered_by, first.supported) == ((), ("KB-1",), True)
    assert (second.citations, second.covered_by) == (("KB-1",), ())
    assert summarise([first, second]) == SentenceSummary(factual=2, cited=2, judged=2)
    (first, _) = check(record_of(answer=f"{wrong}；退款申请要先审核。[KB-1]"))
    assert first.mismatches == ("duration",)
    (first, _) = check(record_of(answer=f"{wrong}。退款申请要先审核。[KB-1]"))
    assert (first.sources, first.supported) == ((), None)


def test_several_cited_texts_are_read_as_one() -> None:
    documents = [{"id": "A", "text": "质保期为 2 年。"}, {"id": "B", "text": "运费 8 元。"}]
    (sentence,) = check(record_of(answer="质保 2 年，运费 8 元。[1][2]", retrieved=documents))
    assert sentence.supported is True


def test_little_overlap_alone_is_no_clash() -> None:
    sentences = check(record_of(answer="猫喜欢睡觉。[1]"))
    assert sentences[0].supported is True
    assert summarise(sentences).low == 1


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=120), st.text(max_size=120))
def test_any_text_can_be_checked(answer: str, source: str) -> None:
    for sentence in check(record_of(answer=f"{answer}[1]", retrieved=[{"id": "A", "text": source}])):
        assert 0 <= sentence.span[0] < sentence.span[1] <= len(answer) + 3
        for clash in sentence.clashes:
            assert 0 <= clash.said[0] < clash.said[1] <= len(answer) + 3
            assert all(0 <= low < high <= len(source) for _, (low, high) in clash.found)


@pytest.mark.parametrize(
    "unit",
    [
        "[", "(来源：", "1.", "不", "3 天，", "a[1] ", "①", "`", "<sup>1", "\x1b[31m\x00", "一", "9:00-",
        "[[1]](", " ",
    ],
)  # fmt: skip
def test_a_very_long_answer_is_checked_in_one_go(unit: str) -> None:
    # Whatever looked at each place once more for every other would not end before the test's time is up.
    answer = (unit * (100_000 // len(unit) + 1))[:100_000] + "[1]"
    spans = [sentence.span for sentence in check(record_of(answer=answer))]
    assert all(0 <= start < end <= len(answer) for start, end in spans)
    assert spans == sorted(spans)


def test_each_of_very_many_sentences_is_checked() -> None:
    found = check(record_of(answer="款项 3 到 7 个工作日退回。[1]" * 1000 + "款项 9 个工作日退回。[1]"))
    assert [sentence.supported for sentence in found] == [True] * 1000 + [False]


def test_a_number_that_no_float_holds_is_none() -> None:
    text = f"单号 {'9' * 400} 元，运费 8 元。"
    (sentence,) = check(record_of(answer="运费 8 元。[1]", retrieved=[{"id": "A", "text": text}]))
    assert sentence.supported is True
    assert value_of("9" * 400) is None
    assert value_of("9" * 1_000_500) is None


def test_a_table_of_values_against_a_table_is_read_in_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0

    def counted(one: Grams, other: Grams) -> tuple[float, float]:
        nonlocal compared
        compared += 1
        return alike(one, other)

    monkeypatch.setattr(pairing, "alike", counted)
    row = " ".join(str(number) for number in range(1000, 1150))
    table = " ".join(str(number) for number in range(5000, 5400))
    (sentence,) = check(record_of(answer=f"费用 {row}。[1]", retrieved=[{"id": "A", "text": table}]))
    assert len(sentence.clashes) == pairing.MOST_VALUES
    assert compared < 1000
