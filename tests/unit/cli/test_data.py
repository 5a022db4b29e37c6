"""What commands print: the contract's JSON, right values, tables for people."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]

METRIC_KEYS = (
    "hit mrr recall precision precision_trec all_hit ndcg mrr_at_k ap f1 "
    "refusal_accuracy over_refusal under_refusal balanced_refusal_accuracy fallback_rate "
    "citation_coverage citation_coverage_labelled citation_coverage_answered citation_id_validity "
    "citation_id_validity_micro sentence_citation_coverage citation_support "
    "faithfulness hallucination_rate answer_relevancy answer_correctness factual_correctness completeness "
    "groundedness clarity golden_coverage satisfaction runner_pass_rate "
    "routing_accuracy plan_efficiency tool_success trajectory conflict_resolution slot_accuracy "
    "conversation_pass pass_at_k pass_hat_k final_pass"
).split()


def test_the_published_ten_cases_come_out(triage: Call, ten: Path) -> None:
    done = triage("report", "ten.jsonl", "--format", "json")
    assert done.code == 0, done.err
    report = done.json
    values = {key: report["metrics"][key]["value"] for key in METRIC_KEYS}
    assert values["hit"] == pytest.approx(0.8750)
    assert values["mrr"] == pytest.approx(0.8125)
    assert values["refusal_accuracy"] == pytest.approx(0.9000)
    assert values["citation_coverage"] == pytest.approx(0.8750)
    assert values["citation_id_validity"] == pytest.approx(1.0000)
    assert report["failing"] == 3
    assert report["classes"] == {"retrieval": 1, "ranking": 1, "refusal": 1, "citation-semantic": 0}
    failing = triage("cases", "ten", "--filter", "is:failing", "--format", "jsonl").lines
    assert {case["id"]: case["suggestion"]["class"] for case in failing} == {
        "E06": "ranking", "E08": "retrieval", "E10": "refusal",
    }  # fmt: skip


def test_report_has_the_contracts_keys(triage: Call, small: Path) -> None:
    report = triage("report", "kb42.jsonl", "--format", "json").json
    assert set(report) >= {
        "run", "k", "cases", "failing", "reviewed", "metrics", "slices", "classes", "verdicts", "advice",
    }  # fmt: skip
    assert set(report["run"]) >= {
        "id", "path", "format", "created_at", "dataset", "kb_version", "retrieval", "model", "k", "records",
        "rejected", "revision", "baseline", "metrics",
    }  # fmt: skip
    assert set(report["metrics"]) >= set(METRIC_KEYS)
    assert set(report["metrics"]["hit"]) >= {
        "title", "value", "numerator", "denominator", "missing", "inferred", "interval", "higher_is_better",
        "tells", "does_not_tell",
    }  # fmt: skip
    assert report["metrics"]["hit"]["title"] == "Hit@3"
    assert report["metrics"]["hit"]["numerator"] == 2
    assert report["metrics"]["hit"]["denominator"] == 3
    low, high = report["metrics"]["hit"]["interval"]
    assert 0 < low < 2 / 3 < high < 1
    assert report["metrics"]["faithfulness"]["value"] is None
    assert report["metrics"]["faithfulness"]["interval"] is None
    assert report["slices"] == {}
    assert [line["layer"] for line in report["advice"]][:1] == ["retrieval"]
    assert report["cases"] == 4
    assert report["run"]["dataset"] == "small"


def test_k_changes_the_report_and_the_cases(triage: Call, small: Path) -> None:
    assert (
        triage("report", "kb42.jsonl", "--k", "1", "--format", "json").json["metrics"]["hit"]["value"]
        == 1 / 3
    )
    first = {case["id"]: case for case in triage("cases", "--k", "1", "--format", "jsonl").lines}
    third = {case["id"]: case for case in triage("cases", "--format", "jsonl").lines}
    assert first["b"]["measures"]["hit"] == 0
    assert third["b"]["measures"]["hit"] == 1
    assert first["b"]["suggestion"]["reason"] == "expected_below_cutoff"


def test_filter_and_text_narrow_the_report(triage: Call, small: Path) -> None:
    assert triage("report", "kb42.jsonl", "--filter", "topic:refund", "--format", "json").json["cases"] == 1
    assert triage("report", "--text", "query of b", "--format", "json").json["cases"] == 1
    done = triage("report", "--filter", "is:failing (")
    assert done.code == 2
    assert done.err.count("\n") == 1


def test_runs_lists_metrics_unrounded(triage: Call, ten: Path) -> None:
    triage("ingest", "ten.jsonl")
    (run,) = triage("runs", "--format", "json").json["runs"]
    assert run["id"] == "ten"
    assert run["records"] == 10
    assert run["rejected"] == 0
    assert run["metrics"]["mrr"] == 0.8125
    assert triage("runs").out.splitlines()[0].split()[0] == "run"


def test_cases_have_the_contracts_keys_in_file_order(triage: Call, small: Path) -> None:
    cases = triage("cases", "kb42.jsonl", "--format", "jsonl").lines
    assert [case["id"] for case in cases] == ["a", "b", "c", "d"]
    for case in cases:
        assert set(case) >= {
            "id", "query", "topic", "topic_inferred", "high_risk", "failing", "suggestion", "secondary",
            "verdict", "measures", "layers", "first_rank", "inferred",
        }  # fmt: skip
        assert set(case["suggestion"]) == {"class", "reason", "confidence", "evidence"}
        assert set(case["layers"]) == {"retrieval", "ranking", "refusal", "citation-semantic"}
    assert cases[1]["first_rank"] == 2
    assert cases[1]["layers"]["ranking"] == "fails"
    assert cases[3]["high_risk"] is True
    assert cases[3]["layers"]["retrieval"] is None
    assert cases[0]["verdict"] is None
    assert cases == triage("cases", "kb42", "--format", "json").json["cases"]


def test_cases_are_sorted_cut_and_filtered(triage: Call, small: Path) -> None:
    triage("ingest", "kb42.jsonl")
    ids = [case["id"] for case in triage("cases", "--sort", "-id", "--limit", "2", "--format", "jsonl").lines]
    assert ids == ["d", "c"]
    assert triage("cases", "--sort", "bogus").code == 2
    assert triage("cases", "--filter", "topic:nothing", "--format", "jsonl").out == ""


def test_a_long_query_is_whole_in_json(triage: Call, make: Any, place: Path) -> None:
    long = "退款" * 400
    make.write(place / "x.jsonl", [make.record("a", query=long)])
    assert triage("cases", "x.jsonl", "--format", "jsonl").lines[0]["query"] == long
    assert triage("case", "a", "--format", "json").json["query"] == long


def test_one_line_is_one_case_whatever_its_text(triage: Call, make: Any, place: Path) -> None:
    make.write(place / "x.jsonl", [make.record("a", query="x\u2028y\x85z")])
    out = triage("cases", "x.jsonl", "--format", "jsonl").out
    assert len(out.splitlines()) == 1
    assert json.loads(out)["query"] == "x\u2028y\x85z"


def test_case_gives_the_record_as_it_came(triage: Call, make: Any, place: Path) -> None:
    wanted = make.record(
        "a", citations=["S1", "S9", "KB-2"], meta={"深": [1, {"x": None}]}, answer="7 天[S1][S9][KB-2]"
    )
    make.write(place / "x.jsonl", [wanted, make.record("b")])
    case = triage("case", "x.jsonl", "a", "--format", "json").json
    assert case["record"] == wanted
    assert case["citations"] == [
        {"marker": "S1", "id": "KB-1", "resolved_rank": 1, "valid": True},
        {"marker": "S9", "id": None, "resolved_rank": None, "valid": False},
        {"marker": "KB-2", "id": "KB-2", "resolved_rank": 2, "valid": True},
    ]
    assert case["suggestion"]["reason"] == "citation_id_not_in_evidence"
    assert case["sentences"] == [
        {
            "text": "7 天",
            "citations": ["S1", "S9", "KB-2"],
            "covered_by": [],
            "factual": True,
            "supported": None,
            "mismatch": None,
            "mismatches": [],
        }
    ]
    assert case["verdicts"] == []
    assert case["earlier"] == []
    assert triage("case", "a", "--format", "json").json["id"] == "a"


def test_not_a_number_is_null_in_every_json(triage: Call, place: Path) -> None:
    (place / "x.jsonl").write_text(
        '{"id": "a", "query": "q", "scores": {"faithfulness": NaN, "clarity": 4}, "x": -Infinity}\n',
        encoding="utf-8",
    )
    done = triage("ingest", "x.jsonl", "--format", "json")
    assert done.code == 0
    assert done.json["files"][0]["records"] == 1
    case = triage("case", "a", "--format", "json").json
    assert case["record"] == {
        "id": "a",
        "query": "q",
        "scores": {"faithfulness": None, "clarity": 4},
        "x": None,
    }
    assert triage("report", "--format", "json").json["metrics"]["faithfulness"]["value"] is None


def test_no_escape_of_a_record_reaches_the_terminal(triage: Call, shared: Callable[[str], Path]) -> None:
    path = str(shared("bugfiles/007_ansi_osc.jsonl"))
    triage("ingest", path)
    ids = [case["id"] for case in triage("cases", "--format", "jsonl").lines]
    for words in (["cases"], ["report"], ["runs"], *(["case", one] for one in ids)):
        done = triage(*words)
        assert done.code == 0, done.err
        assert "\x1b" not in done.out + done.err
        assert "\x9b" not in done.out + done.err


def test_tables_align_chinese_by_cells(triage: Call, ten: Path) -> None:
    from triage.plain import width

    triage("ingest", "ten.jsonl")
    lines = triage("cases").out.splitlines()
    assert lines[0].startswith("1234")
    at = lines[0].index("query")
    assert lines[6].startswith(".2..")
    assert width(lines[6][:at]) == at


def test_the_report_table_shows_value_basis_and_interval(triage: Call, ten: Path) -> None:
    out = triage("report", "ten.jsonl").out
    line = next(line for line in out.splitlines() if "Hit@3" in line)
    assert "0.8750" in line
    assert "(7/8, missing 0)" in line
    assert "[0.5291, 0.9776]" in line
    assert "n/a" in out, "what is not recorded is never 0"


def test_ingest_tells_each_problem_with_its_line(triage: Call, place: Path) -> None:
    (place / "x.jsonl").write_text(
        '{"id": "a", "query": "q"}\n\n{"id": "a", "query": "again"}\n'
        '{"id": "b", "query": "q", "answerable": "maybe"}\n{"id"',
        encoding="utf-8",
    )
    done = triage("ingest", "x.jsonl", "--format", "json")
    assert done.code == 3
    (file,) = done.json["files"]
    assert set(file) >= {"path", "format", "run", "status", "records", "rejected", "problems", "warnings"}
    assert file["status"] == "loaded"
    assert (file["records"], file["rejected"]) == (2, 2)
    told = {(one["level"], one["line"], one["case"], one["field"]) for one in file["problems"]}
    assert ("field", 4, "b", "answerable") in told
    assert {line for level, line, *_ in told if level == "record"} == {3, 5}
    table = triage("ingest", "x.jsonl").out
    assert "2 of 4 rejected" in table
    assert "line 5" in table


def test_a_field_problem_alone_is_exit_code_0(triage: Call, make: Any, place: Path) -> None:
    make.write(place / "x.jsonl", [make.record("a", answerable="maybe")])
    assert triage("ingest", "x.jsonl").code == 0


@pytest.mark.parametrize("name", ["053_empty.jsonl", "053_blank_only.jsonl", "053_empty_array.json"])
def test_an_empty_file_is_no_run(triage: Call, shared: Callable[[str], Path], name: str) -> None:
    path = str(shared(f"bugfiles/{name}"))
    for words in (["ingest", path], ["report", path], [path]):
        done = triage(*words)
        assert done.code == 1
        assert "no records" in done.out + done.err
        assert "nan" not in (done.out + done.err).lower()
    assert triage("runs").code == 1


def test_one_good_file_beside_a_bad_one_is_exit_code_3(triage: Call, small: Path, place: Path) -> None:
    (place / "bad.jsonl").write_text("{", encoding="utf-8")
    done = triage("ingest", "kb42.jsonl", "bad.jsonl", "--format", "json")
    assert done.code == 3
    assert {Path(file["path"]).name: file["status"] for file in done.json["files"]} == {
        "kb42.jsonl": "loaded", "bad.jsonl": "failed",
    }  # fmt: skip


def test_json_stands_alone_on_standard_output(triage: Call, place: Path, small: Path) -> None:
    (place / "bad.jsonl").write_text('{"id": "a", "query": "退款"}\n{', encoding="utf-8")
    done = triage("report", "bad.jsonl", "--format", "json")
    assert done.code == 3
    assert done.json["cases"] == 1
    assert "\\u" not in triage("cases", "--format", "json").out


def test_baseline_is_pinned_and_shown(triage: Call, make: Any, small: Path, place: Path) -> None:
    for number in (1, 2, 3):
        header = {
            "id": f"r{number}", "created_at": f"2026-11-0{number}T00:00:00Z", "dataset": {"name": "small"},
        }  # fmt: skip
        make.write(place / f"r{number}.jsonl", [make.record("a"), make.record("b", **make.second)], header)
    triage("ingest", ".")
    assert triage("report", "r3", "--format", "json").json["run"]["baseline"] == "r2"
    assert triage("baseline", "r1").code == 0
    assert triage("report", "r3", "--format", "json").json["run"]["baseline"] == "r1"
    assert triage("baseline", "nothing").code == 1


def test_remove_takes_all_or_nothing(triage: Call, small: Path) -> None:
    triage("ingest", "kb42.jsonl")
    triage("tag", "b", "ranking")
    assert triage("remove", "kb42", "nothing").code == 1
    assert triage("report").code == 0
    assert triage("remove", "./kb42.jsonl").code == 0
    assert triage("report").code == 1
    triage("ingest", "kb42.jsonl")
    assert triage("report", "--format", "json").json["verdicts"] == {"ranking": 1}
    assert triage("remove", "kb42", "--with-reviews").code == 0
    triage("ingest", "kb42.jsonl")
    assert triage("report", "--format", "json").json["verdicts"] == {}


def test_unreviewed_high_risk_cases_can_fail_a_build(triage: Call, small: Path) -> None:
    triage("ingest", "kb42.jsonl")
    assert triage("report", "--fail-on", "unreviewed-high-risk").code == 4
    assert triage("report", "--fail-on", "unreviewed-high-risk", "--filter", "topic:shipping").code == 0
    triage("tag", "d", "refusal")
    assert triage("report", "--fail-on", "unreviewed-high-risk").code == 0


def test_demo_prints_a_report_and_keeps_nothing(triage: Call, place: Path) -> None:
    done = triage("demo")
    assert done.code == 0, done.err
    assert "throw-away" in done.err
    assert "Hit@" in done.out
    assert [path.name for path in place.iterdir()] == [".git"]
    assert triage("demo", "--keep", "kept").code == 0
    assert (place / "kept" / "triage.db").is_file()
    assert triage("runs", "--db", "kept/triage.db").code == 0
