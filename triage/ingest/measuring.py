"""What measuring a run's cases needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.models.measure import Scoring

if TYPE_CHECKING:
    from triage.models.record import RunHeader
    from triage.settings import Settings


def scoring_of(
    header: RunHeader,
    settings: Settings,
    *,
    dedup_docs: bool,
    k: int | None = None,
    fewest_attempts: int = 0,
) -> Scoring:
    """What measuring a run's cases needs beside their records.

    Args:
        header: the run's.
        settings: the user's.
        dedup_docs: repeated ids of `retrieved` are collapsed.
        k: overrides the run's own.
        fewest_attempts: the smallest number of attempts at a case, the k of pass@k where the header has none;
            0 = each case's own number.
    """
    return Scoring(
        k=header.k if k is None else k,
        score_scale=header.score_scale,
        kb_ids=None if header.kb_ids is None else frozenset(header.kb_ids),
        dedup_docs=dedup_docs,
        failing_confidence=settings.failing_confidence,
        confidence=settings.sureness.rules,
        pass_k=header.pass_k or fewest_attempts or None,
    )
