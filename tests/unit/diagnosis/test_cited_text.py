"""The rules about an answer's sentences: what they say, their word in the trail, and what follows."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from triage.citations.check import check, summarise
from triage.diagnosis import Examiner, diagnose, explain, layer_words
from triage.models.measure import Diagnosis, Scoring
from triage.models.record import Record
from triage.models.sentences import SentenceSummary

RecordOf = Callable[..., Record]
TEXT = "Refunds usually take 3-7 business days. The fee is 5 dollars. You can log in meanwhile."
ZH = "退款通常 3 到 7 个工作日原路退回，具体以支付渠道为准。处理期间账号不能登录。"


def answered(record_of: RecordOf, answer: str, text: str = TEXT, **fields: Any) -> Record:
    """A case whose answer cites one document of this text."""
    plain = {
        "query": "q", "answerable": True, "expected_ids": ["A"], "predicted_answerable": True,
        "answer": answer, "citations": ["A"],
        "retrieved": [{"id": "A", "text": text}, {"id": "B", "text": "Something else."}],
    }  # fmt: skip
    return record_of({**plain, **fields})


def reasons(found: Diagnosis) -> list[str]:
    return [found.suggestion.reason, *(each.reason for each in found.secondary)]


@pytest.mark.parametrize(
    ("answer", "text", "kinds", "sentence", "word"),
    [
        ("Refunds usually take 10 business days.[A]", TEXT, ["duration"],
         "The answer says 10 business days; the cited text says 3-7 business days.", "duration clash"),
        ("The fee is 9 dollars.[A]", TEXT, ["amount"],
         "The answer says 9 dollars; the cited text says 5 dollars.", "amount clash"),
        ("退款通常 10 个工作日原路退回。[A]", ZH, ["duration"],
         "The answer says 10 个工作日; the cited text says 3 到 7 个工作日.", "duration clash"),
        ("退款必定 3 到 7 个工作日原路退回。[A]", ZH, ["modality"],
         "The answer says 必定; the cited text says 通常.", "modality clash"),
        ("处理期间账号可以登录。[A]", ZH, ["negation"],
         "Check polarity: the answer says 处理期间账号可以登录; the cited text says 处理期间账号不能登录.",
         "check polarity"),
    ],
)  # fmt: skip
def test_the_sentence_names_both_sides(
    answer: str, text: str, kinds: list[str], sentence: str, word: str, record_of: RecordOf
) -> None:
    record = answered(record_of, answer, text)
    found = diagnose(record, Scoring())
    assert reasons(found) == ["cited_text_mismatch"]
    assert found.failing
    assert found.suggestion.evidence["kinds"] == kinds
    assert explain(found.suggestion, record) == sentence
    assert layer_words(found, record, Scoring())["citation-semantic"] == word
    flagged = found.suggestion.evidence["sentences"]
    assert [each["citations"] for each in flagged] == [["A"]]
    assert json.loads(json.dumps(found.suggestion.evidence)) == found.suggestion.evidence


def test_a_short_clash_is_told_in_the_trail_itself(record_of: RecordOf) -> None:
    record = answered(record_of, "It costs $9.[A]", "It costs $5.")
    assert layer_words(diagnose(record, Scoring()), record, Scoring())["citation-semantic"] == "$9, not $5"


def test_what_has_no_counterpart_is_told_with_the_nearest_clause(record_of: RecordOf) -> None:
    record = answered(record_of, "退款明天原路退回。[A]", ZH)
    found = diagnose(record, Scoring())
    assert found.suggestion.evidence["kinds"] == ["date"]
    said = explain(found.suggestion, record)
    assert said.startswith("The answer says 明天; the cited text says ")
    assert "3 到 7 个工作日" in said


def test_several_kinds_are_told_in_their_order(record_of: RecordOf) -> None:
    record = answered(record_of, "Refunds take 10 business days.[A] The fee is 9 dollars.[A]")
    found = diagnose(record, Scoring())
    assert found.suggestion.evidence["kinds"] == ["duration", "amount"]
    assert "(also amount 9 dollars)." in explain(found.suggestion, record)
    assert layer_words(found, record, Scoring())["citation-semantic"] == "2 kinds clash"


def test_an_uncited_sentence_among_cited_ones_is_told(record_of: RecordOf) -> None:
    record = answered(record_of, "The fee is 5 dollars.[A] Refunds usually take 3-7 business days.")
    found = diagnose(record, Scoring())
    assert reasons(found) == ["uncited_sentence"]
    assert found.failing
    assert explain(found.suggestion, record) == (
        "1 of 2 factual sentences names no source: Refunds usually take 3-7 business days."
    )
    assert layer_words(found, record, Scoring())["citation-semantic"] == "1 uncited"


def test_a_clause_that_the_end_of_its_sentence_cites_is_no_uncited_one(record_of: RecordOf) -> None:
    record = answered(record_of, "The fee is 5 dollars; refunds usually take 3-7 business days [A].")
    assert reasons(diagnose(record, Scoring())) == ["ok"]
    record = answered(record_of, "The fee is 9 dollars; refunds usually take 3-7 business days [A].")
    found = diagnose(record, Scoring())
    assert reasons(found) == ["cited_text_mismatch"]
    assert found.suggestion.evidence["sentences"][0]["citations"] == ["A"]
    assert explain(found.suggestion, record) == "The answer says 9 dollars; the cited text says 5 dollars."


def test_low_overlap_is_told_and_never_fails(record_of: RecordOf) -> None:
    record = answered(record_of, "Bananas ripen quickly in warm kitchens.[A]", "Gold is traded in London.")
    for scoring in (Scoring(), Scoring(failing_confidence=0.1)):
        found = diagnose(record, scoring)
        assert reasons(found) == ["cited_text_low_overlap"]
        assert not found.failing
        assert found.layers["citation-semantic"] == "ok"
        assert found.suggestion.evidence["sentences"][0]["overlap"] < 0.34
        assert "proves nothing" in explain(found.suggestion, record)


def test_a_mismatch_leads_on_a_record_that_lacks_labels(record_of: RecordOf) -> None:
    record = answered(record_of, "The fee is 9 dollars.[A]", answerable=None, expected_ids=None)
    assert diagnose(record, Scoring()).suggestion.reason == "cited_text_mismatch"


@pytest.mark.parametrize(
    "fields",
    [{"predicted_answerable": False}, {"retrieved": [{"id": "A"}]}, {"answer": " "}, {"answer": None}],
)
def test_nothing_is_said_of_sentences_that_nothing_stands_against(
    fields: dict[str, Any], record_of: RecordOf
) -> None:
    record = record_of(
        answered(record_of, "The fee is 9 dollars.[A]").model_dump(exclude_unset=True), **fields
    )
    assert not {"cited_text_mismatch", "uncited_sentence", "cited_text_low_overlap"} & set(
        reasons(diagnose(record, Scoring()))
    )


def test_among_many_each_case_shows_its_own_sentences(record_of: RecordOf) -> None:
    examiner = Examiner(Scoring())
    for fee in (9, 8, 7):
        record = answered(record_of, f"The fee is {fee} dollars.[A]")
        _, found = examiner.examine(record, summarise(check(record)))
        assert found.suggestion.evidence["sentences"][0]["text"] == f"The fee is {fee} dollars."


def test_a_case_that_is_not_checked_yet_is_not_one_that_was(record_of: RecordOf) -> None:
    examiner, record = Examiner(Scoring()), answered(record_of, "The fee is 9 dollars.[A]")
    assert examiner.examine(record)[1].suggestion.reason == "ok"
    assert examiner.examine(record, summarise(check(record)))[1].suggestion.reason == "cited_text_mismatch"
    assert examiner.examine(record)[1].suggestion.reason == "ok"
    assert examiner.examine(record, SentenceSummary())[1].suggestion.reason == "ok"


def test_hostile_sentences_are_evidence_like_any_other(record_of: RecordOf) -> None:
    hostile = "The fee is 9 dollars \x1b]52;c;A\x07[/b] {0}.[A]"
    record = answered(record_of, hostile, TEXT + "\x1b[2J")
    found = diagnose(record, Scoring())
    assert found.suggestion.reason == "cited_text_mismatch"
    assert json.loads(json.dumps(found.suggestion.evidence)) == found.suggestion.evidence
    assert layer_words(found, record, Scoring())["citation-semantic"].isascii()
