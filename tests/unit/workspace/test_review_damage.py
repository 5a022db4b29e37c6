"""What `triage db check` says of a review's tables where somebody else has written in them."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from triage.errors import TriageError
from triage.models.reading import Handed
from triage.models.upkeep import Fault
from triage.workspace import Workspace


@pytest.fixture
def read(wei: Workspace, ada: Workspace) -> Workspace:
    """Two readings of a case, which bears a label that was renamed."""
    for work, verdict in ((wei, "retrieval"), (ada, "ranking")):
        handed = work.queue.next("r", "two")
        assert isinstance(handed, Handed)
        work.queue.give("r", "two", handed.case_id, verdict, labels=["old"])  # type: ignore[arg-type]
    wei.coding.define("old", "what it means")
    wei.coding.rename("old", "new")
    assert wei.upkeep.check().faults == ()
    return wei


def harm(work: Workspace, statement: str) -> None:
    """Write where nobody may."""
    with closing(sqlite3.connect(work.database, isolation_level=None)) as sql:
        triggers = sql.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            sql.execute(f"DROP TRIGGER {name}")
        sql.execute(statement)
        for _, made in triggers:
            sql.execute(made)


def told(work: Workspace) -> list[Fault]:
    return list(work.upkeep.check().faults)


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE events SET labels = '[' WHERE id = 1", "1 review event can't be read"),
        ("UPDATE events SET labels = '{}' WHERE id < 3", "2 review events can't be read"),
        ("UPDATE events SET verdict = NULL WHERE id = 1", "1 review event can't be read"),
        ("UPDATE events SET verdict = 'x' WHERE id = 1", "1 review event can't be read"),
        ("UPDATE code_changes SET names = 'x'", "2 changes to the codebook can't be read"),
        ("UPDATE code_changes SET detail = '{}' WHERE id = 1", "1 change to the codebook can't be read"),
        ("UPDATE codes SET examples = '{'", "1 label of the codebook can't be read"),
        ("UPDATE samples SET drawn = '{' WHERE name = 'two'", "sample two of run r can't be read"),
        (
            "DELETE FROM sample_cases WHERE place = 7 AND sample = (SELECT max(pk) FROM samples)",
            "sample two of run r: 7 of 8 cases are there",
        ),
    ],
)
def test_what_can_not_be_read_is_told_and_nothing_is_made_up_in_its_place(
    read: Workspace, statement: str, says: str
) -> None:
    harm(read, statement)
    found = told(read)
    assert says in [fault.says for fault in found if not fault.mendable]
    assert says in [fault.says for fault in read.upkeep.check(repair=True).faults]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE slots SET slot = slot + 7",
        "UPDATE slots SET slot = slot + 7, batch = 'gone'",
        "UPDATE slots SET at = 'once', batch = NULL",
        "DELETE FROM slots",
        "UPDATE reviews_now SET labels = '['",
    ],
)
def test_what_follows_from_the_readers_verdicts_is_mended_and_nobody_is_asked_twice(
    read: Workspace, ada: Workspace, statement: str
) -> None:
    first, *_ = [case.case_id for case in read.sampling.cases("r", "two")]
    harm(read, statement)
    assert read.upkeep.check(repair=True).faults == ()
    for work in (read, ada):
        handed = work.queue.next("r", "two")
        assert isinstance(handed, Handed) and handed.case_id != first
    assert read.queue.progress("r", "two").readings == 2
    assert read.coding.book().named("new").total == 1  # type: ignore[union-attr]


def test_a_sample_that_can_not_be_read_is_told_and_let_go_of(read: Workspace) -> None:
    harm(read, "UPDATE samples SET drawn = '[]' WHERE name = 'two'")
    with pytest.raises(TriageError, match="a sample can't be read: two in r"):
        read.sampling.samples("r")
    assert read.sampling.remove("r", "two") == 8
    assert [sample.name for sample in read.sampling.samples("r")] == ["one"]
    assert told(read) == []
    with pytest.raises(TriageError, match="no such sample"):
        read.sampling.remove("r", "two")
