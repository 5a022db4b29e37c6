"""What a record does not say and reading may fill in: did it answer, what does it cite, what is it about.

A step of its own, before measuring; what was filled in is listed in the record's `inferred` (run-format:
"Three fields that are read with care").
"""

from __future__ import annotations

from triage.citations.markers import cited_ids, may_cite
from triage.formats.refusal import is_refusal
from triage.models.record import Record
from triage.settings import Settings


def infer(record: Record, settings: Settings, run_cites: bool, *, both_sources: bool = True) -> Record:
    """Fill in `record` and return it.

    Args:
        record: as read from its file; it is changed.
        settings: fallback phrases and topic words.
        run_cites: some record of the run cites at all (`cites`); decides what an absent citation means.
        both_sources: also fill `citation_field` and `citation_text` where the field alone feeds the metric.
    """
    if not record.decision_recorded:
        answered = _answered(record, settings)
        if answered is not None:
            record.predicted_answerable = answered
            record.inferred.append("predicted_answerable")
    _citations(record, run_cites, both_sources)
    if record.topic is None:
        _topic(record, settings)
    return record


def _answered(record: Record, settings: Settings) -> bool | None:
    if record.answer is None or record.error is not None:
        return None
    return not is_refusal(record.answer, settings.fallback_phrases, settings.builtin_fallbacks)


def _citations(record: Record, run_cites: bool, both_sources: bool) -> None:
    field = record.citations
    if both_sources:
        record.citation_field = field
        record.citation_text = markers(record)
    if field:
        return
    found = record.citation_text if both_sources else markers(record)
    if found:
        record.citations = found
        record.inferred.append("citations")
    elif field is None and run_cites and record.answer is not None:
        record.citations = []
        record.inferred.append("citations")


def markers(record: Record) -> list[str] | None:
    """The ids that the answer's markers name, in order; None where there is no answer."""
    answer = record.answer
    if answer is None:
        return None
    if not may_cite(answer):
        return []
    known = {document.id for documents in (record.retrieved, record.evidence) for document in documents or ()}
    return cited_ids(answer, known)


def cites(record: Record) -> bool:
    """Does this record show that its run cites: a citations field that is not null, or a marker?

    Asked before or after `infer`, as long as `run_cites` was False then.
    """
    return record.citations is not None


def undecided(record: Record) -> bool:
    """After `infer` with `run_cites` False: would it read otherwise if another record of the run cites?"""
    return record.citations is None and record.answer is not None


def _topic(record: Record, settings: Settings) -> None:
    if record.tags:
        tag = next((tag for tag in record.tags if tag.strip()), None)
        if tag is not None:
            record.topic = tag
            return
    words = " ".join(text for text in (record.query, record.raw_query) if text)
    topic = settings.topic_of(words) if words else None
    if topic is not None:
        record.topic = topic
        record.inferred.append("topic")
