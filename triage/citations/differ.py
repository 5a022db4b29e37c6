"""Where a record's citations field and the markers in its answer say different things (run-format)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from triage.citations.resolve import Sources

if TYPE_CHECKING:
    from triage.models.record import Record


class Disagreement(NamedTuple):
    """Both sources as they are written, and which of them, "field" or "text", feeds the metrics."""

    field: tuple[str, ...]
    text: tuple[str, ...]
    used: str

    def __str__(self) -> str:
        said, cited = (", ".join(ids) or "nothing" for ids in (self.field, self.text))
        return f"the citations field says {said}, the text cites {cited}; the {self.used} is measured"


def disagreement(record: Record) -> Disagreement | None:
    """The two sources, where both are recorded and they name different documents.

    `record` is as reading left it, with `citation_field` and `citation_text`. An empty field yields to
    markers in the text; else the field is used.
    """
    field, text = record.citation_field, record.citation_text
    if field is None or text is None or not (field or text):
        return None
    sources = Sources.of(record)

    def documents(citations: Iterable[str]) -> set[str]:
        return {target[0] if (target := sources.find(each)) else each for each in citations}

    if documents(field) == documents(text):
        return None
    return Disagreement(tuple(field), tuple(text), "field" if field else "text")
