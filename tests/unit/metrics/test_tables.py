"""Tables of two things, companions and repeated samples against the pinned right values."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from triage.metrics.companions import companions
from triage.metrics.registry import combine_all
from triage.metrics.repeats import LONGEST, curve, repeats
from triage.metrics.tables import conflict, refusal, routing
from triage.models.measure import Aggregate

Shared = Callable[[str], Path]


def test_refusing_as_a_classifier(shared: Shared) -> None:
    cases = json.loads(shared("vectors/agent_metrics.json").read_text("utf-8"))["refusal_confusion"]
    assert len(cases) > 3
    for case in cases:
        pairs: Counter[tuple[bool | None, bool | None]] = Counter(
            (bool(due), bool(answered)) for due, answered in case["pairs_answerable_predicted"]
        )
        found, right = refusal(pairs), case["expected"]
        assert found is not None
        assert found.table.counts == (
            (right["answered_right"], right["refused_wrongly"]),
            (right["answered_wrongly"], right["refused_right"]),
        )
        assert found.precision == right["refusal_precision"]
        assert found.recall == right["refusal_recall"]
        assert found.f1 == (None if right["refusal_f1"] is None else pytest.approx(right["refusal_f1"]))


def test_what_nobody_recorded_makes_no_table() -> None:
    assert refusal({(None, True): 3}) is None
    assert conflict({(True, None): 1}) is None
    assert routing({(("a",), None): 2}, 4) is None


def test_hybrid_routes_and_accepted_ones_are_one_row() -> None:
    found = routing(
        {(("b+a",), "a + b"): 2, (("a+b",), "a"): 1, (("y", "x"), "x"): 1, (("x", "y"), "z"): 1}, 3
    )
    assert found is not None
    assert found.table.rows == ("a+b", "x or y")
    assert found.table.columns == ("a+b", "a", "x", "z")
    assert found.table.counts == ((2, 1, 0, 0), (0, 0, 1, 1))
    assert found.table.missing == 3
    assert [(one.right, one.cases, one.few) for one in found.recalls] == [(2, 3, True), (1, 2, True)]


def test_a_curve_counts_the_cases_it_stands_on() -> None:
    assert [(point.k, point.cases) for point in curve({(2, 1): 3, (4, 4): 1})] == [
        (1, 4),
        (2, 4),
        (3, 1),
        (4, 1),
    ]
    assert curve({}) == ()
    assert len(curve({(1000, 999): 1})) == LONGEST


def test_runs_without_a_common_case_have_no_curve() -> None:
    found = repeats({"a": {"1": True}, "b": {"2": True}}, None)
    assert (found.cases, found.dropped, found.curve, found.k) == (0, {"a": 1, "b": 1}, (), 2)


def test_companions_speak_only_where_there_is_something() -> None:
    assert companions(combine_all({})) == {}
    judged = Aggregate(count=2, total=3.0, weight=4.0)
    rules = companions(combine_all({"citation_support": judged}))["citation_support"]
    assert rules.text == "flags right: .92 on short sources, .28 on long"
    assert rules.values["flags_right_long_sources"] == pytest.approx(16 / 58)
    none = companions(combine_all({"satisfaction": Aggregate(missing=4)}))["satisfaction"]
    assert (none.values["response_rate"], none.values["sessions"]) == (0, 4)
