"""What measures and rules both ask of a record, worked out once (metrics.md section 0)."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from triage.citations.resolve import Sources

if TYPE_CHECKING:
    from triage.models.measure import Scoring
    from triage.models.record import Record
    from triage.models.sentences import SentenceSummary


class Facts:
    """A record read for measuring at one K; true, false and not recorded (None) are kept apart.

    Attributes:
        due: whether an answer is due: `answerable`, or True where only expected ids say so; None = unknown.
        conflict: the labels contradict each other: answerable without expected ids, or unanswerable with.
        expected: distinct expected ids in their order; None = not recorded.
        retrieved: ids in rank order, collapsed where `dedup_docs` says so; None = not recorded.
        in_scope: the case belongs to the retrieval metrics (scope R).
        ranks: ascending 1-based ranks of the expected ids found anywhere in the list, each id once.
        first_rank: the first of them, or None.
        hit: in scope, and an expected id stands within the first K.
        refused, answered: what `predicted_answerable` says; both False where it is unknown.
        has_answer: there is an answer to speak of: not refused, and its text not blank; a text that is not
            recorded counts where the runner says that the system answered.
        has_error: an error is recorded, and not blank.
        sources: this turn's documents.
        cited: the distinct citations with the (id, rank) each stands for, None where it names nothing.
            None as a whole where citations, or any documents to resolve them against, are not recorded.
        sentences: what the sentence check says; None = not checked yet.
    """

    __slots__ = (
        "answerable",
        "answered",
        "citations",
        "cited",
        "conflict",
        "due",
        "expected",
        "first_rank",
        "has_answer",
        "has_error",
        "hit",
        "in_scope",
        "k",
        "predicted",
        "ranks",
        "record",
        "refused",
        "retrieved",
        "scores",
        "scoring",
        "sentences",
        "sources",
    )  # fmt: skip

    def __init__(self, record: Record, scoring: Scoring, sentences: SentenceSummary | None = None) -> None:
        self.record = record
        self.scoring = scoring
        self.sentences = sentences
        self.k = scoring.k
        self.scores: dict[str, float] = record.scores or {}
        self.answerable: bool | None = record.answerable
        self.predicted: bool | None = record.predicted_answerable
        answerable, predicted = self.answerable, self.predicted
        self.refused = predicted is False
        self.answered = predicted is True

        expected: list[str] | None = record.expected_ids
        self.conflict = expected is not None and (
            (answerable is True and not expected) or (answerable is False and bool(expected))
        )
        self.due = True if answerable is None and expected else answerable
        if expected is not None and len(expected) > 1:
            expected = list(dict.fromkeys(expected))
        self.expected = expected

        ids = record.retrieved_ids
        self._rank(ids)
        self.in_scope = self.due is True and bool(expected) and ids is not None
        self.hit = self.in_scope and self.first_rank is not None and self.first_rank <= self.k

        text: str | None = record.answer
        self.has_answer = predicted is not False and (self.answered if text is None else bool(text.strip()))
        # Runners write an empty error where there was none.
        error: str | None = record.error
        self.has_error = error is not None and bool(error.strip())
        self._cite(ids)

    def _rank(self, ids: list[str] | None) -> None:
        if ids is not None and self.scoring.dedup_docs:
            ids = list(dict.fromkeys(ids))
        self.retrieved = ids
        ranks: list[int] = []
        if ids and self.expected and len(self.expected) == 1:
            if self.expected[0] in ids:
                ranks.append(ids.index(self.expected[0]) + 1)
        elif ids and self.expected:
            wanted = set(self.expected)
            for rank, name in enumerate(ids, 1):
                if name in wanted:
                    ranks.append(rank)
                    wanted.discard(name)
                    if not wanted:
                        break
        self.ranks = tuple(ranks)
        self.first_rank = ranks[0] if ranks else None

    def _cite(self, ids: list[str] | None) -> None:
        # Positions count in the list as the system saw it, so the list is not collapsed here.
        record = self.record
        evidence = record.evidence
        self.citations = citations = record.citations
        self.sources = Sources(ids, None if evidence is None else [item.id for item in evidence])
        self.cited: dict[str, tuple[str, int | None] | None] | None = None
        if citations is not None and (self.sources.recorded or not citations):
            find = self.sources.find
            self.cited = {citation: find(citation) for citation in citations}

    def score(self, name: str) -> float | None:
        """A recorded judge score on the run's scale; one that is no finite number is not recorded."""
        score = self.scores.get(name)
        return score if score is not None and isfinite(score) else None
