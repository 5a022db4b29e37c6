"""What an export dialog offers, and what it says of a file before and after it is written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace
from textual.content import Content

from triage.models.query import Scope
from triage.plain import one_line
from triage.ui.work.words import number_of, short_path

if TYPE_CHECKING:
    from triage.export import ExportFormat, ExportReport
    from triage.ui.screens.export_target import Names
    from triage.workspace import Workspace

Part = Literal["tagged", "shown", "marked"]
PARTS: tuple[Part, ...] = ("tagged", "shown", "marked")
TOLD = 4
"""Warnings that are shown; the rest is counted."""
EMPTY = {
    "tagged": "no case is tagged: a verdict other than `fine` tags it",
    "shown": "the list is empty",
    "marked": "no case is marked",
}
ABOUT = {
    "csv": "a table for spreadsheets",
    "jsonl": "whole records, which triage reads back",
    "markdown": "a sprint list with checkboxes",
    "xlsx": "a workbook, with a sheet on the run",
}
REDACT = {"no": "", "yes": "ids, classes and numbers, nobody's words"}


class Wanted(Struct, frozen=True):
    """What is on offer when the dialog opens.

    `shown` is the list's scope, `words` what it is called; `marked` the keys of the marked cases; `counts`
    how many cases each part has; `folder` where the last export went.
    """

    shown: Scope
    words: str
    marked: frozenset[int]
    counts: dict[str, int]
    folder: Path

    def scope(self, part: Part) -> Scope:
        """The cases of a part, in the list's order where the list has one."""
        if part == "shown":
            return self.shown
        text = "is:tagged" if part == "tagged" else "is:marked"
        return Scope(self.shown.run, self.shown.k, text, sort=self.shown.sort or "file")


class Asked(Struct, frozen=True):
    """What a preview is of."""

    part: Part
    format: ExportFormat
    redact: bool


def on_offer(
    workspace: Workspace, shown: Scope, selected: str, marked: frozenset[int], folder: str | None
) -> Wanted:
    """Count the cases of every part, and find the folder to begin with. Asks the database and the disk.

    Args:
        workspace: has the run.
        shown: the list's scope.
        selected: its view or drill-down in words.
        marked: the keys of the marked cases.
        folder: where the last export went, None = nowhere yet.
    """
    text = f", {one_line(shown.text)}" if shown.text else ""
    last = Path(folder) if folder is not None and Path(folder).is_dir() else Path.cwd()
    offer = Wanted(shown, selected + text, marked, {}, last)
    parts = [part for part in PARTS if part != "marked" or marked]
    counts = {part: len(workspace.case_keys(offer.scope(part), marked)) for part in parts}
    return replace(offer, counts={"marked": 0} | counts)


def told(names: Names) -> str:
    """What the typed path can be completed to, or what is there."""
    target = names.target
    found = [
        one_line(one.removesuffix("/").rpartition("/")[2]) + "/" * one.endswith("/") for one in names.found
    ]
    if target is not None and target.state == "file":
        return f"is there already, {target.size:,} bytes"
    if found and names.found != (names.text,):
        more = f"   and {len(found) - 6} more" if len(found) > 6 else ""
        return "   ".join(found[:6]) + more
    if target is None:
        return "a name for the file"
    return {
        "new": f"new in {one_line(short_path(target.path.parent))}",
        "folder": "is a folder",
        "no folder": f"there is no folder {one_line(short_path(target.path.parent))} yet",
    }.get(target.state, one_line(target.why))


def wrote(report: ExportReport, redacted: bool) -> Content:
    """What was written, where, and what in it differs from the records."""
    size = f"{report.size:,} bytes, {report.format}{', redacted' * redacted}"
    lines = [
        Content.styled(f"wrote {number_of(report.cases, 'case')} to", "bold"),
        Content(one_line(str(report.target))),
        Content.styled(size, "$muted"),
    ]
    if report.warnings:
        lines.append(Content(""))
        lines += [Content(one_line(text)) for text in report.warnings[:TOLD]]
        if (more := len(report.warnings) - TOLD) > 0:
            lines.append(Content.styled(f"and {number_of(more, 'more record')} like these", "$muted"))
    return Content("\n").join(lines)
