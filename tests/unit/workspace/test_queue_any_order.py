"""Whatever readers do in whatever order, slots tell what verdicts stand, and no case is read too often."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from triage.errors import TriageError
from triage.workspace import Workspace

READINGS = {"one": 1, "two": 2}
CASES = [f"c{number}" for number in range(8)]


class Table:
    """Three readers at one database, and what must hold after every step."""

    def __init__(self, database: Path, readers: list[Workspace]) -> None:
        self.database, self.readers = database, readers
        self.in_hand: dict[tuple[str, str], str] = {}
        self.extra: set[tuple[str, str]] = set()

    def slots(self) -> list[tuple[str, str, str, str | None]]:
        with sqlite3.connect(self.database) as sql:
            return sql.execute(
                """SELECT y.name, s.case_id, s.reviewer, s.batch
                    FROM slots s JOIN samples y ON y.pk = s.sample"""
            ).fetchall()

    def check(self) -> None:
        given = self.readers[0].queue.readings("r", CASES)
        batches = {}
        for case_id in CASES:
            with sqlite3.connect(self.database) as sql:
                for reading in given.get(case_id, ()):
                    (batch,) = sql.execute(
                        "SELECT batch FROM events WHERE id = ?", (reading.event,)
                    ).fetchone()
                    batches[case_id, reading.reviewer] = batch
        taken: dict[tuple[str, str], int] = {}
        for sample, case_id, reviewer, batch in self.slots():
            taken[sample, case_id] = taken.get((sample, case_id), 0) + 1
            assert batch == batches.get((case_id, reviewer)), (sample, case_id, reviewer)
        for (sample, _), count in taken.items():
            assert count <= READINGS[sample]
        for work in self.readers:
            for sample in READINGS:
                progress = work.queue.progress("r", sample)
                assert progress.cases == len(CASES)
                assert progress.mine == sum((case, work.reviewer) in batches for case in CASES)
                assert progress.open <= progress.cases - progress.mine
                assert progress.deferred <= progress.open


def step(table: Table, chance: random.Random, watch: Any) -> str:
    work, sample = chance.choice(table.readers), chance.choice(list(READINGS))
    what = chance.choice(
        ["read"] * 6
        + ["next", "defer", "let go", "undo", "undo", "redo", "tag", "clear", "put off", "wait", "open"]
    )
    case_id = chance.choice(CASES)
    queue = work.queue
    if what in ("read", "next", "defer"):
        handed, progress = queue.go_on("r", sample)
        assert progress == queue.progress("r", sample), "what is told beside the case is how far it all is"
        if isinstance(handed, str):
            return f"{what}: {handed}"
        given = {one.reviewer for one in queue.readings("r", [handed.case_id]).get(handed.case_id, ())}
        assert work.reviewer not in given, "he has read it already"
        if what == "read":
            said = queue.give(
                "r", sample, handed.case_id, chance.choice(("ranking", "other")), seconds=2.0
            ).said
            assert "extra" not in said
        elif what == "defer":
            queue.defer("r", sample, handed.case_id, "later")
        return what
    try:
        {
            "let go": lambda: queue.let_go("r", sample),
            "undo": lambda: queue.undo("r"),
            "redo": lambda: work.redo("r"),
            "tag": lambda: work.tag("r", [case_id, CASES[0]], "retrieval"),
            "clear": lambda: work.clear("r", [case_id]),
            "put off": lambda: work.bulk.defer("r", [case_id]),
            "wait": lambda: setattr(watch, "time", watch.time + timedelta(minutes=61)),
            "open": lambda: queue.open("r", sample, case_id),
        }[what]()
    except TriageError as error:
        assert error.title in (
            "nothing to undo",
            "nothing to redo",
            "cannot undo",
            "cannot redo",
            "others read it",
        )
    return what


@pytest.mark.parametrize("seed", range(8))
def test_whatever_is_done_in_whatever_order(
    wei: Workspace, ada: Workspace, enter: Callable[[str], Workspace], watch: Any, seed: int
) -> None:
    table = Table(wei.database, [wei, ada, enter("bo")])
    chance = random.Random(seed)
    done = []
    for _ in range(60):
        done.append(step(table, chance, watch))
        table.check()
    assert len(set(done)) > 6
