"""What a reviewer waits for: a draw, the next case after a verdict, what the review says in the end.

Run as a child it draws samples, has two people read one, and prints how long all took as JSON:
`python reviewing.py DATABASE ROUNDS`: {kind: [milliseconds, ...]}
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

from loading import timed
from showing import ECHO, SEEN, python
from table import Row, middle, ratio_row
from terminal import PATIENCE, ROOT, Terminal, environment, ours

SMALL, LARGE = 59, 2000
READ, REPORTED = "read", "reported"
"""A sample that is read in the terminal, half of it before; one that two have read."""
KEYS = "1234"
"""Verdicts, in turn."""
CASE = 1500
"""Bytes that no line alone is painted with."""


def rows(home: Path, database: Path, cases: int, rounds: int, presses: int) -> list[Row]:
    """Rows on drawing, reading and reporting. The database is written to."""
    command = [sys.executable, __file__, str(database), str(rounds)]
    found: dict[str, list[float]] = json.loads(timed(command, environment(home), ROOT).out)
    counted = middle(found.pop("counted panels"))
    of = "the panels, counted"
    made = [
        ratio_row(f"{kind}: {cases:,} cases", values, counted, of, per_ms=True)
        for kind, values in found.items()
    ]
    return [_next_case(home, database, presses), *made]


def _next_case(home: Path, database: Path, presses: int) -> Row:
    """From a verdict's key to the whole of the next case, in a pty."""
    app = Terminal(ours("review", "--sample", READ), environment(home, database))
    echo = Terminal(python(ECHO), environment(home))
    app.until(SEEN)
    echo.until(re.compile(b"ready"))
    for one in (app, echo):
        one.drain(1.0)
    shown, echoed = [], []
    for press in range(presses):
        echoed.append(echo.key("j")[0])
        shown.append(_painted(app, KEYS[press % len(KEYS)]))
    for one in (app, echo):
        one.end()
    what = f"verdict's key to the next case, {LARGE // 2:,} of {LARGE:,} read"
    return ratio_row(what, shown, middle(echoed), "an empty app's key echo", per_ms=True)


def _painted(app: Terminal, key: str) -> float:
    """Milliseconds until a key has had more painted than a line: the next case."""
    start = now = time.perf_counter()
    app.child.send(key)
    count = 0
    while count < CASE and now - start < PATIENCE:
        count += len(app._read(0.005))
        now = time.perf_counter()
    app.drain()
    return (now - start) * 1e3


def main() -> None:
    """Measure and print."""
    # Imported here because the parent needs none of it.
    from asks import EVERY

    from triage.models.query import Scope
    from triage.models.sample import SampleRule
    from triage.settings import Settings
    from triage.workspace import Workspace

    database = Path(sys.argv[1])
    found: dict[str, list[float]] = {}

    def took(kind: str, ask: Callable[[], object]) -> None:
        start = time.perf_counter()
        ask()
        found.setdefault(kind, []).append((time.perf_counter() - start) * 1e3)

    def opened(reviewer: str) -> Workspace:
        return Workspace(database, Settings(), reviewer=reviewer)

    def read_twice(bench: Workspace, other: Workspace) -> str:
        run = bench.find_run(None).id
        for name, count in ((READ, 1), (REPORTED, 2)):
            bench.sampling.draw(run, SampleRule(seed=name, n=LARGE, readings=count), name)
        half = [case.case_id for case in bench.sampling.cases(run, READ)][: LARGE // 2]
        bench.tag(run, half, "other")
        ids = [case.case_id for case in bench.sampling.cases(run, REPORTED)]
        bench.tag(run, ids, "not-a-failure")
        other.tag(run, ids[LARGE // 10 :], "not-a-failure")
        other.tag(run, ids[: LARGE // 10], "ranking")
        return run

    def once(fresh: Workspace, run: str, seed: str) -> None:
        small, large = (SampleRule(seed=seed, n=size) for size in (SMALL, LARGE))
        took("counted panels", lambda: fresh.run_view(Scope(run, text=EVERY)))
        took(f"a draw of {SMALL}", lambda: fresh.sampling.draw(run, small))
        took(f"another, of {LARGE:,}", lambda: fresh.sampling.draw(run, large))
        took(f"review report, {LARGE:,} read twice", lambda: fresh.reviewing.report(run, REPORTED))
        took(f"agreement, {LARGE:,} read twice", lambda: fresh.agreeing.of(run, REPORTED))

    bench, other = opened("bench"), opened("other")
    run = read_twice(bench, other)
    for number in range(int(sys.argv[2])):
        # One that has asked nothing yet.
        fresh = opened("bench")
        once(fresh, run, str(number))
        fresh.close()
    for each in (bench, other):
        each.close()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
