"""Cases of a scope as export rows, what a file of them begins with, and where they go."""

from __future__ import annotations

import re
import threading
from array import array
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from triage.errors import TriageError
from triage.export import (
    ENDINGS,
    FORMATS,
    About,
    ExportFormat,
    ExportReport,
    ExportRow,
    export_rows,
    named_format,
    write_whole,
)
from triage.export.markdown import ORDER, UNREVIEWED
from triage.export.rows import COLUMNS
from triage.models.query import Scope
from triage.workspace.cases import Place, pages, reader_of

if TYPE_CHECKING:
    from triage.settings import Settings

__all__ = [
    "COLUMNS", "ENDINGS", "FORMATS", "ExportFormat", "ExportReport", "Exporting", "Preview", "named_format",
]  # fmt: skip

PREVIEW = 20
"""Cases that a preview shows."""
_TELLS_READINGS = ("jsonl", "markdown")
# A filter of such words alone quotes nobody.
_NO_TEXT = re.compile(r"\s*(?:-?is:[a-z-]+\s*)*")
FindPlace = Callable[[Scope, frozenset[int]], Place]


class Preview(Struct, frozen=True):
    """How many cases a scope has, and the first `shown` of them as they will be written.

    `text` is the file's beginning; a workbook has `table` instead, its header and its rows.
    """

    cases: int
    shown: int
    text: str = ""
    table: tuple[tuple[str, ...], ...] = ()


def filter_words(scope: Scope) -> str:
    """The scope's selection as a filter's words: the text, the view, what is drilled into."""
    said = [scope.text.strip()] if scope.text.strip() else []
    if scope.literal and said:
        said = [f'"{said[0]}"']
    if scope.drill is not None and scope.drill.similar is not None:
        said.append(f"similar to {scope.drill.similar}")
    elif scope.drill is not None and scope.drill.named:
        said.append(scope.drill.named)
    elif scope.drill is not None:
        metric = f"{scope.drill.metric} {scope.drill.part}"
        said.append(metric if scope.drill.metric is not None else f"suggestion:{scope.drill.failure_class}")
    elif scope.view != "all":
        said.append(f"view {scope.view}")
    return ", ".join(said) or "every case"


