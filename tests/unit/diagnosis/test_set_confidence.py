"""Confidences that settings say in place of the rules' own."""

from __future__ import annotations

import pytest

from triage.diagnosis import REASONS, Examiner, diagnose
from triage.models import reasons
from triage.models.measure import Scoring
from triage.models.record import Record
from triage.models.sureness import Sureness

RANK_2 = Record(
    id="E06",
    query="q",
    answerable=True,
    expected_ids=["KB-2"],
    retrieved=[{"id": "KB-1"}, {"id": "KB-2"}],
    answer="a",
    predicted_answerable=True,
    citations=["KB-2"],
)


def test_the_names_that_settings_may_say_are_those_of_the_rules() -> None:
    assert set(reasons.REASONS) == set(REASONS)
    assert len(reasons.REASONS) == len(set(reasons.REASONS))


@pytest.mark.parametrize("confidence", [0.0, 0.39, 0.4, 1.0])
def test_a_set_confidence_decides_suggestion_failing_and_layer(confidence: float) -> None:
    scoring = Scoring(confidence=(("expected_below_rank1", confidence),))
    for said in (diagnose(RANK_2, scoring), Examiner(scoring).examine(RANK_2)[1]):
        assert said.suggestion.reason == "expected_below_rank1"
        assert said.suggestion.confidence == confidence
        assert said.failing is (confidence >= 0.4)
        assert said.layers["ranking"] == ("fails" if confidence >= 0.4 else "ok")


def test_other_rules_keep_their_own_confidence_and_the_order_stays() -> None:
    said = diagnose(RANK_2, Scoring(confidence=(("no_citation", 0.1),)))
    assert said.suggestion.confidence == REASONS["expected_below_rank1"].confidence
    assert said.failing


def test_a_rule_that_is_only_listed_fails_nothing_however_sure_it_is_said_to_be() -> None:
    low = REASONS["cited_text_low_overlap"]
    assert low.listed and not low.blames(Scoring(confidence=((low.reason, 1.0),)))


def test_what_a_view_was_decided_by_is_written_as_before_where_no_rule_is_set() -> None:
    assert Sureness().written() == 0.4
    for sureness in (Sureness(), Sureness(0.7), Sureness.of(0.4, {"ok": 0.5, "no_citation": 0.2})):
        assert Sureness.read(sureness.written()) == sureness
    assert Sureness.of(0.4, {"a": 1.0, "b": 0.5}) == Sureness.of(0.4, {"b": 0.5, "a": 1.0})
