"""The way into the app that loses no time: the first page is read while the screen library loads."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from triage import paths as places
from triage.ui.paging import Ahead
from triage.ui.work.memory import Memory

if TYPE_CHECKING:
    from triage.models.run import LoadOptions
    from triage.workspace import Workspace


def run_app(
    workspace: Workspace,
    *,
    paths: Sequence[Path] = (),
    options: LoadOptions | None = None,
    theme: str | None = None,
    open_case: tuple[str, str] | None = None,
    demo: bool = False,
) -> int:
    """Run the app on a terminal until it is left; returns the exit code.

    Args:
        workspace: everything it shows and writes.
        paths, options: files to read after the first paint.
        theme: the name of a theme, None = the one of settings, else of the last sitting.
        open_case: (run id, case id) to begin at.
        demo: the workspace is thrown away; said in the head.

    Raises:
        TriageError: no such theme.
    """
    # Nothing that a start makes is garbage; collecting in the midst of it only costs time.
    gc.disable()
    memory = Memory(places.state_file())
    ahead = Ahead(workspace, memory) if not paths and open_case is None else None
    # Imported here, with the reading under way, because it is the screen library that takes the time.
    from triage.ui.app import TriageApp

    app = TriageApp(
        workspace,
        paths=paths,
        options=options,
        theme=theme,
        open_case=open_case,
        demo=demo,
        memory=memory,
        ahead=ahead,
    )
    result = app.run()
    return result if result is not None else app.return_code or 0