class Exporting:
    """Writes the cases of scopes.

    Args:
        find: a scope's place in a store, with the keys that `is:marked` stands for.
        settings: the user's settings.
        stamp: the time, UTC ISO 8601.
    """

    def __init__(self, find: FindPlace, settings: Settings, stamp: str) -> None:
        self._find = find
        self._settings = settings
        self._stamp = stamp

    def write(
        self,
        scope: Scope,
        format: ExportFormat,
        target: Path | None = None,
        *,
        redact: bool = False,
        bom: bool = True,
        marked: frozenset[int] = frozenset(),
        overwrite: bool = True,
        make_folder: bool = False,
        progress: Callable[[int, int], None] | None = None,
        cancel: threading.Event | None = None,
    ) -> ExportReport:
        """Write the scope's cases to `target`, whole or not at all; without one the report has the bytes.

        Args:
            scope: which cases, in which order.
            format: csv, jsonl, markdown or xlsx.
            target: the file.
            redact: leave out what people and documents said.
            bom: begin CSV with a byte-order mark.
            marked: keys that `is:marked` stands for.
            overwrite: take the place of a file that is there.
            make_folder: make the folders above `target` that are missing.
            progress: told how many of how many cases are written, once a page.
            cancel: set it to stop.

        Raises:
            TriageError: the file can't be written, or `cancel` was set; what was there before is untouched.
        """
        place = self._find(scope, marked)
        keys = place.store.keys(place.run, place.view, scope, place.where)
        warnings: list[str] = []
        cases = 0

        def counted() -> Iterator[ExportRow]:
            nonlocal cases
            for row in self._rows(place, keys, format):
                if cancel is not None and cancel.is_set():
                    raise TriageError("stopped", "nothing was written")
                cases += 1
                if progress is not None and cases % 100 == 0:
                    progress(cases, len(keys))
                yield row
            if cases < len(keys):
                raise TriageError("the run has changed meanwhile", place.run.id, "export it again")

        chunks = export_rows(
            counted(),
            format,
            title=place.run.id,
            redact=redact,
            bom=bom,
            warnings=warnings,
            about=self._about(place, redact),
            definitions=place.store.codes.definitions() if format == "markdown" else None,
        )
        if target is None:
            content = b"".join(chunks)
            return ExportReport(None, format, cases, tuple(warnings), content, len(content))
        size = write_whole(target, chunks, overwrite=overwrite, make_folder=make_folder)
        return ExportReport(target, format, cases, tuple(warnings), size=size)

    def preview(
        self,
        scope: Scope,
        format: ExportFormat,
        *,
        redact: bool = False,
        marked: frozenset[int] = frozenset(),
        shown: int = PREVIEW,
    ) -> Preview:
        """The beginning of what `write` would write now, by its first `shown` cases."""
        place = self._find(scope, marked)
        keys = place.store.keys(place.run, place.view, scope, place.where)
        counts = None
        first = keys[:shown]
        if format == "markdown":
            groups = self._by_verdict(scope, keys)
            counts = {verdict: len(group) for verdict, group in groups.items()}
            first = array("q", [pk for verdict in ORDER for pk in groups[verdict]][:shown])
        rows = self._rows(place, first, format)
        if format == "xlsx":
            return Preview(len(keys), len(first), table=tuple(self._table(rows, redact)))
        # A byte-order mark is no text that anybody could read.
        means = place.store.codes.definitions() if format == "markdown" else None
        title = place.run.id
        chunks = export_rows(
            rows, format, title=title, redact=redact, counts=counts, bom=False, definitions=means
        )
        text = b"".join(chunks).decode("utf-8")
        return Preview(len(keys), len(first), text)

    def _about(self, place: Place, redact: bool) -> About:
        run = place.run
        words = filter_words(place.scope)
        if redact and not _NO_TEXT.fullmatch(place.scope.text):
            words = "(left out: redacted)"
        test_set = " ".join(part for part in (run.dataset, run.dataset_version) if part)
        return About(run.id, test_set, words, self._stamp, redact)

    def _by_verdict(self, scope: Scope, keys: Sequence[int]) -> dict[str, list[int]]:
        """The keys by the verdict of their cases, each group in the order given."""
        verdict_of: dict[int, str] = {}
        for verdict in ORDER[:-1]:
            named = Scope(scope.run, scope.k, f"verdict:{verdict}")
            place = self._find(named, frozenset())
            for pk in place.store.keys(place.run, place.view, named, place.where):
                verdict_of[pk] = verdict
        groups: dict[str, list[int]] = {verdict: [] for verdict in ORDER}
        for pk in keys:
            groups[verdict_of.get(pk, UNREVIEWED)].append(pk)
        return groups

    def _table(self, rows: Iterator[ExportRow], redact: bool) -> Iterator[tuple[str, ...]]:
        from triage.export.redact import redacted
        from triage.export.rows import columns
        from triage.export.xlsx import cell_text

        yield COLUMNS
        for row in rows:
            yield tuple(cell_text(cell)[0] for cell in columns(redacted(row) if redact else row).values())

    def _rows(self, place: Place, keys: array[int], format: ExportFormat) -> Iterator[ExportRow]:
        """The cases of keys, each with record, suggestion and reviews, and what else the format tells."""
        store, run = place.store, place.run
        reader = reader_of(store, run, self._settings)
        for page in pages(keys):
            found = store.findings(place.view, page)
            raws = store.raws(page)
            rows = store.rows(run, place.view, page)
            judged = [row.id for row in rows if row.review is not None and format in _TELLS_READINGS]
            readings = store.readings.of_cases(run, judged)
            settled = store.readings.arbitrations(run, judged)
            for row in rows:
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
                    events=tuple(store.history(run.id, row.id)) if format == "jsonl" else (),
                    readings=readings.get(row.id, ()),
                    settled=settled.get(row.id),
                )
