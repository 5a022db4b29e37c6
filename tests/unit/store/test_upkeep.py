"""A database looked through, copied while others write, and made small again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from triage.errors import TriageError
from triage.store import Act, Store
from triage.store.locks import lock_path, try_lock


@pytest.fixture
def reviewed(store: Store, kit: SimpleNamespace) -> Store:
    """A run of three cases with a verdict, a note and labels on them."""
    loaded = kit.load(store, [kit.record("a"), kit.missed("b"), kit.second("c")])
    store.add_events(loaded.run, [Act("b", "verdict", verdict="retrieval", labels=("stale-doc",))], kit.who())
    store.add_events(
        loaded.run, [Act("c", "note", note="看看"), Act("a", "verdict", verdict="other")], kit.who()
    )
    store.undo(loaded.run, kit.who())
    store.add_events(loaded.run, [Act("b", "verdict", verdict="ranking")], kit.who("li"))
    return store


def kinds(store: Store, **options: bool) -> list[str]:
    return [fault.kind for fault in store.upkeep().check(**options).faults]


def test_a_database_in_order_has_no_faults_and_is_counted(reviewed: Store) -> None:
    found = reviewed.upkeep().check()
    assert found.faults == () and found.mended == ()
    assert (found.runs, found.cases, found.events) == (1, 3, 6)
    assert found.size > 0 and found.database == str(reviewed.path)


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE reviews_now SET verdict = 'refusal' WHERE case_id = 'b'",
        "UPDATE reviews_now SET note = 'other words', labels = '[]'",
        "DELETE FROM reviews_now WHERE case_id = 'b'",
        "UPDATE reviews_now SET disputed = 0",
    ],
)
def test_reviews_that_are_not_what_their_history_says_are_found_and_mended(
    reviewed: Store, harm: str
) -> None:
    before = reviewed._sql.execute("SELECT * FROM reviews_now").fetchall()
    with reviewed.write() as sql:
        sql.execute(harm)
    assert kinds(reviewed) == ["reviews"]
    found = reviewed.upkeep().check(repair=True)
    assert found.faults == () and "review" in found.mended[0]
    assert reviewed._sql.execute("SELECT * FROM reviews_now").fetchall() == before


def test_a_look_writes_nothing(reviewed: Store, another: Callable[[], Store]) -> None:
    watcher = another()
    before = watcher.data_version()
    reviewed.upkeep().check()
    assert watcher.data_version() == before


@pytest.mark.parametrize(
    ("harm", "table"),
    [
        ("DELETE FROM cases WHERE case_id = 'a'", "texts"),
        ("INSERT INTO view_sums VALUES (999, 'hit', 1, 1)", "view_sums"),
        ("INSERT INTO problems (rev, level, reason) VALUES (77, 'record', 'x')", "problems"),
    ],
)
def test_rows_that_belong_to_nothing_are_found(reviewed: Store, harm: str, table: str) -> None:
    with reviewed.write() as sql:
        sql.execute(harm)
    said = [fault.says for fault in reviewed.upkeep().check().faults if fault.kind == "orphans"]
    assert any(table in words for words in said)
    assert "orphans" not in kinds(reviewed, repair=True)


def test_a_run_without_all_its_records_is_told_with_how_to_load_it_again(reviewed: Store) -> None:
    with reviewed.write() as sql:
        sql.execute("DELETE FROM records")
    (fault,) = (one for one in reviewed.upkeep().check(repair=True).faults)
    assert fault.kind == "incomplete" and "0 of 3 records" in fault.says
    assert "triage ingest /data/run.jsonl" in fault.hint and not fault.mendable


def test_a_load_that_was_killed_is_a_fault_and_one_at_work_is_none(reviewed: Store) -> None:
    with reviewed.write() as sql:
        sql.execute(
            "INSERT INTO revisions (path, format, sha256, size, mtime_ns, options)"
            " VALUES ('/x', 'jsonl', '', 0, 0, '{}')"
        )
        rev = sql.execute("SELECT max(pk) FROM revisions").fetchone()[0]
    lock = try_lock(lock_path(reviewed.path, "rev", rev))
    assert lock is not None
    found = reviewed.upkeep().check()
    assert found.faults == () and "1 load under way" in found.remarks[0]
    with pytest.raises(TriageError, match="being loaded"):
        reviewed.upkeep().compact()
    lock.release()
    assert kinds(reviewed) == ["unfinished"]
    assert kinds(reviewed, repair=True) == []


def test_a_damaged_file_is_told_and_left_alone(reviewed: Store, path: Path, kit: SimpleNamespace) -> None:
    kit.load(
        reviewed, [kit.record(f"x{number}") for number in range(300)], run_id="big", path="/data/big.jsonl"
    )
    reviewed.upkeep().compact()
    reviewed.close()
    data = bytearray(path.read_bytes())
    middle = len(data) // 2 // 8192 * 8192
    data[middle : middle + 4096] = b"\xff" * 4096
    path.write_bytes(data)
    with Store(path) as opened:
        found = opened.upkeep().check(repair=True)
    assert [fault.kind for fault in found.faults] == ["damaged"]
    assert "backup" in found.faults[0].hint and found.mended == ()
    assert path.read_bytes()[middle : middle + 4096] == b"\xff" * 4096


def test_a_backup_is_one_whole_file_while_others_write(
    reviewed: Store, another: Callable[[], Store], kit: SimpleNamespace, tmp_path: Path
) -> None:
    run = reviewed.run("run")
    stop = threading.Event()
    failed: list[TriageError] = []

    def scribble() -> None:
        try:
            with Store(reviewed.path) as mine:
                while not stop.is_set():
                    mine.add_events(run, [Act("a", "note", note="again")], kit.who("mei"))
        except TriageError as error:
            failed.append(error)

    writer = threading.Thread(target=scribble)
    writer.start()
    copies = [reviewed.upkeep().backup(tmp_path / f"copy{number}.db") for number in range(3)]
    stop.set()
    writer.join()
    assert not failed
    for copied in copies:
        assert not Path(copied.path + "-wal").exists() and Path(copied.path).stat().st_mode & 0o777 == 0o600
        assert copied.size == Path(copied.path).stat().st_size
        with Store(Path(copied.path)) as opened:
            assert opened.upkeep().check().faults == ()
            assert opened.review(run, "b") == reviewed.review(run, "b")
    assert not list(tmp_path.glob(".*half"))


def test_a_backup_writes_over_nothing_unless_told_to(reviewed: Store, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    target.write_text("precious")
    with pytest.raises(TriageError, match="is there already"):
        reviewed.upkeep().backup(target)
    assert target.read_text() == "precious"
    assert reviewed.upkeep().backup(target, overwrite=True).size > 1000
    with pytest.raises(TriageError, match="the database itself"):
        reviewed.upkeep().backup(reviewed.path, overwrite=True)
    with pytest.raises(TriageError, match="can't write the backup"):
        reviewed.upkeep().backup(target / "below" / "copy.db")


def test_compacting_gives_the_room_of_removed_runs_back(reviewed: Store, kit: SimpleNamespace) -> None:
    kit.load(
        reviewed, [kit.record(f"x{number}", answer="long " * 200) for number in range(300)],
        run_id="big", path="/data/big.jsonl",
    )  # fmt: skip
    reviewed.remove(["big"])
    made = reviewed.upkeep().compact()
    assert made.after < made.before and made.removed == 0
    assert kinds(reviewed) == []
    assert [run.id for run in reviewed.runs()] == ["run"]
