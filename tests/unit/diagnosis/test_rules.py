"""Which rule speaks first on the edges, and what follows for `failing` and the layers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from triage.citations.check import check, summarise
from triage.diagnosis import REASONS, Examiner, diagnose, examine, explain, layer_words
from triage.metrics.facts import Facts
from triage.metrics.registry import measure_facts
from triage.models.measure import Diagnosis, Scoring
from triage.models.record import Record

RecordOf = Callable[..., Record]
GOOD: dict[str, Any] = {
    "query": "q", "answerable": True, "expected_ids": ["A"], "retrieved_ids": ["A", "B", "C"],
    "predicted_answerable": True, "answer": "So.[S1]", "citations": ["S1"],
}  # fmt: skip


def reasons(found: Diagnosis) -> list[str]:
    return [found.suggestion.reason, *(each.reason for each in found.secondary)]


@pytest.mark.parametrize(
    ("change", "right"),
    [
        ({}, ["ok"]),
        ({"answerable": None}, ["ok"]),
        ({"answerable": None, "expected_ids": []}, ["insufficient_record"]),
        ({"answerable": None, "expected_ids": None}, ["insufficient_record"]),
        ({"expected_ids": None}, ["insufficient_record"]),
        ({"retrieved_ids": None}, ["insufficient_record"]),
        ({"predicted_answerable": None}, ["insufficient_record"]),
        ({"answerable": False, "expected_ids": None, "predicted_answerable": None}, ["insufficient_record"]),
        ({"answerable": False, "expected_ids": None, "retrieved_ids": None},
         ["answered_though_unanswerable"]),
        # The rules that need only what they name lead on an insufficient record.
        ({"predicted_answerable": None, "retrieved_ids": ["B"]}, ["expected_missing_from_topk"]),
        ({"predicted_answerable": None, "retrieved_ids": []}, ["expected_missing_from_topk", "citation_id"]),
        ({"predicted_answerable": None, "retrieved_ids": ["B", "C", "D", "A"]}, ["expected_below_cutoff"]),
        ({"predicted_answerable": False, "retrieved_ids": None}, ["refused_though_answerable"]),
        ({"predicted_answerable": False, "expected_ids": None}, ["refused_though_answerable"]),
        ({"predicted_answerable": None, "citations": ["S9"]}, ["citation_id_not_in_evidence"]),
        ({"answerable": None, "expected_ids": None, "citations": ["S9"]}, ["citation_id_not_in_evidence"]),
        # The others stand beside it.
        ({"retrieved_ids": None, "citations": []}, ["insufficient_record", "no_citation"]),
        ({"predicted_answerable": None, "retrieved_ids": ["B", "A"]},
         ["insufficient_record", "distractor", "expected_b"]),
        # Precedence.
        ({"retrieved_ids": ["B", "A"], "citations": ["S1"]},
         ["distractor_first_and_cited", "expected_below_rank1"]),
        ({"retrieved_ids": ["B", "A"], "citations": []}, ["no_citation", "expected_below_rank1"]),
        ({"retrieved_ids": ["B", "A"], "citations": ["S1", "S9"]},
         ["citation_id", "distractor", "expected_below"]),
        ({"retrieved_ids": ["B", "A"], "citations": ["S1", "A"]}, ["expected_below_rank1"]),
        ({"retrieved_ids": ["B", "A"], "citations": ["S9"]}, ["citation_id", "expected_below_rank1"]),
        ({"retrieved_ids": ["B", "A"], "citations": None}, ["expected_below_rank1"]),
        ({"predicted_answerable": False, "retrieved_ids": ["B", "A"], "citations": []},
         ["refused_though_evidence_retrieved", "expected_below_rank1"]),
        ({"retrieved_ids": [], "citations": [], "predicted_answerable": False},
         ["fallback_nothing_retrieved", "expected_missing_then_refused"]),
        # A blank answer is none to blame; one that is not recorded is there if the runner says so.
        ({"answer": " \n", "citations": []}, ["ok"]),
        ({"answer": None, "citations": []}, ["no_citation"]),
        ({"answer": None, "citations": [], "predicted_answerable": None}, ["insufficient_record"]),
        # Citations without any recorded documents cannot be checked.
        ({"retrieved_ids": None, "citations": ["S9"]}, ["insufficient_record"]),
        ({"retrieved_ids": None, "evidence": [], "citations": ["S9"]}, ["citation_id_not_in_evidence"]),
        # Label conflicts lead; what else is wrong is said beside.
        ({"expected_ids": []}, ["label_conflict"]),
        ({"expected_ids": [], "predicted_answerable": False}, ["label_conflict"]),
        ({"answerable": False}, ["label_conflict", "answered_though_unanswerable"]),
        ({"answerable": False, "predicted_answerable": False}, ["label_conflict", "ok_refusal"]),
        ({"expected_ids": [], "citations": []}, ["label_conflict", "no_citation"]),
        # Judges.
        ({"scores": {"faithfulness": 2}}, ["low_faithfulness_good_evidence"]),
        ({"scores": {"faithfulness": 2.5}}, ["ok"]),
        ({"scores": {"faithfulness": 1}, "retrieved_ids": ["B", "A"], "citations": ["A"]},
         ["low_faithfulness_good_evidence", "expected_below_rank1"]),
        ({"scores": {"faithfulness": 1}, "predicted_answerable": False},
         ["refused_though_evidence_retrieved"]),
        ({"scores": {"relevancy": 1, "correctness": 2}},
         ["answer_off_topic", "answer_incorrect_good_evidence"]),
        ({"scores": {"correctness": 3}, "expected_ids": ["A", "X"]}, ["partial_recall_incomplete"]),
        ({"scores": {"completeness": 3}, "expected_ids": ["A", "X"]}, ["partial_recall_incomplete"]),
        ({"scores": {"completeness": 3}, "expected_ids": ["A", "A"]}, ["ok"]),
        ({"scores": {"completeness": 3}, "expected_ids": ["A", "C"]}, ["ok"]),
        ({"scores": {"completeness": 3.5}, "expected_ids": ["A", "X"]}, ["ok"]),
        # The runner's word comes before insufficient_record, ok_refusal and ok, after what names a class.
        ({"passed": False}, ["runner_failed"]),
        ({"passed": False, "error": "timeout"}, ["system_error"]),
        ({"error": "timeout"}, ["system_error"]),
        ({"error": "  "}, ["ok"]),
        ({"passed": False, "citations": []}, ["no_citation"]),
        ({"passed": False, "retrieved_ids": None}, ["runner_failed", "insufficient_record"]),
        ({"passed": False, "retrieved_ids": None, "citations": []},
         ["runner_failed", "insufficient", "no_citation"]),
        ({"passed": False, "answerable": False, "expected_ids": [], "predicted_answerable": False,
          "citations": []},
         ["runner_failed", "ok_refusal"]),
        ({"passed": False, "expected_ids": []}, ["label_conflict", "runner_failed"]),
    ],
)  # fmt: skip
def test_precedence(change: dict[str, Any], right: list[str], record_of: RecordOf) -> None:
    found = reasons(diagnose(record_of(GOOD, **change), Scoring()))
    assert len(found) == len(right), found
    assert all(got.startswith(want) for got, want in zip(found, right, strict=True)), found


@pytest.mark.parametrize(
    ("kb_ids", "retrieved", "right"),
    [
        ({"B"}, ["B"], "knowledge_gap"),
        ({"B"}, [], "knowledge_gap"),
        ({"B", "A"}, ["B"], "expected_missing_from_topk"),
        ({"B"}, ["A"], "ok"),
        (set(), ["B"], "knowledge_gap"),
        (None, ["B"], "expected_missing_from_topk"),
        ({"B"}, ["B", "C", "D", "A"], "knowledge_gap"),
    ],
)
def test_a_gap_is_told_only_by_the_knowledge_bases_own_list(
    kb_ids: set[str] | None, retrieved: list[str], right: str, record_of: RecordOf
) -> None:
    scoring = Scoring(kb_ids=None if kb_ids is None else frozenset(kb_ids))
    record = record_of(GOOD, retrieved_ids=retrieved, citations=retrieved[:1], predicted_answerable=True)
    assert diagnose(record, scoring).suggestion.reason == right


def test_scores_of_another_scale_are_mapped_before_they_are_judged(record_of: RecordOf) -> None:
    record = record_of(GOOD, scores={"faithfulness": 0.25, "completeness": 0.5}, expected_ids=["A", "X"])
    found = reasons(diagnose(record, Scoring(score_scale="0-1")))
    assert found == ["partial_recall_incomplete", "low_faithfulness_good_evidence"]
    assert (
        diagnose(record_of(GOOD, scores={"faithfulness": 0.3}), Scoring(score_scale="0-1")).failing is False
    )


def test_k_moves_a_case_between_cut_off_and_below_the_first(record_of: RecordOf) -> None:
    record = record_of(GOOD, retrieved_ids=["B", "C", "D", "A"], citations=["A"])
    below, within = diagnose(record, Scoring(k=3)), diagnose(record, Scoring(k=4))
    assert (below.suggestion.reason, within.suggestion.reason) == (
        "expected_below_cutoff",
        "expected_below_rank1",
    )
    assert below.first_rank == within.first_rank == 4


def test_collapsed_lists_rank_by_document(record_of: RecordOf) -> None:
    record = record_of(GOOD, retrieved_ids=["B", "B", "B", "A"], citations=["S4"])
    found = diagnose(record, Scoring(dedup_docs=True))
    assert (found.suggestion.reason, found.first_rank) == ("expected_below_rank1", 2)
    assert found.suggestion.evidence["expected"]["id"] == "A"


@pytest.mark.parametrize(
    ("change", "failing"),
    [
        ({}, False),
        ({"error": "boom"}, True),
        ({"passed": False}, True),
        ({"passed": True}, False),
        ({"passed": True, "citations": []}, True),
        ({"error": ""}, False),
        ({"expected_ids": []}, False),
        ({"expected_ids": [], "passed": False}, True),
        ({"retrieved_ids": None}, False),
        ({"retrieved_ids": None, "citations": []}, False),
    ],
)
def test_failing(change: dict[str, Any], failing: bool, record_of: RecordOf) -> None:
    assert diagnose(record_of(GOOD, **change), Scoring()).failing is failing


def test_the_confidence_that_makes_failing_is_a_setting(record_of: RecordOf) -> None:
    record = record_of(GOOD, retrieved_ids=["B", "A"], citations=["A"])
    assert diagnose(record, Scoring(failing_confidence=0.6)).failing
    sure = diagnose(record, Scoring(failing_confidence=0.7))
    assert not sure.failing
    assert sure.layers["ranking"] == "ok"


@pytest.mark.parametrize(
    ("change", "cells", "words"),
    [
        ({}, "....", ["ok", "rank 1 of 3", "ok", "ok"]),
        ({"retrieved_ids": ["B", "A"], "citations": ["A"]}, ".2..", ["ok", "rank 2 of 2", "ok", "ok"]),
        ({"retrieved_ids": ["B"], "citations": []},
         "1 .4", ["not retrieved", "none to rank", "ok", "no citation"]),
        ({"retrieved_ids": ["B", "C", "D", "A"], "citations": ["A"]}, ".2..",
         ["below the cut", "rank 4, cut 3", "ok", "ok"]),
        ({"answerable": False, "expected_ids": []},
         "  3.", ["none to find", "none to rank", "should refuse", "ok"]),
        ({"answerable": False, "expected_ids": [], "predicted_answerable": False, "citations": []}, "  . ",
         ["none to find", "none to rank", "ok, refused", "refused"]),
        ({"predicted_answerable": False, "citations": []},
         "..3 ", ["ok", "rank 1 of 3", "should answer", "refused"]),
        ({"answer": "", "citations": []}, "... ", ["ok", "rank 1 of 3", "ok", "no answer"]),
        ({"citations": None}, "... ", ["ok", "rank 1 of 3", "ok", "not recorded"]),
        ({"citations": ["S7", "S9"]}, "...4", ["ok", "rank 1 of 3", "ok", "2 ids unknown"]),
        ({"answerable": None}, ".. .", ["ok", "rank 1 of 3", "not recorded", "ok"]),
        ({"expected_ids": []}, "  ..", ["labels clash", "labels clash", "ok", "ok"]),
        ({"retrieved_ids": None, "citations": []},
         "  .4", ["not recorded", "not recorded", "ok", "no citation"]),
        ({"expected_ids": ["A", "X"]}, "....", ["1 of 2 found", "rank 1 of 3", "ok", "ok"]),
        # A rule that fired fails its layer even where the layer is out of scope.
        ({"answerable": None, "expected_ids": None, "predicted_answerable": False, "retrieved_ids": [],
          "citations": []}, "1   ", ["no documents", "not recorded", "not recorded", "refused"]),
        ({"predicted_answerable": None, "citations": ["S9"]}, ".. 4",
         ["ok", "rank 1 of 3", "not recorded", "1 id unknown"]),
        ({"scores": {"faithfulness": 1}}, "...4", ["ok", "rank 1 of 3", "ok", "faithful 1"]),
    ],
)  # fmt: skip
def test_layers_and_what_happened_there(
    change: dict[str, Any], cells: str, words: list[str], record_of: RecordOf
) -> None:
    record = record_of(GOOD, **change)
    found = diagnose(record, Scoring())
    drawn = "".join(
        " " if state is None else "." if state == "ok" else digit
        for digit, state in zip("1234", found.layers.values(), strict=True)
    )
    assert drawn == cells, reasons(found)
    assert list(layer_words(found, record, Scoring()).values()) == words


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"retrieved_ids": ["B", "A"], "citations": ["A"]},
         "A is expected and stands at rank 2; B stands above it."),
        ({"retrieved_ids": ["B", "C", "D", "E", "A"], "citations": ["A"]},
         "A is expected and stands at rank 5, below the cut at 3; B, C, D and 1 more stand above it."),
        ({"retrieved_ids": ["B", "C"], "citations": ["B"]},
         "A is expected, but was not retrieved; the answer had only B and C to rest on."),
        ({"retrieved_ids": ["B"], "citations": [], "predicted_answerable": False},
         "A is expected, but was not retrieved, so the system refused."),
        ({"answerable": False, "expected_ids": []},
         "The knowledge base can't answer this question, yet the system answered, citing S1."),
        ({"answerable": False, "expected_ids": [], "citations": []},
         "The knowledge base can't answer this question, yet the system answered, citing nothing."),
        ({"citations": []}, "The answer cites no document, though A was at hand at rank 1."),
        ({"citations": ["S9"]}, "The answer cites S9, which is not any of the 3 documents of this turn."),
        ({"citations": ["B"], "retrieved_ids": ["B", "A"]},
         "The answer cites B at rank 1, not A, which is expected and stands at rank 2."),
        ({"predicted_answerable": False, "citations": []},
         "A is expected and stands at rank 1, yet the system refused."),
        ({"scores": {"faithfulness": 1}},
         "A was at hand at rank 1, yet the judge finds the answer unfaithful (faithfulness 1)."),
        ({"scores": {"completeness": 2}, "expected_ids": ["A", "X", "Y"]},
         "X and Y are expected too, but not among the first 3; the judge gives completeness 2."),
        ({"retrieved_ids": None},
         "The case can't be judged: the list of retrieved documents is not recorded."),
        ({"predicted_answerable": None},
         "The case can't be judged: whether it was answered is not recorded."),
        ({"answerable": None, "expected_ids": None, "predicted_answerable": None},
         "The case can't be judged: whether it is answerable and whether it was answered are not recorded."),
        ({"passed": False, "failure_reason": "too slow"}, "The runner calls this case failed: too slow"),
        ({"passed": False}, "The runner calls this case failed, without a reason."),
        ({"error": "HTTP 500"}, "The system failed on this case: HTTP 500"),
        ({}, "No rule finds fault with this case."),
    ],
)  # fmt: skip
def test_the_sentence_names_ids_and_ranks(change: dict[str, Any], sentence: str, record_of: RecordOf) -> None:
    record = record_of(GOOD, **change)
    assert explain(diagnose(record, Scoring()).suggestion, record) == sentence


def test_what_each_rule_shows(record_of: RecordOf) -> None:
    record = record_of(
        GOOD,
        retrieved_ids=["B", "A"],
        evidence=[{"id": "A", "text": "alpha"}, {"id": "B", "text": "beta"}],
        citations=["S1"],
    )
    shown = diagnose(record, Scoring()).suggestion.evidence
    assert shown["rank1"] == {"id": "B", "rank": 1, "text": "beta"}
    assert shown["cited"] == [{"id": "B", "rank": 1, "text": "beta"}]
    assert shown["expected"] == {"id": "A", "rank": 2, "text": "alpha"}


values = {
    "answerable": st.sampled_from([True, False, None]),
    "expected_ids": st.sampled_from([None, [], ["A"], ["A", "B"], ["[/x]\x1b", "A", "A"]]),
    "retrieved_ids": st.sampled_from([None, [], ["A"], ["B", "A"], ["C", "C", "D", "E", "A", "B"]]),
    "predicted_answerable": st.sampled_from([True, False, None]),
    "answer": st.sampled_from([None, "", " ", "So it is.[S1]"]),
    "citations": st.sampled_from([None, [], ["S1"], ["A", "S9"], ["\u202e[/b]"]]),
    "passed": st.sampled_from([True, False, None]),
    "error": st.sampled_from([None, "", "boom"]),
    "scores": st.sampled_from(
        [None, {}, {"faithfulness": 1.0}, {"answer_correctness": 0.1, "completeness": 3.0}]
    ),
}


@given(st.fixed_dictionaries(values), st.integers(1, 6), st.booleans(), st.sampled_from(["1-5", "0-1"]))
def test_any_record_gets_one_suggestion_that_can_be_said_and_stored(
    fields: dict[str, Any], k: int, dedup: bool, scale: Any
) -> None:
    names = fields.pop("retrieved_ids")
    record = Record(
        id="c", query="q", retrieved=None if names is None else [{"id": name} for name in names], **fields
    )
    scoring = Scoring(k=k, dedup_docs=dedup, score_scale=scale, kb_ids=frozenset({"B"}))
    measures, found = examine(record, scoring)
    facts = Facts(record, scoring, summarise(check(record)))
    assert (measures, found) == (measure_facts(facts), diagnose(record, scoring))
    said = [found.suggestion, *found.secondary]
    assert len({each.reason for each in said}) == len(said)
    for each in said:
        info = REASONS[each.reason]
        assert (each.failure_class, each.confidence) == (info.failure_class, info.confidence)
        assert explain(each, record)
        assert json.loads(json.dumps(each.evidence)) == each.evidence
    named = {each.failure_class for each in said} - {None}
    assert {layer for layer, state in found.layers.items() if state == "fails"} == named
    assert found.failing or not found.suggestion.failure_class
    assert not found.failing or found.suggestion.failure_class or record.passed is False or record.error
    for layer, word in layer_words(found, record, scoring).items():
        assert 0 < len(word) <= (15 if layer == "citation-semantic" else 13) and word.isascii(), word


EXAMINERS: dict[Scoring, Examiner] = {}


@settings(max_examples=1500, deadline=None)
@given(
    st.fixed_dictionaries(
        {**values, "inferred": st.sampled_from([[], ["predicted_answerable"], ["citations", "topic"]])}
    ),
    st.integers(1, 2),
    st.booleans(),
    st.sampled_from(["1-5", "0-1"]),
    st.sampled_from([None, frozenset({"B"})]),
)
def test_a_case_among_many_is_measured_as_it_is_alone(
    fields: dict[str, Any], k: int, dedup: bool, scale: Any, kb_ids: frozenset[str] | None
) -> None:
    names = fields.pop("retrieved_ids")
    record = Record(
        id="c", query="q", retrieved=None if names is None else [{"id": name} for name in names], **fields
    )
    scoring = Scoring(k=k, dedup_docs=dedup, score_scale=scale, kb_ids=kb_ids)
    # The same examiner over all the records that this test makes.
    examiner = EXAMINERS.setdefault(scoring, Examiner(scoring))
    assert examiner.examine(record, summarise(check(record))) == examine(record, scoring)


def test_a_finding_without_its_evidence_still_says_something(record_of: RecordOf) -> None:
    from triage.models.measure import Finding

    for reason, info in REASONS.items():
        text = explain(Finding(info.failure_class, reason, info.confidence), record_of())
        assert text.endswith(".")
        assert len(text) > 10
    assert explain(Finding(None, "from_a_newer_program", 1.0), record_of())
