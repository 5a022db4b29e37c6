"""The end of a sitting, however it comes: drafts are kept, what waits is written or put into a file."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from triage import paths
from triage.errors import TriageError
from triage.plain import plain

if TYPE_CHECKING:
    from triage.ui.terminal_app import TerminalApp
    from triage.ui.work.writer import Job

PATIENCE = 2.0
"""Seconds that an end by a signal waits for the database."""


async def keep_drafts(app: TerminalApp) -> None:
    """Write the note that is being typed to the database, as its draft."""
    from triage.ui.screens.note import NoteBox

    for screen in app.screen_stack:
        if isinstance(screen, NoteBox) and screen.is_mounted and screen.open_draft:
            await screen.flush()


async def end(app: TerminalApp, code: int) -> None:
    """End the app as `q` does, but without asking; `code` is its exit code."""
    try:
        async with asyncio.timeout(PATIENCE):
            await keep_drafts(app)
        for writer in app.writers:
            await writer.drained(PATIENCE)
    except TimeoutError:
        pass
    finally:
        app.exit(code, return_code=code)


def rescued(app: TerminalApp, *, again: bool) -> list[str]:
    """Sentences on what is not on disk after the app has ended, once it is in a file.

    Args:
        app: an app that has ended.
        again: try the database once more.
    """
    jobs: list[Job] = []
    for writer in app.writers:
        left = writer.rest()
        jobs += _tried(left) if again else left
    lines = [f"{job.says}\n{job.text}" if job.text else job.says for job in jobs]
    lines += [f"draft of the note on {case}\n{text}" for case, text in app.unkept.items()]
    if not lines:
        return []
    place = _written(lines)
    count = "1 of your entries is" if len(lines) == 1 else f"{len(lines)} of your entries are"
    if not place:
        return [f"triage: {count} not in the database:", *(f"  {plain(line)}" for line in lines)]
    return [f"triage: {count} not in the database; they are listed in {place}"]


def _tried(jobs: Sequence[Job]) -> Sequence[Job]:
    for at, job in enumerate(jobs):
        try:
            job.call()
        except (TriageError, OSError):
            return jobs[at:]
    return ()


def _written(lines: Sequence[str]) -> str:
    path = paths.log_dir() / f"triage-not-written-{datetime.now().strftime('%Y%m%d-%H%M%S')}.txt"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "w", encoding="utf-8",
                       errors="backslashreplace") as file:  # fmt: skip
            file.write("\n".join(plain(line) for line in lines) + "\n")
    except OSError:
        return ""
    return str(path)
