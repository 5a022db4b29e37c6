"""Who is in a metric's scope, who is missing from it, and what a case's value is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.metrics.catalogue.retrieval import KEYS, ranked
from triage.metrics.registry import BY_KEY, METRICS, add_up, combine, combine_all, measure
from triage.models.measure import Aggregate, Measure, Scoring
from triage.models.record import Document, Record

RecordOf = Callable[..., Record]
OUT, MISSING = "out", "missing"


def state(measures: dict[str, Measure], key: str) -> float | str:
    """A value, "missing" or "out"."""
    item = measures.get(key)
    if item is None:
        return OUT
    return MISSING if item.value is None else item.value


def states(record: Record, *keys: str, scoring: Scoring | None = None) -> tuple[float | str, ...]:
    measures = measure(record, scoring or Scoring())
    return tuple(state(measures, key) for key in keys)


@pytest.mark.parametrize(
    ("fields", "right"),
    [
        ({"answerable": True, "expected_ids": ["A"], "retrieved_ids": ["A"]}, 1),
        ({"answerable": True, "expected_ids": ["A"], "retrieved_ids": []}, 0),
        ({"answerable": True, "expected_ids": ["A"], "retrieved_ids": None}, MISSING),
        ({"answerable": True, "expected_ids": None, "retrieved_ids": ["A"]}, MISSING),
        ({"answerable": None, "expected_ids": ["A"], "retrieved_ids": ["A"]}, 1),
        ({"answerable": None, "expected_ids": ["A"], "retrieved_ids": None}, MISSING),
        ({"answerable": None, "expected_ids": None, "retrieved_ids": ["A"]}, MISSING),
        ({"answerable": None, "expected_ids": [], "retrieved_ids": ["A"]}, OUT),
        ({"answerable": True, "expected_ids": [], "retrieved_ids": ["A"]}, OUT),
        ({"answerable": True, "expected_ids": [], "retrieved_ids": None}, OUT),
        ({"answerable": False, "expected_ids": ["A"], "retrieved_ids": ["A"]}, OUT),
        ({"answerable": False, "expected_ids": None, "retrieved_ids": None}, OUT),
    ],
)
def test_retrieval_scope(fields: dict[str, Any], right: float | str, record_of: RecordOf) -> None:
    measures = measure(record_of(fields), Scoring())
    assert state(measures, "hit") == right
    assert all((state(measures, key) in (OUT, MISSING)) == (right in (OUT, MISSING)) for key in KEYS)


def test_a_refused_answer_stays_in_retrieval(record_of: RecordOf) -> None:
    refused = record_of(
        answerable=True, expected_ids=["A"], retrieved_ids=["A"], predicted_answerable=False, answer=""
    )
    assert states(refused, "hit") == (1,)


def test_repeats_keep_their_places_unless_they_are_collapsed(record_of: RecordOf) -> None:
    record = record_of(answerable=True, expected_ids=["A", "A"], retrieved_ids=["B", "B", "B", "A"])
    assert states(record, "hit", "mrr", "recall") == (0, 0.25, 0)
    collapsed = Scoring(dedup_docs=True)
    assert states(record, "hit", "mrr", "recall", "precision", scoring=collapsed) == (1, 0.5, 1, 0.5)


@pytest.mark.parametrize(
    ("answerable", "predicted", "right"),
    [
        (True, True, (1, 0, OUT, 0)),
        (True, False, (0, 1, OUT, 1)),
        (False, False, (1, OUT, 0, 1)),
        (False, True, (0, OUT, 1, 0)),
        (None, True, (MISSING, MISSING, MISSING, 0)),
        (None, False, (MISSING, MISSING, MISSING, 1)),
        (True, None, (MISSING, MISSING, OUT, MISSING)),
        (False, None, (MISSING, OUT, MISSING, MISSING)),
        (None, None, (MISSING, MISSING, MISSING, MISSING)),
    ],
)
def test_refusal_two_by_two(
    answerable: bool | None, predicted: bool | None, right: tuple[Any, ...], record_of: RecordOf
) -> None:
    # Expected ids never stand in for the label here.
    record = record_of(answerable=answerable, predicted_answerable=predicted, expected_ids=["A"])
    assert states(record, "refusal_accuracy", "over_refusal", "under_refusal", "fallback_rate") == right


def test_a_label_conflict_still_counts_for_refusal(record_of: RecordOf) -> None:
    record = record_of(answerable=True, expected_ids=[], predicted_answerable=True)
    assert states(record, "refusal_accuracy", "recall") == (1, OUT)


def test_balanced_accuracy_needs_both_classes(record_of: RecordOf) -> None:
    def balanced(*pairs: tuple[bool, bool]) -> float | None:
        cases = [measure(record_of(answerable=a, predicted_answerable=p), Scoring()) for a, p in pairs]
        return combine_all(add_up(cases, Scoring()))["balanced_refusal_accuracy"].value

    assert balanced((True, True), (True, False), (False, False), (False, False)) == 0.75
    assert balanced((True, True), (True, True)) is None


@pytest.mark.parametrize(
    ("fields", "right"),
    [
        # coverage, labelled, answered, id validity, per id
        ({"answerable": True, "predicted_answerable": True, "citations": ["A"]}, (1, 1, 1, 1, 1)),
        ({"answerable": True, "predicted_answerable": True, "citations": []}, (0, 0, 0, OUT, OUT)),
        (
            {"answerable": True, "predicted_answerable": True, "citations": None},
            (MISSING, MISSING, MISSING, MISSING, MISSING),
        ),
        ({"answerable": True, "predicted_answerable": False, "citations": []}, (OUT, 0, OUT, OUT, OUT)),
        ({"answerable": True, "predicted_answerable": False, "citations": None}, (OUT, 0, OUT, OUT, OUT)),
        ({"answerable": False, "predicted_answerable": True, "citations": ["S9"]}, (OUT, OUT, 1, 0, 0)),
        ({"answerable": False, "predicted_answerable": False, "citations": []}, (OUT, OUT, OUT, OUT, OUT)),
        ({"answerable": None, "predicted_answerable": True, "citations": ["A"]}, (MISSING, MISSING, 1, 1, 1)),
        (
            {"answerable": True, "predicted_answerable": None, "citations": ["A", "X"]},
            (MISSING, MISSING, MISSING, 0, 0.5),
        ),
        ({"answerable": True, "predicted_answerable": False, "citations": ["X"]}, (OUT, 0, OUT, 0, 0)),
    ],
)
def test_citation_scopes(fields: dict[str, Any], right: tuple[Any, ...], record_of: RecordOf) -> None:
    keys = (
        "citation_coverage", "citation_coverage_labelled", "citation_coverage_answered",
        "citation_id_validity", "citation_id_validity_micro",
    )  # fmt: skip
    assert states(record_of(fields, retrieved_ids=["A", "B"]), *keys) == right


def test_ids_cannot_be_checked_where_no_documents_are_recorded(record_of: RecordOf) -> None:
    assert states(record_of(citations=["S1"]), "citation_id_validity") == (MISSING,)
    assert states(record_of(citations=["S1"], retrieved_ids=[]), "citation_id_validity") == (0,)
    assert states(record_of(citations=["S1"], evidence=[{"id": "E"}]), "citation_id_validity") == (1,)


def test_a_repeated_citation_counts_once_per_case(record_of: RecordOf) -> None:
    record = record_of(citations=["S1", "S1", "S7"], retrieved_ids=["A"])
    micro = measure(record, Scoring())["citation_id_validity_micro"]
    assert (micro.numerator, micro.denominator, micro.value) == (1, 2, 0.5)


@pytest.mark.parametrize(
    ("scale", "score", "low", "correct"),
    [
        ("1-5", 2, 1, 0),
        ("1-5", 2.01, 0, 0),
        ("1-5", 3.99, 0, 0),
        ("1-5", 4, 0, 1),
        ("0-1", 0.25, 1, 0),
        ("0-1", 0.26, 0, 0),
        ("0-1", 0.74, 0, 0),
        ("0-1", 0.75, 0, 1),
        ("0-1", 1, 0, 1),
    ],
)
def test_thresholds_follow_the_declared_scale(
    scale: Any, score: float, low: int, correct: int, record_of: RecordOf
) -> None:
    record = record_of(scores={"faithfulness": score, "answer_correctness": score}, predicted_answerable=True)
    scoring = Scoring(score_scale=scale)
    keys = ("hallucination_rate", "answer_correctness", "faithfulness")
    assert states(record, *keys, scoring=scoring) == (low, correct, score)
    assert BY_KEY["faithfulness"].worse(score, scoring) == bool(low)


@pytest.mark.parametrize(
    ("predicted", "scores", "right"),
    [
        (True, {"faithfulness": 1}, (1, 1, MISSING)),
        (None, {"faithfulness": 1}, (1, 1, MISSING)),
        (False, {"faithfulness": 1}, (1, OUT, OUT)),
        (False, None, (OUT, OUT, OUT)),
        (True, None, (MISSING, MISSING, MISSING)),
        (True, {}, (MISSING, MISSING, MISSING)),
        (True, {"faithfulness": float("inf")}, (MISSING, MISSING, MISSING)),
    ],
)
def test_judged_scopes(
    predicted: bool | None, scores: Any, right: tuple[Any, ...], record_of: RecordOf
) -> None:
    record = record_of(predicted_answerable=predicted, scores=scores)
    assert states(record, "faithfulness", "hallucination_rate", "answer_relevancy") == right


def test_every_judge_dimension_is_a_mean_of_its_scores(record_of: RecordOf) -> None:
    names = ("answer_relevancy", "factual_correctness", "completeness", "groundedness", "clarity")
    record = record_of(scores=dict.fromkeys(names, 4.5))
    assert states(record, *names) == (4.5,) * 5


def test_the_runners_word(record_of: RecordOf) -> None:
    found = [states(record_of(passed=passed), "runner_pass_rate")[0] for passed in (True, False, None)]
    assert found == [1, 0, MISSING]


def test_filled_in_fields_are_counted_where_they_are_used(record_of: RecordOf) -> None:
    record = record_of(
        answerable=True, predicted_answerable=True, citations=["A"], expected_ids=["A"], retrieved_ids=["A"],
        scores={"faithfulness": 5, "clarity": 5}, inferred=["predicted_answerable"],
    )  # fmt: skip
    used = {key for key, item in measure(record, Scoring()).items() if item.inferred}
    assert used == {
        "refusal_accuracy", "over_refusal", "fallback_rate", "hallucination_rate",
        "citation_coverage", "citation_coverage_labelled", "citation_coverage_answered",
    }  # fmt: skip
    cited = measure(record.model_copy(update={"inferred": ["citations", "topic"]}), Scoring())
    assert cited["citation_id_validity"].inferred
    assert cited["citation_id_validity_micro"].inferred
    assert cited["citation_coverage"].inferred
    assert not cited["refusal_accuracy"].inferred


# The registry.
CLI_KEYS = """hit mrr recall precision precision_trec all_hit ndcg mrr_at_k ap f1
refusal_accuracy over_refusal under_refusal balanced_refusal_accuracy fallback_rate
citation_coverage citation_coverage_labelled citation_coverage_answered citation_id_validity
citation_id_validity_micro sentence_citation_coverage citation_support
faithfulness hallucination_rate answer_relevancy answer_correctness
factual_correctness completeness groundedness clarity golden_coverage satisfaction runner_pass_rate
routing_accuracy plan_efficiency tool_success trajectory conflict_resolution slot_accuracy conversation_pass
pass_at_k pass_hat_k final_pass""".split()


BESIDE = """golden_pass exclusion_violations repeat_question_rate no_follow_up_rate transfer_rate
wasted_retrievals trajectory_exact conflict_resolved_right attempt_pass_rate""".split()
"""Those beside the contract's, each read together with one of them."""


