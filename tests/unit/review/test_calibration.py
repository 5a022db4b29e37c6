"""The rules' confidence against people's verdicts."""

from __future__ import annotations

from triage.diagnosis import REASONS
from triage.models.agreement import SuggestedCase
from triage.models.reweigh import LEAST_VERDICTS
from triage.review.calibration import proposed, weigh
from triage.review.confusion import suggestions_against


def test_a_proposal_is_the_share_held_back_by_ten_at_the_fixed_confidence() -> None:
    assert proposed(8, 10, 0.6) == 0.7
    assert proposed(0, 90, 0.95) == 0.1  # 9.5 / 100 = .095, halves upward
    assert proposed(10, 10, 1.0) == 1.0
    assert proposed(9, LEAST_VERDICTS - 1, 0.6) is None


def test_rules_are_weighed_in_their_order_and_only_those_that_people_spoke_of() -> None:
    said = [
        SuggestedCase("r", f"c{at}", reason, failure_class, 0.6, verdict)
        for at, (reason, failure_class, verdict) in enumerate(
            [("ok", None, "not-a-failure")] * 3
            + [("expected_below_rank1", "ranking", "ranking")] * 6
            + [("expected_below_rank1", "ranking", "retrieval")] * 6
        )
    ]
    fixed = {name: each.confidence for name, each in REASONS.items()}
    holds = {"expected_below_rank1": 0.9}
    rank, fine = weigh(suggestions_against(said).by_reason, fixed, holds)
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
