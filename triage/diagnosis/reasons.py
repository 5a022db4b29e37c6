"""Every reason a suggestion can give: its class, how sure it is, and what it means (metrics.md section 5)."""

from __future__ import annotations

from msgspec import Struct

from triage.models.measure import FailureClass


class ReasonInfo(Struct, frozen=True):
    """A reason. `number` is its row in metrics.md section 5; `confidence` (0..1) is fixed, never learnt."""

    reason: str
    number: str
    failure_class: FailureClass | None
    confidence: float
    meaning: str


_TABLE: tuple[ReasonInfo, ...] = (
    ReasonInfo("label_conflict", "1", None, 1.0, "the test set's labels contradict each other"),
    ReasonInfo("insufficient_record", "2", None, 1.0, "a field that the rules need is not recorded"),
    ReasonInfo(
        "answered_though_unanswerable", "3", "refusal", 0.95, "answered what the knowledge base cannot answer"
    ),
    ReasonInfo("ok_refusal", "4", None, 0.9, "refused what the knowledge base cannot answer, as it should"),
    ReasonInfo("knowledge_gap", "5", "retrieval", 0.95, "no expected document is in the knowledge base"),
    ReasonInfo("fallback_nothing_retrieved", "6", "retrieval", 0.9, "nothing was retrieved, and it refused"),
    ReasonInfo("answered_without_evidence", "7", "retrieval", 0.95, "nothing was retrieved, and it answered"),
    ReasonInfo(
        "expected_below_cutoff",
        "8",
        "ranking",
        0.9,
        "an expected document was retrieved, but only below the cut",
    ),
    ReasonInfo(
        "expected_missing_then_refused",
        "9",
        "retrieval",
        0.9,
        "no expected document was retrieved, and it refused",
    ),
    ReasonInfo(
        "expected_missing_from_topk",
        "10",
        "retrieval",
        0.95,
        "no expected document was retrieved, yet it answered",
    ),
    ReasonInfo(
        "refused_though_evidence_retrieved",
        "11",
        "refusal",
        0.95,
        "refused with an expected document at hand",
    ),
    ReasonInfo(
        "refused_though_answerable",
        "11b",
        "refusal",
        0.6,
        "refused an answerable question (retrieval not recorded)",
    ),
    ReasonInfo(
        "citation_id_not_in_evidence",
        "12",
        "citation-semantic",
        0.95,
        "cites an id that is no document of this turn",
    ),
    ReasonInfo(
        "distractor_first_and_cited",
        "13",
        "ranking",
        0.8,
        "cites only documents that are not expected, and the expected one is not first",
    ),
    ReasonInfo("no_citation", "14", "citation-semantic", 0.9, "answers without a citation"),
    ReasonInfo(
        "partial_recall_incomplete",
        "16",
        "retrieval",
        0.6,
        "some expected documents are missing, and the answer is incomplete",
    ),
    ReasonInfo(
        "low_faithfulness_good_evidence",
        "17",
        "citation-semantic",
        0.6,
        "the judge finds the answer unfaithful",
    ),
    ReasonInfo("answer_off_topic", "18", "citation-semantic", 0.6, "the judge finds the answer off topic"),
    ReasonInfo(
        "answer_incorrect_good_evidence",
        "19",
        "citation-semantic",
        0.5,
        "the judge finds the answer incorrect",
    ),
    ReasonInfo(
        "expected_below_rank1", "20", "ranking", 0.6, "an expected document is within the cut, but not first"
    ),
    ReasonInfo("system_error", "", None, 1.0, "the system crashed or timed out"),
    ReasonInfo("runner_failed", "", None, 1.0, "the evaluation runner calls the case failed"),
    ReasonInfo("ok", "23", None, 0.8, "no rule finds fault"),
)
REASONS: dict[str, ReasonInfo] = {info.reason: info for info in _TABLE}
"""By reason, in order of precedence within the classes."""
