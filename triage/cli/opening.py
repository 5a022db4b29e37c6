"""The way into the app on paths, without what only commands need: click takes as long as a paint."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from triage.cli.names import COMMANDS, no_such_word
from triage.cli.output import say
from triage.cli.session import Session, failure
from triage.errors import TriageError
from triage.models.query import Scope
from triage.models.run import RunSummary
from triage.paths import is_there


def on_terminal() -> bool:
    """Can an app be shown and typed into?"""
    return sys.stdin.isatty() and sys.stdout.isatty()


def run_app_on(
    session: Session,
    files: Sequence[Path],
    *,
    open_case: tuple[str, str] | None = None,
    review: tuple[str, str | None, bool] | None = None,
    demo: bool = False,
) -> int:
    """The app until it is left; returns the exit code.

    Args:
        open_case: (run id, case id) to begin at.
        review: (run id, name of a sample to read at once or None, blind) to begin at.
    """
    from triage.ui.start import run_app

    return run_app(
        session.workspace,
        paths=files,
        options=session.load_options,
        theme=session.theme,
        open_case=open_case,
        review=review,
        demo=demo,
        mouse=session.mouse,
    )


def report_of(session: Session, files: Sequence[Path], format: str) -> int:
    """Load files, and report on the newest run among them; without files, on the latest of the database."""
    # Imported here because the app, which starts by way of this module, prints nothing.
    from triage.cli.report import print_report

    chosen: RunSummary | None = None
    if files:
        reports = session.load(files)
        for report in reports:
            if report.status == "failed":
                say(f"can't load {report.path}: {failure(report)}")
        ids = {report.run for report in reports if report.run is not None and report.status != "failed"}
        chosen = next((run for run in session.workspace.runs() if run.id in ids), None)
        if chosen is None:
            raise TriageError(
                "nothing was loaded", ", ".join(str(path) for path in files), "triage ingest tells more"
            )
    chosen = chosen or session.workspace.find_run(None)
    print_report(session, chosen, Scope(chosen.id), format)
    return session.exit_code


def bare_paths(argv: Sequence[str]) -> list[str] | None:
    """The words where they can be nothing but paths: no option, no command, on a terminal."""
    if any(word.startswith("-") for word in argv) or (argv and argv[0] in COMMANDS) or not on_terminal():
        return None
    return list(argv)


def open_paths(session: Session, files: Sequence[Path], format: str = "table") -> int:
    """The app on files and folders, or their report where there is no terminal; returns the exit code."""
    if on_terminal():
        return run_app_on(session, files)
    return report_of(session, files, format)


def looked_for(words: Sequence[str], *, literal: bool = False) -> list[Path]:
    """The words as paths; `literal`: they were said to be paths (after `--`).

    The app waits for a path that does not exist yet, where a separator tells that it is meant as one.

    Raises:
        UsageError: neither a command nor a path.
        TriageError: no such file or folder.
    """
    for word in words:
        if is_there(word) or (_is_path(word) and on_terminal()):
            continue
        if literal:
            raise TriageError("no such file or folder", word)
        raise no_such_word(word)
    return [Path(word) for word in words]


def _is_path(word: str) -> bool:
    return "/" in word or os.sep in word
