"""Readings of the same cases: pairs, classes, disputes, and suggestions against verdicts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from triage.models.agreement import Agreement, ReadCase, SuggestedCase, word_for
from triage.models.reading import Arbitration, Reading
from triage.models.verdict import Verdict
from triage.review.agreement import agreement, disputed
from triage.review.confusion import crossed, suggestions_against

NOTHING = suggestions_against([])


def _case(case_id: str, settled: Verdict | None = None, stale: str = "", **said: Verdict) -> ReadCase:
    readings = tuple(
        Reading(case_id, name, verdict, (), "", "2026-11-30T10:00:00Z", at, stale=name == stale)
        for at, (name, verdict) in enumerate(said.items())
    )
    word = None if settled is None else Arbitration(case_id, "lead", settled, "the guide says so", "", 9)
    return ReadCase("kb42", case_id, readings, word)


def _of(*cases: ReadCase) -> Agreement:
    return agreement(cases, NOTHING, "kb42")


def test_the_pool_of_disputes_is_that_of_the_vectors(shared: Callable[[str], Path]) -> None:
    rows = json.loads(shared("vectors/agent_metrics.json").read_text(encoding="utf-8"))["dispute_pool"]
    assert rows
    for row in rows:
        assert disputed(row["labels"]) is row["disputed"]


def test_nobody_has_read_anything() -> None:
    found = _of()
    assert (found.readings, found.read_twice, found.pairs, found.reviewers) == (0, 0, (), ())
    assert found.agreement is None
    assert found.alpha is None
    assert found.interval is None


def test_one_reviewer_agrees_with_nobody() -> None:
    found = _of(_case("E1", wei="ranking"), _case("E2", wei="refusal"))
    assert (found.reviewers, found.readings, found.cases, found.read_twice) == (("wei",), 2, 2, 0)
    assert found.agreement is None
    assert found.classes == ()
    assert found.readers[0].shared == 0


def test_two_who_always_say_the_same_one_thing_have_raw_agreement_alone() -> None:
    found = _of(*(_case(f"E{n}", wei="not-a-failure", lena="not-a-failure") for n in range(5)))
    assert found.agreement == 1.0
    assert found.alpha is None
    assert found.word is None
    (pair,) = found.pairs
    assert (pair.agreement, pair.kappa, pair.word) == (1.0, None, None)
    assert found.classes[0].kappa is None


def test_a_pair_has_kappa_confusion_and_each_class_against_the_rest() -> None:
    found = _of(
        _case("E1", wei="retrieval", lena="retrieval"),
        _case("E2", lena="not-a-failure", wei="ranking"),
        _case("E3", wei="not-a-failure", lena="not-a-failure"),
        _case("E4", wei="not-a-failure", lena="not-a-failure"),
        _case("E5", wei="other"),
    )
    (pair,) = found.pairs
    assert (pair.a, pair.b, pair.n, pair.agree) == ("lena", "wei", 4, 3)
    # The seventh case of stats_kappa.json: .75 and 5/9.
    assert pair.agreement == 0.75
    assert pair.kappa == pytest.approx(5 / 9)
    assert pair.word == "fix the guide"
    assert pair.confusion == {
        "retrieval": {"retrieval": 1},
        "not-a-failure": {"ranking": 1, "not-a-failure": 2},
    }
    by = {one.verdict: one for one in pair.classes}
    assert list(by) == ["retrieval", "ranking", "not-a-failure"]
    assert (by["retrieval"].agreement, by["retrieval"].kappa) == (1.0, 1.0)
    assert (by["ranking"].either, by["ranking"].both, by["ranking"].kappa) == (1, 0, 0.0)
    assert by["not-a-failure"].kappa == pytest.approx(0.5)
    assert {one.verdict: one.kappa for one in found.classes} == {name: one.kappa for name, one in by.items()}
    assert [one.case_id for one in found.disputes] == ["E2"]
    assert (found.read_twice, found.unanimous, found.cases) == (4, 3, 5)


def test_of_three_readers_the_classes_have_alpha_and_the_pairs_kappa() -> None:
    found = _of(
        _case("E1", wei="ranking", lena="ranking", max="other"),
        _case("E2", wei="refusal", lena="refusal"),
        _case("E3", wei="other", lena="other", max="other"),
        _case("E4", lena="ranking", max="ranking"),
    )
    assert [(pair.a, pair.b, pair.n) for pair in found.pairs] == [
        ("lena", "max", 3), ("lena", "wei", 3), ("max", "wei", 2),
    ]  # fmt: skip
    by = {one.verdict: one for one in found.classes}
    assert all(one.kappa is None and one.alpha is not None for one in by.values())
    assert (by["ranking"].n, by["ranking"].either, by["ranking"].both) == (8, 4, 2)
    assert by["ranking"].agreement == 6 / 8
    assert found.disputes == ()
    assert [one.case_id for one in found.outvoted] == ["E1"]
    lena = found.readers[0]
    assert (lena.reviewer, lena.shared, lena.compared, lena.agree) == ("lena", 4, 6, 5)


def test_a_dispute_that_was_arbitrated_is_told_apart_and_its_readings_still_count() -> None:
    found = _of(_case("E1", settled="other", wei="other", lena="ranking"))
    assert found.disputes == ()
    (one,) = found.arbitrated
    assert one.verdicts == (("wei", "other"), ("lena", "ranking"))
    assert one.arbitration is not None
    assert one.arbitration.verdict == "other"
    assert found.agreement == 0.0


def test_a_reading_of_another_record_is_held_against_nobody() -> None:
    found = _of(_case("E1", stale="wei", wei="other", lena="ranking"), _case("E2", wei="other", lena="other"))
    assert (found.stale, found.read_twice, found.readings, found.agreement) == (1, 1, 3, 1.0)


@pytest.mark.parametrize(
    ("coefficient", "word"),
    [(1.0, "usable"), (0.8 - 1e-13, "usable"), (0.79, "tentative"), (0.667, "tentative"),
     (0.66, "fix the guide"), (-0.2, "fix the guide"), (None, None)],
)  # fmt: skip
def test_what_a_coefficient_allows(coefficient: float | None, word: str | None) -> None:
    assert word_for(coefficient) == word


def _suggested(
    reason: str, failure_class: str | None, verdict: Verdict | None, **more: bool
) -> SuggestedCase:
    return SuggestedCase("kb42", "E1", reason, failure_class, 0.6, verdict, **more)


def test_suggestions_are_held_against_the_verdicts_rule_by_rule() -> None:
    found = suggestions_against(
        [
            *[_suggested("expected_below_rank1", "ranking", "ranking")] * 7,
            _suggested("expected_below_rank1", "ranking", "retrieval"),
            _suggested("ok", None, "not-a-failure"),
            _suggested("ok", None, "other"),
            _suggested("label_conflict", None, "test-set"),
        ]
    )
    assert (found.n, found.agree) == (11, 9)
    ranking, ok, conflict = found.by_reason
    assert (ranking.reason, ranking.says, ranking.n, ranking.agree) == (
        "expected_below_rank1", "ranking", 8, 7,
    )  # fmt: skip
    # metrics.md section 7: 7/8 has Wilson [.53, .98].
    assert [round(end, 2) for end in ranking.interval] == [0.53, 0.98]
    assert ranking.verdicts == {"retrieval": 1, "ranking": 7}
    assert (ok.says, ok.share, conflict.says) == ("not-a-failure", 0.5, "test-set")
    assert found.confusion == {
        "ranking": {"retrieval": 1, "ranking": 7},
        "not-a-failure": {"other": 1, "not-a-failure": 1},
        "test-set": {"test-set": 1},
    }


def test_what_suggests_nothing_or_is_not_settled_is_left_out_and_counted() -> None:
    found = suggestions_against(
        [
            _suggested("insufficient_record", None, "other"),
            _suggested("system_error", None, "other"),
            _suggested("runner_failed", None, "refusal"),
            _suggested("expected_missing", "retrieval", "ranking", disputed=True),
            _suggested("expected_missing", "retrieval", "retrieval", stale=True),
            _suggested("expected_missing", "retrieval", None),
        ]
    )
    assert (found.n, found.agree, found.interval, found.by_reason) == (0, 0, None, ())
    assert (found.silent, found.disputed, found.stale) == (3, 1, 1)


def test_a_confusion_is_in_the_order_of_the_verdict_keys() -> None:
    found = crossed([("test-set", "other"), ("ranking", "other"), ("ranking", "retrieval")])
    assert list(found) == ["ranking", "test-set"]
    assert list(found["ranking"]) == ["retrieval", "other"]
