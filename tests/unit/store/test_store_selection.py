"""Which cases, in which order, and what they add up to."""

from __future__ import annotations

import json

import pytest

from triage.errors import UsageError
from triage.metrics.registry import add_up, combine_all
from triage.models.query import Drill, Scope
from triage.store import Act, Store
from triage.store.filter import Where

EVERY = Where()


@pytest.fixture
def loaded(store: Store, kit):
    return kit.load(
        store,
        [
            kit.record("fine", topic="shipping", latency_ms=30, query="乙"),
            kit.second("ranked", topic="refund", latency_ms=10),
            kit.missed("missed", latency_ms=20, query="甲"),
            kit.record("broke", answer=None, predicted_answerable=None, citations=None, error="timeout"),
            kit.record("answered", answerable=False, expected_ids=[], topic="refund", latency_ms=10),
            kit.missed("missed2", scores={"faithfulness": 1}, latency_ms=20),
        ],
    )


def ids(store: Store, loaded, where: Where = EVERY, **scope: object) -> list[str]:
    keys = store.keys(loaded.run, loaded.view, Scope("run", **scope), where)
    names = store.ids_of(keys)
    assert store.count(loaded.run, loaded.view, Scope("run", **scope), where) == len(keys)
    return [names[key] for key in keys]


def test_the_default_order_is_failing_cases_by_layer_then_the_rest_in_file_order(
    store: Store, loaded
) -> None:
    assert ids(store, loaded, sort="") == ["missed", "missed2", "ranked", "answered", "broke", "fine"]
    assert ids(store, loaded, sort="", view="failing") == ["missed", "missed2", "ranked", "answered", "broke"]


def test_file_order_goes_both_ways(store: Store, loaded) -> None:
    every = ["fine", "ranked", "missed", "broke", "answered", "missed2"]
    assert ids(store, loaded) == every
    assert ids(store, loaded, sort="-file") == every[::-1]


def test_views_cut_by_failing_and_by_verdict(store: Store, loaded, kit) -> None:
    assert ids(store, loaded, view="passing") == ["fine"]
    assert ids(store, loaded, view="passing", sort="") == ["fine"]
    store.add_events(
        loaded.run, [Act("ranked", "verdict", "ranking"), Act("fine", "note", note="x")], kit.who()
    )
    assert ids(store, loaded, view="unreviewed") == ["fine", "missed", "broke", "answered", "missed2"]
    assert ids(store, loaded, view="failing") == ["ranked", "missed", "broke", "answered", "missed2"]


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        ("latency_ms", ["ranked", "answered", "missed", "missed2", "fine", "broke"]),
        ("-latency_ms", ["fine", "missed", "missed2", "ranked", "answered", "broke"]),
        ("topic", ["ranked", "answered", "fine", "missed", "broke", "missed2"]),
        ("-topic", ["fine", "ranked", "answered", "missed", "broke", "missed2"]),
        ("mrr", ["missed", "missed2", "ranked", "fine", "broke", "answered"]),
        ("-mrr", ["fine", "broke", "ranked", "missed", "missed2", "answered"]),
        ("faithfulness", ["missed2", "fine", "ranked", "missed", "broke", "answered"]),
        ("rank", ["fine", "broke", "ranked", "missed", "answered", "missed2"]),
        ("suggestion", ["missed", "missed2", "ranked", "answered", "fine", "broke"]),
        ("-suggestion", ["answered", "ranked", "missed", "missed2", "fine", "broke"]),
        ("id", ["answered", "broke", "fine", "missed", "missed2", "ranked"]),
        ("query", ["fine", "missed"]),
    ],
)
def test_sorting_puts_what_is_not_recorded_last_and_keeps_ties_in_file_order(
    store: Store, loaded, sort: str, order: list[str]
) -> None:
    found = ids(store, loaded, sort=sort)
    if sort == "query":
        found = [each for each in found if each in ("fine", "missed")]
    assert found == order


