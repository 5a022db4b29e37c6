"""Measures against the right values of the reference libraries and the pinned fixtures."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from triage.metrics.interval import wilson
from triage.metrics.registry import add_up, combine_all, measure
from triage.models.measure import MetricValue, Scoring
from triage.models.record import Record

Shared = Callable[[str], Path]
RecordOf = Callable[..., Record]


def load(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def totals(records: list[Record], scoring: Scoring) -> dict[str, MetricValue]:
    return combine_all(add_up([measure(record, scoring) for record in records], scoring))


@pytest.mark.parametrize("name", ["ranking_random", "ranking_hand"])
def test_ranked_lists_have_the_reference_values(name: str, shared: Shared, record_of: RecordOf) -> None:
    vectors = load(shared(f"vectors/{name}.json"))
    seen = 0
    for case in vectors["cases"]:
        if case.get("in_scope") is False:
            continue
        flat = {key: case[key] for key in ("id", "answerable", "retrieved_ids", "expected_ids")}
        record = record_of(flat)
        by_k = {k: measure(record, Scoring(k=k)) for k in vectors["ks"]}
        for label, right in case["expected_values"].items():
            if label == "first_rank":
                continue
            key, _, k = label.partition("@")
            key = {"rr": "mrr", "mrr": "mrr_at_k"}.get(key, key)
            got = by_k[int(k) if k else vectors["ks"][0]][key].value
            assert got == pytest.approx(right, abs=vectors["tolerance"]), (case["id"], label)
            seen += 1
    assert seen > 300


def test_lists_out_of_scope_have_no_value_and_only_unrecorded_ones_are_missing(
    shared: Shared, record_of: RecordOf
) -> None:
    outside = [case for case in load(shared("vectors/ranking_hand.json"))["cases"] if not case["in_scope"]]
    for case in outside:
        flat = {key: case[key] for key in ("id", "answerable", "retrieved_ids", "expected_ids")}
        hit = measure(record_of(flat), Scoring()).get("hit")
        assert hit is None or hit.value is None, case["id"]
        assert (hit is not None and hit.missing) == (
            case["why_not"] in ("retrieved_missing", "expected_missing")
        ), case["note"]


@pytest.mark.parametrize("name", ["fixture_ten_cases", "fixture_false_refusal", "fixture_phantom_citation"])
def test_fixture_figures(name: str, shared: Shared, record_of: RecordOf) -> None:
    fixture = load(shared(f"vectors/{name}.json"))
    k = fixture["k"]
    values = totals([record_of(case) for case in fixture["cases"]], Scoring(k=k))
    for label, right in fixture["expected"].items():
        key = {"recall_any": "hit"}.get(label.partition("@")[0], label.partition("@")[0])
        got = values[key]
        assert got.value == pytest.approx(right["value"], abs=fixture["tolerance"]), label
        assert (got.numerator, got.denominator) == (pytest.approx(right["num"]), right["den"]), label
        assert got.missing == right["missing"], label


def test_the_published_figures_come_out_as_printed(shared: Shared, record_of: RecordOf) -> None:
    fixture = load(shared("vectors/fixture_ten_cases.json"))
    values = totals([record_of(case) for case in fixture["cases"]], Scoring())
    keys = {
        "Recall3": "hit", "MRR": "mrr", "RefusalAccuracy": "refusal_accuracy",
        "CitationCoverage": "citation_coverage", "CitationIdValidity": "citation_id_validity",
    }  # fmt: skip
    printed = {name: f"{values[key].value:.4f}" for name, key in keys.items()}
    assert printed == fixture["seed_published"]
    assert values["hit"].interval == pytest.approx((0.5291118177871466, 0.9775825085499434), abs=1e-8)
    assert (values["over_refusal"].value, values["under_refusal"].value) == (0, 0.5)
    assert values["balanced_refusal_accuracy"].value == pytest.approx(0.75)
    assert (values["hit"].worst, values["mrr"].worst, values["refusal_accuracy"].worst) == (1, 2, 1)


def test_worked_examples_of_the_layered_article(shared: Shared, record_of: RecordOf) -> None:
    examples = load(shared("vectors/seed3_examples.json"))
    five = totals([record_of(case) for case in examples["hit_mrr"]["cases"]], Scoring())
    assert five["hit"].value == pytest.approx(examples["hit_mrr"]["expected"]["hit_rate@3"])
    assert five["mrr"].value == pytest.approx(examples["hit_mrr"]["expected"]["mrr"])

    one = examples["recall_precision"]
    measures = measure(record_of(one, answerable=True), Scoring(k=one["k"]))
    assert measures["recall"].value == pytest.approx(one["expected"]["recall@5"])
    assert measures["precision"].value == pytest.approx(one["expected"]["precision@5"])

    report = examples["faithfulness_report"]
    judged = totals([record_of(scores={"faithfulness": score}) for score in report["scores_1_5"]], Scoring())
    assert judged["faithfulness"].value == pytest.approx(report["expected"]["mean"])
    assert judged["hallucination_rate"].value == pytest.approx(report["expected"]["hallucination_rate"])
    assert (judged["hallucination_rate"].numerator, judged["hallucination_rate"].denominator) == (1, 6)


def test_wilson_interval_agrees_with_statsmodels(shared: Shared) -> None:
    vectors = load(shared("vectors/stats_proportion.json"))
    for case in vectors["cases"]:
        got = wilson(case["x"], case["n"], case["alpha"])
        assert got == pytest.approx(tuple(case["wilson"]), abs=vectors["tolerance"]), case


# Metric correctness in bugs.md, class H; scores at the top level are read into `scores` before measuring.
def bug(shared: Shared, record_of: RecordOf, name: str) -> list[Record]:
    lines = shared(f"bugfiles/{name}").read_text("utf-8").splitlines()
    return [record_of(json.loads(line)) for line in lines]


def test_a_document_retrieved_twice_is_credited_once(shared: Shared, record_of: RecordOf) -> None:
    measures = measure(bug(shared, record_of, "085_dup_retrieved.jsonl")[0], Scoring(k=3))
    got = {key: measures[key].value for key in ("recall", "mrr", "ndcg", "precision_trec", "precision")}
    assert got == pytest.approx({"recall": 1, "mrr": 1, "ndcg": 1, "precision_trec": 1 / 3, "precision": 0.5})
    assert all((item.value or 0) <= 1 for item in measures.values())


def test_nothing_retrieved_is_a_miss_in_the_mean(shared: Shared, record_of: RecordOf) -> None:
    recall = totals(bug(shared, record_of, "087_empty_retrieved.jsonl"), Scoring())["recall"]
    assert (recall.value, recall.denominator, recall.missing) == (0.5, 2, 0)


def test_an_unanswerable_question_is_no_recall(shared: Shared, record_of: RecordOf) -> None:
    records = bug(shared, record_of, "088_unanswerable.jsonl")
    recall = totals(records, Scoring())["recall"]
    assert (recall.value, recall.denominator, recall.missing) == (1, 1, 0)
    assert "recall" not in measure(records[0], Scoring())


@pytest.mark.parametrize("k", [5, 1000])
def test_k_beyond_the_list(k: int, shared: Shared, record_of: RecordOf) -> None:
    measures = measure(bug(shared, record_of, "090_k_beyond.jsonl")[0], Scoring(k=k))
    assert measures["recall"].value == 0.5
    assert measures["precision"].value == 0.5
    assert measures["precision_trec"].value == pytest.approx(1 / k)


def test_k_step_by_step(shared: Shared, record_of: RecordOf) -> None:
    record = bug(shared, record_of, "097_k_steps.jsonl")[0]
    assert [measure(record, Scoring(k=k))["recall"].value for k in (1, 2, 3)] == [0, 0, 1]
    assert measure(record, Scoring(k=2))["mrr_at_k"].value == 0
    assert measure(record, Scoring(k=3))["mrr_at_k"].value == pytest.approx(1 / 3)


def test_a_score_that_is_no_number_is_missing_not_zero(record_of: RecordOf) -> None:
    answered = {"predicted_answerable": True, "answer": "Seven days."}
    scores: list[dict[str, float] | None] = [{"faithfulness": 1.0}, {"faithfulness": float("nan")}, None]
    values = totals([record_of(answered, scores=each) for each in scores], Scoring(score_scale="0-1"))
    assert (values["faithfulness"].value, values["faithfulness"].denominator) == (1.0, 1)
    assert values["faithfulness"].missing == 2


# Single-run figures of the real runs (realdata/README.md).
def run(path: Path, record_of: RecordOf, **moves: str) -> list[Record]:
    records = []
    for line in path.read_text("utf-8").splitlines():
        flat = json.loads(line)
        for name, place in moves.items():
            outer, inner = place.split(".")
            found = (flat.get(outer) or {}).get(inner)
            flat[name] = {"faithfulness": found} if name == "scores" and found is not None else found
        for name in (
            "expected_route",
            "labels",
            "meta",
            "tools",
            "expected_tools",
            "plan",
            "expected_plan",
            "source",
        ):
            flat.pop(name, None)
        records.append(record_of(flat))
    return records


@pytest.mark.parametrize("name", ["bm25-lastturn", "elser-rewrite"])
@pytest.mark.parametrize("k", [1, 3, 5, 10])
def test_real_retrieval(name: str, k: int, shared: Shared, record_of: RecordOf) -> None:
    folder = shared("realdata/mtrag_retrieval")
    right = load(folder / "expected_values.json")["runs"][name]["retrieval"]
    values = totals(run(folder / f"{name}.jsonl", record_of), Scoring(k=k))
    for key in ("hit", "recall", "ndcg"):
        assert values[key].value == pytest.approx(right[f"{key}@{k}"], abs=1e-6)
        assert values[key].denominator == right["n"]


@pytest.mark.parametrize("name", ["zh.Mixtral-8x7B-Instruct-v0.1", "zh.gpt-4-azure"])
def test_real_refusals(name: str, shared: Shared, record_of: RecordOf) -> None:
    folder = shared("realdata/nomiracl_zh")
    right = load(folder / "expected_values.json")["runs"][name]["refusal"]
    values = totals(run(folder / f"{name}.jsonl", record_of), Scoring())
    assert values["refusal_accuracy"].value == pytest.approx(right["accuracy"], abs=1e-6)
    assert values["refusal_accuracy"].denominator == right["n"]
    assert values["refusal_accuracy"].missing == 500 - right["n"]
    assert values["over_refusal"].numerator == right["answerable_refused"]
    assert values["under_refusal"].numerator == right["unanswerable_answered"]
    assert values["under_refusal"].denominator == (
        right["unanswerable_answered"] + right["unanswerable_refused"]
    )


@pytest.mark.parametrize("name", ["gemini-3-pro", "qwen2.5-32b"])
def test_a_correct_refusal_judged_zero_is_no_hallucination(
    name: str, shared: Shared, record_of: RecordOf
) -> None:
    folder = shared("realdata/mtragun_judged")
    right = load(folder / "expected_values.json")["runs"][name]
    records = run(folder / f"{name}.jsonl", record_of, scores="scores.RL_F")
    values = totals(records, Scoring(score_scale="0-1"))
    assert values["refusal_accuracy"].value == pytest.approx(right["refusal"]["accuracy"], abs=1e-6)
    assert values["faithfulness"].value == pytest.approx(right["scores"]["RL_F"]["mean"], abs=1e-6)
    assert values["faithfulness"].denominator == right["scores"]["RL_F"]["n"]
    judged = [record for record in records if record.predicted_answerable is not False and record.scores]
    low = [record for record in judged if (record.scores or {})["faithfulness"] <= 0.25]
    assert values["hallucination_rate"].numerator == len(low)
    assert values["hallucination_rate"].denominator == len(judged)
    assert values["hallucination_rate"].denominator < values["faithfulness"].denominator
    assert values["hit"].missing == 0


def test_real_passes_of_the_runner(shared: Shared, record_of: RecordOf) -> None:
    folder = shared("realdata/tau_airline")
    passes = []
    for trial in range(4):
        records = run(folder / f"gpt-4o-trial{trial}.jsonl", record_of, passed="labels.pass")
        values = totals(records, Scoring())
        passes.append(values["runner_pass_rate"].numerator)
        assert values["runner_pass_rate"].denominator == 50
        assert values["refusal_accuracy"].value is None
    assert passes == [21, 22, 20, 21]
