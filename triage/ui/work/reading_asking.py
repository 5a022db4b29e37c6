"""What is asked about the case in hand: its labels, its note, why it is put off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from triage.plain import one_line
from triage.ui.screens.dialogs import Ask
from triage.ui.work.reading_queue import Beside

if TYPE_CHECKING:
    from triage.ui.screens.reading import ReadingScreen
    from triage.workspace import Workspace


class ReadingAsking:
    """Opens the dialog, off the event loop where it needs the workspace, and does what is answered."""

    def __init__(self, screen: ReadingScreen, workspace: Workspace) -> None:
        self._screen, self._workspace = screen, workspace

    async def labels(self, case_id: str) -> None:
        """Labels that will go with the verdict; which ones others have set on the case is not told."""
        from triage.ui.screens.labels import LabelsDialog
        from triage.workspace.bulk import Labels

        screen, run = self._screen, self._screen.queue.chosen.run
        found = await self._screen.off(lambda: self._workspace.bulk.labels(run, ()), "reading the labels")
        if found is None:
            return
        set_now = screen.hand.beside.labels
        # How often a label is used tells what others have just read: the list is by name, without counts.
        known = {label.name: replace(label, used=0) for label in sorted(found[0], key=lambda one: one.name)}
        labels = [
            replace(known.get(name, Labels(name, 0, 0)), here=int(name in set_now))
            for name in dict.fromkeys([*set_now, *known])
        ]
        title = f"labels of {one_line(case_id)}, with your verdict"
        changes = await screen.app.push_screen_wait(LabelsDialog(title, 1, labels))
        if changes is not None:
            kept = [name for name in set_now if name not in changes.take]
            kept += [name for name in changes.add if name not in kept]
            screen.set_beside(case_id, Beside(tuple(kept), screen.hand.beside.note))
            queue = self._workspace.queue
            await self._screen.off(lambda: queue.set_beside(run, case_id, kept), "keeping the labels")

    async def note(self, case_id: str) -> None:
        """The note that will go with the verdict; until then it is kept as a draft."""
        from triage.ui.screens.note import NoteBox

        screen, run = self._screen, self._screen.queue.chosen.run
        workspace = self._workspace
        unkept: dict[str, str] = getattr(screen.app, "unkept", {})

        async def keep(text: str | None) -> None:
            def call() -> None:
                if text is None:
                    workspace.drop_draft(run, case_id)
                else:
                    workspace.save_draft(run, case_id, text)

            if await self._screen.off(call, "keeping the draft") is not None or text is None:
                unkept.pop(f"{case_id} of {run}", None)
            else:
                unkept[f"{case_id} of {run}"] = text

        found = await self._screen.off(lambda: workspace.draft(run, case_id), "reading the draft")
        draft = found[0] if found is not None else None
        text = await screen.app.push_screen_wait(NoteBox(case_id, screen.hand.beside.note, draft, keep))
        if text is not None:
            # Before its draft is written, which may take long: a verdict given meanwhile takes it along.
            screen.set_beside(case_id, Beside(screen.hand.beside.labels, text))
            await keep(text or None)
            await self._screen.off(lambda: self._drop_given(case_id, text), "letting go of the draft")

    def _drop_given(self, case_id: str, note: str) -> None:
        """A draft that was written after the verdict that took its text along is none any more."""
        workspace, run = self._workspace, self._screen.queue.chosen.run
        given = workspace.queue.readings(run, [case_id]).get(case_id, ())
        if any(one.reviewer == workspace.reviewer and one.note == note for one in given):
            workspace.drop_draft(run, case_id)

    async def defer(self, case_id: str) -> None:
        """Why the case is put off; it comes back at the end of the queue."""

        def check(text: str) -> str:
            return "" if text.strip() else "a word or two: you will see it when the case comes back"

        about = "It comes back at the end of your queue, with these words; others may read it before."
        box = Ask(
            f"put {one_line(case_id)} off: why?", placeholder="ask the shop team", about=about, check=check
        )
        reason = await self._screen.app.push_screen_wait(box)
        if reason is not None:
            self._screen.put_off(case_id, reason)
