"""What the review adds to the language: samples, arbitrated and uncertain cases."""

from __future__ import annotations

from typing import Any

import pytest

from triage.errors import FilterError
from triage.models.sentences import SentenceSummary

UNSUPPORTED = SentenceSummary(factual=2, cited=2, judged=2, unsupported=1)
SUPPORTED = SentenceSummary(factual=2, cited=2, judged=2)


def keep(table: Any, name: str, *ids: str, run: str = "run-1") -> None:
    with table.store.write() as sql:
        pk = sql.execute(
            """INSERT INTO samples (run_id, name, revision, rule, drawn, readings, reviewer, at)
                VALUES (?, ?, 1, '{}', '{}', 1, 'wei', '2026-11-30T00:00:00Z')""",
            (run, name),
        ).lastrowid
        sql.executemany(
            "INSERT INTO sample_cases VALUES (?, ?, ?, 0, 0, 1)",
            [(pk, case_id, place) for place, case_id in enumerate(ids)],
        )


def test_a_sample_is_found_by_its_name(table: Any) -> None:
    for case_id in ("a", "b", "c"):
        table.add(case_id, query="x")
    keep(table, "退款 一", "a", "b")
    keep(table, "other", "b")
    keep(table, "other", "c", run="run-2")
    assert table.find('sample:"退款 一"') == "a b"
    assert table.find("sample:OTHER") == "b"
    assert table.find("sample:oth*") == "b"
    assert table.find("sample:*") == "a b"
    assert table.find("-sample:*") == "c"
    assert table.find("sample:none") == ""


def test_the_check_and_a_judge_are_at_odds(table: Any) -> None:
    table.add("a", measures={"faithfulness": 4.0}, said=UNSUPPORTED)
    table.add("b", measures={"faithfulness": 3.9}, said=UNSUPPORTED)
    table.add("c", measures={"faithfulness": 2.0}, said=SUPPORTED)
    table.add("d", measures={"faithfulness": 2.1}, said=SUPPORTED)
    table.add("e", measures={"faithfulness": None}, said=UNSUPPORTED)
    table.add("f", measures={"faithfulness": 1.0})
    assert table.find("is:uncertain") == "a c"
    assert table.find("-is:uncertain") == "b d e f"


def test_scores_of_0_to_1_are_mapped(table: Any) -> None:
    table.add("a", measures={"faithfulness": 0.75}, said=UNSUPPORTED)
    table.add("b", measures={"faithfulness": 0.74}, said=UNSUPPORTED)
    table.add("c", measures={"faithfulness": 0.25}, said=SUPPORTED)
    table.add("d", measures={"faithfulness": 0.26}, said=SUPPORTED)
    table.context = {"score_scale": "0-1"}
    assert table.find("is:uncertain") == "a c"


def test_judges_that_need_an_arbitration_make_a_case_uncertain(table: Any) -> None:
    table.add("a", query="x")
    table.add("b", query="x")
    table.context = {"at_odds": lambda: frozenset([table.pk("b")])}
    assert table.find("is:uncertain") == "b"
    assert table.find("-is:uncertain") == "a"


def test_a_settled_dispute_is_told_apart(table: Any) -> None:
    table.add("a", query="x", review={"arbitrated": 1})
    table.add("b", query="x", review={})
    table.add("c", query="x")
    assert table.find("is:arbitrated") == "a"
    assert table.find("-is:arbitrated") == "b c"


def test_names_have_an_order_and_a_sample_is_no_state(table: Any) -> None:
    table.add("a", query="x")
    keep(table, "m", "a")
    assert table.find("sample:[a TO z]") == "a"
    with pytest.raises(FilterError):
        table.find("is:sample")


def test_the_samples_of_a_case_are_a_column_of_the_list(table: Any) -> None:
    for case_id in ("a", "b"):
        table.add(case_id, query="x")
    keep(table, "一", "a")
    keep(table, "two", "a")
    keep(table, "other", "b", run="run-2")
    run = table.store.run("run-1")
    view = table.store.view(run.pk, 3)
    found = table.store.cells(run, view, [table.pk("a"), table.pk("b")], ["sample"])
    assert found == {table.pk("a"): {"sample": '["一","two"]'}, table.pk("b"): {"sample": None}}
