"""Which document a citation stands for (metrics.md section 2, "resolving an id")."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from triage.citations.markers import find_markers
from triage.models.case import CitationState

if TYPE_CHECKING:
    from triage.models.record import Record

_POSITION = re.compile(r"S?([0-9]{1,9})")


class Sources:
    """This turn's documents, as citations are resolved against them.

    Args:
        retrieved: ids of `retrieved`, best first; None where it is not recorded.
        evidence: ids of `evidence`; None where it is not recorded.

    `recorded` is False where neither is: then nothing can be said of a citation.
    """

    __slots__ = ("_evidence", "_order", "recorded")

    def __init__(self, retrieved: Sequence[str] | None, evidence: Sequence[str] | None) -> None:
        self.recorded = retrieved is not None or evidence is not None
        self._order: Sequence[str] = retrieved or evidence or ()
        self._evidence: Sequence[str] = evidence or ()

    @classmethod
    def of(cls, record: Record) -> Sources:
        """The sources of a record."""
        evidence = record.evidence
        return cls(record.retrieved_ids, None if evidence is None else [item.id for item in evidence])

    @property
    def ids(self) -> list[str]:
        """Every document a citation may name, each once: those with a rank first."""
        return list(dict.fromkeys((*self._order, *self._evidence)))

    def find(self, citation: str) -> tuple[str, int | None] | None:
        """The id `citation` stands for and its 1-based rank, or None where it names nothing.

        A literal id wins; else `S2` or `2` is a position in `retrieved`, or in `evidence` where that is not
        recorded or empty. The rank is None for a document of `evidence` that is not in the `retrieved` list.
        """
        # Lists are short, and most citations few: looking through beats an index that is made each time.
        if citation in self._order:
            return citation, self._order.index(citation) + 1
        if citation in self._evidence:
            return citation, None
        match = _POSITION.fullmatch(citation)
        if match:
            position = int(match.group(1))
            if 1 <= position <= len(self._order):
                return self._order[position - 1], position
        return None


def resolve(record: Record) -> list[CitationState]:
    """The distinct citations of a record, in order, each with its document and its markers in the answer.

    A marker belongs to the citation written the same way, else to one that stands for the same document.
    """
    if not record.citations:
        return []
    sources = Sources.of(record)
    found = {citation: sources.find(citation) for citation in record.citations}
    by_document = {target[0]: citation for citation, target in reversed(found.items()) if target}
    spans: dict[str, list[tuple[int, int]]] = {citation: [] for citation in found}
    for marker in find_markers(record.answer or "", frozenset(sources.ids)):
        for written in marker.ids:
            target = sources.find(written)
            owner = written if written in spans else by_document.get(target[0]) if target else None
            if owner is not None:
                spans[owner].append((marker.start, marker.end))
    return [
        CitationState(
            marker=citation,
            id=target[0] if target else None,
            resolved_rank=target[1] if target else None,
            valid=target is not None,
            spans=tuple(dict.fromkeys(spans[citation])),
        )
        for citation, target in found.items()
    ]
