"""Which files are meant by the paths on a command line."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from triage.formats.source import RunFileError, open_file
from triage.ingest.watch_whole import is_own_export
from triage.models.run import FileReport, Problem
from triage.paths import is_folder

ENDINGS = (".jsonl", ".json", ".jsonl.gz", ".json.gz")
"""Names that are taken for run files inside a folder; a file that is named itself may be called anything."""
SKIPPED = frozenset({"node_modules"})


def discover(paths: Iterable[Path]) -> list[Path]:
    """The files of `paths`, folders walked through, each file once, in the order given and then by name.

    Dot-folders, dot-files and `node_modules` inside a folder are passed over, and so is a list that was
    exported into it, unless it holds nothing else. A path that does not exist is returned as it is: loading
    it tells what is wrong.
    """
    found: dict[str, Path] = {}
    for path in paths:
        for file in _runs_in(path) if is_folder(path) else (path,):
            found.setdefault(os.path.realpath(file), file)
    return list(found.values())


def _runs_in(folder: Path) -> list[Path]:
    files = list(_inside(folder))
    return [file for file in files if not is_own_export(file)] or files


def is_run_file(name: str) -> bool:
    """Is a file of this name taken for a run file? What editors and downloads leave half done is not."""
    return not name.startswith(".") and name.lower().endswith(ENDINGS)


def is_walked(name: str) -> bool:
    """Is a folder of this name walked through?"""
    return not name.startswith(".") and name not in SKIPPED


def walk(folder: Path) -> Iterator[tuple[Path, list[str]]]:
    """`folder` and the folders inside it, each with the names of its run files in their order."""
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(filter(is_walked, folders))
        yield Path(parent), sorted(filter(is_run_file, names))


def _inside(folder: Path) -> Iterator[Path]:
    for parent, names in walk(folder):
        yield from (parent / name for name in names)


def not_there(path: Path) -> FileReport:
    """The report on a path that is no file, with why."""
    try:
        open_file(path).close()
        reason = "it came just now: try again"
    except RunFileError as error:
        reason = error.reason(path)
    problem = Problem("record", None, None, None, reason)
    return FileReport(str(path), None, None, "failed", problems=(problem,))
