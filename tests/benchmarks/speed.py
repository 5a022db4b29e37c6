"""Speed as ratios in one run, printed as one table.

`python tests/benchmarks/speed.py [--cases 100000] [--rounds 5] [--presses 60] [--peers] [--markdown]`

Nothing is asserted: machines differ. Every figure is measured in turn with the one it is a ratio of, in the
same run; "here" is what this machine took, for orientation. With `--peers` visidata, toolong and
textual-fastdatatable open the same cases, each from a virtual environment made for it and thrown away.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

import loading
import reviewing
import showing
from make_run import make
from peers import installed
from table import Row, printed


def measured(home: Path, chosen: argparse.Namespace) -> list[Row]:
    """Every row of the table."""
    sizes = sorted({100, min(10_000, chosen.cases), chosen.cases})
    runs = {count: make(home / f"run{count}.jsonl", count) for count in sizes}
    largest = runs[chosen.cases]
    venvs = home / "venvs" if chosen.venvs is None else chosen.venvs
    peers = installed(venvs, largest) if chosen.peers else []

    def tell(doing: str) -> None:
        print(doing, file=sys.stderr)

    tell("loading")
    loads, databases = loading.measure(runs, home, max(1, chosen.rounds // 2))
    tell("opening")
    shown = {count: databases[count] for count in sizes if count != 10_000}
    starts, unit = showing.starts(home, shown, peers, chosen.rounds)
    tell("opening for the first time")
    first = showing.from_file(home, largest, chosen.cases, unit)
    tell("pressing keys")
    pressed = showing.keys(home, databases, peers, chosen.presses)
    tell("filtering, sorting, searching")
    asked = showing.first_pages(home, databases[chosen.cases], chosen.cases, chosen.rounds, unit)
    tell("drawing, reading, reporting")
    # A file of its own, because verdicts are written.
    reviewed = Path(shutil.copy(databases[chosen.cases], home / "reviewed.db"))
    read = reviewing.rows(home, reviewed, chosen.cases, chosen.rounds, chosen.presses)
    tell("following a folder")
    followed = showing.followed(home, max(3, chosen.rounds), unit)
    return [*starts, first, *pressed, *asked, *read, *loads, followed]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5, help="starts, loads and searches of each kind")
    parser.add_argument("--presses", type=int, default=60, help="keys pressed at each size")
    parser.add_argument("--peers", action="store_true", help="other tools on the same cases, too")
    parser.add_argument("--venvs", type=Path, help="keep their environments in this folder")
    parser.add_argument("--markdown", action="store_true", help="the table as Markdown")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        print(printed(measured(Path(folder), chosen), markdown=chosen.markdown))


if __name__ == "__main__":
    main()
