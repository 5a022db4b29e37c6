"""Cases of a scope as export rows, and where they go."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from triage.export import ExportFormat, ExportReport, ExportRow, export_rows, write_whole
from triage.workspace.cases import Place, pages, reader_of

if TYPE_CHECKING:
    from triage.settings import Settings


def rows(place: Place, settings: Settings) -> Iterator[ExportRow]:
    """The scope's cases in its order, each with its record, its suggestion and its reviews."""
    store, run = place.store, place.run
    reader = reader_of(store, run, settings)
    for page in pages(store.keys(run, place.view, place.scope, place.where)):
        found = store.findings(place.view, page)
        raws = store.raws(page)
        for row in store.rows(run, place.view, page):
            raw = raws[row.pk]
            record = reader.read(raw)
            yield ExportRow(
                run=run.id,
                case_id=row.id,
                raw=raw,
                query=record.query or row.query,
                answer=record.answer or "",
                topic=row.topic,
                query_type=record.query_type,
                high_risk=row.high_risk,
                expected_ids=tuple(record.expected_ids or ()),
                retrieved_ids=tuple(record.retrieved_ids or ()),
                citations=tuple(record.citations or ()),
                suggestion=found[row.pk][0],
                review=row.review,
                events=tuple(store.history(run.id, row.id)),
            )


def export(
    place: Place, settings: Settings, format: ExportFormat, target: Path | None, *, redact: bool, bom: bool
) -> ExportReport:
    """Write the scope's cases; see `Workspace.export`."""
    warnings: list[str] = []
    cases = 0

    def counted() -> Iterator[ExportRow]:
        nonlocal cases
        for row in rows(place, settings):
            cases += 1
            yield row

    chunks = export_rows(counted(), format, title=place.run.id, redact=redact, bom=bom, warnings=warnings)
    content = b""
    if target is None:
        content = b"".join(chunks)
    else:
        write_whole(target, chunks)
    return ExportReport(target, format, cases, tuple(warnings), content)
