"""A reader in a process of its own: reads what the queue hands out until nothing is left, and tells of it."""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

from triage.errors import TriageError
from triage.settings import Settings
from triage.workspace import Workspace


def main(database: str, reviewer: str, sample: str, habits: str) -> None:
    """`habits`: "steady" reads all; "fickle" also defers, takes back and leaves and comes again; "stuck"
    takes a case and never reads it; "hasty" does not wait for what others have in hand."""
    chance = random.Random(reviewer)
    work = Workspace(Path(database), Settings(), reviewer=reviewer)
    gate = Path(database).with_name("go")
    print("ready", flush=True)
    while not gate.exists():
        time.sleep(0.002)
    waits = 0
    while True:
        handed = work.queue.next("many", sample)
        if isinstance(handed, str):
            if handed == "others" and waits < 2000 and habits != "hasty":
                waits += 1
                time.sleep(0.01)
                continue
            print(handed, flush=True)
            break
        print(f"handed {handed.case_id} {handed.reading}", flush=True)
        if habits == "stuck":
            time.sleep(600)
        fancy = chance.random() if habits == "fickle" else 1.0
        if fancy < 0.1:
            work.queue.defer("many", sample, handed.case_id, "later")
        elif fancy < 0.2:
            work.queue.let_go("many", sample)
        else:
            verdict = chance.choice(("retrieval", "ranking", "not-a-failure"))
            try:
                said = work.queue.give(
                    "many", sample, handed.case_id, verdict, seconds=1.5, seen=handed.seen
                ).said  # type: ignore[arg-type]
            except TriageError as error:
                print(f"again {error.title}", flush=True)
                continue
            print(f"read {handed.case_id} {said}", flush=True)
            if fancy < 0.3:
                work.queue.undo("many")
    work.queue.let_go("many", sample)
    work.close()


if __name__ == "__main__":
    main(*sys.argv[1:5])
