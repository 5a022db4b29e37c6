"""What the sentence check says of a record, in numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from triage.models.record import Record
    from triage.models.sentences import SentenceSummary

SMALL = 512 << 10
"""Bytes of a file up to which its sentences are checked as it is loaded, whoever loads it."""


def checker() -> Callable[[Record], SentenceSummary]:
    """The check, for record after record as reading left them."""
    # Imported here because a large file is loaded without it.
    from triage.citations.check import check, summarise

    def said(record: Record) -> SentenceSummary:
        return summarise(check(record))

    return said
