"""`triage db`: the database file looked after from the command line."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from triage.cli.db import size
from triage.ui.work import bugs
from triage.workspace import Workspace

Call = Callable[..., Any]


@pytest.fixture
def loaded(triage: Call, small: Path) -> Path:
    assert triage("ingest", str(small)).code == 0
    assert triage("tag", "b", "ranking", "--reviewer", "wei").code == 0
    return small.parent / ".triage" / "triage.db"


def test_check_tells_that_nothing_is_wrong(triage: Call, loaded: Path) -> None:
    done = triage("db", "check")
    assert done.code == 0 and done.err == ""
    assert "1 runs, 4 cases, 1 review events" in done.out and "nothing is wrong" in done.out
    found = triage("db", "check", "--format", "json").json
    assert found["ok"] is True and found["faults"] == [] and found["events"] == 1


def test_check_finds_and_mends(triage: Call, loaded: Path) -> None:
    with sqlite3.connect(loaded) as sql:
        sql.execute("UPDATE reviews_now SET verdict = 'refusal'")
    done = triage("db", "check", "--format", "json")
    assert done.code == 1
    (fault,) = done.json["faults"]
    assert fault["kind"] == "reviews" and fault["mendable"] and "--repair" in fault["hint"]
    told = triage("db", "check")
    assert told.code == 1 and "error" in told.out and "1 wrong" in told.out
    mended = triage("db", "check", "--repair")
    assert mended.code == 0 and "mended" in mended.out
    assert triage("cases", "--filter", "verdict:ranking", "--format", "json").json["cases"][0]["id"] == "b"


def test_backup_stands_beside_the_database_under_a_dated_name(triage: Call, loaded: Path) -> None:
    done = triage("db", "backup")
    made = Path(done.out.strip())
    assert done.code == 0 and made.parent == loaded.parent
    assert re.fullmatch(r"triage-\d{8}-\d{6}\.db", made.name) and "kB" in done.err
    assert triage("--db", str(made), "cases", "--filter", "verdict:ranking", "--format", "json").json["cases"]


def test_backup_writes_over_nothing_unasked(triage: Call, loaded: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    assert triage("db", "backup", str(target)).code == 0
    again = triage("db", "backup", str(target))
    assert again.code == 1 and "is there already" in again.err and "--force" in again.err
    assert triage("db", "backup", str(target), "--force", "--format", "json").json["path"] == str(target)


def test_compact_says_before_and_after(triage: Call, loaded: Path) -> None:
    assert triage("remove", "kb42").code == 0
    made = triage("db", "compact", "--format", "json").json
    assert made["after"] <= made["before"] and made["removed"] == 0
    assert re.search(r"kB before, .* now", triage("db", "compact").out)


@pytest.mark.parametrize("words", [["check"], ["backup"], ["compact"]])
def test_without_a_database_nothing_is_made(triage: Call, place: Path, words: list[str]) -> None:
    done = triage("db", *words)
    assert done.code == 1 and "no database" in done.err
    assert not (place / ".triage").exists()


def test_db_alone_says_what_there_is(triage: Call, place: Path) -> None:
    done = triage("db")
    assert done.code == 2 and "check, backup or compact" in done.err and done.err.count("\n") == 1


def test_the_database_may_be_named_before_and_after(triage: Call, loaded: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    assert triage("db", "backup", str(other)).code == 0
    for words in (["--db", str(other), "db", "check"], ["db", "--db", str(other), "check"],
                  ["db", "check", "--db", str(other)]):  # fmt: skip
        assert str(other) in triage(*words).out


def test_a_newer_database_is_told_with_both_versions(triage: Call, loaded: Path) -> None:
    with sqlite3.connect(loaded) as sql:
        sql.execute("PRAGMA user_version = 99")
    done = triage("runs")
    assert done.code == 1 and "newer than this program" in done.err and "99" in done.err


def test_a_migration_is_told_with_the_name_of_the_backup(
    triage: Call, loaded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import triage.store.connection as connection

    monkeypatch.setattr(connection, "SCHEMA_VERSION", connection.SCHEMA_VERSION + 1)
    monkeypatch.setattr(connection, "migrate", lambda sql: None)
    done = triage("runs")
    assert done.code == 0
    assert re.search(r"triage: the database was migrated .*triage\.db\.schema\d+\.backup", done.err)
    assert "migrated" not in done.out


def test_a_bug_of_ours_is_one_sentence_with_a_report(
    triage: Call, loaded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "\x1b]52;c;AAAA\x07 of a record"

    def broken(*given: object, **more: object) -> None:
        raise RuntimeError(secret)

    monkeypatch.setattr(Workspace, "run_named", broken)
    done = triage("cases", "kb42")
    assert done.code == bugs.EXIT_CODE == 70
    assert done.err.startswith("triage: bug in triage") and done.err.count("\n") == 1
    assert "\x1b" not in done.err and "Traceback" not in done.err
    path = Path(re.search(r"the report is (\S+\.txt)", done.err)[1])  # type: ignore[index]
    report = path.read_text("utf-8")
    assert "RuntimeError" in report and "\x1b" not in report and "secret" in report  # the name, not a value
    assert all(word in report for word in ("triage ", "Python ", "Textual ", "platform", "terminal"))


@pytest.mark.parametrize(
    ("count", "words"), [(0, "0 bytes"), (999, "999 bytes"), (1000, "1.0 kB"), (999_960, "1.0 MB"),
                         (2_500_000_000, "2.5 GB"), (3_100_000_000_000, "3.1 TB")]
)  # fmt: skip
def test_bytes_are_said_as_people_say_them(count: int, words: str) -> None:
    assert size(count) == words
