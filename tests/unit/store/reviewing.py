"""A reviewer in a process of its own: tags case after case and says so only once it is written."""

from __future__ import annotations

import sys
from pathlib import Path

from triage.store import Act, Store, Who


def main(database: str, reviewer: str, count: int, verdict: str) -> None:
    with Store(Path(database)) as store:
        run = store.newest()
        assert run is not None
        for number in range(count):
            who = Who(reviewer, f"sitting of {reviewer}", f"2026-11-29T10:00:00.{number:06d}+00:00")
            store.add_events(run, [Act(f"C{number}", "verdict", verdict)], who)  # type: ignore[arg-type]
            print(number, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4])