def test_sorting_by_verdict_goes_in_layer_order(store: Store, loaded, kit) -> None:
    for case_id, verdict in (("fine", "not-a-failure"), ("broke", "refusal"), ("answered", "retrieval")):
        store.add_events(loaded.run, [Act(case_id, "verdict", verdict)], kit.who())
    assert ids(store, loaded, sort="verdict")[:3] == ["answered", "broke", "fine"]
    assert ids(store, loaded, sort="-verdict") == ["fine", "broke", "answered", "ranked", "missed", "missed2"]


def test_a_sort_key_or_metric_that_is_none_is_told(store: Store, loaded) -> None:
    for scope in (Scope("run", sort="m.mrr; DROP"), Scope("run", drill=Drill("nothing"))):
        with pytest.raises(UsageError, match="no such"):
            store.keys(loaded.run, loaded.view, scope, EVERY)


def test_behind_a_metric_stand_its_worse_its_scoped_and_its_missing_cases(store: Store, loaded) -> None:
    assert ids(store, loaded, drill=Drill("hit")) == ["missed", "missed2"]
    assert ids(store, loaded, drill=Drill("mrr"), sort="") == ["missed", "missed2", "ranked"]
    assert ids(store, loaded, drill=Drill("hit", "scope")) == ["fine", "ranked", "missed", "broke", "missed2"]
    assert ids(store, loaded, drill=Drill("refusal_accuracy", "missing")) == ["broke"]
    assert ids(store, loaded, drill=Drill("faithfulness")) == ["missed2"]
    assert ids(store, loaded, drill=Drill("balanced_refusal_accuracy")) == ["answered"]


def test_behind_a_class_stand_its_failing_cases_whatever_the_view(store: Store, loaded) -> None:
    assert ids(store, loaded, drill=Drill(failure_class="retrieval"), view="passing") == ["missed", "missed2"]


def test_a_filter_goes_with_view_drill_and_sort(store: Store, loaded, kit) -> None:
    store.add_events(loaded.run, [Act("answered", "verdict", "refusal")], kit.who())
    refund = Where("c.topic = ?", ("refund",))
    assert ids(store, loaded, refund, sort="-latency_ms") == ["ranked", "answered"]
    assert ids(store, loaded, refund, sort="-verdict") == ["answered", "ranked"]
    assert ids(store, loaded, refund, view="unreviewed") == ["ranked"]
    asked = Where("coalesce(p.query LIKE ?, 0)", ("%甲%",), needs_payload=True)
    assert ids(store, loaded, asked, drill=Drill("hit")) == ["missed"]
    judged = Where("coalesce(r.verdict = 'refusal', 0)", needs_reviews=True)
    assert ids(store, loaded, judged, sort="") == ["answered"]


def test_rows_come_in_the_order_asked_and_without_what_is_gone(store: Store, loaded, kit) -> None:
    keys = list(store.keys(loaded.run, loaded.view, Scope("run"), EVERY))
    rows = store.rows(loaded.run, loaded.view, [keys[2], 12345, keys[1]])
    assert [row.id for row in rows] == ["missed", "ranked"]
    assert rows[1].layers == {
        "retrieval": "ok",
        "ranking": "fails",
        "refusal": "ok",
        "citation-semantic": "ok",
    }
    assert (rows[1].first_rank, rows[1].failure_class, rows[1].high_risk) == (2, "ranking", True)
    assert len(store.rows(loaded.run, loaded.view, keys * 400)) == 2400


def test_aggregates_are_the_sums_of_the_cases(store: Store, kit) -> None:
    records = [
        kit.record("a", scores={"faithfulness": 4.5}), kit.second("b", scores={"faithfulness": 1}),
        kit.missed("c"),
        kit.record("d", citations=["S1", "S9"]), kit.record("e", citations=["S7"]),
        kit.record("f", predicted_answerable=False, citations=[], inferred=["predicted_answerable"]),
        kit.record("g", answerable=False, expected_ids=[]), kit.record("h", citations=None, answer=None),
    ]  # fmt: skip
    loaded = kit.load(store, records)
    expected = add_up([kit.measured(each, kit.Scoring()).measures for each in records], kit.Scoring())
    found = store.summed(loaded.run, loaded.view, EVERY).aggregates
    assert {key: each for key, each in found.items() if each.count or each.missing} == expected
    some = store.summed(loaded.run, loaded.view, Where("c.case_id IN ('b', 'e')")).aggregates
    assert {key: each for key, each in some.items() if each.count or each.missing} == add_up(
        [kit.measured(records[at], kit.Scoring()).measures for at in (1, 4)], kit.Scoring()
    )


