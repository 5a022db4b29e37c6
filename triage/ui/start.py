"""The way into the app that loses no time: the first page is read while the screen library loads."""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from triage import paths as places
from triage.errors import TriageError
from triage.ui.paging import Ahead
from triage.ui.work.memory import Memory

if TYPE_CHECKING:
    from triage.models.run import LoadOptions
    from triage.ui.app import TriageApp
    from triage.workspace import Workspace


def run_app(
    workspace: Workspace,
    *,
    paths: Sequence[Path] = (),
    options: LoadOptions | None = None,
    theme: str | None = None,
    open_case: tuple[str, str] | None = None,
    review: tuple[str, str | None, bool] | None = None,
    demo: bool = False,
    mouse: bool = True,
) -> int:
    """Run the app on a terminal until it is left; returns the exit code.

    Args:
        workspace: everything it shows and writes.
        paths, options: files to read after the first paint.
        theme: the name of a theme, None = the one of settings, else of the last sitting.
        open_case: (run id, case id) to begin at.
        review: (run id, name of a sample to read at once or None, blind) to begin at.
        demo: the workspace is thrown away; said in the head.
        mouse: take the mouse; else the terminal's own selection of text works.

    Raises:
        TriageError: no such theme, or the terminal can't show the app.
    """
    if os.environ.get("TERM") in ("dumb", "unknown"):
        raise TriageError(
            "this terminal can't show the app",
            f"TERM is {os.environ['TERM']}",
            "triage report and triage cases print; or set TERM, such as TERM=xterm-256color",
        )
    # Nothing that a start makes is garbage; collecting in the midst of it only costs time.
    gc.disable()
    threading.excepthook = _in_thread
    memory = Memory(places.state_file())
    ahead = Ahead(workspace, memory) if not paths and open_case is None and review is None else None
    # At Textual's own 60 a detail that is ready waits for its frame longer than it took to make.
    os.environ.setdefault("TEXTUAL_FPS", "120")
    # Imported here, with the reading under way, because it is the screen library that takes the time.
    from triage.ui.app import TriageApp

    app = TriageApp(
        workspace,
        paths=paths,
        options=options,
        theme=theme,
        open_case=open_case,
        review=review,
        demo=demo,
        memory=memory,
        ahead=ahead,
    )
    result = app.run(mouse=mouse)
    return ended(app, result)


def _in_thread(args: threading.ExceptHookArgs) -> None:
    # Printed, it would stand across the screen; who waits for the thread tells what is missing.
    from triage.ui.work.bugs import logged

    if args.exc_value is not None:
        logged(args.exc_value)


def ended(app: TriageApp, result: int | None) -> int:
    """The exit code; a bug that ended the app, and what is not on disk, is told on the terminal as it was."""
    if result is not None and not app.waiting:
        return result
    from triage.ui.work import bugs
    from triage.ui.work.ending import rescued

    for sentence in rescued(app, again=result is None):
        print(sentence, file=sys.stderr)
    if result is None:
        print(bugs.sentence(app.bug), file=sys.stderr)
    return bugs.EXIT_CODE if result is None else result
