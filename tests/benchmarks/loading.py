"""Loading a run: how fast beside validation alone, with and without the search index, in how much memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from table import Row, middle, times
from terminal import environment, ours

VALIDATE = (
    "import sys, time\nfrom triage.models.record import Record\nstart = time.perf_counter()\n"
    "for line in open(sys.argv[1], 'rb'):\n    if not line.startswith(b'{\"run\"'):\n"
    "        Record.model_validate_json(line)\nprint(time.perf_counter() - start)\n"
)


LOAD = (
    "import sys\nfrom pathlib import Path\nfrom triage.settings import Settings\n"
    "from triage.workspace import Workspace\nwork = Workspace(Path(sys.argv[2]), Settings())\n"
    "done = work.ingest([Path(sys.argv[1])], aside=True)\nassert done[0].status != 'failed'\n"
)
"""As the app loads a run: its sentences are checked once it can be used."""
CHECKED = 5000
"""Records whose sentences are checked to tell how fast that is."""
CHECK = (
    "import itertools, sys, time\nfrom triage.citations.check import check, summarise\n"
    "from triage.models.record import Record\n"
    "lines = [line for line in open(sys.argv[1], 'rb') if not line.startswith(b'{\"run\"')]\n"
    f"records = [Record.model_validate_json(line) for line in lines[:{CHECKED}]]\n"
    "start = time.process_time()\nfor record in records:\n    summarise(check(record))\n"
    "print(len(records) / (time.process_time() - start))\n"
)


@dataclass(frozen=True)
class Ended:
    """A child that has ended: seconds it took, those of all its processors, its greatest memory in MB, what
    it printed.
    """

    seconds: float
    spent: float
    memory: float
    out: str


def timed(command: list[str], env: dict[str, str], folder: Path) -> Ended:
    """Run a program to its end."""
    start = time.perf_counter()
    child = subprocess.Popen(command, env=env, cwd=folder, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    out = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{command[1:]} ended with {child.returncode}")
    memory = usage.ru_maxrss / (1024 if sys.platform != "darwin" else 1 << 20)
    return Ended(seconds, usage.ru_utime + usage.ru_stime, memory, out)


def load(run: Path, database: Path, home: Path, *more: str) -> Ended:
    """`triage ingest` as a whole process."""
    done = timed(ours("ingest", str(run), "--format", "json", *more), environment(home, database), home)
    assert json.loads(done.out)["files"][0]["status"] != "failed"
    return done


def loaded(run: Path, database: Path, home: Path) -> Ended:
    """A load as the app does it, as a whole process."""
    command = [sys.executable, "-c", LOAD, str(run), str(database)]
    return timed(command, environment(home, database), home)


def check_rate(run: Path, home: Path) -> float:
    """Records a second whose sentences one processor checks, reading and storing nothing."""
    return float(timed([sys.executable, "-c", CHECK, str(run)], environment(home), home).out)


def validated(run: Path, home: Path) -> float:
    """Seconds that validating the records takes, storing nothing."""
    return float(timed([sys.executable, "-c", VALIDATE, str(run)], environment(home), home).out)


def measure(runs: dict[int, Path], home: Path, rounds: int) -> tuple[list[Row], dict[int, Path]]:
    """The rows, and a loaded and indexed database for each number of cases."""
    databases = {cases: home / f"{cases}.db" for cases in runs}
    cases = max(runs)
    alone: list[float] = []
    loads: dict[int, list[Ended]] = {count: [] for count in runs}
    indexes: list[float] = []
    checks: list[float] = []
    for _ in range(rounds):
        alone.append(validated(runs[cases], home))
        for count, run in runs.items():
            for old in home.glob(f"{databases[count].name}*"):
                old.unlink()
            loads[count].append(loaded(run, databases[count], home))
        indexes.append(load(runs[cases], databases[cases], home, "--index").seconds)
        checks.append(check_rate(runs[cases], home))
    for count, run in runs.items():
        load(run, databases[count], home, "--index")
        # A report waits for the check, so that the app has nothing to do in the background.
        timed(ours("report", "--format", "json"), environment(home, databases[count]), home)
    unit = middle(alone)
    bare = [one.seconds for one in loads[cases]]
    whole = [one + more for one, more in zip(bare, indexes, strict=True)]
    of = "the rate of validation alone"

    def rate(what: str, spent: list[float], goal: str) -> Row:
        slow = sorted(spent)[-1]
        p95 = times(unit, slow) if len(spent) > 1 else ""
        here = f"{cases / middle(spent):,.0f} records/s"
        return Row(f"load {cases:,} records, {what}", times(unit, middle(spent)), p95, of, goal, here)

    rows = [
        rate("measured and diagnosed", bare, ">= 0.3x"),
        rate("with the search index", whole, ">= 0.2x"),
        Row(
            "check sentences, one processor",
            times(middle(checks), cases / middle([one.spent for one in loads[cases]])),
            "", "the rate of that load, one processor", ">= 0.1x", f"{middle(checks):,.0f} records/s",
        ),
    ]  # fmt: skip
    memory = {count: middle([one.memory for one in loads[count]]) for count in runs}
    less = min((count for count in runs if count >= 10_000), default=min(runs))
    if less < cases:
        grown = f"+{memory[cases] - memory[less]:.0f} MB on {memory[less]:.0f}"
        rows.append(
            Row(
                f"greatest memory, {cases:,} records", times(memory[cases], memory[less]), "",
                f"that of {less:,}", "flat", grown,
            )
        )  # fmt: skip
    return rows, databases
