"""Dialogs about many cases or the list: labels, columns, copying, and the question before a big batch."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, cast

from triage import paths
from triage.errors import TriageError
from triage.plain import one_line
from triage.ui.screens.dialogs import Choice, Choose, Decide, Listing
from triage.ui.work import clipboard, words
from triage.ui.work.asker import Asker
from triage.workspace.copying import CopyKind, copied

if TYPE_CHECKING:
    from pathlib import Path

    from triage.models.query import Scope
    from triage.ui.app import TriageApp
    from triage.workspace.bulk import Labels

KINDS: tuple[tuple[CopyKind, str, str], ...] = (
    ("case", "the case as text", "asked, answered, retrieved, verdict"),
    ("id", "its id", ""),
    ("answer", "its answer", ""),
    ("json", "the record as JSON", "as it came"),
    ("link", "the command that opens it", "triage open RUN CASE"),
)
_WHAT = {"case": "", "id": "id of ", "answer": "answer of ", "json": "record of ", "link": "command for "}


class BulkAsking(Asker):
    """Opens them, and does what is answered."""

    async def labels(self, scope: Scope) -> None:
        """Labels of the case, or of all marked: what was changed is written, nothing else."""
        from triage.ui.screens.labels import LabelsDialog

        targets = self._screen.verdicts.targets()
        if targets is None:
            return

        def call() -> list[Labels]:
            return self._workspace.bulk.labels(scope.run, targets.ids(self._workspace, scope.run))

        found = await self._off(call, "reading the labels")
        if found is None:
            return
        hidden = f", {targets.hidden:,} of them not shown" if targets.hidden else ""
        changes = await self._show(LabelsDialog(f"labels of {targets.said}{hidden}", len(targets.pks), found))
        if changes is not None and (changes.add or changes.take):
            self._screen.verdicts.label(scope, targets, changes.add, changes.take)

    async def columns(self, scope: Scope) -> None:
        """Columns of the list, remembered."""
        from triage.ui.paging import first_columns
        from triage.ui.screens.columns import ColumnsDialog
        from triage.ui.widgets.cells import choices
        from triage.ui.work.columns import fitting, show

        screen = self._screen
        chosen = screen.cases.chosen
        now = [column.key for column in (screen.cases.columns.more if chosen is None else chosen)]
        k = screen.view.k if screen.view is not None else 3
        own = await self._off(partial(self._workspace.finding.keys, scope), "reading the records' keys")
        picked = await self._show(ColumnsDialog(choices(k, own or ()), now, partial(fitting, screen)))
        if picked is None:
            return
        memory = cast("TriageApp", screen.app).memory
        memory.remember(columns=None if picked.keys is None else list(picked.keys))
        show(screen, first_columns(memory, self._workspace))
        screen.selection.change()

    async def copy(self, scope: Scope) -> None:
        """The case as text; the same key again offers something else of it."""
        row = self._screen.cases.row
        if row is None:
            return
        if self._screen.copied != row.pk:
            await self.put(scope, "case")
            return
        choices: list[Choice[str]] = [Choice(kind, says, aside) for kind, says, aside in KINDS]
        choices.append(Choice("show", "show it", "to be selected by the mouse, with shift"))
        hint = "enter copies it   typing narrows   esc back"
        picked = await self._show(Choose(f"copy of {row.id}", choices, hint=hint))
        if picked == "show":
            text = await self._text(scope, row.pk, "case")
            if text is not None:
                await self._show(Listing(row.id, text.split("\n")))
        elif picked is not None:
            await self.put(scope, next(kind for kind, _, _ in KINDS if kind == picked))

    async def _text(self, scope: Scope, pk: int, kind: CopyKind) -> str | None:
        call = partial(self._workspace.case_detail, scope, pk)
        return await self._off(lambda: copied(kind, call()), "copying")

    async def put(self, scope: Scope, kind: CopyKind) -> None:
        """Copy, and say where the text is: in a file always, elsewhere as far as that is known."""
        row = self._screen.cases.row
        if row is None:
            return
        text = await self._text(scope, row.pk, kind)
        target = paths.state_file().parent / "copied.txt"
        env = dict(os.environ)

        def call() -> str:
            _write(target, text or "")
            return clipboard.put(text or "", env)

        if text is None:
            return
        where = await self._off(call, "copying")
        if where is None:
            return
        self._screen.copied = row.pk
        name = f"{_WHAT[kind]}{row.id}"
        told = one_line(self._told(name, text, where, target, env))
        key = self._screen.shown_keys["copy"]
        self._screen.speech.tell([(f"{told}   ", "text"), (key, "focus bold"), (" a part", "muted")])

    def _told(self, name: str, text: str, where: str, target: Path, env: dict[str, str]) -> str:
        file = words.short_path(target)
        if where:
            return f"{name} {where}, also in {file}"
        if not clipboard.terminal_may_take(env):
            return f"{name} is in {file}: no clipboard to be reached from here"
        if len(text.encode("utf-8", "replace")) > clipboard.OSC_LIMIT:
            return f"{name} is in {file}: too long for a terminal's clipboard"
        self._screen.app.copy_to_clipboard(text)
        return f"{name} is in {file}, and sent to the terminal (OSC 52)"

    async def sure(self, asks: str, hidden: int, go: Callable[[], None]) -> None:
        """Ask once before many cases are judged by one key."""
        about = "One undo takes it all back."
        if hidden:
            about = f"{hidden:,} of them are marked and not in the list as shown. {about}"
        if await self._show(Decide(f"{one_line(asks)}?", about, [("y", "yes")])) == "y":
            go()


def _write(target: Path, text: str) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8", errors="replace")
    except OSError as error:
        raise TriageError("can't write the copy", f"{target}: {error.strerror}") from error