def test_the_registry_holds_every_key_of_the_contract_once() -> None:
    assert sorted(metric.key for metric in METRICS) == sorted(CLI_KEYS + BESIDE)
    assert set(combine_all({})) == set(CLI_KEYS + BESIDE)


def test_each_panel_leads_with_the_metrics_of_the_design() -> None:
    leads = {
        panel: [metric.named(3) for metric in METRICS if metric.panel == panel][:3]
        for panel in ("retrieval", "refusal", "citation", "generation")
    }
    assert leads == {
        "retrieval": ["Hit@3", "MRR", "recall@3"],
        "refusal": ["accuracy", "over", "under"],
        "citation": ["coverage", "ids ok", "supports"],
        "generation": ["faithful", "halluc.", "correct"],
    }


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.key)
def test_a_metric_can_be_shown(metric: Any) -> None:
    for k in (1, 3, 10, 1000):
        assert 0 < len(metric.named(k)) <= 8
        assert "{" not in metric.titled(k) + metric.named(k)
    assert metric.tells
    assert metric.does_not_tell
    assert metric.digit in "12345"
    assert (metric.title + metric.tells + metric.does_not_tell).isascii()


def test_no_cases_is_no_value() -> None:
    got = combine("hit", Aggregate(missing=4))
    assert (got.value, got.denominator, got.missing, got.interval) == (None, 0, 4, None)