def test_the_ten_case_fixture_gives_the_published_numbers(store: Store, kit, shared) -> None:
    vector = json.loads(shared("vectors/fixture_ten_cases.json").read_text(encoding="utf-8"))
    from triage.models.record import Record

    records = []
    for case in vector["cases"]:
        case = {**case, "retrieved": [{"id": each} for each in case["retrieved_ids"]]}
        records.append(Record.model_validate(case))
    loaded = kit.load(store, records)
    metrics = combine_all(store.summed(loaded.run, loaded.view, EVERY).aggregates)
    figures = ("hit", "mrr", "refusal_accuracy", "citation_coverage", "citation_id_validity")
    assert [metrics[key].value for key in figures] == [0.875, 0.8125, 0.9, 0.875, 1.0]
    assert ids(store, loaded, view="failing") == ["E06", "E08", "E10"]
    assert ids(store, loaded, view="failing", sort="") == ["E08", "E06", "E10"]


def test_counts_are_taken_under_the_filter(store: Store, loaded, kit) -> None:
    store.add_events(
        loaded.run, [Act("fine", "verdict", "not-a-failure"), Act("broke", "verdict", "other")], kit.who()
    )
    store.add_events(loaded.run, [Act("ranked", "note", note="hm")], kit.who())
    counts = store.summed(loaded.run, loaded.view, EVERY).counts
    assert (counts.matching, counts.failing, counts.reviewed, counts.triaged, counts.class_free) == (
        6,
        5,
        2,
        1,
        1,
    )
    assert counts.classes == {"retrieval": 2, "ranking": 1, "refusal": 1, "citation-semantic": 0}
    assert counts.verdicts == {"not-a-failure": 1, "other": 1}
    assert counts.layer_fails == {"retrieval": 2, "ranking": 1, "refusal": 1, "citation-semantic": 0}
    assert counts.generation_fails == 2
    refund = store.summed(loaded.run, loaded.view, Where("c.topic = 'refund'")).counts
    assert (refund.matching, refund.failing, refund.reviewed) == (2, 2, 0)
    judged = store.summed(
        loaded.run,
        loaded.view,
        Where("coalesce(r.verdict = 'other', 0)", needs_reviews=True, needs_payload=True),
    ).counts
    assert (judged.matching, judged.reviewed, judged.verdicts) == (1, 1, {"other": 1})


def test_an_empty_run_counts_nothing(store: Store, kit) -> None:
    loaded = kit.load(store, [])
    assert list(store.keys(loaded.run, loaded.view, Scope("run", sort=""), EVERY)) == []
    assert store.summed(loaded.run, loaded.view, EVERY).counts.matching == 0
    assert all(each.count == 0 for each in store.summed(loaded.run, loaded.view, EVERY).aggregates.values())


def test_a_case_whole_has_what_its_record_its_rules_and_its_reviewers_said(store: Store, loaded, kit) -> None:
    store.add_events(loaded.run, [Act("missed2", "verdict", "retrieval", note="x")], kit.who())
    key = store.pk_of(loaded.run.pk, "missed2")
    assert key is not None
    parts = store.detail_parts(loaded.run, loaded.view, key)
    assert json.loads(parts.raw)["id"] == "missed2"
    whole = kit.measured(kit.missed("missed2", scores={"faithfulness": 1}, latency_ms=20), kit.Scoring())
    assert parts.diagnosis == whole.diagnosis
    assert {name: value for name, value in parts.measures.items() if value is not None} == {
        name: each.value for name, each in whole.measures.items() if each.value is not None
    }
    assert set(parts.missing) == {name for name, each in whole.measures.items() if each.missing}
    assert [(event.verdict, event.note) for event in parts.events] == [("retrieval", "x")]
    assert (parts.line, parts.row.review and parts.row.review.verdict) == (6, "retrieval")
