"""Speed as ratios in one run, printed as a table.

`python tests/benchmarks/speed.py [--cases 100000] [--rounds 5] [--presses 60]`

Nothing is asserted: machines differ. Each figure stands beside the one it is a ratio of, measured in turn.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pexpect

sys.path.insert(0, str(Path(__file__).resolve().parent))
from make_run import make

ROOT = Path(__file__).resolve().parents[2]
EMPTY = "from textual.app import App\nclass Empty(App):\n    pass\nEmpty().run()\n"
VALIDATE = (
    "import sys, time\nfrom triage.models.record import Record\nstart = time.perf_counter()\n"
    "for line in open(sys.argv[1], 'rb'):\n    if not line.startswith(b'{\"run\"'):\n"
    "        Record.model_validate_json(line)\nprint(time.perf_counter() - start)\n"
)
RESTS = 0.35


class Screen:
    """A program in a pty whose output bytes are timed."""

    def __init__(self, words: list[str], env: dict[str, str]) -> None:
        self.started = time.perf_counter()
        self.child = pexpect.spawn(
            sys.executable, words, env=env, dimensions=(40, 120), timeout=60, cwd=str(ROOT)
        )
        self.child.delaybeforesend = None

    def until(self, seen: bytes, patience: float = 60.0) -> float:
        """Seconds from the start until `seen` was written."""
        data = b""
        while time.perf_counter() - self.started < patience:
            data += self._read(0.02)
            if seen in data:
                return time.perf_counter() - self.started
        raise SystemExit(f"never saw {seen!r}")

    def _read(self, wait: float) -> bytes:
        if not select.select([self.child.fileno()], [], [], wait)[0]:
            return b""
        try:
            return os.read(self.child.fileno(), 1 << 16)
        except OSError:
            return b""

    def drain(self, quiet: float = RESTS) -> tuple[int, float]:
        """Bytes written until `quiet` seconds of silence, and the moment of the last one."""
        count, last = 0, time.perf_counter()
        while time.perf_counter() - last < quiet:
            data = self._read(0.01)
            if data:
                count, last = count + len(data), time.perf_counter()
        return count, last

    def key(self, key: str) -> tuple[float, float, int]:
        """Milliseconds to the first byte, to the last byte, and bytes written for one key."""
        start = time.perf_counter()
        self.child.send(key)
        first = b""
        while not first and time.perf_counter() - start < 2:
            first = self._read(0.005)
        answered = time.perf_counter()
        count, last = self.drain()
        last = max(last if count else answered, answered)
        return (answered - start) * 1e3, (last - start) * 1e3, count + len(first)

    def walk(self, presses: int, pause: float = 0.03) -> float:
        """Mean bytes a key while the key is held: the detail waits until the cursor rests."""
        count = 0
        for _ in range(presses):
            self.child.send("j")
            ends = time.perf_counter() + pause
            while time.perf_counter() < ends:
                count += len(self._read(max(0.0, ends - time.perf_counter())))
        return count / presses

    def end(self) -> None:
        self.child.close(force=True)


def environment(home: Path, database: Path | None = None) -> dict[str, str]:
    """The child's environment: a home of its own, the checkout's code."""
    env = {**os.environ, "HOME": str(home), "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    env.update(PYTHONPATH=str(ROOT), TRIAGE_REVIEWER="bench")
    # An installed program has its bytecode; without it every start would compile ours and not the libraries.
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    if database:
        env["TRIAGE_DB"] = str(database)
    return env


def load(run: Path, database: Path, home: Path) -> float:
    """Seconds that `triage ingest` takes as a whole process."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "triage", "ingest", str(run), "--format", "json"],
        env=environment(home, database), cwd=home, capture_output=True, text=True, check=True,
    )  # fmt: skip
    seconds = time.perf_counter() - start
    assert json.loads(done.stdout)["files"][0]["status"] in {"loaded", "updated"}
    return seconds


def starts(home: Path, databases: dict[str, Path], rounds: int) -> dict[str, float]:
    """Median seconds to the first whole paint: an empty Textual app, and ours on each database."""
    found: dict[str, list[float]] = {"empty": [], **{name: [] for name in databases}}
    for _ in range(rounds):
        empty = Screen(["-c", EMPTY], environment(home))
        found["empty"].append(empty.until(b"\x1b[?1049h"))
        _, last = empty.drain(0.25)
        found["empty"][-1] = last - empty.started
        empty.end()
        for name, database in databases.items():
            ours = Screen(["-m", "triage"], environment(home, database))
            found[name].append(ours.until(b"C000"))
            ours.end()
    return {name: statistics.median(values) for name, values in found.items()}


def keys(home: Path, database: Path, presses: int) -> dict[str, float]:
    """Key to first byte and to all panes (ms), and bytes a key, over a walk down the list."""
    ours = Screen(["-m", "triage"], environment(home, database))
    ours.until(b"C000")
    ours.drain(1.0)
    measured = [ours.key("j") for _ in range(presses)]
    ours.child.send("g")
    ours.drain(0.6)
    held = ours.walk(min(presses * 4, 80))
    ours.end()
    first, last, _ = zip(*measured, strict=True)

    def high(values: tuple[float, ...]) -> float:
        return sorted(values)[int(len(values) * 0.95)]

    return {
        "first p50": statistics.median(first), "first p95": high(first),
        "all p50": statistics.median(last), "all p95": high(last), "bytes while held": held,
    }  # fmt: skip


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--presses", type=int, default=60)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        runs = {"100": make(home / "small.jsonl", 100), "all": make(home / "large.jsonl", chosen.cases)}
        databases = {name: home / f"{name}.db" for name in runs}
        load(runs["100"], databases["100"], home)
        seconds = load(runs["all"], databases["all"], home)
        validated = float(
            subprocess.run(
                [sys.executable, "-c", VALIDATE, str(runs["all"])], env=environment(home), cwd=home,
                capture_output=True, text=True, check=True,
            ).stdout
        )  # fmt: skip
        rows = [
            (f"ingest {chosen.cases} records", f"{chosen.cases / seconds:,.0f} records/s",
             f"{validated / seconds:.2f}x of validation alone"),
        ]  # fmt: skip
        first = starts(home, databases, chosen.rounds)
        for name in databases:
            rows.append(
                (
                    f"list ready, {name} cases",
                    f"{first[name]:.3f} s",
                    f"{first[name] / first['empty']:.2f}x an empty app",
                )
            )
        small, large = (keys(home, databases[name], chosen.presses) for name in ("100", "all"))
        for name in small:
            rows.append(
                (
                    f"key, {name}",
                    f"{small[name]:.1f} / {large[name]:.1f}",
                    f"{large[name] / small[name]:.2f}x of 100 cases",
                )
            )
        print("| what | figure | ratio |\n| --- | --- | --- |")
        for row in rows:
            print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
