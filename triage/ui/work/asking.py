"""Dialogs of the Triage screen: each is opened with what it needs and its answer applied."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from triage import paths
from triage.errors import TriageError
from triage.metrics.registry import METRICS
from triage.models.query import Scope
from triage.plain import one_line, plain
from triage.ui.screens.dialogs import Ask, Choice, Choose, Dialog, Listing
from triage.ui.screens.export import ExportDialog, Wanted
from triage.ui.screens.note import NoteBox
from triage.ui.screens.runs import Picked, RunsDialog
from triage.ui.work import words

if TYPE_CHECKING:
    from triage.ui.screens.triage import TriageScreen
    from triage.workspace import Workspace

Result = TypeVar("Result")
SORTS = (
    ("", "by layer", "failing first, in the order of the layers"),
    ("file", "as in the file", ""),
    ("id", "id", ""),
    ("topic", "topic", ""),
    ("rank", "rank", "of the first expected document"),
    ("suggestion", "suggestion", "its class"),
    ("reason", "reason", "the rule that fired"),
    ("confidence", "confidence", "of the suggestion"),
    ("verdict", "verdict", ""),
    ("reviewed_at", "reviewed at", ""),
    ("reviewer", "reviewer", ""),
    ("query_type", "query type", ""),
    ("domain", "domain", ""),
    ("difficulty", "difficulty", ""),
    ("route", "route", ""),
    ("turns", "turns", ""),
    ("latency_ms", "latency", "milliseconds"),
    ("cost", "cost", ""),
    ("tokens", "tokens", ""),
)
CLIPBOARD = 74_000
"""Most bytes that terminals take at once as a clipboard text."""


class Asking:
    """Opens a dialog, off the event loop where it needs the workspace, and does what its answer says."""

    def __init__(self, screen: TriageScreen, workspace: Workspace) -> None:
        self._screen = screen
        self._workspace = workspace

    async def _off(self, call: Callable[[], Result], doing: str) -> Result | None:
        """One workspace call off the event loop; what the user did wrong is told, None comes back."""
        future = asyncio.get_running_loop().run_in_executor(None, call)
        await asyncio.wait([future])
        error = future.exception()
        if error is None:
            return future.result()
        self._screen.speech.error(error, doing)
        return None

    async def open(self, what: str) -> None:
        """Open the dialog of that name and do what is answered; some need a run to be shown."""
        scope = self._screen.selection.scope
        if what == "reviewer":
            await self._reviewer()
        elif what == "open_file":
            await self._open_file()
        elif scope is not None:
            asks = {
                "sort": self._sort,
                "k": self._k,
                "runs": self._runs,
                "labels": self._labels,
                "note": self._note,
                "export": self._export,
                "copy": self._copy,
                "problems": self._problems,
            }
            await asks[what](scope)

    async def _show(self, dialog: Dialog[Result]) -> Result | None:
        return await self._screen.app.push_screen_wait(dialog)

    async def _sort(self, scope: Scope) -> None:
        metrics = [
            (metric.key, metric.titled(scope.k or 3), "metric")
            for metric in METRICS
            if metric.built and not metric.derived
        ]
        choices = [Choice(value, label, aside) for value, label, aside in (*SORTS, *metrics)]
        now = scope.sort.removeprefix("-")
        hint = "enter sorts by it, the same again turns it round   typing narrows   esc leaves it"
        value = await self._show(Choose("sort by", choices, now, hint))
        if value is not None:
            turned = value not in ("", "file") and value == now and not scope.sort.startswith("-")
            self._screen.selection.change(sort=f"-{value}" if turned else value)

    async def _k(self, scope: Scope) -> None:
        def check(text: str) -> str:
            whole = text.strip().isascii() and text.strip().isdigit() and int(text) >= 1
            return "" if whole else f"K is a whole number, 1 or more: {one_line(text)!r} is none"

        view = self._screen.view
        now = view.k if view is not None else 3
        about = "The K of Hit@K and the other @K metrics: how many of the retrieved documents count."
        text = await self._show(Ask("K", str(now), about=about, check=check))
        if text is not None and int(text) != now:
            self._screen.speech.say(f"measuring at K = {int(text)}")
            self._screen.selection.change(k=int(text))

    async def _runs(self, scope: Scope) -> None:
        runs = await self._off(self._workspace.runs, "reading the runs")
        current = self._screen.run_shown
        if runs and current is not None:
            picked = await self._show(RunsDialog(runs, current))
            if picked is not None:
                await self._picked(picked, current.id)

    async def _picked(self, picked: Picked, current: str) -> None:
        if picked.does == "open":
            self._screen.selection.open_run(picked.run)
            return
        against = picked.run if picked.does == "against" else None
        await self.against(current, against)

    async def against(self, run: str, baseline: str | None) -> None:
        """Compare a run with another, None = with the one by default."""

        def call() -> bool:
            self._workspace.set_baseline(run, baseline)
            return True

        if await self._off(call, "choosing the baseline"):
            self._screen.selection.open_run(run)

    async def _labels(self, scope: Scope) -> None:
        targets = self._screen.verdicts.targets()
        if not targets:
            return
        row = self._screen.cases.row
        present = " ".join(row.review.labels) if row is not None and row.review is not None else ""
        found = await self._off(partial(self._workspace.bulk.labels, scope.run, []), "reading the labels")
        known = [label.name for label in found or ()]
        title = "labels of " + (
            next(iter(targets.values())) if len(targets) == 1 else f"{len(targets)} cases"
        )
        about = "known: " + one_line(" ".join(known[:12]))
        text = await self._show(Ask(title, present, placeholder="stale-doc routing", about=about))
        if text is not None:
            labels = tuple(dict.fromkeys(text.replace(",", " ").replace("，", " ").split()))
            self._screen.verdicts.label(scope, list(targets.values()), labels)

    async def _note(self, scope: Scope) -> None:
        row = self._screen.cases.row
        if row is None:
            return
        draft = await self._off(partial(self._workspace.draft, scope.run, row.id), "reading the draft")
        unkept: dict[str, str] = getattr(self._screen.app, "unkept", {})

        async def keep(text: str | None) -> None:
            call, doing = partial(self._workspace.drop_draft, scope.run, row.id), "dropping the draft"
            if text is not None:
                call = partial(self._workspace.save_draft, scope.run, row.id, text)
                doing = "saving the draft"
            if await self._off(lambda: call() is None, doing) or text is None:
                unkept.pop(row.id, None)
            else:
                unkept[row.id] = text

        note = row.review.note if row.review is not None else ""
        text = await self._show(NoteBox(row.id, note, draft, keep))
        if text is not None:
            self._screen.verdicts.note(scope, row.id, text)

    async def _export(self, scope: Scope) -> None:
        name = "".join(c if c.isalnum() or c in "-_." else "-" for c in scope.run)[:60] + "-tagged.csv"
        view, count = self._screen.view, len(self._screen.cases.keys)
        shown = (
            f"{words.number_of(count, 'case')}, {words.selection(scope, view.k if view is not None else 3)}"
        )
        if scope.text:
            shown += f", {one_line(scope.text)}"
        wanted = await self._show(ExportDialog(name, shown))
        if wanted is not None:
            await self._write(scope, wanted)

    async def _write(self, scope: Scope, wanted: Wanted) -> None:
        part = scope if wanted.part == "shown" else Scope(scope.run, scope.k, "is:tagged")
        report = await self._off(
            partial(self._workspace.export, part, wanted.format, wanted.path), "exporting"
        )
        if report is not None:
            self._screen.speech.toast(f"wrote {words.number_of(report.cases, 'case')} to {wanted.path}")

    async def _copy(self, scope: Scope) -> None:
        # Terminals may ignore the clipboard sequence without a word, so the text goes to a file in any case.
        row = self._screen.cases.row
        if row is None:
            return
        target = paths.state_file().parent / "copied.txt"

        def call() -> str:
            detail = self._workspace.case_detail(scope, row.pk)
            record = detail.record
            parts = [
                f"{scope.run} {record.id}",
                f"asked: {record.query or ''}",
                f"answered: {record.answer or ''}",
            ]
            retrieved = record.retrieved_ids
            if retrieved is not None:
                parts.append("retrieved: " + ", ".join(retrieved))
            if record.expected_ids is not None:
                parts.append("expected: " + ", ".join(record.expected_ids))
            text = plain("\n".join(parts)) + "\n"
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text, "utf-8", errors="replace")
            except OSError as error:
                raise TriageError("can't write the copy", f"{target}: {error.strerror}") from error
            return text

        text = await self._off(call, "copying")
        if text is None:
            return
        size = len(text.encode("utf-8"))
        if size > CLIPBOARD:
            self._screen.speech.say(
                f"{row.id}: too long for the terminal's clipboard, whole in {_short(target)}"
            )
        else:
            self._screen.app.copy_to_clipboard(text)
            self._screen.speech.say(
                f"{row.id} sent to the terminal's clipboard (OSC 52), also in {_short(target)}"
            )

    async def _problems(self, scope: Scope) -> None:
        def call() -> list[str]:
            run = words.problem_lines(
                self._workspace.problems(scope.run), self._workspace.warnings(scope.run)
            )
            return [*run, *words.left_out(self._screen.loader.reports, scope.run)]

        lines = await self._off(call, "reading the problems")
        if lines is not None:
            await self._show(Listing(f"what could not be read of {scope.run}", lines))

    async def _reviewer(self) -> None:
        def check(text: str) -> str:
            return "" if text.strip() else "a name is wanted"

        about = "Verdicts from now on bear this name."
        text = await self._show(Ask("reviewer", self._workspace.reviewer, about=about, check=check))
        if text is not None:
            self._workspace.reviewer = self._screen.reviewer = text.strip()

    async def _open_file(self) -> None:
        def check(text: str) -> str:
            there = bool(text.strip()) and Path(text.strip()).expanduser().exists()
            return "" if there else f"there is no {one_line(text) or 'file without a name'}"

        about = "A run file (.jsonl, .json, also .gz), or a folder that holds some."
        text = await self._show(Ask("open", placeholder="runs/kb42.jsonl", about=about, check=check))
        if text is not None:
            self._screen.load([Path(text.strip()).expanduser()])


def _short(path: Path) -> str:
    home = str(Path.home())
    text = str(path)
    return "~" + text.removeprefix(home) if text.startswith(home) else text
