"""The names of everything that a suggestion can say, for what may not know the rules themselves."""

from __future__ import annotations

REASONS: tuple[str, ...] = (
    "label_conflict", "insufficient_record", "answered_though_unanswerable", "ok_refusal", "knowledge_gap",
    "fallback_nothing_retrieved", "answered_without_evidence", "expected_below_cutoff",
    "expected_missing_then_refused", "expected_missing_from_topk", "refused_though_evidence_retrieved",
    "refused_though_answerable", "citation_id_not_in_evidence", "distractor_first_and_cited", "no_citation",
    "cited_text_mismatch", "partial_recall_incomplete", "low_faithfulness_good_evidence", "answer_off_topic",
    "answer_incorrect_good_evidence", "expected_below_rank1", "uncited_sentence", "cited_text_low_overlap",
    "system_error", "runner_failed", "ok",
)  # fmt: skip
"""In the order of metrics.md section 5, then those in none of its rows."""
