"""Readers in processes of their own on one database: no reading is given twice, none is lost."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from triage.models.sample import SampleRule
from triage.settings import Settings
from triage.store import Store
from triage.workspace import Workspace

READER = Path(__file__).with_name("reading_along.py")
CASES = 24


class Readers:
    """Reader processes that all begin at once."""

    def __init__(self, database: Path) -> None:
        self.database = database
        self.running: dict[str, subprocess.Popen[str]] = {}

    def start(self, reviewer: str, habits: str = "steady", sample: str = "two") -> None:
        command = [sys.executable, str(READER), str(self.database), reviewer, sample, habits]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**os.environ, "PYTHONPATH": str(READER.parents[3])},
        )  # fmt: skip
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        self.running[reviewer] = process

    def go(self) -> None:
        self.database.with_name("go").touch()

    def told(self, reviewer: str) -> list[str]:
        """What a reader printed; it has ended well."""
        out, _ = self.running[reviewer].communicate(timeout=60)
        assert self.running[reviewer].returncode == 0, out
        return out.splitlines()


@pytest.fixture
def many(tmp_path: Path, make: Any) -> Iterator[Workspace]:
    """A run of cases with two samples of all of them: `one` reading a case, and `two`."""
    run = make.file(
        tmp_path / "many.jsonl", [make.case(f"案-{number}") for number in range(CASES)], {"id": "many"}
    )
    found = Workspace(tmp_path / "triage.db", Settings(), reviewer="lead")
    found.ingest([run])
    for name, readings in (("one", 1), ("two", 2)):
        found.sampling.draw("many", SampleRule(seed="x", n=CASES, readings=readings), name)
    yield found
    found.close()


@pytest.fixture
def readers(many: Workspace) -> Iterator[Readers]:
    made = Readers(many.database)
    yield made
    for process in made.running.values():
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def slots(database: Path, sample: str) -> list[tuple[str, str, str | None]]:
    with sqlite3.connect(database) as sql:
        return sql.execute(
            """SELECT s.case_id, s.reviewer, s.batch FROM slots s
                JOIN samples ON samples.pk = s.sample WHERE name = ?""",
            (sample,),
        ).fetchall()


def handed(lines: list[str]) -> list[str]:
    return [line.split()[1] for line in lines if line.startswith("handed")]


def test_four_readers_read_each_case_once(many: Workspace, readers: Readers) -> None:
    names = ["wei", "ada", "bo", "cy"]
    for name in names:
        readers.start(name, sample="one")
    readers.go()
    told = {name: readers.told(name) for name in names}
    given = [case for lines in told.values() for case in handed(lines)]
    assert sorted(given) == sorted(f"案-{number}" for number in range(CASES))
    assert not [line for lines in told.values() for line in lines if "extra" in line]
    assert len(slots(many.database, "one")) == CASES
    assert all(len(found) == 1 for found in many.queue.readings("many", given).values())


def test_two_readings_are_of_two_readers_and_never_more(many: Workspace, readers: Readers) -> None:
    names = ["wei", "ada", "bo", "cy"]
    for name in names:
        readers.start(name)
    readers.go()
    told = {name: readers.told(name) for name in names}
    given = Counter(case for lines in told.values() for case in handed(lines))
    assert given == {f"案-{number}": 2 for number in range(CASES)}
    assert all(len(handed(lines)) == len(set(handed(lines))) for lines in told.values())
    found = many.queue.readings("many", list(given))
    assert all(len({reading.reviewer for reading in each}) == 2 for each in found.values())
    progress = many.queue.progress("many", "two")
    assert (progress.readings, progress.wanted) == (2 * CASES, 2 * CASES)
    assert progress.disputed == sum(len({one.verdict for one in each}) == 2 for each in found.values()) > 0


def test_whoever_defers_undoes_and_leaves_is_never_read_over(many: Workspace, readers: Readers) -> None:
    names = ["wei", "ada", "bo"]
    for name in names:
        readers.start(name, "fickle")
    readers.go()
    told = [line for name in names for line in readers.told(name)]
    assert not [line for line in told if "extra" in line]
    taken = slots(many.database, "two")
    done = [(case, reviewer) for case, reviewer, batch in taken if batch is not None]
    assert max(Counter(case for case, *_ in taken).values()) <= 2
    standing = many.queue.readings("many", [f"案-{number}" for number in range(CASES)])
    said = {(case, reading.reviewer) for case, each in standing.items() for reading in each}
    assert set(done) == said


def test_a_killed_reader_holds_his_case_for_a_while_only(many: Workspace, readers: Readers) -> None:
    readers.start("stuck", "stuck", "one")
    readers.go()
    process = readers.running["stuck"]
    assert process.stdout is not None
    held = process.stdout.readline().split()[1]
    process.kill()
    process.wait()
    readers.start("wei", "hasty", "one")
    wei = handed_until_others(readers, "wei")
    assert held not in wei and len(wei) == CASES - 1
    late = Workspace(many.database, Settings(), reviewer="ada", now=later(minutes=61))
    found = late.queue.next("many", "one")
    assert not isinstance(found, str) and found.case_id == held
    assert late.queue.progress("many", "one").others == 0
    late.close()


def handed_until_others(readers: Readers, reviewer: str) -> list[str]:
    lines = readers.told(reviewer)
    assert lines[-1] == "others"
    return handed(lines)


def test_a_run_that_is_loaded_anew_meanwhile_is_read_as_it_is_in_the_end(
    many: Workspace, readers: Readers, tmp_path: Path, make: Any
) -> None:
    names = ["wei", "ada", "bo"]
    for name in names:
        readers.start(name)
    readers.go()
    for edition in range(4):
        changed = [
            make.case(f"案-{number}", answer=f"Edition {edition if number % 3 else 0}.[S1]")
            for number in range(CASES)
        ]
        many.ingest([make.file(tmp_path / "many.jsonl", changed, {"id": "many"})])
    told = {name: readers.told(name) for name in names}
    errors = {line for lines in told.values() for line in lines if line.startswith("again")}
    assert errors <= {"again the record has changed", "again no such case"}
    readers.database.with_name("go").unlink()
    for name in names:
        readers.start(name)
    readers.go()
    for name in names:
        assert readers.told(name)[-1] == "done"
    progress = many.queue.progress("many", "two")
    assert progress.readings == progress.wanted == 2 * CASES
    found = many.queue.readings("many", [f"案-{number}" for number in range(CASES)])
    assert all(len({one.reviewer for one in each if not one.stale}) >= 2 for each in found.values())


def later(minutes: float) -> Callable[[], datetime]:
    return lambda: datetime.now().astimezone() + timedelta(minutes=minutes)


def test_the_database_itself_refuses_a_reading_too_many(many: Workspace) -> None:
    sample = many.sampling.sample("many", "one")
    with Store(many.database) as store, store.write() as sql:
        sql.execute(
            "INSERT INTO slots VALUES (?, '案-1', 1, 'wei', 's', '2026-01-01T00:00:00Z', NULL)", (sample.pk,)
        )
    for slot, case, reviewer in (
        (2, "案-1", "ada"),
        (1, "案-1", "ada"),
        (0, "案-2", "ada"),
        (1, "none", "ada"),
    ):
        with pytest.raises(sqlite3.IntegrityError), Store(many.database) as store, store.write() as sql:
            sql.execute(
                "INSERT INTO slots VALUES (?, ?, ?, ?, 's', '2026-01-01T00:00:00Z', NULL)",
                (sample.pk, case, slot, reviewer),
            )
    two = many.sampling.sample("many", "two")
    with pytest.raises(sqlite3.IntegrityError), Store(many.database) as store, store.write() as sql:
        for slot in (1, 2):
            sql.execute(
                "INSERT INTO slots VALUES (?, '案-1', ?, 'wei', 's', '2026-01-01T00:00:00Z', NULL)",
                (two.pk, slot),
            )