@pytest.mark.parametrize(
    ("key", "bad", "fine"),
    [("hit", 0, 1), ("over_refusal", 1, 0), ("hallucination_rate", 1, 0), ("mrr", 0.5, 1), ("ndcg", 0.99, 1),
     ("citation_id_validity_micro", 0.5, 1), ("answer_correctness", 0, 1), ("clarity", 2, 2.5),
     ("fallback_rate", 1, 0), ("runner_pass_rate", 0, 1)],
)  # fmt: skip
def test_what_makes_a_metric_worse(key: str, bad: float, fine: float) -> None:
    assert BY_KEY[key].worse(bad, Scoring())
    assert not BY_KEY[key].worse(fine, Scoring())


# Properties.
ids = st.lists(st.sampled_from("ABCDEFGH"), max_size=8)


@given(ids, st.lists(st.sampled_from("ABCDEFGH"), min_size=1, max_size=4), st.integers(1, 12))
def test_ranked_values_lie_within_bounds_and_order(retrieved: list[str], expected: list[str], k: int) -> None:
    record = Record(
        id="c", answerable=True, expected_ids=expected, retrieved=[Document(id=name) for name in retrieved]
    )
    got = {key: item.value or 0.0 for key, item in measure(record, Scoring(k=k)).items() if key in KEYS}
    assert all(0 <= value <= 1 + 1e-12 for value in got.values())
    assert got["all_hit"] <= got["recall"] <= got["hit"]
    assert got["precision_trec"] <= got["precision"] + 1e-12
    assert got["mrr_at_k"] <= got["mrr"]
    assert (got["hit"] == 0) == (got["f1"] == 0)
    wider = measure(record, Scoring(k=k + 1))
    assert (wider["recall"].value or 0) >= got["recall"]
    assert (wider["hit"].value or 0) >= got["hit"]


@given(st.integers(1, 6), st.integers(1, 10))
def test_a_perfect_list_scores_one(wanted: int, k: int) -> None:
    got = ranked(tuple(range(1, wanted + 1)), wanted, min(wanted, k), k)
    assert {got[key].value for key in ("hit", "mrr", "precision", "ndcg", "ap")} == {1.0}


@given(st.lists(st.sampled_from([True, False, None]), max_size=12), st.integers(0, 12))
def test_sums_of_parts_are_the_sum_of_the_whole(passes: list[bool | None], cut: int) -> None:
    cases = [measure(Record(id="c", passed=passed), Scoring()) for passed in passes]
    whole = combine_all(add_up(cases, Scoring()))["runner_pass_rate"]
    parts = [combine_all(add_up(half, Scoring()))["runner_pass_rate"] for half in (cases[:cut], cases[cut:])]
    assert whole.numerator == sum(part.numerator or 0 for part in parts)
    assert whole.missing == sum(part.missing for part in parts)
    assert (whole.denominator or 0) + whole.missing == len(passes)
    if whole.value is not None and whole.interval is not None:
        assert whole.interval[0] <= whole.value <= whole.interval[1]
