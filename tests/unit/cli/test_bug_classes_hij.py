"""What went wrong in other tools with metrics, citations and refusals (bugs.md H, I, J), by the program."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Shared = Callable[[str], Path]


@pytest.fixture
def report(triage: Any, shared: Shared) -> Callable[..., dict[str, Any]]:
    """`metrics` of a bug's file, with more words for `report`."""

    def call(name: str, *words: str) -> dict[str, Any]:
        done = triage("report", str(shared(f"bugfiles/{name}.jsonl")), *words, "--format", "json")
        assert done.code == 0, done.err
        metrics: dict[str, Any] = done.json["metrics"]
        return metrics

    return call


@pytest.fixture
def cases(triage: Any, shared: Shared) -> Callable[..., dict[str, Any]]:
    """Cases of a bug's file by id, with more words for `cases`."""

    def call(name: str, *words: str) -> dict[str, Any]:
        done = triage("cases", str(shared(f"bugfiles/{name}.jsonl")), *words, "--format", "json")
        assert done.code == 0, done.err
        return {case["id"]: case for case in done.json["cases"]}

    return call


def values(metrics: dict[str, Any], *keys: str) -> list[float | None]:
    return [metrics[key]["value"] for key in keys]


def test_085_a_document_twice_in_the_list_is_credited_once(report: Any) -> None:
    metrics = report("085_dup_retrieved")
    assert values(metrics, "recall", "mrr", "ndcg") == [1.0, 1.0, 1.0]
    assert values(metrics, "precision_trec", "precision") == pytest.approx([1 / 3, 1 / 2])
    assert all((metric["value"] or 0) <= 1 for metric in metrics.values())
    # A repeat keeps its rank, unless the reader asks for distinct documents.
    assert report("085_dup_retrieved", "--dedup-docs")["precision_trec"]["value"] == pytest.approx(1 / 3)


def test_087_nothing_retrieved_is_a_miss_and_stays_in_the_mean(report: Any, cases: Any) -> None:
    recall = report("087_empty_retrieved")["recall"]
    assert (recall["value"], recall["denominator"], recall["missing"]) == (0.5, 2, 0)
    assert cases("087_empty_retrieved")["e2"]["measures"]["recall"] == 0


def test_088_unanswerable_questions_have_no_recall(report: Any, cases: Any, triage: Any) -> None:
    recall = report("088_unanswerable")["recall"]
    assert (recall["value"], recall["numerator"], recall["denominator"], recall["missing"]) == (1.0, 1, 1, 0)
    assert cases("088_unanswerable")["u1"]["measures"]["recall"] is None
    assert "(1/1, missing 0)" in triage("report", "088_unanswerable").out


def test_090_k_beyond_the_list(report: Any) -> None:
    for k in ("5", "1000"):
        metrics = report("090_k_beyond", "--k", k)
        assert values(metrics, "recall", "precision") == [0.5, 0.5]
        assert metrics["precision_trec"]["value"] == pytest.approx(1 / int(k))


def test_093_scores_that_are_no_number_are_missing_and_told(report: Any, cases: Any, triage: Any) -> None:
    faithfulness = report("093_nan_scores")["faithfulness"]
    assert (faithfulness["value"], faithfulness["denominator"], faithfulness["missing"]) == (1.0, 1, 2)
    assert "(1/1, missing 2)" in triage("report", "093_nan_scores").out
    assert set(cases("093_nan_scores", "--filter", "missing:faithfulness")) == {"f1", "f2"}


def test_097_each_k_counts_what_stands_within_it(report: Any, cases: Any, triage: Any, shared: Any) -> None:
    at = {k: report("097_k_steps", "--k", k) for k in ("1", "2", "3")}
    assert [values(at[k], "recall", "hit", "mrr_at_k") for k in at] == [
        [0, 0, 0], [0, 0, 0], [1, 1, pytest.approx(1 / 3)]
    ]  # fmt: skip
    for wrong in ("0", "-1", "abc", "2.5"):
        refused = triage("report", "097_k_steps", "--k", wrong)
        assert refused.code == 2 and "k" in refused.err and not refused.out


