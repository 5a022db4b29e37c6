"""Other tools on the same cases, each in a virtual environment of its own that goes with the benchmark.

Their dependencies clash with ours, so nothing of them is installed beside us. What cannot be installed or
does not show the cases says so in the table.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from dataclasses import dataclass, field
from pathlib import Path

from terminal import DOWN, UP

FAST = (
    "import sys\nimport pyarrow.json\nfrom textual.app import App\n"
    "from textual_fastdatatable import ArrowBackend, DataTable\n"
    "class Fast(App):\n    def compose(self):\n        table = pyarrow.json.read_json(sys.argv[1])\n"
    "        yield DataTable(backend=ArrowBackend(table.select(['id', 'query', 'topic', 'answer'])))\n"
    "Fast().run()\n"
)


@dataclass
class Peer:
    """A tool: what to install, how it is started on a file, and the key that moves on in it."""

    name: str
    packages: tuple[str, ...]
    words: tuple[str, ...]
    key: str = DOWN
    fault: str = ""
    folder: Path = field(default_factory=Path)
    file: Path = field(default_factory=Path)

    @property
    def usable(self) -> bool:
        """Is it installed, and has it shown what it should so far?"""
        return not self.fault

    @property
    def command(self) -> list[str]:
        """The command that opens the file; its first word is in the tool's own environment."""
        return [str(self.folder / "bin" / self.words[0]), *self.words[1:], str(self.file)]

    def environment(self, home: Path) -> dict[str, str]:
        """Ours without our code, in the same terminal."""
        env = {**os.environ, "HOME": str(home), "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        for name in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "VIRTUAL_ENV"):
            env.pop(name, None)
        return env

    def install(self, folder: Path) -> None:
        """Make its environment; a fault is kept in `fault`."""
        self.folder = folder / self.name
        if not (self.folder / "bin" / self.words[0]).exists():
            try:
                venv.create(self.folder, with_pip=True)
                subprocess.run(
                    [self.folder / "bin" / "python", "-m", "pip", "install", "-q", "--no-input",
                     "--disable-pip-version-check", *self.packages],
                    check=True, capture_output=True, text=True, timeout=900,
                )  # fmt: skip
            except (OSError, subprocess.SubprocessError) as error:
                said = getattr(error, "stderr", "") or str(error)
                print(said, file=sys.stderr)
                self.fault = "could not be installed"


def peers() -> list[Peer]:
    """The tools that can show the same cases as rows."""
    return [
        Peer("visidata", ("visidata",), ("vd",)),
        Peer("toolong", ("toolong",), ("tl",), UP),
        Peer("textual-fastdatatable", ("textual-fastdatatable", "pyarrow"), ("python", "-c", FAST)),
    ]


def installed(folder: Path, run: Path) -> list[Peer]:
    """Every tool with its environment in `folder`, set on the cases of a run file without its header."""
    folder.mkdir(parents=True, exist_ok=True)
    cases = run.with_name("cases.jsonl")
    with run.open(encoding="utf-8") as source, cases.open("w", encoding="utf-8") as out:
        out.writelines(line for line in source if "run" not in json.loads(line))
    made = peers()
    for peer in made:
        print(f"installing {peer.name}", file=sys.stderr)
        peer.install(folder)
        peer.file = cases
    return made
