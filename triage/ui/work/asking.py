"""Dialogs of the Triage screen: each is opened with what it needs and its answer applied."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, cast

from triage.metrics.registry import METRICS
from triage.models.query import Scope
from triage.paths import typed
from triage.plain import one_line
from triage.ui.screens.dialogs import Ask, Choice, Choose, no_such_path
from triage.ui.screens.note import NoteBox
from triage.ui.screens.runs_pick import Picked, RunsDialog
from triage.ui.work import advising, finding, words
from triage.ui.work.asker import Asker

if TYPE_CHECKING:
    from triage.ui.app import TriageApp

SORTS = (
    ("", "by layer", "failing first, layer by layer"),
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
    ("readings", "readings", "people who have read it"),
    ("query_type", "query type", ""),
    ("domain", "domain", ""),
    ("difficulty", "difficulty", ""),
    ("route", "route", ""),
    ("turns", "turns", ""),
    ("latency_ms", "latency", "milliseconds"),
    ("cost", "cost", ""),
    ("tokens", "tokens", ""),
)


class Asking(Asker):
    """Opens a dialog, off the event loop where it needs the workspace, and does what its answer says."""

    async def open(self, what: str) -> None:
        """Open the dialog of that name and do what is answered; some need a run to be shown."""
        scope = self._screen.selection.scope
        if what == "reviewer":
            await self._reviewer()
        elif what == "open_file":
            await self._open_file()
        elif what == "runs_screen":
            self.runs_screen()
        elif scope is not None:
            asks: dict[str, Callable[[Scope], Awaitable[None]]] = {
                "sort": self._sort,
                "k": self._k,
                "runs": self._runs,
                "note": self._note,
                "export": self._export,
                "problems": self._problems,
                "goto": partial(finding.goto, self._screen, self._off),
                "filters": partial(finding.filters, self._screen, self._off),
                "labels": partial(self._bulk, "labels"),
                "columns": partial(self._bulk, "columns"),
                "copy": partial(self._bulk, "copy"),
                "similar": partial(finding.similar, self._screen, self._off),
                "advice": partial(advising.advise, self._screen, self._off),
                "slices": self._slices,
                "codes": self._codes,
                "groups": self._groups,
                "review": self._review,
            }
            await asks[what](scope)

    async def _bulk(self, what: str, scope: Scope) -> None:
        from triage.ui.work.asking_bulk import BulkAsking

        await getattr(BulkAsking(self._screen, self._workspace), what)(scope)

    async def _sort(self, scope: Scope) -> None:
        metrics = [
            (metric.key, metric.titled(scope.k or 3), "metric") for metric in METRICS if not metric.derived
        ]
        choices = [Choice(value, label, aside) for value, label, aside in (*SORTS, *metrics)]
        now = scope.sort.removeprefix("-")
        hint = "enter sorts by it, again turns it round   typing narrows   esc back"
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
        entries = await self._off(self._workspace.run_list.entries, "reading the runs")
        current = self._screen.run_shown
        if entries and current is not None:
            picked = await self._show(RunsDialog(entries, current, self._screen.shown_keys))
            if picked is not None:
                await self._picked(picked, current.id)

    def runs_screen(self) -> None:
        """All runs, over this screen."""
        from triage.ui.screens.runs import RunsScreen

        app = cast("TriageApp", self._screen.app)
        app.push_screen(RunsScreen(self._screen, self._workspace, app.memory, app.key_map))

    async def _slices(self, scope: Scope) -> None:
        from triage.ui.screens.slices import SlicesScreen
        from triage.ui.work.slices_showing import begin, sliced

        app, screen = cast("TriageApp", self._screen.app), self._screen
        start = screen.left or begin(app.memory, screen.view)
        workspace, keymap = self._workspace, app.key_map
        await app.push_screen(SlicesScreen(screen, workspace, app.memory, keymap, start, sliced(scope)))

    async def _review(self, scope: Scope) -> None:
        from triage.ui.screens.review import ReviewScreen

        app = cast("TriageApp", self._screen.app)
        await app.push_screen(ReviewScreen(self._screen, self._workspace, app.key_map, scope.run))

    async def _codes(self, scope: Scope) -> None:
        from triage.ui.screens.codes import CodesScreen

        app = cast("TriageApp", self._screen.app)
        await app.push_screen(CodesScreen(self._screen, self._workspace, app.key_map))

    async def _groups(self, scope: Scope) -> None:
        from triage.ui.screens.groups import GroupsScreen

        app = cast("TriageApp", self._screen.app)
        await app.push_screen(GroupsScreen(self._screen, self._workspace, app.key_map, scope))

    async def _picked(self, picked: Picked, current: str) -> None:
        if picked.does == "screen":
            self.runs_screen()
            return
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
                unkept.pop(f"{row.id} of {scope.run}", None)
            else:
                unkept[f"{row.id} of {scope.run}"] = text

        note = row.review.note if row.review is not None else ""
        text = await self._show(NoteBox(row.id, note, draft, keep))
        if text is not None:
            self._screen.verdicts.note(scope, row.id, text)

    async def _export(self, scope: Scope) -> None:
        from triage.ui.screens.export import ExportDialog
        from triage.ui.screens.export_offer import on_offer

        screen, view = self._screen, self._screen.view
        memory = cast("TriageApp", screen.app).memory
        selected = words.selection(scope, view.k if view is not None else 3)
        marked = frozenset(screen.cases.marked.keys)
        call = partial(on_offer, self._workspace, scope, selected, marked, memory.export_folder)
        offer = await self._off(call, "counting the cases")
        if offer is None:
            return
        report = await self._show(ExportDialog(self._workspace, offer))
        if report is not None and report.target is not None:
            memory.remember(export_folder=str(report.target.parent))
            screen.speech.say(f"wrote {words.number_of(report.cases, 'case')} to {report.target}")

    async def _problems(self, scope: Scope) -> None:
        from triage.ui.screens.runs_problems import Faults, ProblemsScreen, faults_of

        app = cast("TriageApp", self._screen.app)

        def call() -> Faults:
            run, reports = self._workspace.find_run(scope.run), self._screen.loader.reports
            problems, warnings = self._workspace.problems(run.id), self._workspace.warnings(run.id)
            return faults_of(run, problems, warnings, reports)

        faults = await self._off(call, "reading the problems")
        if faults is not None:
            await app.push_screen(ProblemsScreen(faults, app.key_map))

    async def _reviewer(self) -> None:
        def check(text: str) -> str:
            return "" if text.strip() else "a name is wanted"

        about = "Verdicts from now on bear this name."
        text = await self._show(Ask("reviewer", self._workspace.reviewer, about=about, check=check))
        if text is not None:
            self._workspace.reviewer = self._screen.reviewer = text.strip()

    async def _open_file(self) -> None:
        about = "A run file (.jsonl, .json, also .gz), or a folder that holds some."
        text = await self._show(Ask("open", placeholder="runs/kb42.jsonl", about=about, check=no_such_path))
        if text is not None:
            self._screen.load([typed(text.strip())])
