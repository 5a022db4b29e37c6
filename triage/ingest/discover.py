"""Which files are meant by the paths on a command line."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

ENDINGS = (".jsonl", ".json", ".jsonl.gz", ".json.gz")
"""Names that are taken for run files inside a folder; a file that is named itself may be called anything."""
SKIPPED = frozenset({"node_modules"})


def discover(paths: Iterable[Path]) -> list[Path]:
    """The files of `paths`, folders walked through, each file once, in the order given and then by name.

    Dot-folders, dot-files and `node_modules` inside a folder are passed over. A path that does not exist is
    returned as it is: loading it tells what is wrong.
    """
    found: dict[str, Path] = {}
    for path in paths:
        for file in _inside(path) if path.is_dir() else (path,):
            found.setdefault(os.path.realpath(file), file)
    return list(found.values())


def _inside(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in SKIPPED)
        for name in sorted(names):
            if not name.startswith(".") and name.lower().endswith(ENDINGS):
                yield Path(parent) / name
