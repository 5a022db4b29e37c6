"""A database of an older program: copied before it is migrated, and its reviews follow the rules of today."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from triage.errors import TriageError
from triage.store import Store, connection, schema
from triage.store.connection import Connection

BEFORE_READINGS = 8
"""The schema of the last program that knew no readings."""


def raw(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


def older(path: Path, verdicts: dict[str, list[tuple[str, str]]], filler: int = 0) -> Path:
    """A database of that program: a run that was removed, of its cases who said what, in that order."""
    with closing(raw(path)) as sql:
        sql.execute("BEGIN IMMEDIATE")
        schema.migrate(sql, upto=BEFORE_READINGS)
        sql.execute(
            "INSERT INTO runs (run_id, path, format, named, numbered) VALUES ('r', '/r', 'jsonl', 1, 1)"
        )
        for case_id, said in verdicts.items():
            for reviewer, verdict in said:
                batch = f"{case_id}-{reviewer}"
                sql.execute(
                    """INSERT INTO batches (batch, sitting, run_id, reviewer, at, kind)
                        VALUES (?, 's', 'r', ?, '2026-01-01T00:00:00+00:00', 'verdict')""",
                    (batch, reviewer),
                )
                sql.execute(
                    """INSERT INTO events (batch, sitting, case_id, run_id, revision, hash_case, hash_answer,
                        hash_retrieved, reviewer, at, kind, verdict)
                        VALUES (?, 's', ?, 'r', 1, 'a', 'b', 'c', ?, '2026-01-01T00:00:00+00:00',
                            'verdict', ?)""",
                    (batch, case_id, reviewer, verdict),
                )
            newest = said[-1]
            sql.execute(
                """INSERT INTO reviews_now (run_id, case_id, verdict, labels, note, reviewer, at, disputed,
                    hash_case, hash_answer, hash_retrieved)
                    VALUES ('r', ?, ?, '[]', '', ?, '2026-01-01T00:00:00+00:00', ?, 'a', 'b', 'c')""",
                (case_id, newest[1], newest[0], len({verdict for _, verdict in said}) > 1),
            )
        sql.execute("INSERT INTO state (key, value) VALUES ('filler', ?)", ("x" * filler,))
        sql.execute("COMMIT")
    return path


TWO_OF_THREE = [("ann", "retrieval"), ("bo", "retrieval"), ("cy", "ranking")]
THREE_WAYS = [("ann", "retrieval"), ("bo", "ranking"), ("cy", "refusal")]


def test_where_most_reviewers_agreed_their_verdict_is_the_cases_from_the_migration_on(
    tmp_path: Path,
) -> None:
    path = older(tmp_path / "triage.db", {"most": TWO_OF_THREE, "none": THREE_WAYS})
    with Store(path) as store:
        assert store.upkeep().check().faults == ()
        assert [event.reviewer for event in store.history("r", "most")] == ["ann", "bo", "cy"]
    with closing(raw(path)) as sql:
        assert sql.execute(
            "SELECT case_id, verdict, reviewer, disputed FROM reviews_now ORDER BY case_id"
        ).fetchall() == [("most", "retrieval", "bo", 0), ("none", "refusal", "cy", 1)]
    with closing(raw(tmp_path / f"triage.db.schema{BEFORE_READINGS}.backup")) as kept:
        assert kept.execute("SELECT verdict FROM reviews_now WHERE case_id = 'most'").fetchone() == (
            "ranking",
        )


def test_a_backup_that_did_not_fit_leaves_neither_half_a_copy_nor_half_a_migration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = older(tmp_path / "triage.db", {"most": TWO_OF_THREE})
    before = path.read_bytes()

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", full)
        with pytest.raises(TriageError, match="No space left on device"):
            Store(path)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir() if "backup" in each.name] == []
    with Store(path) as store:
        assert len(store.notices) == 1


def test_a_migration_that_failed_leaves_the_database_as_it_was_and_no_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = older(tmp_path / "triage.db", {"most": TWO_OF_THREE})

    def refused(sql: sqlite3.Connection) -> None:
        sql.execute("DROP TABLE events")
        sql.execute("INSERT INTO runs (run_id) VALUES ('lacks the rest')")

    with monkeypatch.context() as patch:
        patch.setattr(connection, "migrate", refused)
        with pytest.raises(sqlite3.IntegrityError):
            Store(path)
    assert [each.name for each in tmp_path.iterdir() if "backup" in each.name] == []
    with Store(path) as store:
        assert len(store.history("r", "most")) == 3


def test_what_a_killed_process_left_of_its_copy_is_no_part_of_the_next(tmp_path: Path) -> None:
    path = older(tmp_path / "triage.db", {"most": TWO_OF_THREE})
    script = """if True:
        import os, pathlib, signal, sys
        from triage.store import Store, connection
        connection.Path.replace = lambda half, target: os.kill(os.getpid(), signal.SIGKILL)
        Store(pathlib.Path(sys.argv[1]))"""
    killed = subprocess.run([sys.executable, "-c", script, str(path)], check=False)
    assert killed.returncode == -9
    half = tmp_path / ".triage.db.schema.half"
    assert half.is_file()
    half.with_name(half.name + "-journal").write_bytes(b"of another copy")
    with Store(path) as store:
        assert len(store.notices) == 1
    with closing(raw(tmp_path / f"triage.db.schema{BEFORE_READINGS}.backup")) as kept:
        assert kept.execute("SELECT count(*) FROM events").fetchone() == (3,)
    assert [each.name for each in tmp_path.iterdir() if "half" in each.name] == []


def test_of_many_who_open_it_at_once_one_copies_and_migrates_it(tmp_path: Path) -> None:
    path = older(tmp_path / "triage.db", {"most": TWO_OF_THREE}, filler=2_000_000)
    script = "import sys, pathlib, triage.store as s; print(len(s.Store(pathlib.Path(sys.argv[1])).notices))"
    at_once = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True,
        )
        for _ in range(4)
    ]  # fmt: skip
    told = sorted(each.communicate(timeout=60)[0] for each in at_once)
    assert told == ["0\n", "0\n", "0\n", "1\n"]
    copies = [each for each in tmp_path.iterdir() if "backup" in each.name]
    assert [each.name for each in copies] == [f"triage.db.schema{BEFORE_READINGS}.backup"]
    with closing(raw(copies[0])) as kept:
        assert kept.execute("PRAGMA user_version").fetchone() == (BEFORE_READINGS,)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE slots SET slot = 2",
        "UPDATE slots SET case_id = 'another'",
        "UPDATE sample_cases SET readings = 9",
        "UPDATE samples SET rule = '{}'",
        "INSERT OR REPLACE INTO slots VALUES (1, 'c', 2, 'bo', 's', 't', NULL)",
        "INSERT INTO slots VALUES (1, 'c', 1, 'bo', 's', 't', NULL)",
    ],
)
def test_a_cases_readings_and_what_was_drawn_stay_whatever_is_written(tmp_path: Path, change: str) -> None:
    database = Connection(tmp_path / "triage.db", create=True)
    with closing(database), database.write() as sql:
        sql.execute("INSERT INTO samples VALUES (1, 'r', 'one', 1, NULL, '{}', '{}', 1, 'ann', 't')")
        sql.execute("INSERT INTO sample_cases VALUES (1, 'c', 0, 0, 0, 1)")
        sql.execute("INSERT INTO slots VALUES (1, 'c', 1, 'ann', 's', 't', NULL)")
        with pytest.raises(sqlite3.IntegrityError):
            sql.execute(change)
