"""What became of a file that was not loaded: it was before, or it holds no run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from triage.models.run import FileReport, LoadOptions, Problem

if TYPE_CHECKING:
    from triage.store import Store

SHOWN_PROBLEMS = 10_000
"""Problems that a report carries; the database keeps them all."""


def plain(options: LoadOptions) -> LoadOptions:
    """The options as they come back from the database, so that they compare."""
    return LoadOptions(**json.loads(json.dumps(asdict(options))))


def unchanged(store: Store, path: Path, place: Path, sha256: str, options: LoadOptions) -> FileReport | None:
    """The report on a file whose bytes were loaded in this way before; None where they were not.

    Args:
        store: this thread's own.
        path, place: the file as it was named, and as it is with links followed.
        sha256, options: its bytes, and how it is to be read.
    """
    known = store.find_file(place, sha256)
    if known is None or known.sha256 != sha256 or known.options != options:
        return None
    run = store.run(known.run_id)
    if run is None:
        return None
    problems = tuple(store.problems(known.rev)[:SHOWN_PROBLEMS])
    warnings = tuple(store.warnings(known.rev))
    return FileReport(
        str(path),
        run.format,
        run.id,
        "unchanged",
        run.records,
        run.rejected,
        problems,
        warnings,
        known.number,
    )


def failed(
    path: Path, format: str | None, rejected: int, problems: tuple[Problem, ...], warnings: tuple[str, ...]
) -> FileReport:
    """The report on a file that holds no run, or none that can be used."""
    return FileReport(str(path), format, None, "failed", 0, rejected, problems, warnings)
