"""Opening a database: what is made, what is refused, what is migrated; and how two writers get on."""

from __future__ import annotations

import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from triage.errors import Busy, TriageError
from triage.store import Act, Store, connection, schema
from triage.store.mounts import network_type

OPEN = """
import sys, time
from pathlib import Path
from triage.store import Store
from triage.models.query import Scope
from triage.store.filter import Where
with Store(Path(sys.argv[1])) as store:
    run = store.newest()
    view = store.view(run.pk, run.k)
    keys = store.keys(run, view, Scope(run.id, sort="", view="failing"), Where())
    assert store.rows(run, view, keys) and store.summed(run, view, Where()).counts.failing == 1
    assert store.summed(run, view, Where("m.failing")).aggregates
print(" ".join(name for name in ("sqlite_utils", "pydantic", "luqum", "textual") if name in sys.modules))
"""


def raw(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


def test_a_new_database_is_readable_by_its_owner_alone_and_keeps_a_write_ahead_log(
    store: Store, path: Path
) -> None:
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    found = raw(path)
    assert found.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert found.execute("PRAGMA user_version").fetchone() == (schema.SCHEMA_VERSION,)
    found.close()


def test_reading_makes_no_database(path: Path) -> None:
    with pytest.raises(TriageError, match="no database"):
        Store(path)
    with pytest.raises(TriageError, match="no database"):
        Store(path, create=True, read_only=True)
    assert not path.exists()


def test_a_file_that_is_no_database_is_told_and_left_alone(path: Path) -> None:
    path.write_text("these are not the bytes of a database, however long the file may be\n" * 100)
    before = path.read_bytes()
    with pytest.raises(TriageError, match="not a database"):
        Store(path, create=True)
    assert path.read_bytes() == before


def test_another_programs_database_is_told_and_left_alone(path: Path) -> None:
    other = raw(path)
    other.execute("CREATE TABLE bookmarks (url TEXT)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(TriageError, match="not a triage database"):
        Store(path, create=True)
    assert path.read_bytes() == before


def test_a_newer_database_is_told_with_both_versions_and_left_alone(store: Store, path: Path) -> None:
    store.close()
    newer = raw(path)
    newer.execute("PRAGMA user_version = 99")
    newer.close()
    before = path.read_bytes()
    with pytest.raises(TriageError, match=rf"schema 99, this program knows {schema.SCHEMA_VERSION}"):
        Store(path)
    assert path.read_bytes() == before
    assert sorted(each.name for each in path.parent.iterdir()) == [path.name]


def test_an_older_database_is_backed_up_beside_itself_and_then_migrated(path: Path) -> None:
    older = raw(path)
    older.execute("BEGIN IMMEDIATE")
    schema.migrate(older, upto=2)
    older.execute(
        "INSERT INTO runs (run_id, path, format, named, numbered) VALUES ('r', '/r', 'jsonl', 1, 1)"
    )
    older.execute("COMMIT")
    older.close()
    with Store(path) as store:
        assert any("migrated" in notice for notice in store.notices)
        assert store.drafts("wei") == []
    backup = path.with_name("triage.db.schema2.backup")
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    kept, migrated = raw(backup), raw(path)
    assert kept.execute("PRAGMA user_version").fetchone() == (2,)
    for each in (kept, migrated):
        assert each.execute("SELECT run_id FROM runs").fetchall() == [("r",)]
    assert migrated.execute("PRAGMA user_version").fetchone() == (schema.SCHEMA_VERSION,)
    kept.close()
    migrated.close()


def test_an_older_database_is_not_migrated_by_one_who_may_only_read(path: Path) -> None:
    older = raw(path)
    older.execute("BEGIN IMMEDIATE")
    schema.migrate(older, upto=1)
    older.execute("COMMIT")
    older.close()
    with pytest.raises(TriageError, match="older"):
        Store(path, read_only=True)


def test_a_reader_cannot_write(store: Store, path: Path) -> None:
    with Store(path, read_only=True) as reader:
        assert reader.runs() == []
        with pytest.raises(TriageError, match="cannot be used"):
            reader.set_state("theme", "light")


def test_an_sqlite_that_is_too_old_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection.sqlite3, "sqlite_version_info", (3, 36, 0))
    with pytest.raises(TriageError, match="SQLite is too old"):
        Store(path, create=True)


def test_a_list_and_its_panels_load_neither_migrations_nor_pydantic(store: Store, path: Path, kit) -> None:
    kit.load(store, [kit.record("a"), kit.missed("b")])
    done = subprocess.run([sys.executable, "-c", OPEN, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_opening_a_current_database_takes_milliseconds(store: Store, path: Path) -> None:
    times = []
    for _ in range(20):
        begin = time.perf_counter()
        Store(path).close()
        times.append(time.perf_counter() - begin)
    assert sorted(times)[5] < 0.02


def test_a_database_that_another_made_just_now_is_opened(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store(path, create=True).close()
    real, looks = Path.is_file, []

    def not_yet(self: Path) -> bool:
        looks.append(self)
        return real(self) and looks.count(path) > 1

    monkeypatch.setattr(Path, "is_file", not_yet)
    with Store(path, create=True) as opened:
        assert opened.runs() == []
    assert looks.count(path) == 2


def test_two_processes_that_make_the_database_at_once_make_it_once(path: Path) -> None:
    script = "import sys, pathlib, triage.store as s; s.Store(pathlib.Path(sys.argv[1]), create=True)"
    made = [
        subprocess.Popen([sys.executable, "-c", script, str(path)], stderr=subprocess.PIPE) for _ in range(4)
    ]
    assert [(each.wait(), each.stderr and each.stderr.read()) for each in made] == [(0, b"")] * 4


def test_every_transaction_begins_immediately(
    path: Path, monkeypatch: pytest.MonkeyPatch, kit, tmp_path: Path
) -> None:
    said: list[str] = []
    connect = sqlite3.connect

    def traced(*args: object, **words: object) -> sqlite3.Connection:
        made = connect(*args, **words)
        made.set_trace_callback(said.append)
        return made

    monkeypatch.setattr(connection.sqlite3, "connect", traced)
    with Store(path, create=True) as store:
        loaded = kit.load(store, [kit.record("a"), kit.missed("b")])
        with store.begin_view(loaded.run.pk, 1, kit.Scoring(k=1)) as view:
            view.finish()
        store.add_events(loaded.run, [Act("a", "verdict", "other")], kit.who())
        store.undo(loaded.run, kit.who())
        store.redo(loaded.run, kit.who())
        store.set_state("x", 1)
        store.save_draft("wei", "run", "a", "text")
        store.set_baseline("run", None)
        store.pin_baseline("run")
        store.remove(["run"])
        store.cleanup()
    begins = [text for text in said if text.upper().startswith("BEGIN")]
    assert len(begins) > 10
    assert set(begins) == {"BEGIN IMMEDIATE"}


def test_a_write_waits_for_another_program_and_then_succeeds(store: Store, path: Path) -> None:
    holding = threading.Event()

    def hold() -> None:
        other = raw(path)
        other.execute("BEGIN IMMEDIATE")
        holding.set()
        time.sleep(0.6)
        other.execute("ROLLBACK")
        other.close()

    thread = threading.Thread(target=hold)
    thread.start()
    holding.wait()
    begin = time.monotonic()
    store.set_state("kept", "yes")
    assert 0.3 < time.monotonic() - begin < 3
    thread.join()
    assert store.state("kept") == "yes"


def test_a_write_gives_up_after_the_limit_and_can_be_tried_again(path: Path, store: Store) -> None:
    other = raw(path)
    other.execute("BEGIN IMMEDIATE")
    with Store(path, busy_seconds=0.3) as waiting:
        begin = time.monotonic()
        with pytest.raises(Busy, match="busy"):
            waiting.set_state("kept", "yes")
        assert time.monotonic() - begin < 3
        other.execute("ROLLBACK")
        other.close()
        waiting.set_state("kept", "yes")
        assert waiting.state("kept") == "yes"


def test_what_raises_inside_a_write_leaves_nothing(store: Store) -> None:
    with pytest.raises(ZeroDivisionError), store.write() as sql:
        sql.execute("INSERT INTO state (key, value) VALUES ('a', '1')")
        raise ZeroDivisionError
    assert store.state("a") is None
    store.set_state("b", [1, None])
    assert store.state("b") == [1, None]


def test_another_connections_commit_shows_in_the_data_version(
    store: Store, another: Callable[[], Store]
) -> None:
    second = another()
    before = store.data_version()
    assert store.data_version() == before
    second.set_state("x", 1)
    assert store.data_version() != before


@pytest.mark.parametrize(
    ("mounts", "kind"),
    [
        ("/dev/sda1 / ext4 rw 0 0\nserver:/home /home nfs4 rw 0 0\n", "nfs4"),
        ("/dev/sda1 / ext4 rw 0 0\nserver:/home /hom nfs4 rw 0 0\n", None),
        ("server:/ / nfs rw 0 0\n/dev/sda1 /home ext4 rw 0 0\n", None),
        ("/dev/sda1 / ext4 rw 0 0\nwei@host: /home/my\\040data fuse.sshfs rw 0 0\n", None),
        ("broken\n", None),
    ],
)
def test_a_network_file_system_is_known_by_the_mount_that_holds_the_file(
    mounts: str, kind: str | None
) -> None:
    assert network_type(Path("/home/wei/triage.db"), mounts) == kind


def test_on_a_network_file_system_the_rollback_journal_is_used_and_told(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "network_type", lambda path: "nfs4")
    with Store(path, create=True) as store:
        assert any("nfs4" in notice for notice in store.notices)
        store.set_state("x", 1)
        with store.write() as sql:
            assert sql.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_drafts_and_state_survive_closing(path: Path, store: Store) -> None:
    store.save_draft("wei", "run", "a", "half a thought \ud800")
    store.set_state("theme", {"name": "light"})
    store.close()
    with Store(path) as again:
        assert again.draft("wei", "run", "a") == "half a thought \\ud800"
        assert again.draft("lin", "run", "a") is None
        assert again.drafts("wei") == [("run", "a", "half a thought \\ud800")]
        assert again.state("theme") == {"name": "light"}
        again.drop_draft("wei", "run", "a")
        again.set_state("theme", None)
        assert again.draft("wei", "run", "a") is None
        assert again.state("theme", "none") == "none"
