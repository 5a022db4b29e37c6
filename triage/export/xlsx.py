"""A workbook: the cases as text cells that never run, and a sheet that says what they are."""

from __future__ import annotations

import contextlib
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from triage.errors import TriageError
from triage.export.csv import starts_a_formula
from triage.export.rows import COLUMNS, About, ExportRow, columns
from triage.models.verdict import VERDICTS
from triage.plain import plain

if TYPE_CHECKING:
    from openpyxl import Workbook

CELL_LIMIT = 32_767
"""Most UTF-16 units of a cell (ECMA-376; Excel's specifications and limits)."""
ROW_LIMIT = 1_048_576
"""Most rows of a sheet, its header among them."""
CUT = " [cut here: the JSONL export has the whole]"
WIDTHS = {
    "run": 22, "case_id": 16, "verdict": 18, "labels": 20, "note": 40, "reviewer": 14, "reviewed_at": 25,
    "suggestion": 18, "reason": 30, "topic": 16, "query_type": 16, "query": 50, "answer": 70,
    "expected_ids": 24, "retrieved_ids": 30, "citations": 14,
}  # fmt: skip
"""Column widths in characters of the sheet's font."""
_CHUNK = 1 << 20
# What XML 1.0 has no form for, and the controls that it has one for but nobody sees.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
# A spreadsheet reads such a run of letters as one escaped character.
_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_BEYOND = re.compile("[\U00010000-\U0010ffff]")


def _units(text: str) -> int:
    return len(text) + len(_BEYOND.findall(text))


def _shortened(text: str) -> str:
    """`text` with the note that it is cut, within the limit."""
    room = CELL_LIMIT - len(CUT)
    kept = text[:room]
    while (over := _units(kept) - room) > 0:
        kept = kept[: -((over + 1) // 2)]
    return kept + CUT


def cell_text(text: str) -> tuple[str, list[str]]:
    """`text` as a cell holds it, and what had to be changed, in words.

    A control character, a lone surrogate and a noncharacter become visible marks; a text beyond 32,767 UTF-16
    units is cut. Line breaks are LF, as spreadsheets have them, which is no change to tell.
    """
    changed: list[str] = []
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    marked = _FORBIDDEN.sub(lambda sign: plain(sign.group()), text)
    if marked != text:
        changed.append("control characters as marks")
    marked = _ESCAPE.sub("_x005F_", marked)
    if len(marked) > CELL_LIMIT // 2 and _units(marked) > CELL_LIMIT:
        marked = _shortened(marked)
        changed.append(f"cut at {CELL_LIMIT:,} characters, the JSONL export has the whole")
    return marked, changed


class _Writer:
    """Cells of one sheet, each of the type it is meant to have."""

    def __init__(self, book: Workbook, title: str) -> None:
        from openpyxl.cell import WriteOnlyCell
        from openpyxl.styles import Font

        # A write-only sheet has more of a sheet's attributes than its type stubs know.
        self.sheet: Any = book.create_sheet(title)
        self._made = WriteOnlyCell
        self._bold = Font(bold=True)

    def text(self, text: str) -> Any:
        """A text, whatever it looks like: a formula, an error value and a number stay what was written."""
        if not text:
            return None
        formula = starts_a_formula(text)
        if not formula and text[0] != "#":
            return text
        cell = self._made(self.sheet, text)
        cell.data_type = "s"
        # As the quote mark typed before it: the cell stays a text when somebody edits it.
        cell.quotePrefix = formula
        return cell

    def bold(self, text: str) -> Any:
        cell = self._made(self.sheet, text)
        cell.font = self._bold
        return cell


def _cases(writer: _Writer, rows: Iterable[ExportRow], warnings: list[str]) -> Counter[str | None]:
    sheet = writer.sheet
    sheet.freeze_panes = "A2"
    for index, name in enumerate(COLUMNS):
        sheet.column_dimensions[chr(ord("A") + index)].width = WIDTHS[name]
    sheet.append([writer.bold(name) for name in COLUMNS])
    verdicts: Counter[str | None] = Counter()
    for row in rows:
        if verdicts.total() + 2 > ROW_LIMIT:
            raise TriageError(
                "too many cases for a spreadsheet", f"a sheet has {ROW_LIMIT:,} rows", "choose csv or jsonl"
            )
        cells: list[Any] = []
        told: dict[str, list[str]] = {}
        for name, value in columns(row).items():
            text, changed = cell_text(value)
            cells.append(writer.text(text))
            for words in changed:
                told.setdefault(words, []).append(name)
        sheet.append(cells)
        if told:
            said = "; ".join(f"{', '.join(names)}: {words}" for words, names in told.items())
            warnings.append(f"{row.case_id}: {said}")
        verdicts[row.review.verdict if row.review else None] += 1
    sheet.auto_filter.ref = f"A1:{chr(ord('A') + len(COLUMNS) - 1)}{verdicts.total() + 1}"
    return verdicts


def _about(writer: _Writer, about: About, verdicts: Counter[str | None]) -> None:
    writer.sheet.column_dimensions["A"].width = 22
    writer.sheet.column_dimensions["B"].width = 60
    for name, value in (
        ("run", about.run),
        ("test set", about.test_set),
        ("filter", about.filter),
        ("exported at", about.at),
        ("redacted", "yes" if about.redacted else "no"),
    ):
        writer.sheet.append([writer.bold(name), writer.text(cell_text(value)[0])])
    writer.sheet.append([writer.bold("cases"), verdicts.total()])
    for verdict in (*VERDICTS, None):
        writer.sheet.append([writer.bold(verdict or "not reviewed"), verdicts[verdict]])


def _forget(book: Workbook) -> None:
    """Drop the spool files of sheets that are not saved; saving is what drops them otherwise."""
    sheets: list[Any] = list(book.worksheets)
    for sheet in sheets:
        with contextlib.suppress(OSError):
            if not sheet.closed:
                sheet.close()
        with contextlib.suppress(OSError):
            sheet._writer.cleanup()


def xlsx_bytes(rows: Iterable[ExportRow], about: About, warnings: list[str]) -> Iterator[bytes]:
    """A workbook: the sheet `cases` with the columns of the CSV, the sheet `run` with what they are.

    Args:
        rows: the cases in the order wanted; read as they are asked for.
        about: what the second sheet tells.
        warnings: gets a line for each record that could not be given exactly as it came.

    Raises:
        TriageError: more cases than a sheet has rows.
    """
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    try:
        verdicts = _cases(_Writer(book, "cases"), rows, warnings)
        _about(_Writer(book, "run"), about, verdicts)
        with tempfile.TemporaryFile(prefix="triage-") as spool:
            book.save(spool)
            spool.seek(0)
            while chunk := spool.read(_CHUNK):
                yield chunk
    except BaseException:
        _forget(book)
        raise