def test_098_every_form_of_bracket_cites(triage: Any, shared: Shared) -> None:
    triage("ingest", str(shared("bugfiles/098_styles_basic.jsonl")))
    for name in ("c1", "c2", "c3", "c4", "c5", "c6"):
        case = triage("case", name, "--format", "json").json
        assert [(cited["id"], cited["valid"]) for cited in case["citations"]] == [("S1", True), ("S2", True)]
        assert not case["failing"]
        assert [sentence["citations"] for sentence in case["sentences"]] == [["S1", "S2"]]


def test_101_a_citation_of_what_was_not_retrieved_is_flagged(cases: Any) -> None:
    found = cases("101_out_of_range")
    # o2 has lost its expected document as well, which comes first; the citation is told beside it.
    said = {
        name: {finding["reason"] for finding in (case["suggestion"], *case["secondary"])}
        for name, case in found.items()
    }
    wrong = "citation_id_not_in_evidence"
    assert {name for name, reasons in said.items() if wrong in reasons} == {"o1", "o2"}
    assert found["o1"]["suggestion"]["evidence"]["unresolved"] == ["9"]
    assert said["o3"] == {"ok"} and not found["o3"]["failing"]
    assert said["o4"] == {"no_citation"} and found["o4"]["failing"]


def test_103_field_and_text_that_disagree_are_both_shown(triage: Any, report: Any) -> None:
    coverage = report("103_field_vs_text")["citation_coverage"]
    assert (coverage["numerator"], coverage["denominator"]) == (3, 3)
    differ = {name: triage("case", name, "--format", "json").json["citations_differ"]
              for name in ("f1", "f2", "f3")}  # fmt: skip
    assert differ == {
        "f1": {"field": [], "text": ["S1"], "used": "text"},
        "f2": {"field": ["S1"], "text": [], "used": "field"},
        "f3": None,
    }
    said = [triage("case", name).out for name in ("f1", "f2", "f3")]
    assert ["the text cites" in out for out in said] == [True, True, False]


def test_105_chinese_refusals_are_known_and_told_as_inferred(report: Any, cases: Any) -> None:
    refusal = report("105_zh_refusals")["refusal_accuracy"]
    assert (refusal["numerator"], refusal["denominator"], refusal["inferred"]) == (6, 7, 7)
    found = cases("105_zh_refusals")
    assert [name for name, case in found.items() if case["failing"]] == ["z7"]
    assert all("predicted_answerable" in case["inferred"] for case in found.values())


BLANK = {"empty": "", "blanks": "  \u3000 ", "line break": "\n", "null": None}


def test_108_blank_answers_are_refusals_and_null_is_unknown_everywhere(triage: Any, place: Path) -> None:
    plain = {"query": "q", "answerable": True, "expected_ids": ["A"], "retrieved_ids": ["A"], "citations": []}
    lines = [json.dumps({"id": name, **plain, "answer": answer}) for name, answer in BLANK.items()]
    (place / "blank.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    listed = {case["id"]: case for case in triage("cases", "blank.jsonl", "--format", "json").json["cases"]}
    refused = {"empty", "blanks", "line break"}
    assert {name for name, case in listed.items() if case["measures"]["over_refusal"] == 1} == refused
    assert listed["null"]["measures"]["over_refusal"] is None
    over = triage("report", "--format", "json").json["metrics"]["over_refusal"]
    assert (over["numerator"], over["denominator"], over["missing"]) == (3, 3, 1)
    kept = triage("cases", "--filter", "refused:true", "--format", "json").json["cases"]
    assert {case["id"] for case in kept} == refused
    assert all(not case["suggestion"]["reason"].endswith("citation") for case in kept)
    for name in BLANK:
        assert triage("case", name, "--format", "json").json["sentences"] == []
    out = triage("export", "--filter", "refused:true", "--format", "jsonl").lines
    assert {line["case_id"] for line in out} == refused
    assert {line["suggestion"]["reason"] for line in out} == {"refused_though_evidence_retrieved"}
