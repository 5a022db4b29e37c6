"""The rules' confidence against people's verdicts."""

from __future__ import annotations

import pytest

from triage.diagnosis import REASONS
from triage.models.reweigh import LEAST_VERDICTS
from triage.review.calibration import DATA, FINE, SILENT, confirms, proposed, weigh


@pytest.mark.parametrize(
    ("reason", "verdict", "expected"),
    [
        ("expected_below_rank1", "ranking", True),
        ("expected_below_rank1", "retrieval", False),
        ("expected_below_rank1", "not-a-failure", False),
        ("expected_below_rank1", "test-set", False),
        ("ok", "not-a-failure", True),
        ("ok", "other", False),
        ("ok_refusal", "not-a-failure", True),
        ("label_conflict", "test-set", True),
        ("label_conflict", "not-a-failure", False),
        ("insufficient_record", "retrieval", None),
        ("system_error", "other", None),
        ("runner_failed", "other", None),
    ],
)
def test_what_confirms_a_suggestion(reason: str, verdict: str, expected: bool | None) -> None:
    assert confirms(reason, REASONS[reason].failure_class, verdict) is expected


def test_every_reason_without_a_class_says_what_confirms_it() -> None:
    without = {name for name, each in REASONS.items() if each.failure_class is None}
    assert without == FINE | DATA | SILENT


def test_a_proposal_is_the_share_held_back_by_ten_at_the_fixed_confidence() -> None:
    assert proposed(8, 10, 0.6) == 0.7
    assert proposed(0, 90, 0.95) == 0.1  # 9.5 / 100 = .095, halves upward
    assert proposed(10, 10, 1.0) == 1.0
    assert proposed(9, LEAST_VERDICTS - 1, 0.6) is None


def test_rules_are_weighed_in_their_order_and_only_those_that_people_spoke_of() -> None:
    said = [("ok", True)] * 3 + [("expected_below_rank1", True)] * 6 + [("expected_below_rank1", False)] * 6
    fixed = {name: each.confidence for name, each in REASONS.items()}
    rank, fine = weigh(said, fixed, {"expected_below_rank1": 0.9})
    assert (rank.reason, rank.n, rank.agree, rank.fixed, rank.holds) == (
        "expected_below_rank1",
        12,
        6,
        0.6,
        0.9,
    )
    assert rank.proposed == round(12 / 22, 2) and rank.changes
    assert rank.interval is not None and rank.interval[0] < 0.5 < rank.interval[1]
    assert (fine.reason, fine.n, fine.proposed, fine.changes) == ("ok", 3, None, False)
