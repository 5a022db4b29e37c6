"""What a report says beside its metrics: repeated runs and attempts, tables, response rates."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]
Shared = Callable[[str], Path]


def record(case: str, **fields: Any) -> dict[str, Any]:
    """An answered case with its expected document first; fields as given."""
    plain: dict[str, Any] = {
        "id": case, "query": f"query of {case}", "answerable": True, "expected_ids": ["KB-1"],
        "retrieved": ["KB-1"], "predicted_answerable": True, "answer": "So.[S1]", "citations": ["S1"],
    }  # fmt: skip
    return {**plain, **fields}


def write_run(path: Path, records: list[dict[str, Any]], header: dict[str, Any]) -> Path:
    """A JSONL run file."""
    path.write_text("".join(json.dumps(line) + "\n" for line in [{"run": header}, *records]), "utf-8")
    return path


def test_four_trials_of_tau_have_the_published_reliability(triage: Call, shared: Shared) -> None:
    folder = shared("realdata/tau_airline")
    names = [f"gpt-4o-trial{number}" for number in range(4)]
    options = ("--map", "passed=labels.pass", "--map", "expected_tools=labels.expected_actions",
               "--set", "dataset.name=tau-airline")  # fmt: skip
    assert triage("ingest", *(str(folder / f"{name}.jsonl") for name in names), *options).code == 0
    done = triage("report", names[0], "--repeats", ",".join(names[1:]), "--format", "json").json
    found = done["repeats"]
    curve = [round(point["pass_hat_k"], 4) for point in found["curve"]]
    assert curve == [0.42, 0.2733, 0.22, 0.2]
    assert (found["always"], found["never"], found["flaky"]) == (10, 14, 26)
    assert len(found["flaky_ids"]) == 26
    assert (found["cases"], found["unknown"], set(found["dropped"].values())) == (50, 0, {0})
    assert done["metrics"]["pass_hat_k"]["value"] == pytest.approx(0.2)
    assert done["metrics"]["pass_at_k"]["value"] == pytest.approx(36 / 50)
    assert (
        "10 always pass, 14 never, 26 flaky"
        in triage("report", names[0], "--repeats", ",".join(names[1:])).out
    )


def test_repeats_without_an_outcome_say_what_to_do(triage: Call, place: Path) -> None:
    for name in "ab":
        write_run(
            place / f"{name}.jsonl", [{"id": "1", "query": "q", "labels": {"pass": True}}], {"id": name}
        )
    assert "--map passed=PATH" in triage("report", "a.jsonl", "--repeats", "b.jsonl").out


def three(place: Path) -> list[str]:
    """Runs a, b, c: case 1 passes always, 2 never, 3 now and then, 4 is told by one alone, 5 is in two."""
    said = {
        "a": [True, False, True, None, True],
        "b": [True, False, False, True, True],
        "c": [True, False, True, None],
    }
    return [
        str(
            write_run(
                place / f"{run}.jsonl",
                [record(str(at), passed=passed) for at, passed in enumerate(passes, 1)],
                {"id": run, "dataset": {"name": "set"}, "created_at": f"2026-01-0{day}"},
            )
        )
        for day, (run, passes) in enumerate(said.items(), 1)
    ]


def test_only_cases_that_all_runs_tell_are_counted(triage: Call, place: Path) -> None:
    a, b, c = three(place)
    done = triage("report", a, "--repeats", f"{b},{c}", "--format", "json").json
    found = done["repeats"]
    assert found["runs"] == ["a", "b", "c"]
    assert found["dropped"] == {"a": 1, "b": 1, "c": 0}
    assert (found["cases"], found["unknown"]) == (3, 1)
    assert (found["always"], found["never"], found["flaky_ids"]) == (1, 1, ["3"])
    assert [point["pass_at_k"] for point in found["curve"]] == pytest.approx([5 / 9, 2 / 3, 2 / 3])
    assert [point["pass_hat_k"] for point in found["curve"]] == pytest.approx([5 / 9, 4 / 9, 1 / 3])
    assert done["metrics"]["pass_hat_k"]["missing"] == 1
    assert [point["k"] for point in done["metrics"]["pass_hat_k"]["curve"]] == [1, 2, 3]
    words = triage("report", "a", "--repeats", "b,c").out
    assert "dropped, not in all runs: a 1, b 1" in words
    assert "left out: 1 without an outcome in some run" in words
    some = triage("report", "a", "--repeats", "b", "--filter", "id:3", "--format", "json").json["repeats"]
    assert (some["cases"], some["dropped"], some["k"]) == (1, {"a": 0, "b": 0}, 2)


def test_the_k_that_the_run_asks_for_holds_for_repeated_runs(triage: Call, place: Path) -> None:
    files = three(place)
    triage("ingest", *files[1:])
    done = triage("report", files[0], "--set", "pass_k=2", "--repeats", "b,c", "--format", "json").json
    assert done["repeats"]["k"] == 2
    assert done["metrics"]["pass_hat_k"]["value"] == pytest.approx(4 / 9)


def test_a_k_beyond_the_runs_is_not_applicable(triage: Call, place: Path) -> None:
    files = three(place)
    triage("ingest", *files[1:])
    done = triage("report", files[0], "--set", "pass_k=9", "--repeats", "b,c", "--format", "json").json
    told = done["metrics"]["pass_at_k"]
    assert (told["k"], told["value"], told["denominator"], told["missing"]) == (9, None, 0, 4)
    assert [point["k"] for point in done["repeats"]["curve"]] == [1, 2, 3]


def test_odd_repeats_are_read_by_what_their_cases_tell(triage: Call, place: Path) -> None:
    cases = [
        record("1", passed=True, attempts=[True, False, True]),
        record("2", expected_route="a", route="b"),
        {"query": "no id"},
        record("3", passed=True),
    ]
    header = {"dataset": {"name": "set"}}
    one = write_run(place / "one.jsonl", cases, {"id": "one", **header})
    two = [record("1", passed="否", attempts=[True]), record("2", passed=True), record("1", passed=True)]
    other = write_run(place / "two.jsonl", [*two, record("4", passed=True)], {"id": "two", **header})
    triage("ingest", str(one), str(other))
    found = triage("report", "one", "--repeats", str(other), "--format", "json").json["repeats"]
    assert (found["cases"], found["dropped"], found["flaky_ids"]) == (2, {"one": 1, "two": 1}, ["1", "2"])
    same = triage("report", "one", "--repeats", f"two,{other}")
    assert (same.code, same.out) == (2, "")


def test_what_can_not_be_repeated_is_told(triage: Call, place: Path) -> None:
    a, b, _ = three(place)
    other = write_run(
        place / "other.jsonl", [record("1", passed=True)], {"id": "other", "dataset": {"name": "else"}}
    )
    triage("ingest", a, b, str(other))
    for words, code, said in (
        ("a", 2, "does not repeat itself"),
        ("b,b", 2, "does not repeat itself"),
        (",", 2, "names no run"),
        ("nobody", 1, "no such run"),
        ("other", 1, "another test set"),
    ):
        done = triage("report", "a", "--repeats", words)
        assert (done.code, said in done.err, done.out) == (code, True, ""), words
    assert triage("report", "a", "--format", "json").json["repeats"] is None


def report(triage: Call, place: Path, records: list[dict[str, Any]], **header: Any) -> Any:
    path = write_run(place / "run.jsonl", records, {"id": "run", **header})
    return triage("report", str(path), "--format", "json").json


def test_satisfaction_is_never_shown_without_its_response_rate(triage: Call, place: Path) -> None:
    feedback: list[dict[str, Any]] = [
        {"thumb": "up", "repeated": False}, {"thumb": "up"}, {"thumb": "down"}, {"handed_off": True}, {},
    ]  # fmt: skip
    records = [record(str(at), feedback=one) for at, one in enumerate(feedback)] + [record("without")]
    metrics = report(triage, place, records)["metrics"]
    shown = metrics["satisfaction"]
    assert (shown["numerator"], shown["denominator"], shown["missing"]) == (2, 3, 2)
    assert shown["beside"]["response_rate"] == pytest.approx(3 / 5)
    assert (metrics["transfer_rate"]["numerator"], metrics["transfer_rate"]["denominator"]) == (1, 1)
    assert "response rate 0.6000 (3/5 sessions)" in triage("report").out


def test_a_fallback_rate_stands_beside_the_share_of_unanswerable_cases(triage: Call, place: Path) -> None:
    due = record("a", answerable=True, predicted_answerable=True)
    undue = [
        record(str(at), answerable=False, expected_ids=[], predicted_answerable=False) for at in range(3)
    ]
    shown = report(triage, place, [due, *undue])["metrics"]["fallback_rate"]
    assert shown["beside"]["unanswerable_share"] == pytest.approx(0.75)
    assert shown["beside"]["beyond_unanswerable"] == pytest.approx(0)
    assert "unanswerable 0.7500 (3/4), fallback beyond it +0.0000" in triage("report").out


def test_without_labels_a_fallback_rate_has_the_band_of_production_traffic(triage: Call, place: Path) -> None:
    records = [
        record(str(at), answerable=None, expected_ids=None, predicted_answerable=at > 0) for at in range(10)
    ]
    shown = report(triage, place, records)["metrics"]["fallback_rate"]
    assert shown["value"] == pytest.approx(0.1)
    assert shown["beside"]["unanswerable_share"] is None
    assert "within 0.05-0.15" in shown["beside"]["text"]


def test_routes_are_crossed_and_few_cases_are_said(triage: Call, place: Path) -> None:
    taken = [("sql", "sql")] * 20 + [
        ("sql", "vector"),
        ("b+a", "a+b"),
        (["none", "sql"], "none"),
        ("a", None),
    ]
    records = [record(str(at), expected_route=due, route=route) for at, (due, route) in enumerate(taken)]
    found = report(triage, place, records)
    table = found["tables"]["routing"]
    assert table["rows"] == ["sql", "a+b", "none or sql"]
    assert table["columns"] == ["sql", "a+b", "none", "vector"]
    assert table["counts"] == [[20, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0]]
    assert table["missing"] == 1
    assert table["recall"]["sql"] == {"value": 20 / 21, "numerator": 20, "denominator": 21, "few": False}
    assert table["recall"]["a+b"]["few"] is True
    shown = found["metrics"]["routing_accuracy"]
    assert (shown["numerator"], shown["denominator"], shown["missing"]) == (22, 23, 1)
    words = triage("report").out
    assert "fewer than 20 cases" in words
    assert "routing: route across, expected route down, 1 not recorded" in words


def test_conflicts_are_crossed_so_that_luck_is_seen(triage: Call, place: Path) -> None:
    pairs = [(True, True), (True, False), (False, True), (False, True), (True, None)]
    records = [
        record(str(at), conflict={"resolved": named, "correct": right})
        for at, (named, right) in enumerate(pairs)
    ]
    found = report(triage, place, [*records, record("none")])
    table = found["tables"]["conflict"]
    assert (table["rows"], table["columns"]) == (["named", "not named"], ["right", "wrong"])
    assert (table["counts"], table["missing"]) == ([[1, 1], [2, 0]], 1)
    assert found["metrics"]["conflict_resolution"]["value"] == pytest.approx(3 / 5)
    assert found["metrics"]["conflict_resolved_right"]["value"] == pytest.approx(1 / 4)


def test_refusals_are_crossed(triage: Call, place: Path, shared: Shared) -> None:
    found = report(triage, place, [record("a"), record("b", answerable=None)])
    assert found["tables"]["routing"] is found["tables"]["conflict"] is None
    assert found["tables"]["refusal"]["counts"] == [[1, 0], [0, 0]]
    assert found["tables"]["refusal"]["recall"] is None
    assert found["tables"]["refusal"]["missing"] == 1


def test_attempts_have_a_curve(triage: Call, place: Path) -> None:
    found = report(
        triage, place,
        [record("a", attempts=[True, True, False]), record("b", attempts=[False] * 3), record("c")],
    )  # fmt: skip
    shown = found["metrics"]["pass_at_k"]
    assert (shown["value"], shown["numerator"], shown["denominator"], shown["k"]) == (0.5, 1, 2, 3)
    assert [point["value"] for point in shown["curve"]] == pytest.approx([1 / 3, 1 / 2, 1 / 2])
    hat = found["metrics"]["pass_hat_k"]
    assert [point["value"] for point in hat["curve"]] == pytest.approx([1 / 3, 1 / 6, 0])
    assert found["metrics"]["attempt_pass_rate"]["value"] == pytest.approx(2 / 6)
    assert "repeated attempts: the metrics' k is 3" in triage("report").out


def test_the_fewest_attempts_are_the_k_of_all_cases(triage: Call, place: Path) -> None:
    records = [record("a", attempts=[True, False]), record("b", attempts=[True, False, False])]
    found = report(triage, place, records)
    assert found["metrics"]["pass_at_k"]["value"] == pytest.approx((1 + 2 / 3) / 2)
    later = triage("report", "--k", "1", "--format", "json").json
    assert later["metrics"]["pass_at_k"] == found["metrics"]["pass_at_k"], "a later view knows it too"
    assert [point["cases"] for point in found["metrics"]["pass_at_k"]["curve"]] == [2, 2, 1]


def test_a_k_of_the_header_leaves_out_cases_with_fewer_attempts(triage: Call, place: Path) -> None:
    records = [record("a", attempts=[True, False]), record("b", attempts=[True, False, False])]
    shown = report(triage, place, records, pass_k=3)["metrics"]["pass_hat_k"]
    assert (shown["value"], shown["denominator"], shown["missing"]) == (0, 1, 1)


def test_a_run_from_before_attempts_were_counted_is_looked_through(triage: Call, place: Path) -> None:
    records = [record("a", attempts=[True, False]), record("b", attempts=[True, False, False])]
    found = report(triage, place, records)["metrics"]["pass_at_k"]
    with sqlite3.connect(place / ".triage" / "triage.db") as sql:
        sql.execute("UPDATE revisions SET fewest_attempts = NULL")
        sql.execute("UPDATE views SET version = 'old'")
    sql.close()
    assert triage("report", "--format", "json").json["metrics"]["pass_at_k"] == found


def test_a_run_that_mixes_score_scales_is_told(triage: Call, place: Path) -> None:
    path = write_run(
        place / "mixed.jsonl",
        [record("a", scores={"faithfulness": 0.4}), record("b", scores={"faithfulness": 4, "clarity": 5})],
        {"id": "mixed"},
    )
    warnings = triage("ingest", str(path), "--format", "json").json["files"][0]["warnings"]
    told = next(line for line in warnings if "mixed" in line)
    assert "1 of faithfulness fit 0-1 alone" in told
    assert "1 of faithfulness, 1 of clarity fit 1-5 alone" in told
    assert not any("--set score_scale" in line for line in warnings)
